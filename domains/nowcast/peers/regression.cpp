#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/domains/nowcast/peers/peers.hpp"

namespace fovea::nowcast::peers {

namespace {

/// The line through the answers so far, or one that changes nothing.
CalibrationLine line_so_far(const PeerQuestion& question, const std::vector<double>& linear, Index begin) {
  std::vector<double> log_odds;
  std::vector<Index> outcomes;
  for (Index s = question.first; s + question.delay <= begin && s < begin; ++s) {
    if (std::isnan(linear[s]) || std::isnan(question.labels[s])) continue;
    log_odds.push_back(linear[s]);
    outcomes.push_back(question.labels[s] > 0 ? 1 : 0);
  }
  try {
    if (log_odds.empty()) return {};
    const CalibrationLine line = fit_calibration_line(log_odds, outcomes);
    return line.slope > 0 ? line : CalibrationLine{};
  } catch (const ArgumentError&) {  // one class, or parted without an error: no line is the most likely
    return {};
  }
}

}  // namespace

std::vector<double> regression(const PeerQuestion& question, const ScaledRegressionSettings& settings, bool line) {
  std::vector<double> linear(question.labels.size(), kNan);
  return answers_by_blocks(question, [&](Index begin, Index) -> RowAnswer {
    const ScaledRegression learned =
        fit_scaled_regression(question.columns, question.labels, teaching_rows(question, begin), settings);
    if (learned.coefficients.size() == 0) return {};
    const CalibrationLine through = line ? line_so_far(question, linear, begin) : CalibrationLine{};
    return [=, &question, &linear](Index t) {
      const Vector<double> row = question.columns.row(t).transpose();
      if (!row.allFinite()) return kNan;
      const double p = learned.probability(row);
      linear[t] = learned.link == BinaryLink::logit ? learned.linear(row) : log_odds_of(p);
      return line ? through.probability(linear[t]) : p;
    };
  });
}

}  // namespace fovea::nowcast::peers
