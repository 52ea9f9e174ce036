#include "fovea/domains/lag/nature/nature.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/ordering.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/median.hpp"
#include "fovea/core/statistics/processes/fourier.hpp"
#include "fovea/domains/lag/nature/chance.hpp"
#include "fovea/domains/lag/nature/pasts.hpp"
#include "fovea/domains/lag/nature/search_parts.hpp"
#include "fovea/domains/lag/nature/shapes.hpp"

namespace fovea::lag::nature {

namespace {

// Known values: the limits below are asymptotic.
constexpr Index kFewest = 30;
// Of each kind.
constexpr std::size_t kMostBreaks = 3;
// Of a break: two kinds are sought in every series.
constexpr double kLevel = 0.01;

std::vector<double> known_values(const Vector<double>& y) {
  std::vector<double> known;
  for (const double value : y)
    if (!std::isnan(value)) known.push_back(value);
  return ascending(known);
}

/// ascending: sorted here again by distance.
Index outliers_of(const std::vector<double>& ascending) {
  const double middle = ascending[ascending.size() / 2];
  std::vector<double> distances;
  for (const double value : ascending) distances.push_back(std::fabs(value - middle));
  const double bound = 4 * 1.4826 * upper_median(distances);
  if (bound <= 0) return 0;
  return std::count_if(distances.begin(), distances.end(), [&](double distance) { return distance > bound; });
}

void describe_values(const std::vector<double>& ascending, SeriesNature& nature) {
  if (ascending.empty()) return;
  const auto n = static_cast<double>(ascending.size());
  double sum = 0, squares = 0, fourth = 0;
  Index zeros = 0;
  for (std::size_t k = 0; k < ascending.size(); ++k) {
    sum += ascending[k];
    zeros += ascending[k] == 0 ? 1 : 0;
    nature.distinct += k == 0 || ascending[k] != ascending[k - 1] ? 1 : 0;
  }
  for (const double value : ascending) {
    const double square = (value - sum / n) * (value - sum / n);
    squares += square;
    fourth += square * square;
  }
  nature.zeros = static_cast<double>(zeros) / n;
  nature.tails = squares > 0 ? n * fourth / (squares * squares) - 3 : kNan;
  nature.outliers = outliers_of(ascending);
}

/// The correlation of neighbours in time, inside the recordings, about the first known value: sums lose fewer digits.
double memory_of(const Vector<double>& y, const std::vector<Index>& starts) {
  double n = 0, x = 0, z = 0, xx = 0, zz = 0, xz = 0, before = kNan, origin = kNan;
  std::size_t next = 0;
  for (Index t = 0; t < y.size(); ++t) {
    if (next < starts.size() && starts[next] == t) before = kNan, ++next;
    if (std::isnan(origin)) origin = y[t];
    const double now = y[t] - origin;
    if (!std::isnan(before) && !std::isnan(now))
      n += 1, x += before, z += now, xx += before * before, zz += now * now, xz += before * now;
    before = now;
  }
  const double spread = (xx - x * x / n) * (zz - z * z / n);
  return n >= 3 && spread > 0 ? (xz - x * z / n) / std::sqrt(spread) : kNan;
}

/// Finds a break in [first, end), then looks on either side.
template <typename Finder>
void split_at_breaks(Index first, Index end, const Finder& find, std::vector<Index>& breaks) {
  if (breaks.size() >= kMostBreaks) return;
  const Index at = find(first, end);
  if (at < 0) return;
  breaks.push_back(at);
  split_at_breaks(first, at, find, breaks);
  split_at_breaks(at, end, find, breaks);
}

/// sup |C_k - k/n C_n| / sqrt(n omega), omega the variance of the squares: its limit is that of a Brownian bridge.
Index variance_break(const Vector<double>& rest, const std::vector<char>& used, Index first, Index end) {
  // The 99 % quantile of Kolmogorov's distribution, so that the level is kLevel.
  constexpr double kLimit = 1.628;
  std::vector<Index> rows;
  double sum = 0, squares = 0;
  for (Index t = first; t < end; ++t) {
    if (used[t] == 0) continue;
    rows.push_back(t);
    const double square = rest[t] * rest[t];
    sum += square, squares += square * square;
  }
  const auto n = static_cast<double>(rows.size());
  if (rows.size() < static_cast<std::size_t>(2 * kFewest)) return -1;
  const double omega = squares / n - (sum / n) * (sum / n);
  if (omega <= 0) return -1;
  double running = 0, most = 0;
  Index at = -1;
  for (std::size_t k = 0; k + 1 < rows.size(); ++k) {
    running += rest[rows[k]] * rest[rows[k]];
    const double away = std::fabs(running - static_cast<double>(k + 1) / n * sum);
    if (away > most) most = away, at = rows[k + 1];
  }
  return most > kLimit * std::sqrt(n * omega) ? at : -1;
}

/// The row of the largest evidence of a step, if chance makes it rarely; -1: none. whole: the past of all of y.
Index level_break(const OwnPast& whole, const Vector<double>& y, const std::vector<Index>& starts, Index first,
                  Index end) {
  // Rows examined: next to each other the evidence hardly differs.
  constexpr Index kMostRows = 500;
  const Index margin = std::max<Index>(10, (end - first) / 20);
  if (end - first < 4 * margin) return -1;
  std::vector<Index> parts{0}, rows;
  for (const Index start : starts)
    if (start > first && start < end) parts.push_back(start - first);
  for (Index row = margin; row + margin <= end - first; row += std::max<Index>(1, (end - first) / kMostRows))
    rows.push_back(row);
  std::optional<OwnPast> own;
  if (end - first < y.size()) own.emplace(y.segment(first, end - first), Matrix<double>(end - first, 0), parts);
  const OwnPast& past = own ? *own : whole;
  std::vector<double> found = past.coordinates_of_steps(rows);
  for (double& one : found) one = past.evidence_of(one * one);
  const auto most = std::max_element(found.begin(), found.end());
  return chance_of_step(*most) < kLevel ? first + rows[most - found.begin()] : -1;
}

/// The most conspicuous of all waves, as a candidate of the search, but by this series alone. settled: their evidence
/// (settled_waves).
void describe_season(const Vector<double>& settled, double steps, SeriesNature& nature) {
  const auto grid = static_cast<double>(2 * (settled.size() - 1));
  double most = -1;
  Index at = 0;
  for (Index k = 1; k < settled.size(); ++k) {
    const double shown = steps / grid * static_cast<double>(k) < kFewestCycles ? 0 : settled[k];
    if (shown > most) most = shown, at = k;
  }
  nature.season_steps = grid / static_cast<double>(at);
  nature.season_p = std::min(1.0, kFrequencies * steps * std::exp(-0.5 * most));
}

SeriesNature nature_of(const datasets::series::SeriesTable& table, Index series, const Pasts& pasts,
                       const Fourier* fourier, const Matrix<double>& waves, const Matrix<double>& line) {
  SeriesNature nature;
  const Vector<double> y = table.values.col(series);
  const std::vector<double> known = known_values(y);
  describe_values(known, nature);
  nature.memory = memory_of(y, table.recording_starts);
  // Values are described above whatever their number; nothing else can be said of few, or of a constant.
  if (std::ssize(known) < kFewest || !std::ranges::binary_search(pasts.counted(), series)) {
    nature.unit_root_p = nature.trend_p = nature.season_p = nature.season_steps = kNan;
    return nature;
  }
  const OwnPast& past = pasts.of(series);
  nature.order = past.order();
  nature.unit_root_p = chance_of_unit_root(past.unit_root_statistic());
  nature.trend_p = chance_of_trend(past.evidence(line), 1);
  const Vector<double> settled =
      fourier != nullptr ? settled_waves(past, *fourier).evidence : Vector<double>(waves.row(series));
  describe_season(settled, static_cast<double>(table.steps()), nature);
  split_at_breaks(
      0, table.steps(), [&](Index a, Index b) { return level_break(past, y, table.recording_starts, a, b); },
      nature.level_breaks);
  split_at_breaks(
      0, table.steps(), [&](Index a, Index b) { return variance_break(past.rest(), past.used(), a, b); },
      nature.variance_breaks);
  std::sort(nature.level_breaks.begin(), nature.level_breaks.end());
  std::sort(nature.variance_breaks.begin(), nature.variance_breaks.end());
  return nature;
}

}  // namespace

std::vector<SeriesNature> describe(const datasets::series::SeriesTable& table) {
  return describe(table, Pasts(table, Matrix<double>(table.steps(), 0)), {}, 0);
}

std::vector<SeriesNature> describe(const datasets::series::SeriesTable& table, const Pasts& pasts,
                                   const Matrix<double>& waves, Index grid) {
  std::vector<SeriesNature> natures(table.series());
  const Index wanted = power_of_two(2 * std::max<Index>(table.steps(), 2));
  std::unique_ptr<const Fourier> fourier;
  if (waves.cols() == 0 || grid != wanted) fourier = std::make_unique<const Fourier>(wanted);
  const Matrix<double> line = polynomials(table.steps(), 1, 1);
  for_each_task(table.series(), true,
                [&](Index s) { natures[s] = nature_of(table, s, pasts, fourier.get(), waves, line); });
  return natures;
}

}  // namespace fovea::lag::nature
