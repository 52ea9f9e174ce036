#include "fovea/domains/lag/methods/cross_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/core/statistics/processes/autoregression.hpp"
#include "fovea/domains/lag/methods/finders.hpp"
#include "fovea/domains/lag/methods/peer_links.hpp"

namespace fovea::lag::methods {

namespace {

constexpr double kLeastExcess = 0.2;
constexpr Index kWorthThreads = 1000000;  // products: about a millisecond
constexpr double kSeriesPart = 100;       // for the progress: a series' autocorrelations take as long as so many
                                          // correlations of two

/// Autocorrelations up to a quarter of the steps: beyond, they are chance.
std::vector<std::vector<double>> all_autocorrelations(const datasets::series::SeriesTable& table,
                                                      const SeriesColumns& columns, SearchMeter& meter) {
  std::vector<std::vector<double>> rho(table.series());
#pragma omp parallel for schedule(static) if (table.values.size() * table.steps() > 4 * kWorthThreads)
  for (Index i = 0; i < table.series(); ++i) {
    rho[i] = autocorrelations(columns.of(i), table.steps() / 4, table.recording_starts);
    meter.done(kSeriesPart);
  }
  return rho;
}

/// variance_excess() of each two series; 1 of a series and itself.
Matrix<double> excess_of_pairs(const std::vector<std::vector<double>>& rho, Index steps) {
  const Index series = std::ssize(rho);
  Matrix<double> excess = Matrix<double>::Ones(series, series);
  for_each_task(series, series * series * steps > kWorthThreads, [&](Index i) {
    for (Index j = 0; j < i; ++j) excess(i, j) = excess(j, i) = variance_excess(rho[i], rho[j], steps);
  });
  return excess;
}

/// About the means of the rows that have both values.
struct Sums {
  double xx = 0, yy = 0, xy = 0;
};

CorrelationTest test_of_sums(double n, const Sums& sums, double excess) {
  const double degrees = n / excess - 2;
  CorrelationTest found;
  if (!(sums.xx > 0 && sums.yy > 0 && degrees >= 1)) return found;
  found.correlation = std::clamp(sums.xy / std::sqrt(sums.xx) / std::sqrt(sums.yy), -1.0, 1.0);
  const double unexplained = (1 - found.correlation) * (1 + found.correlation);
  found.t = found.correlation * std::sqrt(degrees / std::max(unexplained, 1e-300));
  found.p_value = student_two_sided(found.t, degrees);
  found.degrees = static_cast<Index>(degrees);
  return found;
}

}  // namespace

double variance_excess(std::span<const double> rho_x, std::span<const double> rho_y, Index n) {
  double sum = 1;
  for (std::size_t k = 1; k < std::min(rho_x.size(), rho_y.size()); ++k)
    sum += 2 * (1 - static_cast<double>(k) / static_cast<double>(n)) * rho_x[k] * rho_y[k];
  return std::max(sum, kLeastExcess);
}

CorrelationTest cross_correlation(std::span<const double> cause, std::span<const double> effect,
                                  std::span<const Index> recording_starts, Index lag, double excess) {
  const auto for_each_pair = [&](const auto& visit) {
    for (std::size_t r = 0; r < recording_starts.size(); ++r) {
      const Index end = r + 1 < recording_starts.size() ? recording_starts[r + 1] : std::ssize(effect);
      for (Index t = recording_starts[r] + lag; t < end; ++t) {
        const double x = cause[t - lag], y = effect[t];
        if (!std::isnan(x) && !std::isnan(y)) visit(x, y);
      }
    }
  };
  double n = 0, mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
  for_each_pair([&](double x, double y) {
    n += 1;
    mean_x += x;
    mean_y += y;
  });
  mean_x /= n;
  mean_y /= n;
  for_each_pair([&](double x, double y) {
    xx += (x - mean_x) * (x - mean_x);
    yy += (y - mean_y) * (y - mean_y);
    xy += (x - mean_x) * (y - mean_y);
  });
  return test_of_sums(n, {xx, yy, xy}, excess);
}

namespace {

/// Of a window of one series.
struct Moments {
  double mean = 0, square = 0;
};

Moments moments_of(std::span<const double> x) {
  Moments found;
  for (const double value : x) found.mean += value;
  found.mean /= static_cast<double>(x.size());
  for (const double value : x) found.square += (value - found.mean) * (value - found.mean);
  return found;
}

/// A link and the windows of its cause and effect, of the same length.
struct Windows {
  Link* link = nullptr;
  std::span<const double> x, y;
  Moments of_x, of_y;
  double xy = 0;
  double product(std::size_t t) const { return (x[t] - of_x.mean) * (y[t] - of_y.mean); }
};

/// Adds the products of four in some rows, each in its order: one alone waits for each addition to end.
void add_products(Windows* w, std::size_t first, std::size_t end) {
  const std::size_t known = std::min({w[0].x.size(), w[1].x.size(), w[2].x.size(), w[3].x.size()});
  const std::size_t together = std::clamp(known, first, end);
  double a = w[0].xy, b = w[1].xy, c = w[2].xy, d = w[3].xy;
  for (std::size_t t = first; t < together; ++t)
    a += w[0].product(t), b += w[1].product(t), c += w[2].product(t), d += w[3].product(t);
  w[0].xy = a, w[1].xy = b, w[2].xy = c, w[3].xy = d;
  for (Windows* one = w; one < w + 4; ++one)
    for (std::size_t t = together; t < std::min(end, one->x.size()); ++t) one->xy += one->product(t);
}

}  // namespace

CrossCorrelations::CrossCorrelations(std::vector<std::span<const double>> series,
                                     std::span<const Index> recording_starts)
    : series_(std::move(series)), recording_starts_(recording_starts) {
  const auto missing = [](double value) { return std::isnan(value); };
  for (const std::span<const double> x : series_) {
    const auto known = std::find_if_not(x.begin(), x.end(), missing);
    known_from_.push_back(std::any_of(known, x.end(), missing) ? -1 : known - x.begin());
  }
}

bool CrossCorrelations::is_whole(const Link& link) const {
  const Index from_x = known_from_[link.cause];
  const Index from_y = known_from_[link.effect];
  const Index steps = std::ssize(series_.front());
  return recording_starts_.size() == 1 && from_x >= 0 && from_y >= 0 && std::max(from_x + link.lag, from_y) < steps;
}

void CrossCorrelations::test_at_lag(const std::vector<Link*>& links,
                                    const std::function<double(const Link&)>& excess) const {
  std::map<std::pair<const double*, std::size_t>, Moments> known;
  const auto moments = [&](std::span<const double> x) {
    const auto [place, is_new] = known.try_emplace({x.data(), x.size()});
    if (is_new) place->second = moments_of(x);
    return place->second;
  };
  std::vector<Windows> all;
  for (Link* link : links) {
    const std::size_t cause = link->cause, effect = link->effect;
    if (!is_whole(*link)) {
      enter(cross_correlation(series_[cause], series_[effect], recording_starts_, link->lag, excess(*link)), *link);
      continue;
    }
    const std::size_t lag = link->lag;
    const std::size_t first = std::max(known_from_[cause] + link->lag, known_from_[effect]);
    Windows windows{link, series_[cause].subspan(first - lag), series_[effect].subspan(first), {}, {}, 0};
    windows.x = windows.x.first(windows.y.size());
    windows.of_x = moments(windows.x), windows.of_y = moments(windows.y);
    all.push_back(windows);
  }
  while (all.size() % 4 != 0) all.push_back(all.back());
  constexpr std::size_t kRows = 2048;  // that stay in the fastest memories from one link to the next
  for (std::size_t first = 0; first < series_.front().size(); first += kRows)
    for (std::size_t k = 0; k < all.size(); k += 4) add_products(&all[k], first, first + kRows);
  for (const Windows& w : all)
    enter(test_of_sums(static_cast<double>(w.x.size()), {w.of_x.square, w.of_y.square, w.xy}, excess(*w.link)),
          *w.link);
}

void CrossCorrelations::test(const std::vector<Link*>& links, const std::function<double(const Link&)>& excess,
                             SearchMeter& meter) const {
  std::map<Index, std::vector<Link*>> by_lag;
  for (Link* link : links) by_lag[link->lag].push_back(link);
  std::vector<std::vector<Link*>> groups;
  for (auto& [lag, group] : by_lag) groups.push_back(std::move(group));
#pragma omp parallel for schedule(dynamic) if (std::ssize(links) * std::ssize(series_.front()) > kWorthThreads)
  for (std::size_t k = 0; k < groups.size(); ++k) {
    test_at_lag(groups[k], excess);
    meter.done(static_cast<double>(groups[k].size()));
  }
}

Findings find_by_cross_correlation(const datasets::series::SeriesTable& table, const LagSettings& settings,
                                   const Random&) {
  Findings findings{links_asked_for(table, settings), {}};
  const SeriesColumns columns(table.values);
  const auto count = static_cast<Index>(findings.links.size());
  SearchMeter meter(settings, kSeriesPart * static_cast<double>(table.series()) + static_cast<double>(count));
  const std::vector<std::vector<double>> rho = all_autocorrelations(table, columns, meter);
  std::vector<std::span<const double>> series;
  for (Index i = 0; i < table.series(); ++i) series.push_back(columns.of(i));
  std::vector<Link*> links;
  links.reserve(findings.links.size());
  for (Link& link : findings.links) links.push_back(&link);
  const Matrix<double> of_pairs = excess_of_pairs(rho, table.steps());
  const auto excess = [&](const Link& link) { return of_pairs(link.cause, link.effect); };
  CrossCorrelations(std::move(series), table.recording_starts).test(links, excess, meter);
  if (table.values.array().isNaN().any())
    findings.notes.push_back("Cells are missing: each correlation uses the rows that have both of its values.");
  count_by_false_discovery(findings.links, settings.level);
  return findings;
}

}  // namespace fovea::lag::methods
