#pragma once
/// What is won by answering only where one is sure: the risk of the answers that are given against their share.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// The answers with a confidence of at least the threshold are given.
struct RiskPoint {
  double threshold = 0;
  double coverage = 0;  ///< share of the examples that are answered, in (0, 1]
  double risk = 0;      ///< mean loss of those
};

/// Risk against coverage (El-Yaniv & Wiener 2010; Geifman & El-Yaniv 2017), examples taken in by falling confidence;
/// equal confidences come in together, so that no order among them matters.
struct RiskCoverage {
  std::vector<RiskPoint> curve;  ///< one for each distinct confidence, the largest first; the last has coverage 1
  /// AURC = (1 / N) sum_i (mean loss of the i most confident examples) (Geifman, Uziel, El-Yaniv 2019); of equal
  /// confidences the mean over their orders. With confidences that know nothing it is the mean loss.
  double area = 0;
  double best_area = 0;  ///< the same where the confidence falls as the loss rises: no confidence has less
  double excess() const { return area - best_area; }  ///< E-AURC: what the confidence alone costs; >= 0

  /// Risk at the first point whose coverage is at least this much, in (0, 1].
  double risk_at(double coverage) const;
};

/// confidences  (N) larger: surer; any numbers but NaN
/// losses       (N) finite: 0 or 1 of a class right or wrong, |error| of a number
/// N >= 1. Throws ArgumentError.
RiskCoverage risk_coverage(std::span<const double> confidences, std::span<const double> losses);

}  // namespace fovea
