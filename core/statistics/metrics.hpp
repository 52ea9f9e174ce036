#pragma once
/// How good predictions are: of two classes, of several classes, of a number. Whether probabilities are what happens
/// is asked in calibration.hpp; the Brier score of two classes is there too.
///
/// All are O(n log n) at most, and sums run in the order of the examples. Every function needs at least one example and
/// as many of everything, and throws ArgumentError for other shapes, for values out of range and for NaN.

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// The examples whose score is at least the threshold are called positive.
struct RocPoint {
  double threshold = 0;
  double false_positive_rate = 0;  ///< share of the negative ones that are called positive; NaN if there are none
  double true_positive_rate = 0;   ///< share of the positive ones that are called positive; NaN if there are none
};
struct PrecisionRecallPoint {
  double threshold = 0;
  double recall = 0;     ///< the true positive rate
  double precision = 0;  ///< share of those called positive that are
};

/// Scores of two classes, put in order once: what depends on their order alone, for any weights of the examples in
/// O(n).
class RankedOutcomes {
 public:
  /// scores    (N) larger: more likely positive; any numbers but NaN
  /// outcomes  (N) 0 or 1
  RankedOutcomes(std::span<const double> scores, std::span<const Index> outcomes);

  /// The probability that a positive example has a larger score than a negative one, equal scores counted half: the
  /// area under the ROC curve (Hanley & McNeil 1982), which is U / (P N) with the U of Mann & Whitney (1947). weights
  /// (N) >= 0, how often each example counts; empty: once NaN where one of the classes has no weight.
  double auroc(std::span<const double> weights = {}) const;

  /// sum_k (R_k - R_(k-1)) P_k over the distinct scores from the largest down, recall R and precision P; examples of
  /// the same score come in together. A step for each score: between points of precision and recall straight lines
  /// promise too much (Davis & Goadrich 2006). What a prediction that knows nothing has is the share of positive ones.
  /// NaN where one of the classes has no weight.
  double average_precision(std::span<const double> weights = {}) const;

  /// (0, 0) at the threshold infinity, then one point for each distinct score from the largest down to (1, 1).
  std::vector<RocPoint> roc_curve() const;
  /// One point for each distinct score from the largest down; its last recall is 1. Recall is NaN, and no point of use,
  /// where there is no positive example.
  std::vector<PrecisionRecallPoint> precision_recall_curve() const;

 private:
  /// The weights of both classes among the examples that share one score.
  struct Step {
    double positive = 0, negative = 0;
  };
  Step step(std::size_t k, std::span<const double> weights) const;
  Step total(std::span<const double> weights) const;
  void check_weights(std::span<const double> weights) const;

  std::vector<std::uint32_t> order_;  ///< examples, the largest score first
  std::vector<char> positive_;        ///< in that order
  std::vector<std::size_t> ends_;     ///< after the last example of each distinct score, in that order
  std::vector<double> thresholds_;    ///< distinct scores, the largest first
};

double auroc(std::span<const double> scores, std::span<const Index> outcomes);
double average_precision(std::span<const double> scores, std::span<const Index> outcomes);
std::vector<RocPoint> roc_curve(std::span<const double> scores, std::span<const Index> outcomes);
std::vector<PrecisionRecallPoint> precision_recall_curve(std::span<const double> scores,
                                                         std::span<const Index> outcomes);

/// A probability below this counts as this much in log_loss, so that one certain mistake costs at most 34.5.
inline constexpr double kLeastProbability = 1e-15;

/// Mean of -log(probability of what happened) (Good 1952), in nats; kLeastProbability at least goes into each.
/// probabilities   (N) of class 1, in [0, 1];  outcomes (N) 0 or 1
double log_loss(std::span<const double> probabilities, std::span<const Index> outcomes);
/// probabilities   (N x C), in [0, 1];  classes (N) in [0, C)
double log_loss(const MatrixView<double>& probabilities, std::span<const Index> classes);

/// Share of examples whose class has the largest probability; of equal ones the first class is meant.
double accuracy(const MatrixView<double>& probabilities, std::span<const Index> classes);

/// Mean over examples of sum_c (p_c - [c is the class])^2 (Brier 1950), in [0, 2]. Two columns p and 1 - p have twice
/// the brier_score of calibration.hpp.
double brier_score(const MatrixView<double>& probabilities, std::span<const Index> classes);

/// Mean |predicted - observed|, in their unit. Both (N), finite; so below.
double mean_absolute_error(std::span<const double> predicted, std::span<const double> observed);

/// sqrt(mean (predicted - observed)^2), in their unit.
double root_mean_squared_error(std::span<const double> predicted, std::span<const double> observed);

/// R^2 = 1 - sum (predicted - observed)^2 / sum (observed - their mean)^2: 1 is perfect, 0 no better than the mean, and
/// below 0 worse. NaN where all observed values are equal.
double coefficient_of_determination(std::span<const double> predicted, std::span<const double> observed);

/// Mean of (log(2 pi s^2) + ((y - m) / s)^2) / 2, in nats, of normal distributions with means m and deviations s > 0.
double gaussian_negative_log_likelihood(std::span<const double> means, std::span<const double> deviations,
                                        std::span<const double> observed);

/// Share of observed values with low <= y <= high; low <= high in each, infinite ends are allowed.
double interval_coverage(std::span<const double> low, std::span<const double> high, std::span<const double> observed);

}  // namespace fovea
