#include "fovea/core/statistics/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/ordering.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea {

namespace {

void check_as_many(const char* who, Index predictions, std::size_t observations) {
  require(predictions >= 1 && predictions == static_cast<Index>(observations), who, ": there are ", predictions,
          " predictions and ", observations, " observations; as many are needed, and at least one.");
}

void check_two_classes(const char* who, std::span<const Index> outcomes) {
  for (const Index y : outcomes) require(y == 0 || y == 1, who, ": an outcome is ", y, ", but must be 0 or 1.");
}

void check_probability(const char* who, double p) {
  require(p >= 0 && p <= 1, who, ": a probability is ", p, ", but must be in [0, 1].");
}

void check_several_classes(const char* who, const MatrixView<double>& probabilities, std::span<const Index> classes) {
  check_as_many(who, probabilities.rows(), classes.size());
  for (const Index y : classes)
    require(y >= 0 && y < probabilities.cols(), who, ": a class is ", y, ", but must be in [0, ", probabilities.cols(),
            ").");
  for (Index i = 0; i < probabilities.rows(); ++i)
    for (Index c = 0; c < probabilities.cols(); ++c) check_probability(who, probabilities(i, c));
}

void check_all_finite(const char* who, const char* what, std::span<const double> values) {
  for (const double v : values) require(std::isfinite(v), who, ": ", what, " is ", v, ", but must be finite.");
}

void check_numbers(const char* who, std::span<const double> predicted, std::span<const double> observed) {
  check_as_many(who, static_cast<Index>(predicted.size()), observed.size());
  check_all_finite(who, "a predicted value", predicted);
  check_all_finite(who, "an observed value", observed);
}

double cost_of(double probability) { return -logarithm(std::max(probability, kLeastProbability)); }

double sum_of_squared_errors(std::span<const double> predicted, std::span<const double> observed) {
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) sum += (predicted[i] - observed[i]) * (predicted[i] - observed[i]);
  return sum;
}

}  // namespace

RankedOutcomes::RankedOutcomes(std::span<const double> scores, std::span<const Index> outcomes) {
  check_as_many("ranked outcomes", static_cast<Index>(scores.size()), outcomes.size());
  check_two_classes("ranked outcomes", outcomes);
  for (const double s : scores) require(!std::isnan(s), "ranked outcomes: a score is NaN; it must be a number.");
  order_ = ascending_order(scores);
  std::reverse(order_.begin(), order_.end());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    positive_.push_back(outcomes[order_[i]] == 1);
    if (i + 1 < order_.size() && scores[order_[i]] == scores[order_[i + 1]]) continue;
    ends_.push_back(i + 1);
    thresholds_.push_back(scores[order_[i]]);
  }
}

RankedOutcomes::Step RankedOutcomes::step(std::size_t k, std::span<const double> weights) const {
  Step sum;
  for (std::size_t i = k == 0 ? 0 : ends_[k - 1]; i < ends_[k]; ++i)
    (positive_[i] ? sum.positive : sum.negative) += weights.empty() ? 1 : weights[order_[i]];
  return sum;
}

RankedOutcomes::Step RankedOutcomes::total(std::span<const double> weights) const {
  Step sum;
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    const Step here = step(k, weights);
    sum.positive += here.positive;
    sum.negative += here.negative;
  }
  return sum;
}

void RankedOutcomes::check_weights(std::span<const double> weights) const {
  require(weights.empty() || weights.size() == order_.size(), "ranked outcomes: there are ", order_.size(),
          " examples but ", weights.size(), " weights; each needs one, or none has.");
}

double RankedOutcomes::auroc(std::span<const double> weights) const {
  check_weights(weights);
  Step above;
  double pairs = 0;
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    const Step here = step(k, weights);
    pairs += here.negative * (above.positive + here.positive / 2);
    above.positive += here.positive;
    above.negative += here.negative;
  }
  return above.positive > 0 && above.negative > 0 ? pairs / (above.positive * above.negative) : kNan;
}

double RankedOutcomes::average_precision(std::span<const double> weights) const {
  check_weights(weights);
  Step above;
  double sum = 0;
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    const Step here = step(k, weights);
    above.positive += here.positive;
    above.negative += here.negative;
    if (here.positive > 0) sum += here.positive * (above.positive / (above.positive + above.negative));
  }
  return above.positive > 0 && above.negative > 0 ? sum / above.positive : kNan;
}

std::vector<RocPoint> RankedOutcomes::roc_curve() const {
  const Step all = total({});
  Step above;
  std::vector<RocPoint> curve;
  const auto add = [&](double threshold) {
    curve.push_back({threshold, all.negative > 0 ? above.negative / all.negative : kNan,
                     all.positive > 0 ? above.positive / all.positive : kNan});
  };
  add(std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    const Step here = step(k, {});
    above.positive += here.positive;
    above.negative += here.negative;
    add(thresholds_[k]);
  }
  return curve;
}

std::vector<PrecisionRecallPoint> RankedOutcomes::precision_recall_curve() const {
  const double positive = total({}).positive;
  double found = 0;
  std::vector<PrecisionRecallPoint> curve;
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    found += step(k, {}).positive;
    curve.push_back({thresholds_[k], positive > 0 ? found / positive : kNan, found / static_cast<double>(ends_[k])});
  }
  return curve;
}

