#pragma once
/// What the pages of fusion say in words, by kind.

#include <algorithm>
#include <cmath>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::fusion {

/// What remains of a map where the images are worse; mean intersection over union, both sensors.
struct UnderStress {
  double clear, masked, unmasked, shifted;
  FOVEA_FINDING(verdict, "under_stress", "pixels have been answered under stress", clear, masked, unmasked, shifted)
  bool holds() const { return !std::isnan(clear); }
  std::string sentence() const {
    return concat("Mean intersection over union is ", rounded_text(clear, 3), " as the scenes are, ",
                  rounded_text(masked, 3), " with 45 % of S2 below masked clouds, ", rounded_text(unmasked, 3),
                  " where the mask is missing, ", rounded_text(shifted, 3), " with S1 shifted by 3 pixels.");
  }
  static UnderStress example() { return {0.83, 0.8, 0.71, 0.79}; }
  static UnderStress counterexample() { return {std::nan(""), 0.8, 0.71, 0.79}; }
};

/// Shares of the patches whose counterpart in the other sensor's image is found first, or among the first ten.
struct PatchesFound {
  double s1_first, s2_first, s1_of_ten, s2_of_ten, chance_first, chance_of_ten;
  FOVEA_FINDING(verdict, "patches_found", "patches of both sensors have been sought in the other's image", s1_first,
                s2_first, s1_of_ten, s2_of_ten, chance_first, chance_of_ten)
  bool holds() const { return !std::isnan(s1_first) && !std::isnan(s2_first); }
  std::string sentence() const {
    return concat("The right patch is found first for ", rounded_text(s1_first, 3), " of the S1 patches and ",
                  rounded_text(s2_first, 3), " of the S2 patches, among the first ten for ", rounded_text(s1_of_ten, 3),
                  " and ", rounded_text(s2_of_ten, 3), "; by chance ", rounded_text(chance_first, 3), " and ",
                  rounded_text(chance_of_ten, 3), ".");
  }
  static PatchesFound example() { return {0.7, 0.68, 0.95, 0.94, 0.01, 0.1}; }
  static PatchesFound counterexample() { return {std::nan(""), 0.68, 0.95, 0.94, 0.01, 0.1}; }
};

struct ShiftNotFound {
  std::string scene;
  double row, column, most;  ///< pixels; the largest that is examined
  double correlation;        ///< of the gradients, at the best shift
  FOVEA_FINDING(warning, "shift_not_found",
                "the best shift of two images is the largest examined, or correlates nothing", scene, row, column, most,
                correlation)
  bool holds() const { return !(correlation > 0) || std::max(std::abs(row), std::abs(column)) >= most; }
  std::string sentence() const {
    return concat("No shift of scene ", scene, " was found within ", rounded_text(most),
                  " pixels: its images have too ", "little in common, lie further apart or show different places.");
  }
  static ShiftNotFound example() { return {"a", -5, 0.3, 5, 0.2}; }
  static ShiftNotFound counterexample() { return {"a", -4.4, 0.3, 5, 0.2}; }
};

struct MoistureError {
  double rmse, without_s2, without_s1, coverage;  ///< % of dry mass, test sites; share
  FOVEA_FINDING(verdict, "moisture_error", "moisture of test sites was predicted", rmse, without_s2, without_s1,
                coverage)
  bool holds() const { return !std::isnan(rmse); }
  std::string sentence() const {
    return concat("On test sites the root mean squared error is ", rounded_text(rmse), " % of dry mass, ",
                  rounded_text(without_s2), " with S2 lost and ", rounded_text(without_s1), " with S1 lost; ",
                  rounded_text(coverage, 3), " of the measurements lie within their 90 % intervals.");
  }
  static MoistureError example() { return {14.2, 16.8, 15.1, 0.91}; }
  static MoistureError counterexample() { return {std::nan(""), 16.8, 15.1, 0.91}; }
};

struct TestSitesDrawn {
  bool named;
  FOVEA_FINDING(note, "test_sites_drawn", "the table of moisture names no sites for test", named)
  bool holds() const { return !named; }
  std::string sentence() const { return "Sites for test were drawn, since the table names none (is_test)."; }
  static TestSitesDrawn example() { return {false}; }
  static TestSitesDrawn counterexample() { return {true}; }
};

struct GapsFilled {
  double psnr, linear, nearest, angle, linear_angle;  ///< dB, degrees
  FOVEA_FINDING(verdict, "gaps_filled", "gaps of known truth have been filled", psnr, linear, nearest, angle,
                linear_angle)
  bool holds() const { return !std::isnan(psnr); }
  std::string sentence() const {
    return concat("Hidden pixels are filled with a PSNR of ", rounded_text(psnr), " dB, linear interpolation in time ",
                  rounded_text(linear), " dB, the nearest clear date ", rounded_text(nearest),
                  " dB; the spectral angle is ", rounded_text(angle, 3), " degrees (", rounded_text(linear_angle, 3),
                  " by interpolation).");
  }
  static GapsFilled example() { return {38.1, 36.4, 33.2, 1.6, 1.9}; }
  static GapsFilled counterexample() { return {std::nan(""), 36.4, 33.2, 1.6, 1.9}; }
};

struct GapsMade {
  Index gaps;
  bool given;
  FOVEA_FINDING(note, "gaps_made", "the gaps that are scored were not given as data.tasks", gaps, given)
  bool holds() const { return !given; }
  std::string sentence() const {
    return concat(counted(gaps, "gap"), " of clear dates were made from other dates' clouds; none is for training.");
  }
  static GapsMade example() { return {12, false}; }
  static GapsMade counterexample() { return {12, true}; }
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
