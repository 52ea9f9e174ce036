#include "fovea/domains/particle/model/mass_penalty.hpp"

#include <vector>

#include "fovea/core/learning/distance_correlation.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/domains/particle/model/jet_inputs.hpp"

namespace fovea::particle::model {

learning::Variable<float> mass_penalty(learning::Variable<float> logits, const learning::Tokens& jets,
                                       std::span<const Index> classes, std::span<const float> weights, float factor) {
  std::vector<float> masses, counted;
  for (Index b = 0; b < jets.sets(); ++b) {
    const std::size_t jet = b;
    masses.push_back(
        static_cast<float>(mass_of_constituents(jets.coordinates, jets.offsets[jet], jets.offsets[jet + 1])));
    counted.push_back(classes[jet] == 0 ? weights[jet] : 0.0F);
  }
  return scale(learning::distance_correlation<float>(sigmoid(logits), masses, counted), factor);
}

}  // namespace fovea::particle::model
