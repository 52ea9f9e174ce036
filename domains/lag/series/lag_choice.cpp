#include "fovea/domains/lag/series/lag_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/statistics/processes/autoregression.hpp"
#include "fovea/core/statistics/processes/cross_products.hpp"
#include "fovea/domains/lag/attention/columns.hpp"
#include "fovea/domains/lag/nature/shapes.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::series {

namespace {

constexpr double kMostDeviations = 3;
// Of the level, for what is further back than is asked at the level itself.
constexpr double kSure = 0.04;
// Steps, from which products of all lags are made at once.
constexpr Index kLong = 20'000;

struct Whitened {
  Matrix<double> residuals;  ///< steps x series, mean 0, square sum 1; 0 where nothing is known
  Index longest_order = 0;
};

Whitened whiten(const datasets::series::SeriesTable& table, const Matrix<double>& held) {
  Matrix<double> filled = attention::plain_columns(attention::bridged(table));
  if (held.cols() > 0) {
    const Matrix<double> fixed = nature::independent_columns(held, Matrix<double>(table.steps(), 0));
    filled -= fixed * (fixed.transpose() * filled) / static_cast<double>(table.steps());
  }
  const Index steps = table.steps(), most = std::max<Index>(1, std::min<Index>(20, steps / 10));
  Whitened white{Matrix<double>::Zero(steps, table.series()), 0};
  std::vector<Index> orders(table.series(), 0);
#pragma omp parallel for schedule(dynamic)
  for (Index i = 0; i < table.series(); ++i) {
    const Vector<double> own = filled.col(i);
    const std::vector<double> phi =
        best_by_aic(autoregressions(autocorrelations({own.data(), static_cast<std::size_t>(steps)},
                                                     std::min(most, steps - 1), table.recording_starts)),
                    static_cast<double>(steps))
            .coefficients;
    const Index order = orders[i] = std::ssize(phi);
    Vector<double> left = Vector<double>::Zero(steps);
    for (const auto& [first, end] : attention::recordings_of(table)) {
      const Index begin = first + order, rows = end - begin;
      if (rows <= 0) continue;
      auto rest = left.segment(begin, rows);
      rest = own.segment(begin, rows);
      for (Index k = 1; k <= order; ++k) rest -= phi[k - 1] * own.segment(begin - k, rows);
    }
    left = table.values.col(i).array().isNaN().select(0.0, left);
    const double bound = kMostDeviations * left.norm() / std::sqrt(static_cast<double>(steps));
    left = left.cwiseMax(-bound).cwiseMin(bound);  // two outliers alone make no correlation
    if (const double size = left.norm(); size > 0) white.residuals.col(i) = left / size;
  }
  white.longest_order = *std::ranges::max_element(orders);
  return white;
}

/// The values `lag` steps back; 0 before a recording's start.
Matrix<double> values_back(const Matrix<double>& values, const datasets::series::SeriesTable& table, Index lag) {
  Matrix<double> back = Matrix<double>::Zero(values.rows(), values.cols());
  for (const auto& [first, end] : attention::recordings_of(table))
    if (lag < end - first)
      back.middleRows(first + lag, end - first - lag) = values.middleRows(first, end - first - lag);
  return back;
}

/// Whether not all of these standard normal values are by chance (Simes 1986).
bool any_is_correlated(std::vector<double> values, double level) {
  std::ranges::sort(values, std::greater<>());
  const double tests = static_cast<double>(values.size()), least = normal_quantile(1 - 0.5 * level);
  for (std::size_t k = 0; k < values.size() && values[k] > least; ++k)
    if (values[k] > normal_quantile(1 - 0.5 * level * static_cast<double>(k + 1) / tests)) return true;
  return false;
}

/// |sum of products| of every two different series over the root of the sum of their squares, from lag `first` on.
std::vector<double> statistics_of(const Matrix<double>& later, const std::vector<Matrix<double>>& earlier, Index first,
                                  double freedom) {
  const Index series = later.cols(), each = series * (series - 1);
  const Matrix<double> squares = later.array().square();
  std::vector<double> values(each * (std::ssize(earlier) - first));
#pragma omp parallel for schedule(dynamic)
  for (Index lag = first; lag < std::ssize(earlier); ++lag) {
    const Matrix<double> products = later.transpose() * earlier[lag];
    const Matrix<double> variances = squares.transpose() * earlier[lag].array().square().matrix() / freedom;
    double* value = values.data() + each * (lag - first);
    for (Index j = 0; j < series; ++j)
      for (Index i = 0; i < series; ++i)
        if (i != j) *value++ = variances(i, j) > 0 ? std::fabs(products(i, j)) / std::sqrt(variances(i, j)) : 0;
  }
  return values;
}

// Rows for each value that is given, at least: with fewer nothing is left to see.
constexpr Index kRowsOfGiven = 4;
// Rows for each value up to the least of lags: with more, lags that do not act cost little, and products and waves,
// which no correlation shows, are found at them.
constexpr Index kRowsOfValue = 24;
// Steps beyond which no lag is saved: this look takes longer than they do.
constexpr Index kPlenty = 20'000;
// Times the least of lags, up to which a longest lag is looked at: beyond, too many values are to be given.
constexpr Index kTwice = 2;

/// How many steps back the residuals of all series must be given so that none, nor its square, up to `most` steps back
/// is correlated with another series; most, where there are too few rows to know, or so many that lags take no power.
Index needed_lags(const Matrix<double>& residuals, const datasets::series::SeriesTable& table, Index most,
                  double level) {
  const Index steps = residuals.rows(), series = residuals.cols();
  if (most < 2 || steps > std::min(kPlenty, kRowsOfValue * series * most)) return most;
  Matrix<double> squares = residuals.array().square();
  squares.rowwise() -= squares.colwise().mean().eval();
  std::vector<Matrix<double>> plain, bent;
  for (Index lag = 1; lag <= most; ++lag) {
    plain.push_back(values_back(residuals, table, lag));
    bent.push_back(values_back(squares, table, lag));
  }
  Matrix<double> later = residuals, given(steps, 0);
  Index needed = 0;
  for (Index lags = 0; lags < most; ++lags) {
    if (lags * series * kRowsOfGiven > steps) return most;
    const double freedom = 1 - static_cast<double>(given.cols()) / static_cast<double>(steps);
    if (any_is_correlated(statistics_of(later, plain, lags, freedom), level) ||
        any_is_correlated(statistics_of(later, bent, lags, freedom), level))
      needed = lags + 1;
    const Matrix<double> next = nature::independent_columns(plain[lags], given);
    const auto without = [&](Matrix<double>& values) {
      values -= next * (next.transpose() * values) / static_cast<double>(steps);
    };
    without(later);
#pragma omp parallel for schedule(dynamic)
    for (Index lag = lags + 1; lag < most; ++lag) without(plain[lag]), without(bent[lag]);
    given.conservativeResize(Eigen::NoChange, given.cols() + next.cols());
    given.rightCols(next.cols()) = next;
  }
  return std::max<Index>(needed, 1);
}

struct OutsidePair {
  Index later, earlier;
  double statistic;
};

/// The different series that are correlated at this lag beyond the band: by the sum of products in units of
/// 1 / sqrt(rows), and of the root of the sum of their squares, which allows for tails and courses of the variance.
std::vector<OutsidePair> pairs_outside(Matrix<double> products, const Matrix<double>& variances, Index rows,
                                       double band) {
  products.diagonal().setZero();
  const double least = rows > 0 ? 1 / static_cast<double>(rows) : 1;
  products.array() /= variances.array().max(least).sqrt();
  std::vector<OutsidePair> outside;
  for (Index i = 0; i < products.rows(); ++i)
    for (Index j = 0; j < products.cols(); ++j)
      if (std::fabs(products(i, j)) > band) outside.push_back({i, j, products(i, j)});
  return outside;
}

/// The sums over t of values(t, i) values(t - lag, j), inside the recordings.
Matrix<double> products_at(const Matrix<double>& values, const datasets::series::SeriesTable& table, Index lag) {
  Matrix<double> products = Matrix<double>::Zero(values.cols(), values.cols());
  for (const auto& [first, end] : attention::recordings_of(table))
    if (const Index steps = end - first - lag; steps > 0)
      products.noalias() += values.middleRows(first + lag, steps).transpose() * values.middleRows(first, steps);
  return products;
}

/// The same of one pair, in the rows of a part of the table.
double statistic_of(const Matrix<double>& residuals, const datasets::series::SeriesTable& table,
                    const OutsidePair& pair, Index lag, Index from, Index to) {
  double product = 0, variance = 0;
  for (const auto& [first, end] : attention::recordings_of(table))
    for (Index t = std::max(first + lag, from); t < std::min(end, to); ++t) {
      const double one = residuals(t, pair.later) * residuals(t - lag, pair.earlier);
      product += one, variance += one * one;
    }
  return variance > 0 ? product / std::sqrt(variance) : 0;
}

/// Of so many pairs and lags one is far off now and then. What acts is seen at one of the lags beside it, as responses
/// are spread, or it is far beyond the band and seen in either half of the rows.
bool agrees(const Matrix<double>& residuals, const datasets::series::SeriesTable& table, const OutsidePair& pair,
            Index lag, Index cap, double sure_band) {
  constexpr double kBeside = 3, kHalf = 2.5;  // 1 % by chance: of one of four lags, of a half
  const Index steps = table.steps();
  for (const Index near : {lag - 2, lag - 1, lag + 1, lag + 2})
    if (near >= 1 && near <= cap && std::fabs(statistic_of(residuals, table, pair, near, 0, steps)) > kBeside)
      return true;
  if (std::fabs(pair.statistic) < sure_band) return false;
  const double sign = pair.statistic > 0 ? 1 : -1;
  return sign * statistic_of(residuals, table, pair, lag, 0, steps / 2) > kHalf &&
         sign * statistic_of(residuals, table, pair, lag, steps / 2, steps) > kHalf;
}

struct LongestLag {
  Index agreed = 0, alone = 0;  ///< alone: a longer one that does not agree; 0: none
};

/// The longest lag up to cap at which some pair leaves the band; up to floor one need not agree.
LongestLag longest_outside(const Matrix<double>& residuals, const datasets::series::SeriesTable& table, Index cap,
                           Index floor, double tests, double level) {
  const double band = normal_quantile(1 - 0.5 * level / tests);
  const double sure_band = normal_quantile(1 - 0.5 * kSure * level / tests);
  const Matrix<double> squares = residuals.array().square();
  std::vector<std::vector<OutsidePair>> outside(cap + 1);
  const bool at_once = table.steps() > kLong;
  std::vector<Matrix<double>> products, variances;
  if (at_once) {
    products = lagged_cross_products(residuals, table.recording_starts, cap);
    variances = lagged_cross_products(squares, table.recording_starts, cap);
  }
#pragma omp parallel for schedule(dynamic)
  for (Index lag = 1; lag <= cap; ++lag) {
    Index rows = 0;
    for (const auto& [first, end] : attention::recordings_of(table)) rows += std::max<Index>(end - first - lag, 0);
    outside[lag] =
        at_once ? pairs_outside(products[lag], variances[lag], rows, band)
                : pairs_outside(products_at(residuals, table, lag), products_at(squares, table, lag), rows, band);
  }
  LongestLag longest;
  for (Index lag = cap; lag > 0 && longest.agreed == 0; --lag) {
    if (outside[lag].empty()) continue;
    const bool enough = lag <= floor || std::ranges::any_of(outside[lag], [&](const OutsidePair& pair) {
                          return agrees(residuals, table, pair, lag, cap, sure_band);
                        });
    if (enough)
      longest.agreed = lag;
    else if (longest.alone == 0)
      longest.alone = lag;
  }
  return longest;
}

}  // namespace

