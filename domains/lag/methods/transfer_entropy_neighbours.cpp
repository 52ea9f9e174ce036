#include <algorithm>
#include <cmath>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/linear/lagged_gram.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/core/statistics/processes/autoregression.hpp"
#include "fovea/core/statistics/tests/neighbour_information.hpp"
#include "fovea/domains/lag/methods/finders.hpp"
#include "fovea/domains/lag/methods/peer_links.hpp"

namespace fovea::lag::methods {

namespace {

constexpr Index kNearest = 4;      // Kraskov et al. 2004: 2 to 4
constexpr Index kShifts = 30;      // of the cause, for the null distribution of a pair
constexpr Index kMostRows = 1000;  // spread over the table where it has more: time and memory grow as their square
constexpr Index kMostOwnPast = 3;  // values of the effect's own past: neighbours are far apart in many dimensions
constexpr Index kFewestRows = 4 * kNearest;

/// Rows that have all lags behind them.
std::vector<Index> rows_of(const LaggedGram& gram) {
  std::vector<Index> rows;
  const Index step = (gram.rows() + kMostRows - 1) / kMostRows;
  Index number = 0;
  for (const auto& [begin, end] : gram.stretches())
    for (Index t = begin; t < end; ++t)
      if (number++ % step == 0) rows.push_back(t);
  return rows;
}

/// A lagged series as ranks, so that units and heavy tails do not matter; equal values in a random order.
RankColumn ranks_at(const datasets::series::SeriesTable& table, std::span<const Index> rows, Index series, Index lag,
                    const Random& random) {
  std::vector<std::tuple<double, std::uint64_t, Index>> order;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Index t = rows[k] - lag;
    order.emplace_back(table.values(t, series),
                       random.bits(static_cast<std::uint64_t>(series), static_cast<std::uint64_t>(t)),
                       static_cast<Index>(k));
  }
  std::sort(order.begin(), order.end());
  RankColumn ranks(rows.size());
  for (std::size_t k = 0; k < order.size(); ++k) ranks[std::get<2>(order[k])] = static_cast<std::int16_t>(k);
  return ranks;
}

Index own_past(const datasets::series::SeriesTable& table, Index series) {
  const Vector<double> x = table.values.col(series);
  const std::vector<double> rho =
      autocorrelations({x.data(), static_cast<std::size_t>(x.size())}, kMostOwnPast, table.recording_starts);
  const auto order =
      static_cast<Index>(best_by_aic(autoregressions(rho), static_cast<double>(table.steps())).coefficients.size());
  return std::max<Index>(1, order);
}

/// The cause turned round in time by at least a tenth of the rows: its own structure stays, what it knew is gone.
RankColumn turned(const RankColumn& x, std::uint64_t entity, Index shift, const Random& random) {
  const Index n = static_cast<Index>(x.size()), least = n / 10 + 1;
  const auto by = least + static_cast<Index>(random.below(static_cast<std::uint64_t>(n - 2 * least + 1), entity,
                                                          static_cast<std::uint64_t>(shift)));
  RankColumn around(x.size());
  std::rotate_copy(x.begin(), x.begin() + by, x.end(), around.begin());
  return around;
}

/// All lags of one pair against the same null: its information at random shifts is nearly normal, of unknown mean and
/// width, so Student's t foresees one more.
void test_pair(const NeighbourInformation& information, std::vector<RankColumn> causes, std::span<Link> links,
               std::uint64_t pair, const Random& random) {
  for (Index shift = 0; shift < kShifts; ++shift) causes.push_back(turned(causes.front(), pair, shift, random));
  const std::vector<double> found = information(causes);
  double sum = 0, squares = 0;
  for (std::size_t by_chance = links.size(); by_chance < found.size(); ++by_chance) {
    sum += found[by_chance];
    squares += found[by_chance] * found[by_chance];
  }
  const double mean = sum / kShifts, variance = std::max(0.0, (squares - sum * mean) / (kShifts - 1));
  for (std::size_t k = 0; k < links.size(); ++k) {
    const double nats = found[k];
    links[k].strength = std::sqrt(std::max(0.0, 1 - exponential(-2 * nats)));
    if (!(variance > 0)) continue;
    links[k].statistic = (nats - mean) / std::sqrt(variance * (1 + 1.0 / kShifts));
    const double outside = student_two_sided(links[k].statistic, kShifts - 1) / 2;
    links[k].p_value = links[k].statistic > 0 ? outside : 1 - outside;
  }
}

/// Links of one effect, cause by cause, those of a cause side by side.
void test_effect(const datasets::series::SeriesTable& table, const LaggedGram& gram, std::span<Link> links,
                 const Random& random) {
  const std::vector<Index> rows = rows_of(gram);
  const Index effect = links.front().effect;
  const auto is_constant = [&](const Link& link) { return gram.constant(gram.column(link.cause, link.lag)); };
  if (static_cast<Index>(rows.size()) < kFewestRows || gram.constant(gram.column(effect, 0))) return;
  const Random ties = random.stream("ties"), shifts = random.stream("shifts");
  std::vector<RankColumn> past;
  for (Index lag = own_past(table, effect); lag >= 1; --lag) past.push_back(ranks_at(table, rows, effect, lag, ties));
  const NeighbourInformation information(ranks_at(table, rows, effect, 0, ties), past, kNearest);
  for (std::size_t begin = 0, end = 0; begin < links.size(); begin = end) {
    while (end < links.size() && links[end].cause == links[begin].cause) ++end;
    const std::span<Link> pair = links.subspan(begin, end - begin);
    if (std::any_of(pair.begin(), pair.end(), is_constant)) continue;
    std::vector<RankColumn> causes;
    for (const Link& link : pair) causes.push_back(ranks_at(table, rows, link.cause, link.lag, ties));
    test_pair(information, std::move(causes), pair,
              static_cast<std::uint64_t>(effect * table.series() + links[begin].cause), shifts);
  }
}

}  // namespace

/// Frenzel & Pompe 2007; Kraskov, Stoegbauer & Grassberger 2004; Schreiber 2000. Self-links are not tested.
Findings find_by_transfer_entropy_neighbours(const datasets::series::SeriesTable& given, const LagSettings& settings,
                                             const Random& random) {
  Findings findings{links_asked_for(given, settings), {}};
  std::erase_if(findings.links, [](const Link& link) { return link.self(); });
  std::vector<Index> lags = lags_with_present(settings);
  for (Index lag = 1; lag <= std::min(kMostOwnPast, given.steps() - 1); ++lag) lags.push_back(lag);
  std::sort(lags.begin(), lags.end());
  lags.erase(std::unique(lags.begin(), lags.end()), lags.end());
  const Filled filled(given, lags.back(), findings);
  const datasets::series::SeriesTable& table = filled.table();
  const LaggedGram gram(table.values, lags, LaggedRows{table.recording_starts, 0});
  std::vector<std::span<Link>> effects;
  for (std::size_t begin = 0, end = 0; begin < findings.links.size(); begin = end) {
    while (end < findings.links.size() && findings.links[end].effect == findings.links[begin].effect) ++end;
    effects.push_back(std::span(findings.links).subspan(begin, end - begin));
  }
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t k = 0; k < effects.size(); ++k) test_effect(table, gram, effects[k], random);
  count_by_false_discovery(findings.links, settings.level);
  if (gram.rows() > kMostRows)
    findings.notes.push_back(
        concat("Of ", gram.rows(), " rows at most ", kMostRows, ", spread evenly, were compared with one another."));
  return findings;
}

}  // namespace fovea::lag::methods
