#include "fovea/domains/lag/nature/pasts.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/domains/lag/attention/columns.hpp"
#include "fovea/domains/lag/nature/chance.hpp"
#include "fovea/domains/lag/nature/shapes.hpp"

namespace fovea::lag::nature {

namespace {

// Variance of its own that each series is given: copies of one series count once.
constexpr double kLeastOwn = 0.01;
// The statistic of one series counts down to here: one that is far from a random walk must not settle the others.
constexpr double kSurelyNoWalk = -6;
// Fewer rows do not determine the correlations.
constexpr Index kRowsPerSeries = 5;
// Of others' past values: lags, standard errors of the correlation, rows for each of them, and series, whose pairs take
// longer than the search itself where there are more.
constexpr Index kLagsOfOthers = 5, kRowsPerOther = 50, kMostSeries = 400;
constexpr double kDeviationsOfOthers = 3;

struct OtherPast {
  double correlation = 0;
  Index series = 0, lag = 0;
};

/// What own pasts leave, side by side, each with square sum 1.
Matrix<double> rests_of(const Pasts& pasts, Index steps) {
  Matrix<double> rests(steps, std::ssize(pasts.counted()));
  for (Index k = 0; k < rests.cols(); ++k) {
    const OwnPast& past = pasts.of(pasts.counted()[k]);
    rests.col(k) = past.rest() / std::sqrt(past.residual());
  }
  return rests;
}

Vector<double> delayed(const Vector<double>& values, Index lag) {
  Vector<double> later = Vector<double>::Zero(values.size());
  later.tail(values.size() - lag) = values.head(values.size() - lag);
  return later;
}

}  // namespace

Pasts::Pasts(const datasets::series::SeriesTable& table, const Matrix<double>& held, std::vector<Matrix<double>> others)
    : table_(table), held_(held), others_(std::move(others)), pasts_(table.series()) {
  for_each_task(table.series(), true, [&](Index s) {
    auto past = std::make_unique<OwnPast>(table_.values.col(s), held_of(s), table_.recording_starts);
    if (!past->constant()) pasts_[s] = std::move(past);
  });
  for (Index s = 0; s < table.series(); ++s)
    if (pasts_[s] != nullptr) counted_.push_back(s);
  correlate();
}

Matrix<double> Pasts::held_of(Index series) const { return others_.empty() ? held_ : beside(held_, others_[series]); }

void Pasts::correlate() {
  const Index count = std::ssize(counted_);
  if (count < 2 || kRowsPerSeries * count > table_.steps()) return;
  const Matrix<double> rests = rests_of(*this, table_.steps());
  Eigen::MatrixXd correlations = rests.transpose() * rests;
  correlations.diagonal().array() += kLeastOwn;
  factor_ = (correlations / (1 + kLeastOwn)).llt().matrixL();
}

Vector<double> Pasts::without_correlations(const Vector<double>& coordinates) const {
  Vector<double> counted(std::ssize(counted_));
  for (Index k = 0; k < counted.size(); ++k) counted[k] = coordinates[counted_[k]];
  return factor_.triangularView<Eigen::Lower>().solve(counted);
}

Evidence Pasts::evidence(const std::vector<Matrix<double>>& candidates, bool periodic) const {
  const Index series = table_.series(), count = std::ssize(candidates);
  Evidence found{Matrix<double>::Zero(series, count), Vector<double>::Zero(count)};
  std::vector<Matrix<double>> coordinates;
  for (const Matrix<double>& one : candidates) coordinates.push_back(Matrix<double>::Zero(series, one.cols()));
  for_each_task(series, true, [&](Index s) {
    const auto& past = pasts_[s];
    for (std::size_t k = 0; past != nullptr && k < candidates.size(); ++k) {
      coordinates[k].row(s) = past->coordinates(candidates[k], periodic).transpose();
      found.each(s, static_cast<Index>(k)) = past->evidence_of(coordinates[k].row(s).squaredNorm());
    }
  });
  for (Index k = 0; joined() && k < count; ++k)
    for (Index c = 0; c < coordinates[k].cols(); ++c)
      found.together[k] += without_correlations(coordinates[k].col(c)).squaredNorm();
  return found;
}

bool Pasts::settled_beside(const Matrix<double>& course) const {
  Vector<double> statistics = Vector<double>::Zero(table_.series());
  for_each_task(std::ssize(counted_), true, [&](Index k) {
    const Index s = counted_[k];
    const OwnPast past(table_.values.col(s), beside(held_of(s), course), table_.recording_starts);
    statistics[s] = std::max(kSurelyNoWalk, past.unit_root_statistic());
  });
  return rules_out_unit_roots(statistics.sum() / series(), series());
}

Pasts Pasts::with(const Matrix<double>& course) const {
  return Pasts(table_, beside(held_, independent_columns(course, held_)), others_);
}

std::unique_ptr<Pasts> Pasts::linked() const {
  const Index steps = table_.steps(), count = std::ssize(counted_);
  const Index most = steps / kRowsPerOther;
  if (count < 2 || count > kMostSeries || most < 1) return nullptr;
  const Matrix<double> rests = rests_of(*this, steps);
  std::vector<std::vector<OtherPast>> chosen(count);
  for (Index lag = 1; lag <= std::min(kLagsOfOthers, steps - 1); ++lag) {
    const Matrix<double> correlations = rests.bottomRows(steps - lag).transpose() * rests.topRows(steps - lag);
    for (Index effect = 0; effect < count; ++effect)
      for (Index cause = 0; cause < count; ++cause) {
        const double size = std::fabs(correlations(effect, cause));
        if (cause != effect && size * std::sqrt(static_cast<double>(steps)) > kDeviationsOfOthers)
          chosen[effect].push_back({size, counted_[cause], lag});
      }
  }
  if (std::ranges::all_of(chosen, [](const auto& some) { return some.empty(); })) return nullptr;
  Matrix<double> values = attention::bridged(table_);
  for (Index s = 0; s < values.cols(); ++s) {
    auto column = values.col(s);
    column.array() -= column.mean();
    const double size = column.norm() / std::sqrt(static_cast<double>(steps));
    if (size > 0) column /= size;
  }
  std::vector<Matrix<double>> others(table_.series(), Matrix<double>(steps, 0));
  for (Index k = 0; k < count; ++k) {
    std::ranges::sort(chosen[k], std::greater{}, &OtherPast::correlation);
    const Index taken = std::min<Index>(most, std::ssize(chosen[k]));
    Matrix<double> columns(steps, taken);
    for (Index c = 0; c < taken; ++c) columns.col(c) = delayed(values.col(chosen[k][c].series), chosen[k][c].lag);
    others[counted_[k]] = std::move(columns);
  }
  return std::make_unique<Pasts>(table_, held_, std::move(others));
}

SettledWaves settled_waves(const OwnPast& past, const Fourier& fourier) {
  const OwnPast::Waves waves = past.coordinates_of_waves(fourier);
  const double per_place = static_cast<double>(past.rest().size()) / static_cast<double>(fourier.size());
  SettledWaves settled{Vector<double>::Zero(std::ssize(waves.coordinates)), waves.strongest};
  for (Index k = 1; k < settled.evidence.size(); ++k)
    settled.evidence[k] =
        settled_evidence(past.evidence_of(std::norm(waves.coordinates[k])), per_place * static_cast<double>(k));
  return settled;
}

double chance_of_levels(const datasets::series::SeriesTable& table, Index series) {
  const std::vector<Index>& starts = table.recording_starts;
  double count = 0, sum = 0, between = 0, inside = 0, product = 0, pairs = 0, recordings = 0;
  for (std::size_t r = 0; r < starts.size(); ++r) {
    const Index end = r + 1 < starts.size() ? starts[r + 1] : table.steps();
    double n = 0, total = 0;
    for (Index t = starts[r]; t < end; ++t)
      if (!std::isnan(table.values(t, series))) n += 1, total += table.values(t, series);
    if (n < 2) continue;
    const double mean = total / n;
    for (Index t = starts[r]; t < end; ++t) {
      const double now = table.values(t, series) - mean;
      const double before = t > starts[r] ? table.values(t - 1, series) - mean : kNan;
      if (!std::isnan(now)) inside += now * now;
      if (!std::isnan(now) && !std::isnan(before)) product += now * before, pairs += 1;
    }
    count += n, sum += total, between += n * mean * mean, recordings += 1;
  }
  if (recordings < 2 || pairs < 1 || inside <= 0) return 1;
  const double variance = inside / std::max(1.0, count - recordings), length = count / recordings;
  // Nickell (1981): means taken out of short recordings lessen the memory by about (1 + 3 memory) / length.
  const double seen = product / pairs / (inside / count);
  const double memory = std::clamp((seen * length + 1) / std::max(1.0, length - 3), 0.0, 0.95);
  const double evidence = (between - sum * sum / count) / (variance * (1 + memory) / (1 - memory));
  return chance_of_differing_levels(evidence, static_cast<Index>(recordings) - 1);
}

}  // namespace fovea::lag::nature
