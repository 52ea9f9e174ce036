#pragma once
/// How much a tagger can look at soft constituents, and how much it does.
///
/// Keys of weight z_j and scores within [-c, c] have the attention weights
///   w_ij = z_j exp(s_ij) / sum_k z_k exp(s_ik).
/// Constituents with m of the pT of all others together then have, of any query, at most the weight
///   m e^c / (m e^c + e^-c) = m e^2c / (1 + m e^2c):
/// the most where all of them have the score c and all others -c. It depends on no jet and on no learned number.

#include "fovea/domains/particle/tag/trained_tagger.hpp"

namespace fovea::particle::safety {

/// The bound above. share: m, cap: c, both > 0.
double soft_weight_bound(double share, double cap);

/// The weight that a query gives to the last `count` constituents of its jet together: the largest over queries, heads,
/// blocks over the constituents, and jets.
double largest_soft_weight(const tag::TrainedTagger& tagger, const datasets::particles::ParticleSets& jets,
                           Index count);

}  // namespace fovea::particle::safety
