#include "fovea/core/study/score_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/statistics/calibration.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/study/hazards/hazard_scores.hpp"

namespace fovea::study {

namespace {

double weighted_mean(std::span<const double> terms, std::span<const double> weights) {
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (weights[i] == 0) continue;  // 0 times infinity is NaN
    sum += weights[i] * terms[i];
    weight += weights[i];
  }
  return sum / weight;
}

/// The score that is the mean of what it is of each row alone.
template <typename ScoreOfRow>
WeightedScore mean_of_rows(const Examples& examples, const ScoreOfRow& score_of_row) {
  std::vector<double> terms;
  for (Index i = 0; i < examples.rows(); ++i) terms.push_back(score_of_row(i));
  return [terms = std::move(terms)](std::span<const double> weights) { return weighted_mean(terms, weights); };
}

std::span<const double> mean_at(const Examples& examples, Index i) { return {&examples.mean(i, 0), 1}; }
std::span<const double> target_at(const Examples& examples, Index i) { return examples.targets.subspan(i, 1); }
std::span<const Index> class_at(const Examples& examples, Index i) { return std::span(examples.classes).subspan(i, 1); }

/// The score of probabilities of one column or of several.
template <typename OfTwo, typename OfSeveral>
WeightedScore mean_of_probabilities(const Examples& examples, const OfTwo& of_two, const OfSeveral& of_several) {
  return mean_of_rows(examples, [&](Index i) {
    return examples.mean.cols() == 1 ? of_two(mean_at(examples, i), class_at(examples, i))
                                     : of_several(examples.mean.middleRows(i, 1), class_at(examples, i));
  });
}

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

WeightedScore accuracy_of(const Examples& examples) {
  return mean_of_rows(examples,
                      [&](Index i) { return accuracy(examples.mean.middleRows(i, 1), class_at(examples, i)); });
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

WeightedScore auroc_of(const Examples& examples) {
  return [order = ranked(examples, 0, 1)](std::span<const double> weights) { return order->auroc(weights); };
}

WeightedScore average_precision_of(const Examples& examples) {
  return
      [order = ranked(examples, 0, 1)](std::span<const double> weights) { return order->average_precision(weights); };
}

/// The mean over the classes that some rows belong to and some do not.
WeightedScore macro_auroc_of(const Examples& examples) {
  std::vector<std::shared_ptr<const RankedOutcomes>> orders;
  for (Index c = 0; c < examples.mean.cols(); ++c) orders.push_back(ranked(examples, c, c));
  return [orders = std::move(orders)](std::span<const double> weights) {
    std::vector<double> areas;
    for (const auto& order : orders) areas.push_back(order->auroc(weights));
    return mean_with_error(areas).mean;
  };
}

/// sum over bins of |sum of w (p - y)| / sum of w: expected_calibration_error() with weights.
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

WeightedScore absolute_error_of(const Examples& examples) {
  return mean_of_rows(examples,
                      [&](Index i) { return mean_absolute_error(mean_at(examples, i), target_at(examples, i)); });
}

std::vector<double> squared_errors(const Examples& examples) {
  std::vector<double> squares;
  for (Index i = 0; i < examples.rows(); ++i) {
    const double error = mean_absolute_error(mean_at(examples, i), target_at(examples, i));
    squares.push_back(error * error);
  }
  return squares;
}

WeightedScore squared_error_of(const Examples& examples) {
  return [squares = squared_errors(examples)](std::span<const double> weights) {
    return std::sqrt(weighted_mean(squares, weights));
  };
}

WeightedScore determination_of(const Examples& examples) {
  std::vector<double> targets(examples.targets.begin(), examples.targets.end());
  return [squares = squared_errors(examples), targets = std::move(targets)](std::span<const double> weights) {
    const double mean = weighted_mean(targets, weights);
    double lowest = INFINITY, highest = -INFINITY, left = 0, all = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (weights[i] == 0) continue;
      lowest = std::min(lowest, targets[i]);
      highest = std::max(highest, targets[i]);
      left += weights[i] * squares[i];
      all += weights[i] * (targets[i] - mean) * (targets[i] - mean);
    }
    return lowest < highest ? 1 - left / all : kNan;
  };
}

WeightedScore likelihood_of(const Examples& examples) {
  return mean_of_rows(examples, [&](Index i) {
    return gaussian_negative_log_likelihood(mean_at(examples, i), examples.deviation.subspan(i, 1),
                                            target_at(examples, i));
  });
}

WeightedScore coverage_of(const Examples& examples) {
  const double reach = normal_quantile(0.95);  // both tails: 10 %
  return mean_of_rows(examples, [&](Index i) {
    const double half = reach * examples.deviation[i];
    const double low = examples.mean(i, 0) - half, high = examples.mean(i, 0) + half;
    return interval_coverage({&low, 1}, {&high, 1}, target_at(examples, i));
  });
}

std::vector<double> risks_of(const Examples& examples) {
  return {examples.mean.data(), examples.mean.data() + examples.mean.size()};
}

/// Of predictions with decisions, without, or of both.
enum class ScoreUse { always, decided, undecided };

struct TableEntry {
  TargetKind kind;
  Score score;
  WeightedScore (*prepare)(const Examples& examples);
  ScoreUse use = ScoreUse::always;
  bool is_for(const Target& target, bool decided) const {
    return kind == target.kind && use != (decided ? ScoreUse::undecided : ScoreUse::decided);
  }
};

const std::vector<TableEntry>& table_of_scores() {
  using enum TargetKind;
  static const std::vector<TableEntry> entries{
      {binary, {"auroc", "AUROC", "Hanley & McNeil 1982", 1, 0.5}, &auroc_of},
      {binary, {"average_precision", "average precision", "Davis & Goadrich 2006", 1, kNan}, &average_precision_of},
      {binary, {"brier", "Brier score", "Brier 1950", 0, kNan}, &brier_of},
      {binary, {"log_loss", "log loss", "Good 1952", 0, kNan}, &log_loss_of},
      {binary,
       {"calibration_error", "calibration error", "Naeini, Cooper, Hauskrecht 2015", 0, kNan, ScoreRange::floor},
       &calibration_error_of,
       ScoreUse::undecided},
      {binary,
       {"sized_calibration_error", "calibration error, bins of equal size", "Nguyen & O'Connor 2015", 0, kNan,
        ScoreRange::floor},
       [](const Examples& e) { return sized_calibration_error_score(risks_of(e), e.classes); },
       ScoreUse::decided},
      {binary,
       {"calibration_intercept", "calibration intercept", "Cox 1958", 0, kNan},
       [](const Examples& e) { return calibration_intercept_score(risks_of(e), e.classes); },
       ScoreUse::decided},
      {binary,
       {"calibration_slope", "calibration slope", "Cox 1958", 1, kNan},
       [](const Examples& e) { return calibration_slope_score(risks_of(e), e.classes); },
       ScoreUse::decided},
      {binary,
       {"observed_over_expected", "observed over expected", "", 1, kNan},
       [](const Examples& e) { return observed_over_expected_score(risks_of(e), e.classes); },
       ScoreUse::decided},
      {binary,
       {"event_1", "event 1", "Silva, Moody, Scott, Celi, Mark 2012", 1, kNan},
       [](const Examples& e) { return event_1_score(e.decisions, e.classes); },
       ScoreUse::decided},
      {binary,
       {"event_2", "event 2", "Silva, Moody, Scott, Celi, Mark 2012", 0, kNan, ScoreRange::floor},
       [](const Examples& e) { return event_2_score(risks_of(e), e.classes); },
       ScoreUse::decided},
      {classes, {"accuracy", "accuracy", "", 1, kNan}, &accuracy_of},
      {classes, {"log_loss", "log loss", "Good 1952", 0, kNan}, &log_loss_of},
      {classes, {"brier", "Brier score, summed over classes", "Brier 1950", 0, kNan}, &brier_of},
      {classes,
       {"calibration_error", "calibration error of the largest probability", "Guo, Pleiss, Sun, Weinberger 2017", 0,
        kNan, ScoreRange::floor},
       &calibration_error_of},
      {classes, {"macro_auroc", "AUROC, mean of one against the others", "Fawcett 2006", 1, 0.5}, &macro_auroc_of},
      {number, {"absolute_error", "mean absolute error", "", 0, kNan}, &absolute_error_of},
      {number, {"squared_error", "root mean squared error", "", 0, kNan}, &squared_error_of},
      {number, {"r_squared", "R^2", "", 1, 0}, &determination_of},
      {number, {"negative_log_likelihood", "negative log likelihood", "Good 1952", kNan, kNan}, &likelihood_of},
      {number, {"coverage_90", "coverage of the 90 % interval", "", 0.9, kNan}, &coverage_of}};
  return entries;
}

/// Of each end, then of all.
std::vector<ScoreEntry> hazard_entries(const Target& target) {
  using Prepare = WeightedScore (*)(const Target&, const Matrix<double>&, std::span<const double>, Index);
  const std::vector<std::pair<Score, Prepare>> of_an_end{
      {{"concordance", "C-index", "Harrell, Califf, Pryor, Lee, Rosati 1982", 1, 0.5}, &hazard_concordance_score},
      {{"horizon_auroc", "AUROC by the horizon", "Uno, Cai, Tian, Wei 2007", 1, 0.5}, &hazard_auroc_score},
      {{"horizon_brier", "Brier score by the horizon", "Graf, Schmoor, Sauerbrei, Schumacher 1999", 0, kNan},
       &hazard_brier_score},
      {{"horizon_observed", "observed over expected by the horizon", "Aalen & Johansen 1978", 1, kNan},
       &hazard_observed_score}};
  std::vector<ScoreEntry> entries;
  for (std::size_t end = 1; end <= target.classes.size(); ++end)
    for (auto [score, prepare] : of_an_end) {
      if (end > 1) score.name += concat("_", end);
      if (target.classes.size() > 1) score.title += concat(" of '", target.classes[end - 1], "'");
      entries.push_back({score, [prepare = prepare, end](const Examples& e) {
                           return prepare(e.target, e.mean, e.targets, static_cast<Index>(end));
                         }});
    }
  entries.push_back({{"negative_log_likelihood", "negative log likelihood", "Good 1952", 0, kNan},
                     [](const Examples& e) { return hazard_likelihood_score(e.target, e.mean, e.targets); }});
  return entries;
}

}  // namespace

std::vector<ScoreEntry> score_entries(const Target& target, bool decided) {
  std::vector<ScoreEntry> entries;
  if (target.kind == TargetKind::hazards) return hazard_entries(target);
  for (const TableEntry& entry : table_of_scores())
    if (entry.is_for(target, decided)) entries.push_back({entry.score, entry.prepare});
  return entries;
}

}  // namespace fovea::study
