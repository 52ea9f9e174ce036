#pragma once
/// Cases unlike those that a model learned from.

#include <algorithm>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/cases/preparation.hpp"
#include "fovea/core/study/ensemble/predictions.hpp"

namespace fovea::study {

/// Of each case, the share of its numbers that lie outside the training range (FeatureScale), among those of which
/// something was learned; 0 without any.
std::vector<double> shares_outside(const Preparation& preparation, const Cases& cases);

/// More of the numbers of a case are outside: it is unfamiliar. Of cases like those of the training about 1 in 100
/// numbers lies outside; numbers of one case lie there together, so that 1 in 100 of a scene's own pixels has more.
inline constexpr double kUnfamiliar = 0.1;
/// More of the cases of a file are unfamiliar: whoever predicts them is warned.
inline constexpr double kMostUnfamiliar = 0.2;

/// How far the probabilities of a case fall back to equal ones: 0 up to kUnfamiliar, then twice the share, as nothing
/// that was learned applies where half of the numbers are outside; never wholly, so that their order stays.
template <typename Number>
Number weight_of_equal(Number share) {
  return share > static_cast<Number>(kUnfamiliar) ? std::min(static_cast<Number>(0.95), 2 * share) : 0;
}
/// p (1 - w) + w / C; which class is the likeliest stays. Spread shrinks alike.
void fall_back(const std::vector<double>& shares, Predictions& predictions);

struct UnfamiliarCases {
  std::string where, noun;  ///< the file or scene; "pixel"
  Index unfamiliar = 0, all = 0;
  bool fell_back = false;
  FOVEA_FINDING(warning, "unfamiliar_cases",
                "more than a fifth of what is predicted has more than a tenth of its values outside the training "
                "range",
                where, noun, unfamiliar, all, fell_back)
  bool holds() const { return static_cast<double>(unfamiliar) > kMostUnfamiliar * static_cast<double>(all); }
  std::string sentence() const {
    return concat(where, ": ", unfamiliar, " of ", counted(all, noun), " (",
                  fixed_text(100 * static_cast<double>(unfamiliar) / static_cast<double>(all), 0),
                  " %) are unlike what the model learned from: more than a tenth of their values lie outside the ",
                  "training range", fell_back ? "; their probabilities fall back towards equal ones" : "", ".");
  }
  static UnfamiliarCases example() { return {"scene a", "pixel", 30, 100, true}; }
  static UnfamiliarCases counterexample() { return {"scene a", "pixel", 20, 100, true}; }
};

inline std::vector<FindingKind> unfamiliar_finding_kinds() { return finding_kinds<UnfamiliarCases>(); }

}  // namespace fovea::study
