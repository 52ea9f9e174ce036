#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <set>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/linear/weighted_rows.hpp"
#include "fovea/core/statistics/processes/two_states.hpp"
#include "fovea/domains/nowcast/peers/peers.hpp"

namespace fovea::nowcast::peers {

namespace {

/// The eigenvector of the largest eigenvalue of the scaled columns' products; its entries add up to more than 0.
Vector<double> first_loadings(const Matrix<double>& scaled) {
  const Vector<double> mean = scaled.colwise().mean().transpose();
  const Matrix<double> centred = scaled.rowwise() - mean.transpose();
  const Eigen::MatrixXd products = weighted_products(centred, Vector<double>::Ones(centred.rows()));
  const Vector<double> loadings =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(products).eigenvectors().col(scaled.cols() - 1);
  return loadings.sum() < 0 ? Vector<double>(-loadings) : loadings;
}

/// The factor of each row up to `end`, with loadings and scale of the complete rows before `begin`; NaN in a gap.
std::vector<double> factor_of(const PeerQuestion& question, std::span<const Index> rows, Index end, double clip) {
  const ColumnScale scale = column_scale(question.columns, rows, Middle::mean, clip);
  const auto scaled = [&](Index row) { return scale.scaled(question.columns.row(row).transpose()); };
  Matrix<double> past(std::ssize(rows), question.columns.cols());
  for (Index k = 0; k < past.rows(); ++k) past.row(k) = scaled(rows[k]).transpose();
  const Vector<double> loadings = first_loadings(past);
  std::vector<double> factor;
  for (Index t = 0; t < end; ++t)
    factor.push_back(question.columns.row(t).allFinite() ? loadings.dot(scaled(t)) : kNan);
  return factor;
}

}  // namespace

std::vector<double> markov_switching(const PeerQuestion& question, double clip) {
  constexpr std::size_t kFewest = 24;  // different months: fewer hardly show two states
  return answers_by_blocks(question, [&](Index begin, Index end) -> RowAnswer {
    std::vector<Index> rows;
    for (Index s = 0; s < begin; ++s)
      if (question.columns.row(s).allFinite()) rows.push_back(s);
    if (rows.empty()) return {};
    const std::vector<double> factor = factor_of(question, rows, end, clip);
    std::set<double> different;
    for (const Index s : rows) different.insert(factor[s]);
    if (different.size() < kFewest) return {};
    const TwoStates states = fit_two_states(std::span(factor).first(begin));
    return [=, low = filtered_low_state(states, factor)](Index t) { return std::isnan(factor[t]) ? kNan : low[t]; };
  });
}

std::vector<double> boosted_trees(const PeerQuestion& question, const study::BoostingSettings& settings,
                                  std::uint64_t seed) {
  const Matrix<float> columns = question.columns.cast<float>();
  return answers_by_blocks(question, [&](Index begin, Index) -> RowAnswer {
    std::vector<Index> rows;
    std::vector<float> outcomes;
    for (Index s = 0; s < begin && s + question.delay <= begin; ++s) {
      if (std::isnan(question.labels[s])) continue;
      rows.push_back(s);
      outcomes.push_back(static_cast<float>(question.labels[s]));
    }
    const auto ones = std::count(outcomes.begin(), outcomes.end(), 1.0f);
    if (ones == 0 || ones == std::ssize(outcomes)) return {};
    const auto trees = std::make_shared<study::BoostedTrees>(study::boosted_trees(
        columns(rows, Eigen::all), outcomes, std::vector<float>(outcomes.size(), 1.0f), settings, seed));
    return [&columns, trees](Index t) {
      return binary_probability(BinaryLink::logit, trees->log_odds(columns.row(t).data()));
    };
  });
}

std::vector<double> sahm_gap(std::span<const double> unemployment) {
  constexpr Index kMean = 3, kBack = 12;
  std::vector<double> means(unemployment.size(), kNan), gaps(unemployment.size(), kNan);
  for (Index t = kMean - 1; t < std::ssize(unemployment); ++t)
    means[t] = (unemployment[t] + unemployment[t - 1] + unemployment[t - 2]) / kMean;
  for (Index t = kBack; t < std::ssize(unemployment); ++t) {
    double low = means[t - 1];
    for (Index k = 2; k <= kBack; ++k)
      low = std::isnan(low) || low <= means[t - k] ? low : means[t - k];  // a gap stays one
    if (!std::isnan(low)) gaps[t] = means[t] - low;
  }
  return gaps;
}

}  // namespace fovea::nowcast::peers
