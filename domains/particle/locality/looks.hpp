#pragma once
/// What a trained tagger looks at, held against the prongs that a jet is known to have.

#include <vector>

#include "fovea/domains/particle/tag/trained_tagger.hpp"

namespace fovea::particle::locality {

/// Attention of the first block between constituents, mean over heads, constituents and jets.
struct ProngAttention {
  double own = 0;        ///< share of a constituent's attention on its own prong, itself left out
  double by_chance = 0;  ///< the same where a constituent attends evenly to all that it may see
  double outside = 0;    ///< largest weight of a pair that the mask forbids
  Index jets = 0;        ///< with truth
};
/// jets: those of top quarks with truth, in which each constituent belongs to the nearest of b, q, q' within dR < 0.8.
ProngAttention prong_attention(const tag::TrainedTagger& tagger, const datasets::particles::ParticleSets& jets);

/// How important each constituent of each jet is, by two measures.
struct Importance {
  std::vector<std::vector<double>> attention, gradient;  ///< of the class token; |gradient x input|
};
Importance importance_of(const tag::TrainedTagger& tagger, const datasets::particles::ParticleSets& jets);

/// The mean over jets of Spearman's rank correlation of the importance of their constituents; jets of fewer than three,
/// or whose constituents are all equally important, are left out.
double agreement(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b);

/// The mean |change of the logit| when the most important constituents are deleted: at each of these shares.
std::vector<double> deletion_curve(const tag::TrainedTagger& tagger, const datasets::particles::ParticleSets& jets,
                                   const std::vector<std::vector<double>>& importance,
                                   const std::vector<double>& shares);

/// In how many rows the first block says anything else, in any bit, when a constituent that they see neither before nor
/// after is moved by 3 in both directions. No rows without a mask.
struct FarChange {
  Index rows = 0, changed = 0;
};
FarChange far_change(const tag::TrainedTagger& tagger, const datasets::particles::ParticleSets& jets);

}  // namespace fovea::particle::locality
