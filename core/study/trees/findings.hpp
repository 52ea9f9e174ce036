#pragma once
/// What a learned question says of its mixture of attention and trees, or that there is none.

#include <algorithm>
#include <cmath>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::study {

/// Below this a weight is reported as 0.00.
inline constexpr double kNoWeight = 0.005;

struct MixtureWeights {
  NamedNumbers weights;  ///< of attention, then of each kind of trees
  std::string chosen_on;
  FOVEA_FINDING(note, "mixture_weights", "attention is mixed with trees by weights of least loss", weights, chosen_on)
  bool holds() const { return weights.size() > 1; }
  /// As stacked_logits() leaves them where no part does better than one prediction for all cases.
  bool equal() const {
    return std::all_of(weights.begin(), weights.end(),
                       [&](const auto& one) { return std::abs(one.second - weights[0].second) < 1e-12; });
  }
  std::string sentence() const {
    if (equal())
      return concat("All parts of the mixture have the same weight, since none does better ", chosen_on,
                    " than one prediction for all cases.");
    std::string list, nothing;
    int without = 0;
    for (const auto& [name, weight] : weights) {
      list += concat(list.empty() ? "" : ", ", name, ' ', fixed_text(weight, 2));
      if (weight < kNoWeight) nothing += concat(without++ == 0 ? "" : ", ", name);
    }
    return concat("Weights in the mixture, chosen ", chosen_on, ": ", list, ".",
                  without == 0 ? ""
                               : concat(" Without a weight, since the mixture is no better with ",
                                        without == 1 ? "it: " : "them: ", nothing, "."));
  }
  static MixtureWeights example() {
    return {{{"attention", 0.0}, {"boosted trees", 0.7}, {"random forest", 0.3}}, "out of fold"};
  }
  static MixtureWeights counterexample() { return {{{"attention", 1.0}}, "out of fold"}; }
};

struct TreesNotCompared {
  bool grown;
  std::string refusal;  ///< LearnedTask::refuses_trees()
  FOVEA_FINDING(note, "trees_not_compared", "no trees were grown beside attention", grown, refusal)
  bool holds() const { return !grown; }
  std::string sentence() const {
    return concat("Trees were not compared with attention: ",
                  refusal.empty() ? "trees.rounds = 0 and trees.forest = 0" : refusal, ".");
  }
  static TreesNotCompared example() { return {false, ""}; }
  static TreesNotCompared counterexample() { return {true, ""}; }
};

}  // namespace fovea::study
