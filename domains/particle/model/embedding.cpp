#include "fovea/domains/particle/model/embedding.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::particle::model {

ConstituentEmbedding::ConstituentEmbedding(const TaggerSettings& settings, Index inputs,
                                           learning::Parameters<float>& parameters, const Random& random)
    : part_(settings.part) {
  std::vector<Index> widths = part_ ? settings.embedding_hidden : std::vector{settings.width};
  widths.insert(widths.begin(), inputs);
  widths.push_back(settings.width);
  if (part_) {
    gain_ = parameters.add("embed.gain", Matrix<float>::Ones(1, inputs), learning::Decay::no);
    shift_ = parameters.add("embed.shift", Matrix<float>::Zero(1, inputs), learning::Decay::no);
  }
  for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
    if (part_) norms_.emplace_back(parameters, concat("embed.norm_", l + 1), widths[l]);
    layers_.emplace_back(parameters, concat("embed.", l + 1), widths[l], widths[l + 1],
                         random.stream(concat("embed ", l + 1)));
  }
}

learning::Variable<float> ConstituentEmbedding::operator()(learning::Variable<float> x) const {
  if (!part_) return layers_[1](gelu(layers_[0](x)));
  learning::Variable<float> h = add_row(multiply_row(x, x.tape().parameter(gain_)), x.tape().parameter(shift_));
  for (std::size_t l = 0; l < layers_.size(); ++l) h = gelu(layers_[l](norms_[l](h)));
  return h;
}

}  // namespace fovea::particle::model
