#pragma once
/// What the pages of fusion say in words, by kind.

#include <cmath>
#include <string>

#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::fusion {

/// What the same model is worth when a sensor is taken away; NaN where no tested case is left.
struct SensorsLost {
  std::string measure;
  double both, without_s2, without_s1;
  FOVEA_FINDING(verdict, "sensors_lost", "the tested cases have been answered with both sensors", measure, both,
                without_s2, without_s1)
  bool holds() const { return !std::isnan(both); }
  std::string sentence() const {
    return concat(measure, ": ", rounded_text(both, 3), " with both sensors, ", rounded_text(without_s2, 3),
                  " with S2 taken away, ", rounded_text(without_s1, 3), " with S1 taken away.");
  }
  static SensorsLost example() { return {"Mean intersection over union", 0.83, 0.71, std::nan("")}; }
  static SensorsLost counterexample() { return {"Mean intersection over union", std::nan(""), 0.71, 0.62}; }
};

/// Attention fills gaps of a stack no better than a line between the clear dates.
struct NoBetterThanInterpolation {
  double gain, low, high;  ///< PSNR, dB
  FOVEA_FINDING(note, "no_better_than_interpolation", "the interval of the gain over interpolation reaches 0", gain,
                low, high)
  bool holds() const { return low <= 0; }
  std::string sentence() const {
    return concat("No better than linear interpolation: the gain of ", rounded_text(gain, 3), " dB has the interval [",
                  rounded_text(low, 3), ", ", rounded_text(high, 3), "].");
  }
  static NoBetterThanInterpolation example() { return {0.3, -0.2, 0.8}; }
  static NoBetterThanInterpolation counterexample() { return {1.3, 0.9, 1.8}; }
};

/// What was predicted of the arbiter's trust, and what came of it.
struct TrustPredictions {
  double accuracy, bayes, forest, soil, ranks;
  FOVEA_FINDING(verdict, "trust_predictions", "the trust of the arbiter was measured beside what is known", accuracy,
                bayes, forest, soil, ranks)
  bool holds() const { return std::isfinite(forest) && std::isfinite(soil) && std::isfinite(ranks); }
  int true_ones() const { return (forest >= 0.8) + (soil >= 0.8) + (ranks >= 0.9); }
  std::string sentence() const {
    return concat("Accuracy is ", plain_text(accuracy), ", that of Bayes' answer ", plain_text(bayes),
                  ". Of three predictions on trust ", true_ones(), true_ones() == 1 ? " holds" : " hold",
                  ": mean trust in S2 on forest is ", plain_text(forest), " (at least .8), in S1 on soil ",
                  plain_text(soil), " (at least .8), and its rank correlation with what S2 knows more than S1 ",
                  plain_text(ranks), " (at least .9).");
  }
  static TrustPredictions example() { return {0.94, 0.95, 0.86, 0.7, 0.93}; }
  static TrustPredictions counterexample() { return {0.94, 0.95, std::nan(""), 0.7, 0.93}; }
};

}  // namespace fovea::fusion