LagChoice choose_lags(const datasets::series::SeriesTable& table, const Matrix<double>& held, double level) {
  require(level > 0 && level < 1, "choose_lags: level = ", level, ", but must be between 0 and 1.");
  require(table.steps() >= 3 && table.series() >= 1, "choose_lags: the table has ", table.steps(), " steps of ",
          table.series(), " series; it must have at least 3 of one.");
  const Index series = table.series();
  Index longest_recording = 0;
  for (const auto& [first, end] : attention::recordings_of(table))
    longest_recording = std::max(longest_recording, end - first);
  const Index cap = std::max<Index>(1, std::min({Index{100}, longest_recording / 5, 2000 / series}));
  const Index floor = std::min({cap, Index{5}, std::max<Index>(1, longest_recording / 50)});
  const Whitened white = whiten(table, held);
  const double tests = static_cast<double>(series) * static_cast<double>(series - 1) * static_cast<double>(cap);
  const LongestLag longest = series == 1 ? LongestLag{std::min(white.longest_order, cap)}
                                         : longest_outside(white.residuals, table, cap, floor, tests, level);
  const Index found = longest.agreed;
  const bool beyond = found > floor, alone = series == 1;
  Index most = std::max(found, floor);
  if (!alone && most <= kTwice * floor) {
    if (beyond) most = needed_lags(white.residuals, table, found, kSure * level);
    if (most <= floor) most = std::max(beyond ? most : 1, needed_lags(white.residuals, table, floor, level));
  }
  LagChoice choice;
  choice.lags.resize(static_cast<std::size_t>(most));
  choice.tried = std::max({most, found, floor});
  std::iota(choice.lags.begin(), choice.lags.end(), Index{1});
  choice.reason = concat("Largest lag ", lag_text(table, most), ": ");
  if (most < choice.tried)
    choice.reason += concat(
        "given the values up to there, no prewhitened series is significantly correlated with "
        "another one's value, or its square, at lags up to ",
        lag_text(table, choice.tried),
        cap > choice.tried ? concat(", and no two are beyond, up to ", lag_text(table, cap), ".") : ".",
        " What these do not show, such as a product of two series, is searched up to the largest lag alone (--max-lag: "
        "further).");
  else if (alone)
    choice.reason += found >= floor ? "the order of the series' own autoregression."
                                    : "the order of the series' own autoregression is no larger.";
  else if (found >= floor)
    choice.reason += "the longest lag at which two prewhitened series are significantly correlated.";
  else if (most == cap)
    choice.reason += "no longer one is searched in a table of so few steps or so many series.";
  else
    choice.reason += concat("no two prewhitened series are significantly correlated at longer lags, up to ",
                            lag_text(table, cap), ".");
  if (found == cap && most == cap)
    choice.reason += " This is the largest lag that is searched in this table; longer lags may exist.";
  if (longest.alone > 0)
    choice.reason = concat("Largest lag ", lag_text(table, choice.lags.back()),
                           ": two prewhitened series are significantly correlated at ", lag_text(table, longest.alone),
                           ", too, but neither at the lags beside it nor clearly in both halves of the rows, as one of "
                           "so many pairs may be "
                           "by chance.");
  return choice;
}

}  // namespace fovea::lag::series
