#include "fovea/domains/opinion/measures/gap_camps.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/ordering.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea::opinion::measures {

namespace {

constexpr double kCellMargin = 1e-8;  // of the gap: more than rounding of the places of kMostLineCells cells
constexpr double kMostLineCells = 1 << 20, kFewLineCells = 1024;
constexpr Index kMostLineParts = 16;
constexpr double kNowhere = std::numeric_limits<double>::infinity();

}  // namespace

GapCamps::GapCamps(std::span<const double> opinions, double gap) {
  require(!opinions.empty(), "find_camps: opinions are 0 x 1; at least one agent with one component is needed.");
  require(gap > 0, "find_camps: gap = ", gap, ", but must be > 0.");
  const auto [low, high] = std::minmax_element(opinions.begin(), opinions.end());
  low_ = *low;
  const double side = gap * (1 - kCellMargin), cells = (*high - low_) / side + 1;
  std::vector<Ends> ends;
  if (cells <= std::max(kFewLineCells, std::min(static_cast<double>(opinions.size()), kMostLineCells))) {
    inverse_ = 1 / side;
    places_.assign(cell_of(*high) + 1, 0);
    ends = cell_ends(opinions);
  } else {
    for (const double x : ascending(opinions)) ends.push_back({x, x});
  }
  double end = -kNowhere;
  for (std::size_t cell = 0; cell < ends.size(); ++cell) {
    if (ends[cell].low > ends[cell].high) continue;
    if (lowest_.empty() || ends[cell].low - end > gap) lowest_.push_back(ends[cell].low);
    end = ends[cell].high;
    if (!places_.empty()) places_[cell] = std::ssize(lowest_) - 1;
  }
  number_by_size(opinions);
}

std::vector<GapCamps::Ends> GapCamps::cell_ends(std::span<const double> opinions) const {
  const Index count = std::ssize(opinions), cells = std::ssize(places_);
  const Index parts = std::clamp<Index>(count / std::max<Index>(4 * cells, 1 << 14), 1, kMostLineParts);
  std::vector<Ends> ends(parts * cells, Ends{kNowhere, -kNowhere});
  for_each_task(parts, parts > 1, [&](Index part) {
    for (Index i = part * count / parts; i < (part + 1) * count / parts; ++i) {
      Ends& cell = ends[part * cells + cell_of(opinions[i])];
      cell = {std::min(cell.low, opinions[i]), std::max(cell.high, opinions[i])};
    }
  });
  for (Index k = cells; k < parts * cells; ++k) {
    Ends& cell = ends[k % cells];
    cell = {std::min(cell.low, ends[k].low), std::max(cell.high, ends[k].high)};
  }
  ends.resize(cells);
  return ends;
}

std::size_t GapCamps::place_of(double opinion) const {
  if (!places_.empty()) return places_[cell_of(opinion)];
  return std::upper_bound(lowest_.begin(), lowest_.end(), opinion) - lowest_.begin() - 1;
}

void GapCamps::number_by_size(std::span<const double> opinions) {
  const std::size_t count = lowest_.size();
  std::vector<Index> sizes(count, 0), first(count, 0), order(count);
  std::vector<double> sums(count, 0.0);
  for (std::size_t i = 0; i < opinions.size(); ++i) {
    const std::size_t place = place_of(opinions[i]);
    if (sizes[place]++ == 0) first[place] = static_cast<Index>(i);
    sums[place] += opinions[i];
  }
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : first[a] < first[b]; });
  numbers_.resize(count);
  camps_.centres.resize(static_cast<Index>(count), 1);
  for (std::size_t k = 0; k < count; ++k) {
    numbers_[order[k]] = static_cast<Index>(k);
    camps_.sizes.push_back(sizes[order[k]]);
    camps_.centres(static_cast<Index>(k), 0) = sums[order[k]] / static_cast<double>(sizes[order[k]]);
  }
}

}  // namespace fovea::opinion::measures
