#include "fovea/core/study/scores/decision_scores.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/linear/calibration_line.hpp"
#include "fovea/core/statistics/decisions.hpp"
#include "fovea/core/statistics/equal_bins.hpp"
#include "fovea/core/study/scores/score_table.hpp"

namespace fovea::study {

namespace {

constexpr std::size_t kScoredBins = 10;

/// Each row as often as its weight.
struct DrawnRows {
  std::vector<double> risks;
  std::vector<Index> outcomes;
};

/// The score of the rows that a draw has.
template <typename ScoreOfRows>
WeightedScore score_of_draw(std::vector<double> risks, std::vector<Index> outcomes, const ScoreOfRows& score) {
  return [risks = std::move(risks), outcomes = std::move(outcomes), score](std::span<const double> weights) {
    return score(DrawnRows{repeated(risks, weights), repeated(outcomes, weights)});
  };
}

/// Log-odds with mean 0 and standard deviation 1, and what takes a line on them back.
struct LineData {
  std::vector<double> z;
  std::vector<Index> outcomes;
  double mean = 0, deviation = 1;
};

LineData line_data(const std::vector<double>& risks, std::vector<Index> outcomes) {
  LineData data{{}, std::move(outcomes), 0, 1};
  const auto count = static_cast<double>(risks.size());
  double squares = 0;
  for (const double p : risks) data.z.push_back(log_odds_of(p));
  for (const double z : data.z) data.mean += z / count;
  for (const double z : data.z) squares += (z - data.mean) * (z - data.mean);
  if (squares > 0) data.deviation = std::sqrt(squares / count);
  for (double& z : data.z) z = (z - data.mean) / data.deviation;
  return data;
}

/// Whether a line is most likely: both outcomes were drawn, and the log-odds do not part them.
bool has_line(const LineData& data, std::span<const double> weights) {
  double highest[2] = {-INFINITY, -INFINITY}, lowest[2] = {INFINITY, INFINITY};
  for (std::size_t i = 0; i < data.z.size(); ++i) {
    if (weights[i] == 0) continue;
    highest[data.outcomes[i]] = std::max(highest[data.outcomes[i]], data.z[i]);
    lowest[data.outcomes[i]] = std::min(lowest[data.outcomes[i]], data.z[i]);
  }
  return lowest[1] < highest[0] && lowest[0] < highest[1];
}

/// Slopes and curvatures of the log-likelihood by intercept and slope; its value.
struct LineSlopes {
  double value = 0, by_a = 0, by_b = 0, aa = 0, ab = 0, bb = 0;
};

LineSlopes slopes_at(const LineData& data, std::span<const double> weights, double a, double b) {
  LineSlopes sum;
  for (std::size_t i = 0; i < data.z.size(); ++i) {
    if (weights[i] == 0) continue;
    const double x = a + b * data.z[i], e = exponential(-std::abs(x)), y = static_cast<double>(data.outcomes[i]);
    const double p = x >= 0 ? 1 / (1 + e) : e / (1 + e);
    sum.value += weights[i] * (y * x - std::max(x, 0.0) - logarithm(1 + e));
    const double left = weights[i] * (y - p), curve = weights[i] * p * (1 - p);
    sum.by_a += left, sum.by_b += left * data.z[i];
    sum.aa += curve, sum.ab += curve * data.z[i], sum.bb += curve * data.z[i] * data.z[i];
  }
  return sum;
}

struct Line {
  double a = 0, b = 0;
};

/// By Newton's method from a start, each step halved until it helps, to a thousandth of a thousandth of a standard
/// error.
Line most_likely_of_draw(const LineData& data, std::span<const double> weights, Line line) {
  constexpr int kMostSteps = 60, kMostHalvings = 20;
  constexpr double kAtRest = 1e-12;  // of what a step promises, twice in nats
  LineSlopes at = slopes_at(data, weights, line.a, line.b);
  for (int k = 0; k < kMostSteps; ++k) {
    const double determinant = at.aa * at.bb - at.ab * at.ab;
    double da = (at.bb * at.by_a - at.ab * at.by_b) / determinant,
           db = (at.aa * at.by_b - at.ab * at.by_a) / determinant;
    if (!(da * at.by_a + db * at.by_b > kAtRest)) break;
    LineSlopes there = slopes_at(data, weights, line.a + da, line.b + db);
    for (int h = 0; h < kMostHalvings && !(there.value > at.value); ++h) {
      da /= 2, db /= 2;
      there = slopes_at(data, weights, line.a + da, line.b + db);
    }
    if (!(there.value > at.value)) break;
    line.a += da, line.b += db;
    at = there;
  }
  return line;
}

/// The line of each draw in log-odds, from that of all rows. take: what of it is the score.
template <typename Take>
WeightedScore line_score(const std::vector<double>& risks, std::vector<Index> outcomes, const Take& take) {
  LineData data = line_data(risks, std::move(outcomes));
  const std::vector<double> once(data.z.size(), 1.0);
  const Line of_all = has_line(data, once) ? most_likely_of_draw(data, once, {}) : Line{};
  return [data = std::move(data), of_all, take](std::span<const double> weights) {
    if (!has_line(data, weights)) return kNan;
    Line line = most_likely_of_draw(data, weights, of_all);
    line.b /= data.deviation, line.a -= line.b * data.mean;
    return take(line);
  };
}

}  // namespace

WeightedScore sized_calibration_error_score(std::vector<double> risks, std::vector<Index> outcomes) {
  return score_of_draw(std::move(risks), std::move(outcomes), [](const DrawnRows& rows) {
    return rows.risks.size() < kScoredBins ? kNan : equal_sized_calibration_error(rows.risks, rows.outcomes);
  });
}

WeightedScore calibration_intercept_score(std::vector<double> risks, std::vector<Index> outcomes) {
  return line_score(risks, std::move(outcomes), [](const Line& line) { return line.a; });
}

WeightedScore calibration_slope_score(std::vector<double> risks, std::vector<Index> outcomes) {
  return line_score(risks, std::move(outcomes), [](const Line& line) { return line.b; });
}

WeightedScore observed_over_expected_score(std::vector<double> risks, std::vector<Index> outcomes) {
  return [risks = std::move(risks), outcomes = std::move(outcomes)](std::span<const double> weights) {
    double observed = 0, expected = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      observed += weights[i] * static_cast<double>(outcomes[i]);
      expected += weights[i] * risks[i];
    }
    return observed / expected;
  };
}

WeightedScore event_1_score(std::vector<Index> decisions, std::vector<Index> outcomes) {
  return [decisions = std::move(decisions), outcomes = std::move(outcomes)](std::span<const double> weights) {
    DecisionCounts counts;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      Index& count = decisions[i] == 1 ? (outcomes[i] == 1 ? counts.true_positive : counts.false_positive)
                                       : (outcomes[i] == 1 ? counts.false_negative : counts.true_negative);
      count += static_cast<Index>(weights[i]);
    }
    return counts.event_1();
  };
}

WeightedScore event_2_score(std::vector<double> risks, std::vector<Index> outcomes) {
  return score_of_draw(std::move(risks), std::move(outcomes), [](const DrawnRows& rows) {
    if (rows.risks.size() < kScoredBins) return kNan;
    const double event = hosmer_lemeshow(rows.risks, rows.outcomes).event_2;
    return std::isfinite(event) ? event : kNan;
  });
}

}  // namespace fovea::study
