#pragma once
/// What is stated of a simulated economy whose law is known.

#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::nowcast {

/// How far from the law of a simulated economy what is learned of it may be.
inline constexpr double kAurocGap = 0.02;       ///< below Bayes' rule
inline constexpr double kCauseMissed = 0.2;     ///< share of tested recession months whose true cause is not first
inline constexpr double kHalfLifeError = 0.25;  ///< of itself
inline constexpr double kDelayError = 1;        ///< months

/// Of a simulated economy whose law is known; errors: the largest of the kinds with an effect.
struct KnownCauses {
  double first, half_life_error, delay_error, auroc, bayes;
  FOVEA_FINDING(verdict, "known_causes", "causes, half-lives and delays are within their bounds of the known ones",
                first, half_life_error, delay_error, auroc, bayes)
  bool holds() const {
    return first >= 1 - kCauseMissed && half_life_error <= kHalfLifeError && delay_error <= kDelayError &&
           auroc >= bayes - kAurocGap;
  }
  std::string sentence() const {
    return concat("The known causes are found again: the true cause is first by deletion in ",
                  rounded_text(100 * first, 0),
                  " % of the tested recession months that have one, half-lives are off by ",
                  rounded_text(100 * half_life_error, 0), " % at most, delays by ", rounded_text(delay_error, 2),
                  " months at most, and the AUROC is ", rounded_text(auroc, 3), ", compared with ",
                  rounded_text(bayes, 3), " of Bayes' rule.");
  }
  static KnownCauses example() { return {0.95, 0.09, 0.8, 0.894, 0.902}; }
  static KnownCauses counterexample() { return {0.95, 0.4, 0.8, 0.894, 0.902}; }
};

/// Of a simulated economy: a kind of event with the effect 0 that follows the same hidden cause as one with an effect.
struct FollowsHiddenCause {
  std::string follower, cause;
  double hidden,
      known;         ///< the follower's share of the changes by deletion where the cause is hidden, and where it is not
  double unrelated;  ///< the largest share of kinds that neither cause nor follow, where the cause is hidden
  FOVEA_FINDING(warning, "follows_hidden_cause", "a kind of event without effect has weight where a cause is hidden",
                follower, cause, hidden, known, unrelated)
  bool holds() const { return hidden > 2 * known && hidden > 2 * unrelated; }
  std::string sentence() const {
    const auto percent = [](double share) { return concat(rounded_text(100 * share, 0), " %"); };
    return concat("Weight is no proof of a cause: ", follower, " causes nothing but follows the same hidden cause as ",
                  cause, ". Where ", cause, " is not among the events, ", follower, " makes up ", percent(hidden),
                  " of what deletions change in recession months, compared with ", percent(known), " where it is.");
  }
  static FollowsHiddenCause example() { return {"sentiment", "credit", 0.24, 0.02, 0.05}; }
  static FollowsHiddenCause counterexample() { return {"sentiment", "credit", 0.04, 0.03, 0.05}; }
};

}  // namespace fovea::nowcast
