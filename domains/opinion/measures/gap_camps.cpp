#include "fovea/domains/opinion/measures/gap_camps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/core/attention/fast/exact_sums.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/ordering.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea::opinion::measures {

namespace {

constexpr double kCellMargin = 1e-8;  // of the gap: more than rounding of the places of kMostLineCells cells
constexpr double kMostLineCells = 1 << 20, kFewLineCells = 1024;
constexpr Index kMostLineParts = 16;
constexpr double kNowhere = std::numeric_limits<double>::infinity();

/// Parts of so many agents of which each has a table of so many entries, and the first agent of each.
Index line_parts(Index agents, Index entries) {
  return std::clamp<Index>(agents / std::max<Index>(4 * entries, 1 << 14), 1, kMostLineParts);
}

/// Calls work(part, agent) for all agents, part by part.
template <typename Work>
void for_each_part(Index parts, Index agents, const Work& work) {
  for_each_task(parts, parts > 1, [&](Index part) {
    for (Index i = part * agents / parts; i < (part + 1) * agents / parts; ++i) work(part, i);
  });
}

}  // namespace

struct GapCamps::Member {
  Index size = 0;
  double first = kNowhere;  ///< number of the first agent
  double sum = 0;           ///< of the opinions, in order; of many agents:
  fast::WholeParts whole{};
};

GapCamps::GapCamps(std::span<const double> opinions, double gap, const Ranks& ranks, Index first) {
  require(gap > 0, "find_camps: gap = ", gap, ", but must be > 0.");
  agents_ = ranks.total(std::ssize(opinions));
  require(agents_ > 0, "find_camps: opinions are 0 x 1; at least one agent with one component is needed.");
  if (agents_ <= kRankBlock && !ranks.alone()) {
    const std::vector<double> all = ranks.collect(opinions);
    find(all, gap, alone(), 0);
  } else {
    find(opinions, gap, ranks, first);
  }
}

void GapCamps::find(std::span<const double> opinions, double gap, const Ranks& ranks, Index first) {
  double low = kNowhere, high = -kNowhere;
  for (const double x : opinions) low = std::min(low, x), high = std::max(high, x);
  ranks.least({&low, 1});
  ranks.largest({&high, 1});
  low_ = low;
  const double side = gap * (1 - kCellMargin), cells = (high - low) / side + 1;
  std::vector<Ends> ends;
  if (cells <= std::max(kFewLineCells, std::min(static_cast<double>(agents_), kMostLineCells))) {
    inverse_ = 1 / side;
    places_.assign(cell_of(high) + 1, 0);
    ends = cell_ends(opinions, ranks);
  } else {
    require(ranks.alone(), "find_camps: gap = ", gap, " cuts the opinions from ", low, " to ", high, " into more than ",
            kMostLineCells, " parts; where several processes compute a crowd, give a wider camps.gap.");
    for (const double x : ascending(opinions)) ends.push_back({x, x});
  }
  double end = -kNowhere;
  for (std::size_t cell = 0; cell < ends.size(); ++cell) {
    if (ends[cell].low > ends[cell].high) continue;
    if (lowest_.empty() || ends[cell].low - end > gap) lowest_.push_back(ends[cell].low);
    end = ends[cell].high;
    if (!places_.empty()) places_[cell] = std::ssize(lowest_) - 1;
  }
  number_by_size(members(opinions, std::max(std::abs(low), std::abs(high)), ranks, first));
}

std::vector<GapCamps::Ends> GapCamps::cell_ends(std::span<const double> opinions, const Ranks& ranks) const {
  const Index count = std::ssize(opinions), cells = std::ssize(places_), parts = line_parts(count, cells);
  std::vector<Ends> ends(parts * cells, Ends{kNowhere, -kNowhere});
  for_each_part(parts, count, [&](Index part, Index i) {
    Ends& cell = ends[part * cells + cell_of(opinions[i])];
    cell = {std::min(cell.low, opinions[i]), std::max(cell.high, opinions[i])};
  });
  for (Index k = cells; k < parts * cells; ++k) {
    Ends& cell = ends[k % cells];
    cell = {std::min(cell.low, ends[k].low), std::max(cell.high, ends[k].high)};
  }
  ends.resize(cells);
  if (ranks.alone()) return ends;
  std::vector<double> low, high;
  for (const Ends& cell : ends) low.push_back(cell.low), high.push_back(cell.high);
  ranks.least(low);
  ranks.largest(high);
  for (Index k = 0; k < cells; ++k) ends[k] = {low[k], high[k]};
  return ends;
}

std::size_t GapCamps::place_of(double opinion) const {
  if (!places_.empty()) return places_[cell_of(opinion)];
  return std::upper_bound(lowest_.begin(), lowest_.end(), opinion) - lowest_.begin() - 1;
}

/// Of more than a block the opinions are added as whole numbers, whose sum has no order.
std::vector<GapCamps::Member> GapCamps::members(std::span<const double> opinions, double largest, const Ranks& ranks,
                                                Index first) const {
  const Index count = std::ssize(opinions), camps = std::ssize(lowest_);
  const bool whole = agents_ > kRankBlock;
  const Index parts = whole ? line_parts(count, camps) : 1;
  const fast::FixedPoint scale(largest, agents_);
  std::vector<Member> members(parts * camps);
  for_each_part(parts, count, [&](Index part, Index i) {
    Member& camp = members[part * camps + static_cast<Index>(place_of(opinions[i]))];
    if (camp.size++ == 0) camp.first = static_cast<double>(first + i);
    if (whole)
      camp.whole += scale.whole(opinions[i]);
    else
      camp.sum += opinions[i];
  });
  if (!whole) return members;
  std::vector<std::int64_t> sums(3 * camps, 0);
  std::vector<double> earliest(camps, kNowhere);
  for (Index k = 0; k < parts * camps; ++k) {
    const Member& part = members[k];
    std::int64_t* sum = sums.data() + 3 * (k % camps);
    sum[0] += part.size, sum[1] += part.whole.high, sum[2] += part.whole.low;
    earliest[k % camps] = std::min(earliest[k % camps], part.first);
  }
  ranks.sum(sums);
  ranks.least(earliest);
  members.resize(camps);
  for (Index k = 0; k < camps; ++k)
    members[k] = {sums[3 * k], earliest[k], scale.number(scale.approximate({sums[3 * k + 1], sums[3 * k + 2]}))};
  return members;
}

void GapCamps::number_by_size(const std::vector<Member>& members) {
  const std::size_t count = members.size();
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return members[a].size != members[b].size ? members[a].size > members[b].size : members[a].first < members[b].first;
  });
  numbers_.resize(count);
  camps_.centres.resize(static_cast<Index>(count), 1);
  for (std::size_t k = 0; k < count; ++k) {
    const Member& camp = members[order[k]];
    numbers_[order[k]] = static_cast<Index>(k);
    camps_.sizes.push_back(camp.size);
    camps_.centres(static_cast<Index>(k), 0) = camp.sum / static_cast<double>(camp.size);
  }
}

}  // namespace fovea::opinion::measures
