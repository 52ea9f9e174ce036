#pragma once
/// A tagger of the particles of an event that knows how much there is near each of them.
///
/// Attention averages, but what tells a hard collision is a sum: how much pT lies near. The total weight that a
/// particle's keys have before they are normalised is such a sum. With a null key of score 0 among them, as in a
/// softmax "off by one" (Miller 2023), it is for head h
///
///   t_i = ln(1 + sum_j exp(a_h(j) + b_h(i, j))) = -ln(weight of the null key),   j within the radius, i included,
///
/// a_h of the key's inputs, b_h of the distance dR and of whether j is i, each by a small network. a = ln pT with b = 0
/// is the sum of pT nearby, a = 2 ln pT with b = -2 ln dR PUPPI's alpha (Bertolini, Harris, Low, Tran 2014): both are
/// heads that can be learned. t_i less its mean over the event goes to the tagger (model/tagger_model.hpp) beside the
/// inputs: what is the same for all particles, the density of an event, does not matter.

#include <memory>

#include "fovea/core/study/model/task.hpp"
#include "fovea/domains/particle/model/tagger_settings.hpp"

namespace fovea::particle::event {

/// What the keys totals.* say.
struct TotalSettings {
  Index heads = 8;  ///< 0: none, attention alone
  double radius = 0.5;
};
const Keys<TotalSettings>& total_keys();

/// Parameters: totals.key.1, totals.key.2, totals.pair.1, totals.pair.2, and those of the tagger.
std::unique_ptr<study::StudyModel> make_event_model(const TotalSettings& totals, const model::TaggerSettings& tagger,
                                                    const study::ModelShape& shape,
                                                    learning::Parameters<float>& parameters, const Random& random);

}  // namespace fovea::particle::event
