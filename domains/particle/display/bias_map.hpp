#pragma once
/// What a tagger's bias of pairs has learned, over the plane of ln dR and ln kT.

#include <vector>

#include "fovea/core/study/study.hpp"
#include "fovea/domains/particle/model/tagger_model.hpp"

namespace fovea::particle::display {

/// Where the pairs of jets lie: the 2 % and 98 % quantiles of ln dR and ln(kT / GeV) to the whole number beyond, so
/// that those of several seeds are alike, and the median of ln z.
struct PairRange {
  double least_distance = 0, most_distance = 0;  ///< ln dR
  double least_kt = 0, most_kt = 0;              ///< ln(kT / GeV)
  double fraction = 0;                           ///< ln z
  bool known = false;                            ///< there are pairs at different places
};
/// Of all pairs of these cases.
PairRange range_of_pairs(const study::Cases& cases, const std::vector<Index>& items);

/// The bias at ln dR and ln(kT / GeV), with one ln z < -ln 2 or at it for all; m^2 follows from them: heads x points.
/// No rows without a bias.
Matrix<double> biases_at(const study::Member& member, const std::vector<double>& distances,
                         const std::vector<double>& kts, double fraction);

/// Heatmaps of the first member's bias, one a head, each less its mean; curves over ln dR where it knows directions
/// alone.
void write_bias_map(const study::StudyOutcome& outcome, Results& results);

}  // namespace fovea::particle::display