double auroc(std::span<const double> scores, std::span<const Index> outcomes) {
  return RankedOutcomes(scores, outcomes).auroc();
}

double average_precision(std::span<const double> scores, std::span<const Index> outcomes) {
  return RankedOutcomes(scores, outcomes).average_precision();
}

std::vector<RocPoint> roc_curve(std::span<const double> scores, std::span<const Index> outcomes) {
  return RankedOutcomes(scores, outcomes).roc_curve();
}

std::vector<PrecisionRecallPoint> precision_recall_curve(std::span<const double> scores,
                                                         std::span<const Index> outcomes) {
  return RankedOutcomes(scores, outcomes).precision_recall_curve();
}

double log_loss(std::span<const double> probabilities, std::span<const Index> outcomes) {
  check_as_many("log_loss", static_cast<Index>(probabilities.size()), outcomes.size());
  check_two_classes("log_loss", outcomes);
  double sum = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    check_probability("log_loss", probabilities[i]);
    sum += cost_of(outcomes[i] == 1 ? probabilities[i] : 1 - probabilities[i]);
  }
  return sum / static_cast<double>(probabilities.size());
}

double log_loss(const MatrixView<double>& probabilities, std::span<const Index> classes) {
  check_several_classes("log_loss", probabilities, classes);
  double sum = 0;
  for (Index i = 0; i < probabilities.rows(); ++i) sum += cost_of(probabilities(i, classes[i]));
  return sum / static_cast<double>(probabilities.rows());
}

double accuracy(const MatrixView<double>& probabilities, std::span<const Index> classes) {
  check_several_classes("accuracy", probabilities, classes);
  Index right = 0;
  for (Index i = 0; i < probabilities.rows(); ++i) {
    Index chosen = 0;
    for (Index c = 1; c < probabilities.cols(); ++c)
      if (probabilities(i, c) > probabilities(i, chosen)) chosen = c;
    if (chosen == classes[i]) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(probabilities.rows());
}

double brier_score(const MatrixView<double>& probabilities, std::span<const Index> classes) {
  check_several_classes("brier_score", probabilities, classes);
  double sum = 0;
  for (Index i = 0; i < probabilities.rows(); ++i)
    for (Index c = 0; c < probabilities.cols(); ++c) {
      const double miss = probabilities(i, c) - (c == classes[i] ? 1 : 0);
      sum += miss * miss;
    }
  return sum / static_cast<double>(probabilities.rows());
}

double mean_absolute_error(std::span<const double> predicted, std::span<const double> observed) {
  check_numbers("mean_absolute_error", predicted, observed);
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) sum += std::abs(predicted[i] - observed[i]);
  return sum / static_cast<double>(predicted.size());
}

double root_mean_squared_error(std::span<const double> predicted, std::span<const double> observed) {
  check_numbers("root_mean_squared_error", predicted, observed);
  return std::sqrt(sum_of_squared_errors(predicted, observed) / static_cast<double>(predicted.size()));
}

double coefficient_of_determination(std::span<const double> predicted, std::span<const double> observed) {
  check_numbers("coefficient_of_determination", predicted, observed);
  const auto [least, most] = std::minmax_element(observed.begin(), observed.end());
  if (*least == *most) return kNan;
  double mean = 0, squares = 0;
  for (const double y : observed) mean += y;
  mean /= static_cast<double>(observed.size());
  for (const double y : observed) squares += (y - mean) * (y - mean);
  return 1 - sum_of_squared_errors(predicted, observed) / squares;
}

double gaussian_negative_log_likelihood(std::span<const double> means, std::span<const double> deviations,
                                        std::span<const double> observed) {
  constexpr const char* kWho = "gaussian_negative_log_likelihood";
  check_numbers(kWho, means, observed);
  check_as_many(kWho, static_cast<Index>(deviations.size()), observed.size());
  double sum = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    require(deviations[i] > 0 && std::isfinite(deviations[i]), kWho, ": a deviation is ", deviations[i],
            ", but must be > 0 and finite.");
    const double z = (observed[i] - means[i]) / deviations[i];
    sum += z * z / 2 + logarithm(deviations[i]) + logarithm(2 * std::numbers::pi) / 2;
  }
  return sum / static_cast<double>(means.size());
}

double interval_coverage(std::span<const double> low, std::span<const double> high, std::span<const double> observed) {
  check_as_many("interval_coverage", static_cast<Index>(low.size()), observed.size());
  check_as_many("interval_coverage", static_cast<Index>(high.size()), observed.size());
  check_all_finite("interval_coverage", "an observed value", observed);
  Index inside = 0;
  for (std::size_t i = 0; i < low.size(); ++i) {
    require(low[i] <= high[i], "interval_coverage: an interval is [", low[i], ", ", high[i],
            "]; its low end must be at most its high end.");
    if (low[i] <= observed[i] && observed[i] <= high[i]) ++inside;
  }
  return static_cast<double>(inside) / static_cast<double>(low.size());
}

}  // namespace fovea
