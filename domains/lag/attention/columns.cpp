#include "fovea/domains/lag/attention/columns.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/ordering.hpp"
#include "fovea/core/linear/lagged_gram.hpp"
#include "fovea/domains/lag/attention/row_tests.hpp"

namespace fovea::lag::attention {

namespace {

// Over all series: a filled gap is the past of the next one.
constexpr int kFillSweeps = 8;
// Robust deviations to which outliers are pulled in: theory.md, The attention model.
constexpr double kMostSpread = 4;
// Of the products of all keys; with more, and fewer rows than half as many as keys, rows of products are made when they
// are asked for, each by as many products as there are rows.
constexpr double kMostProducts = 25e6;

/// About 0 and with variance 1; 0 where only rounding varies.
void standardise_column(Eigen::Ref<Vector<double>> x) {
  const double mean = x.mean();
  x.array() -= mean;
  const double square = x.squaredNorm() / static_cast<double>(x.size());
  if (square <= 1e-24 * (mean * mean + 1e-300)) {
    x.setZero();
  } else {
    x /= std::sqrt(square);
  }
}

bool is_constant(const Vector<double>& x) { return (x.array() == x[0]).all(); }

Vector<double> bent_scores(const Vector<double>& x) { return (normal_scores(x).array().square() - 1).matrix(); }

/// Straight lines between known values, at the ends the nearest, and the mean where a recording has none.
void bridge(Matrix<double>& values, Index series, Index first, Index end, double mean) {
  Index before = -1;
  for (Index t = first; t <= end; ++t) {
    if (t < end && std::isnan(values(t, series))) continue;
    if (t == end && before == t - 1) break;
    const bool left = before >= 0, right = t < end;
    for (Index gap = left ? before + 1 : first; gap < t; ++gap) {
      const double share = left && right ? static_cast<double>(gap - before) / static_cast<double>(t - before) : 0.0;
      values(gap, series) =
          left    ? (right ? (1 - share) * values(before, series) + share * values(t, series) : values(before, series))
          : right ? values(t, series)
                  : mean;
    }
    before = t;
  }
}

double mean_of_known(const datasets::series::SeriesTable& table, Index series) {
  double sum = 0;
  Index known = 0;
  for (Index t = 0; t < table.steps(); ++t) {
    if (std::isnan(table.values(t, series))) continue;
    sum += table.values(t, series);
    ++known;
  }
  return known > 0 ? sum / static_cast<double>(known) : 0;
}

/// What makes each diagonal entry of a matrix of products `rows`; 0 for a constant.
Vector<double> scales_of(const Matrix<double>& products, Index rows) {
  const auto n = static_cast<double>(rows);
  return products.diagonal().unaryExpr([n](double s) { return s > 1e-12 * n ? std::sqrt(n / s) : 0.0; });
}

/// The autocorrelation of each column, which has mean 0 and variance 1, one step on inside the recordings.
Vector<double> one_step_on(const Eigen::MatrixXd& columns, const datasets::series::SeriesTable& table) {
  Vector<double> sums = Vector<double>::Zero(columns.cols());
  const std::vector<Index> steps = steps_with_past(table, 1);
  for (Index c = 0; c < columns.cols(); ++c)
    for (const Index t : steps) sums[c] += columns(t, c) * columns(t - 1, c);
  return sums / static_cast<double>(std::max<std::size_t>(steps.size(), 1));
}

}  // namespace

std::vector<std::pair<Index, Index>> recordings_of(const datasets::series::SeriesTable& table) {
  std::vector<std::pair<Index, Index>> recordings;
  for (std::size_t r = 0; r < table.recording_starts.size(); ++r)
    recordings.emplace_back(table.recording_starts[r],
                            r + 1 < table.recording_starts.size() ? table.recording_starts[r + 1] : table.steps());
  return recordings;
}

void pull_in_outliers(Eigen::Ref<Vector<double>> x) {
  const auto median = [](std::vector<double> v) {
    const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
    std::nth_element(v.begin(), middle, v.end());
    return *middle;
  };
  std::vector<double> v;
  std::copy_if(x.begin(), x.end(), std::back_inserter(v), [](double value) { return !std::isnan(value); });
  if (v.empty()) return;
  const double centre = median(v);
  for (double& value : v) value = std::abs(value - centre);
  const double bound = kMostSpread * 1.4826 * median(std::move(v));
  if (bound > 0)
    for (double& value : x)
      if (!std::isnan(value)) value = std::clamp(value, centre - bound, centre + bound);
}

Eigen::MatrixXd plain_columns(const Matrix<double>& filled) {
  Eigen::MatrixXd columns = filled;
  for (Index i = 0; i < columns.cols(); ++i) {
    Vector<double> plain = columns.col(i);
    if (is_constant(plain)) plain.setZero();
    standardise_column(plain);
    columns.col(i) = plain;
  }
  return columns;
}

Eigen::MatrixXd content_columns(const Matrix<double>& filled, const HeldFixed& held) {
  const Index series = filled.cols();
  Eigen::MatrixXd columns(filled.rows(), kContents * series);
#pragma omp parallel for schedule(dynamic)
  for (Index i = 0; i < series; ++i) {
    Vector<double> plain = filled.col(i);
    const bool constant = is_constant(plain), tied = has_ties(plain, kManyTies);
    // Where values are tied, what is held fixed is taken out of their scores; else they are the scores of what is left.
    Vector<double> bent = tied ? bent_scores(plain) : plain;
    held.take_out_of(plain);
    if (!tied) bent = bent_scores(plain);
    Vector<double> pulled = plain;
    pull_in_outliers(pulled);
    if (constant) plain.setZero();
    if (constant || pulled == plain) pulled.setZero();
    standardise_column(plain);
    held.take_out_of(bent);
    held.take_out_of(pulled);
    if (plain.isZero(0)) bent.setZero();
    standardise_column(bent);
    standardise_column(pulled);
    columns.col(i) = plain;
    columns.col(series + i) = bent;
    columns.col(2 * series + i) = pulled;
  }
  return columns;
}

Matrix<double> bridged(const datasets::series::SeriesTable& table) {
  Matrix<double> values = table.values;
  for (Index i = 0; i < table.series(); ++i) {
    const double mean = mean_of_known(table, i);
    for (const auto& [first, end] : recordings_of(table)) bridge(values, i, first, end, mean);
  }
  return values;
}

void fill_by_forecast(Matrix<double>& filled, const datasets::series::SeriesTable& table,
                      const std::vector<std::vector<ForecastTerm>>& forecasts) {
  const Vector<double> means = filled.colwise().mean().transpose();
  const auto recordings = recordings_of(table);
  const auto fill = [&](Index j, Index first, Index end, Index longest) {
    const auto& terms = forecasts[j];
    const auto forecast = [&](Index t) {
      double sum = means[j];
      for (const ForecastTerm& term : terms)
        sum += term.coefficient * (filled(t - term.lag, term.source) - means[term.source]);
      return sum;
    };
    for (Index t = first; t < end; ++t) {
      if (!std::isnan(table.values(t, j))) continue;
      double numerator = 0, weight = 0;
      if (t - longest >= first) numerator = forecast(t), weight = 1;
      for (const ForecastTerm& term : terms) {
        const Index later = t + term.lag;
        if (term.source != j || later >= end || later - longest < first) continue;
        const double b = term.coefficient;
        numerator += b * (filled(later, j) - forecast(later) + b * filled(t, j));
        weight += b * b;
      }
      if (weight > 0) filled(t, j) = numerator / weight;
    }
  };
  for (int sweep = 0; sweep < kFillSweeps; ++sweep)
    for (Index j = 0; j < table.series(); ++j) {
      Index longest = 0;
      for (const ForecastTerm& term : forecasts[j]) longest = std::max(longest, term.lag);
      for (const auto& [first, end] : recordings) fill(j, first, end, longest);
    }
}

std::vector<Index> steps_with_past(const datasets::series::SeriesTable& table, Index longest) {
  std::vector<Index> steps;
  for (const auto& [first, end] : recordings_of(table))
    for (Index t = first + longest; t < end; ++t) steps.push_back(t);
  return steps;
}

bool products_on_demand(double keys, double rows) { return keys * keys > kMostProducts && 2 * rows < keys; }

KeyProducts::KeyProducts(Eigen::MatrixXd columns, const datasets::series::SeriesTable& table,
                         const std::vector<Index>& lags, Index held)
    : columns_(std::move(columns)),
      table_(table),
      lags_(lags),
      steps_(steps_with_past(table, lags.back())),
      series_(table.series()),
      held_(held) {
  require(!steps_.empty(), "attention over the past: no recording is longer than the longest lag, ", lags.back(),
          " steps; shorten the lags.");
  for (Index c = 0; c < columns_.cols(); ++c) holds_.push_back(columns_.col(c).isZero(0) ? 0 : 1);
  autocorrelations_ = one_step_on(columns_, table);
  if (products_on_demand(static_cast<double>(keys()), static_cast<double>(std::ssize(steps_))))
    keep_rows();
  else
    multiply_all();
}

void KeyProducts::multiply_all() {
  std::vector<Index> with_present = {0};
  with_present.insert(with_present.end(), lags_.begin(), lags_.end());
  const LaggedGram gram =
      LaggedGram::by_column(columns_, std::move(with_present), {table_.recording_starts, lags_.back()});
  const Vector<double> scale = scales_of(gram.products(), gram.rows());
  const Vector<double> of_keys = scale.tail(keys());
  shared_ = of_keys.asDiagonal() * gram.products().bottomRightCorner(keys(), keys()) * of_keys.asDiagonal();
  with_targets_ = scale.head(series_).asDiagonal() * gram.products().block(0, columns_.cols(), series_, keys()) *
                  of_keys.asDiagonal();
  target_squares_ =
      scale.head(series_).cwiseProduct(gram.products().diagonal().head(series_)).cwiseProduct(scale.head(series_));
  scales_.resize(series_ + keys());
  scales_ << scale.head(series_), of_keys;
  means_.resize(scales_.size());
  for (Index i = 0; i < series_; ++i) means_[i] = gram.mean(i);
  for (Index k = 0; k < keys(); ++k) means_[series_ + k] = gram.mean(columns_.cols() + k);
}

void KeyProducts::keep_rows() {
  const auto n = static_cast<double>(std::ssize(steps_));
  means_ = Vector<double>::Zero(series_ + keys());
  scales_ = Vector<double>::Ones(series_ + keys());
  const auto at = [&](Index column, Index lag) {
    Vector<double> x(std::ssize(steps_));
    for (Index r = 0; r < x.size(); ++r) x[r] = columns_(steps_[r] - lag, column);
    return x;
  };
  Matrix<double> rows(std::ssize(steps_), keys()), targets(std::ssize(steps_), series_);
  const auto enter = [&](Index place, Vector<double> x, auto to) {
    means_[place] = x.mean();
    x.array() -= means_[place];
    const double square = x.squaredNorm();
    scales_[place] = square > 1e-12 * n ? std::sqrt(n / square) : 0.0;
    to = scales_[place] * x;
  };
  for (Index i = 0; i < series_; ++i) enter(i, at(i, 0), targets.col(i));
  for (Index k = 0; k < keys(); ++k)
    enter(series_ + k, at(k % columns_.cols(), lags_[k / columns_.cols()]), rows.col(k));
  with_targets_ = targets.transpose() * rows;
  target_squares_ = targets.colwise().squaredNorm().transpose();
  of_rows_ = std::make_unique<PartProducts>(std::move(rows));
}

std::unique_ptr<ProductRows> KeyProducts::shared() const {
  if (of_rows_) return std::make_unique<PartProducts>(*of_rows_);
  return std::make_unique<WholeProducts>(shared_);
}

double KeyProducts::effective_rows(Index source, Content content, Index target, Index rows) const {
  const double both = autocorrelations_[static_cast<Index>(content) * series_ + source] * autocorrelations_[target];
  // Bayley & Hammersley (1946), for autoregressions of one step.
  const double r = std::clamp(both, 0.0, 0.99);
  return static_cast<double>(rows) * (1 - r) / (1 + r);
}

Matrix<double> KeyProducts::keys_and_target_at(const std::vector<Index>& steps, Index target) const {
  Matrix<double> values(static_cast<Index>(steps.size()), keys() + 1);
  for (Index r = 0; r < values.rows(); ++r) {
    const Index t = steps[r];
    for (std::size_t l = 0; l < lags_.size(); ++l)
      values.row(r).segment(static_cast<Index>(l) * columns_.cols(), columns_.cols()) = columns_.row(t - lags_[l]);
    values.row(r).head(keys()) -= means_.tail(keys()).transpose();
    values.row(r).head(keys()).array() *= scales_.tail(keys()).transpose().array();
    values(r, keys()) = (columns_(t, target) - means_[target]) * scales_[target];
  }
  return values;
}

KeyProducts::Of KeyProducts::of(Index target) const {
  std::vector<Index> kept, out;
  for (const Index t : steps_) (std::isnan(table_.values(t, target)) ? out : kept).push_back(t);
  Of result;
  result.rows = static_cast<Index>(kept.size());
  if (out.empty()) {
    result.keys = shared();
    result.shared = true;
    result.with_target = with_targets_.row(target).transpose();
    result.target_square = target_squares_[target];
    return result;
  }
  // Sums over whichever rows are fewer, those with a known target or those without.
  const bool few_kept = kept.size() < out.size() || of_rows_;
  const Matrix<double> values = keys_and_target_at(few_kept ? kept : out, target);
  Matrix<double> key_values = values.leftCols(keys());
  std::unique_ptr<PartProducts> part;
  PartProducts::Another own;
  if (few_kept) {
    part = std::make_unique<PartProducts>(std::move(key_values));
    own = part->another(values.col(keys()));
  } else {
    part = std::make_unique<PartProducts>(shared_, std::move(key_values), result.rows);
    own = part->another(values.col(keys()), with_targets_.row(target).transpose(), target_squares_[target]);
  }
  result.with_target = own.products;
  result.target_square = own.square;
  result.keys = std::move(part);
  return result;
}

}  // namespace fovea::lag::attention
