#pragma once
/// What a learned question says of its mixture of attention and trees.

#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::study {

/// Below this a weight is reported as none: it changes no probability by a hundredth.
inline constexpr double kNoWeight = 0.005;

struct MixtureWeights {
  NamedNumbers weights;  ///< of attention, then of each kind of trees
  std::string chosen_on;
  FOVEA_FINDING(note, "mixture_weights", "attention is mixed with trees by weights of least loss", weights, chosen_on)
  bool holds() const { return weights.size() > 1; }
  std::string sentence() const {
    std::string list, nothing;
    for (const auto& [name, weight] : weights) {
      list += concat(list.empty() ? "" : ", ", name, ' ', plain_text(weight, 2));
      if (weight < kNoWeight) nothing += concat(nothing.empty() ? "" : ", ", name);
    }
    return concat(
        "Weights in the mixture, chosen ", chosen_on, ": ", list, ".",
        nothing.empty() ? "" : concat(" Without a weight, since it adds nothing to the others: ", nothing, "."));
  }
  static MixtureWeights example() {
    return {{{"attention", 0.0}, {"boosted trees", 0.7}, {"random forest", 0.3}}, "out of fold"};
  }
  static MixtureWeights counterexample() { return {{{"attention", 1.0}}, "out of fold"}; }
};

}  // namespace fovea::study
