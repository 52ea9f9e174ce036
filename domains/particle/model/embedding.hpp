#pragma once
/// How the numbers of a constituent become the columns that the blocks work on.

#include <vector>

#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/learning/layers/norm.hpp"
#include "fovea/domains/particle/model/tagger_settings.hpp"

namespace fovea::particle::model {

/// "tagger": gelu(x A + a) B + b. Parameters: embed.1.*, embed.2.*
/// "part": x <- gain x + shift, then gelu(norm(x) A_k + a_k) for each width of model.embedding_hidden and at last for
/// model.width. Parameters: embed.gain, embed.shift, embed.norm_K.*, embed.K.*
class ConstituentEmbedding {
 public:
  ConstituentEmbedding(const TaggerSettings& settings, Index inputs, learning::Parameters<float>& parameters,
                       const Random& random);
  learning::Variable<float> operator()(learning::Variable<float> x) const;

 private:
  bool part_;
  learning::ParameterPlace gain_, shift_;
  std::vector<learning::Norm<float>> norms_;
  std::vector<learning::Linear<float>> layers_;
};

}  // namespace fovea::particle::model
