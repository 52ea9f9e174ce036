#pragma once
/// Weights of the Particle Transformer (Qu, Li, Qian 2022) under the names of its published program, weaver-core.
///
/// What there stands behind means and deviations (batch norms, at inference) or behind a gain a head (c_attn) is folded
/// into the product before or behind it, so that a file's net and ours compute the same; on the way back those are 1.
/// README.md of the domain has the table of names.

#include <string>

#include "fovea/core/learning/model/safetensors.hpp"
#include "fovea/domains/particle/model/tagger_settings.hpp"

namespace fovea::particle::model {

/// Of a model of the shape "part"; width 0: of another one.
struct PartSizes {
  Index width = 0, heads = 0, blocks = 0, class_blocks = 0;
  Index embedding_layers = 0;
  Index pair_layers = 0;  ///< 0: no bias of pairs
};
PartSizes part_sizes(const TaggerSettings& settings);

/// Sets every parameter from a file of weights; names may begin with "mod.". Of a net with two outputs, signal first,
/// their difference becomes the logit. Throws DataError that names path and tensor where one is missing, has another
/// shape, is not finite, or is not known; the parameters are then as before.
void load_part_weights(const learning::TensorFile& file, const std::string& path, const PartSizes& sizes,
                       learning::Parameters<float>& parameters);

/// The same the other way: a file that weaver's program loads. One output becomes two, of which the second is 0.
learning::TensorFile part_weights(const learning::Parameters<float>& parameters, const PartSizes& sizes);

}  // namespace fovea::particle::model
