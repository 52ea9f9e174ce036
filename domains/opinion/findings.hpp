#pragma once
/// What the pages of opinion say in words, by kind.

#include <cmath>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::opinion {

struct PlainAveragingMoves {
  bool plain_averaging;  ///< neither stubbornness nor noise
  std::size_t moving, temperatures;
  FOVEA_FINDING(note, "plain_averaging_moves", "plain averaging is not at rest at some temperatures when steps end",
                plain_averaging, moving, temperatures)
  bool holds() const { return plain_averaging && moving > 0; }
  std::string sentence() const {
    return "Plain averaging (s = 0, no noise) ends in consensus at any temperature above 0 (on a network, in each "
           "connected component). The polarization here only reflects the finite number of steps. An expected lifetime "
           "is that of the two camps that merge first, in isolation: (T / d^2) exp(d^2 / 2T) / (n1 / n2 + n2 / n1) "
           "further steps, for d^2 >> T.";
  }
  static PlainAveragingMoves example() { return {true, 2, 9}; }
  static PlainAveragingMoves counterexample() { return {true, 0, 9}; }
};

/// Of consensus on the line, or of disorder on the circle, carried through a range of temperatures.
struct StabilityLost {
  bool disorder;
  double temperature, predicted;  ///< NaN: nowhere in the range
  FOVEA_FINDING(verdict, "stability_lost", "the leading eigenvalue of a step reaches 1 in the range", disorder,
                temperature, predicted)
  bool holds() const { return !std::isnan(temperature); }
  std::string sentence() const {
    const double off = std::abs(temperature / predicted - 1);
    return concat(
        disorder ? "Disorder on the circle" : "Consensus", " loses stability at T = ", temperature,
        std::isnan(off) ? "" : concat(" (relative deviation from theory: ", std::round(1e6 * off) / 1e4, " %)"), ".");
  }
  static StabilityLost example() { return {false, 0.00897, 0.00897}; }
  static StabilityLost counterexample() { return {false, kNan, 0.00897}; }
};

struct StabilityUnchanged {
  bool lost, stable;  ///< in the range; at any of its temperatures
  FOVEA_FINDING(verdict, "stability_unchanged", "a state is stable at all temperatures of the range, or at none", lost,
                stable)
  bool holds() const { return !lost; }
  std::string sentence() const {
    return concat("The state is stable at ", stable ? "every" : "no", " temperature of the range.");
  }
  static StabilityUnchanged example() { return {false, false}; }
  static StabilityUnchanged counterexample() { return {true, true}; }
};

/// The oracle's comparisons.
struct KnownResultsHold {
  std::size_t results, comparisons, failed;
  FOVEA_FINDING(verdict, "known_results_hold", "every comparison is within its tolerance", results, comparisons, failed)
  bool holds() const { return failed == 0; }
  std::string sentence() const {
    return concat("The models agree with ",
                  results == 1 ? "the known result" : concat("all ", results, " known results"), ", in ",
                  counted(static_cast<std::int64_t>(comparisons), "comparison"), ".");
  }
  static KnownResultsHold example() { return {2, 8, 0}; }
  static KnownResultsHold counterexample() { return {2, 8, 1}; }
};

struct KnownResultsFail {
  std::size_t comparisons, failed;
  FOVEA_FINDING(verdict, "known_results_fail", "a comparison is outside its tolerance", comparisons, failed)
  bool holds() const { return failed > 0; }
  std::string sentence() const {
    return concat(failed, " of ", comparisons, " comparisons with known results are outside their tolerance.");
  }
  static KnownResultsFail example() { return {8, 1}; }
  static KnownResultsFail counterexample() { return {8, 0}; }
};

}  // namespace fovea::opinion
