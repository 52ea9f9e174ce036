#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/domains/nowcast/peers/blocks.hpp"
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

Vector<double> ColumnScale::scaled(const Vector<double>& row) const {
  Vector<double> values(row.size());
  for (Index c = 0; c < row.size(); ++c) {
    const double z = deviation[c] > 0 ? (row[c] - middle[c]) / deviation[c] : 0;
    values[c] = clip > 0 ? std::clamp(z, -clip, clip) : z;
  }
  return values;
}

ColumnScale column_scale(const Matrix<double>& columns, std::span<const Index> rows, Middle middle, double clip) {
  constexpr double kConstant = 1e-12;  // of the largest value: the deviation of a constant is not exactly 0
  require(!rows.empty(), "column_scale: there are no rows; at least one is needed.");
  ColumnScale scale{Vector<double>::Zero(columns.cols()), Vector<double>::Zero(columns.cols()), clip};
  std::vector<double> values(rows.size());
  for (Index c = 0; c < columns.cols(); ++c) {
    for (std::size_t k = 0; k < rows.size(); ++k) values[k] = columns(rows[k], c);
    const Moments of = moments(values);
    std::sort(values.begin(), values.end());
    const double largest = std::max(std::abs(values.front()), std::abs(values.back()));
    if (std::sqrt(of.variance) > kConstant * largest) scale.deviation[c] = std::sqrt(of.variance);
    scale.middle[c] = middle == Middle::median ? sorted_quantile(values, 0.5) : of.mean;
  }
  return scale;
}

double Regression::linear(const Vector<double>& row) const {
  return coefficients.head(row.size()).dot(scale.scaled(row)) + coefficients[row.size()];
}

Regression fit_regression(const Matrix<double>& columns, std::span<const double> labels, std::span<const Index> rows,
                          const RegressionPeer& peer) {
  require(peer.penalty >= 0 && peer.clip >= 0, "fit_regression: penalty is ", peer.penalty, " and clip is ", peer.clip,
          "; both must be at least 0.");
  const Index count = columns.cols();
  std::vector<double> outcomes;
  for (const Index row : rows) outcomes.push_back(labels[row]);
  const auto ones = std::count(outcomes.begin(), outcomes.end(), 1.0);
  if (ones == 0 || ones == std::ssize(outcomes)) return {};
  Regression learned{column_scale(columns, rows, peer.middle, peer.clip), {}, peer.link};
  Matrix<double> scaled = Matrix<double>::Ones(std::ssize(rows), count + 1);
  for (Index k = 0; k < scaled.rows(); ++k)
    scaled.row(k).head(count) = learned.scale.scaled(columns.row(rows[k]).transpose()).transpose();
  BinaryRegressionSettings settings{peer.link, Vector<double>::Constant(count + 1, peer.penalty)};
  settings.penalties[count] = 0;
  for (Index c = 0; c < count; ++c)
    if (learned.scale.deviation[c] == 0) settings.penalties[c] = 1;  // a constant column has the coefficient 0
  const BinaryRegression fit = fit_binary_regression(scaled, outcomes, settings);
  if (fit.minimum) learned.coefficients = fit.coefficients;
  return learned;
}

std::vector<double> regression(const PeerQuestion& question, const RegressionPeer& peer) {
  check_question(question);
  std::vector<double> linear(question.labels.size(), kNan), answers(question.labels.size(), kNan);
  for (const Block& block : blocks_of(question)) {
    const std::vector<Index> rows = teaching_rows(question, block.begin);
    const Regression learned = fit_regression(question.columns, question.labels, rows, peer);
    if (learned.coefficients.size() == 0) continue;
    const CalibrationLine line = peer.line ? line_so_far(question, linear, block.begin) : CalibrationLine{};
    for (Index t = block.begin; t < block.end; ++t) {
      if (!question.columns.row(t).allFinite()) continue;
      const double p = learned.probability(question.columns.row(t).transpose());
      linear[t] = peer.link == BinaryLink::logit ? learned.linear(question.columns.row(t).transpose()) : log_odds_of(p);
      answers[t] = peer.line ? line.probability(linear[t]) : p;
    }
  }
  return answers;
}

}  // namespace fovea::nowcast::peers
