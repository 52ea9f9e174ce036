#include "fovea/core/study/scores/score_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/statistics/calibration.hpp"

namespace fovea::study {

double weighted_mean(std::span<const double> terms, std::span<const double> weights) {
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (weights[i] == 0) continue;  // 0 times infinity is NaN
    sum += weights[i] * terms[i];
    weight += weights[i];
  }
  return sum / weight;
}

namespace {

/// The score of probabilities of one column or of several.
template <typename OfTwo, typename OfSeveral>
WeightedScore mean_of_probabilities(const Examples& examples, const OfTwo& of_two, const OfSeveral& of_several) {
  return mean_of_rows(examples, [&](Index i) {
    return examples.mean.cols() == 1 ? of_two(examples.mean_at(i), examples.class_at(i))
                                     : of_several(examples.mean.middleRows(i, 1), examples.class_at(i));
  });
}

}  // namespace

WeightedScore log_loss_of(const Examples& examples) {
  return mean_of_probabilities(
      examples, [](std::span<const double> p, std::span<const Index> y) { return log_loss(p, y); },
      [](const MatrixView<double>& p, std::span<const Index> y) { return log_loss(p, y); });
}

WeightedScore brier_of(const Examples& examples) {
  return mean_of_probabilities(
      examples, [](std::span<const double> p, std::span<const Index> y) { return brier_score(p, y); },
      [](const MatrixView<double>& p, std::span<const Index> y) { return brier_score(p, y); });
}

WeightedScore calibration_error_of(const Examples& examples) {
  constexpr std::size_t kScoreBins = 15;
  std::vector<std::size_t> bins;
  std::vector<double> excess;  // p - y
  for (Index i = 0; i < examples.rows(); ++i) {
    Index column = 0;
    const double p = examples.mean.row(i).maxCoeff(&column);
    const Index right = examples.mean.cols() == 1 ? 1 : column;
    bins.push_back(std::min(static_cast<std::size_t>(p * static_cast<double>(kScoreBins)), kScoreBins - 1));
    excess.push_back(p - (examples.classes[i] == right ? 1 : 0));
  }
  return [bins = std::move(bins), excess = std::move(excess)](std::span<const double> weights) {
    std::array<double, kScoreBins> sums{};
    double weight = 0, error = 0;
    for (std::size_t i = 0; i < bins.size(); ++i) {
      sums[bins[i]] += weights[i] * excess[i];
      weight += weights[i];
    }
    for (const double sum : sums) error += std::abs(sum);
    return error / weight;
  };
}

std::shared_ptr<const RankedOutcomes> ranked(const Examples& examples, Index column, Index positive) {
  std::vector<double> scores;
  std::vector<Index> outcomes;
  for (Index i = 0; i < examples.rows(); ++i) {
    scores.push_back(examples.mean(i, column));
    outcomes.push_back(examples.classes[i] == positive ? 1 : 0);
  }
  return std::make_shared<const RankedOutcomes>(scores, outcomes);
}

}  // namespace fovea::study
