#include <algorithm>
#include <cstdlib>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/row_memory.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/attention/modifiers/parts/sharing.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

constexpr Index kMostReach = 64, kMostDilation = Index(1) << 20, kMostWidth = Index(1) << 31;

void check_window(const GridWindow& window) {
  require(window.reach >= 0 && window.reach <= kMostReach, "grid_window: reach = ", window.reach,
          ", but must be from 0 to ", kMostReach, "; the window has 2 reach + 1 keys squared.");
  require(window.dilation >= 1 && window.dilation <= kMostDilation, "grid_window: dilation = ", window.dilation,
          ", but must be from 1 to ", kMostDilation, "; 1: the keys of a window are neighbours.");
  require(!window.widths.empty(), "grid_window: there is no width; give the columns of the grid.");
  for (std::size_t b = 0; b < window.widths.size(); ++b)
    require(window.widths[b] >= 1 && window.widths[b] <= kMostWidth, "grid_window: the width of grid ", b, " is ",
            window.widths[b], ", but must be from 1 to ", kMostWidth, ".");
  if (window.widths.size() == 1) return;
  check_sets("grid_window", window.sets);
  require(window.sets.count() == std::ssize(window.widths), "grid_window: there are ", window.widths.size(),
          " widths, but ", window.sets.count(), " sets; give one width for all, or one for each set.");
}

template <typename Real>
class GridWindowModifier final : public ScoreModifier<Real> {
 public:
  explicit GridWindowModifier(GridWindow window) : window_(std::move(window)) { check_window(window_); }

  Index parameter_count(Index heads) const override { return window_.entries() * count_of(window_.sharing, heads); }
  bool reads_scores() const override { return false; }
  const GridWindow* grid_window() const override { return &window_; }
  void check(const AttentionShape& shape) const override {
    if (window_.widths.size() > 1) check_same_sets("grid_window", window_.sets, shape);
  }

  KeySpan visible(const TileRange& range) const override {
    if (range.query_count == 0 || range.key_count == 0) return {0, 0};
    const Index width = window_.width(range), margin = window_.margin();
    const Index first = range.query_position(0), last = range.query_position(range.query_count - 1);
    const Index top = first / width, bottom = last / width;
    Index from = (top - margin) * width, to = (bottom + margin + 1) * width;
    if (top == bottom) {
      from += std::max(Index(0), first % width - margin);
      to -= std::max(Index(0), width - 1 - last % width - margin);
    }
    const Index origin = range.key_position(0);
    return {std::clamp(from - origin, Index(0), range.key_count), std::clamp(to - origin, Index(0), range.key_count)};
  }

  Real bound(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    if (!window_.positions) return incoming;
    const Real largest = kernels<Real>().maximum(table(range, theta), window_.entries());
    return largest == kMasked<Real> ? largest : incoming + largest;
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    struct Kept;
    const Real* bias = window_.positions ? table(tile, theta) : nullptr;
    Real* kept = row_memory<Kept, Real>(window_.side() * window_.side());
    for (Index i = 0; i < tile.query_count; ++i) {
      Real* scores = tile.row(i);
      Index count = 0;
      each_seen(tile, i, [&](Index j, Index entry) { kept[count++] = bias ? scores[j] + bias[entry] : scores[j]; });
      std::fill_n(scores, tile.key_count, kMasked<Real>);
      count = 0;
      each_seen(tile, i, [&](Index j, Index) { scores[j] = kept[count++]; });
    }
  }

  // ds'/ds = ds'/dB = 1 within the window
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>& gradient, std::span<const Real>,
                std::span<Real> theta_gradient) const override {
    if (!window_.positions) return;
    struct Sums;
    const Index entries = window_.entries();
    Real* sums = row_memory<Sums, Real>(entries);
    std::fill_n(sums, entries, Real(0));
    for (Index i = 0; i < gradient.query_count; ++i) {
      const Real* row = gradient.row(i);
      each_seen(gradient, i, [&](Index j, Index entry) { sums[entry] += row[j]; });
    }
    Real* total = theta_gradient.data() + first_entry(gradient);
    for (Index k = 0; k < entries; ++k) total[k] += sums[k];
  }

 private:
  Index first_entry(const TileRange& range) const {
    return window_.entries() * static_cast<Index>(place_of(window_.sharing, range));
  }
  const Real* table(const TileRange& range, std::span<const Real> theta) const {
    return theta.data() + first_entry(range);
  }

  /// The place in the window of a key that is so many rows and columns away; -1: outside.
  Index entry_of(Index down, Index right) const {
    const Index margin = window_.margin(), step = window_.dilation;
    if (std::abs(down) > margin || std::abs(right) > margin || down % step != 0 || right % step != 0) return -1;
    return (down / step + window_.reach) * window_.side() + right / step + window_.reach;
  }

  /// Calls visit(j, entry) for the tile's keys that query i sees, in their order.
  template <typename Visit>
  void each_seen(const TileRange& tile, Index i, const Visit& visit) const {
    if (tile.key_count == 0) return;
    const Index width = window_.width(tile), position = tile.query_position(i);
    const Index row = position / width, column = position % width;
    if (tile.key_list) {
      for (Index j = 0; j < tile.key_count; ++j) {
        const Index key = tile.key_position(j), entry = entry_of(key / width - row, key % width - column);
        if (entry >= 0) visit(j, entry);
      }
      return;
    }
    const Index origin = tile.key_position(0), side = window_.side(), step = window_.dilation;
    const Index top = row - window_.margin(), left = column - window_.margin();
    for (Index a = 0; a < side; ++a) {
      const Index start = (top + a * step) * width + left - origin;  // of the window's row, counted within the tile
      if (top + a * step < 0 || start >= tile.key_count || start + 2 * window_.margin() < 0) continue;
      for (Index b = 0; b < side; ++b) {
        const Index j = start + b * step, x = left + b * step;
        if (x >= 0 && x < width && j >= 0 && j < tile.key_count) visit(j, a * side + b);
      }
    }
  }

  GridWindow window_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> grid_window(GridWindow window) {
  return std::make_shared<GridWindowModifier<Real>>(std::move(window));
}
template std::shared_ptr<const ScoreModifier<float>> grid_window(GridWindow);
template std::shared_ptr<const ScoreModifier<double>> grid_window(GridWindow);

template <typename Real>
ModifierEntry<Real> grid_window_entry() {
  return {"grid_window",
          "s + B[a][b] if j is a, b steps down and right of i on the grid, |a|, |b| <= reach, else masked",
          "theta = B, (2 reach + 1)^2 numbers, once for all heads or for each",
          "Hassani et al. 2023",
          [](const ExampleProblem& problem) {
            GridWindow window{2, 2, {}, example_sets(problem)};
            for (Index set = 0; set < window.sets.count(); ++set)
              window.widths.push_back(window.sets.first_query(set) == 0 ? 7 : 19);
            return grid_window<Real>(std::move(window));
          },
          [](const ExampleProblem& problem) {
            std::vector<Real> theta;
            for (Index head = 0; head < problem.heads; ++head)
              for (Index k = 0; k < 25; ++k) theta.push_back(Real(0.2) * static_cast<Real>((2 * head + 3 * k) % 7) - 1);
            return theta;
          },
          not_in_configs<Real>("a config cannot say how wide the grids of the data are")};
}
FOVEA_MODIFIER_ENTRY(grid_window)

}  // namespace fovea
