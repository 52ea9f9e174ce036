#include <algorithm>
#include <array>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/positions.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/attention/modifiers/parts/sharing.hpp"
#include "fovea/core/attention/modifiers/parts/widest.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

struct AddNumber {
  template <typename Real>
  FOVEA_LOOP void operator()(Real* x, Real number, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) x[j] += number;
  }
};

constexpr Index kOnes = 512;

/// sum_j x_j in the fixed order of the kernels.
template <typename Real>
Real sum_of_entries(const Real* x, Index count) {
  static const std::array<Real, kOnes> ones = [] {
    std::array<Real, kOnes> filled;
    filled.fill(Real(1));
    return filled;
  }();
  Real sum = 0;
  for (Index j = 0; j < count; j += kOnes) sum += kernels<Real>().dot(x + j, ones.data(), std::min(kOnes, count - j));
  return sum;
}

template <typename Real>
class RelativePosition final : public ScoreModifier<Real> {
 public:
  RelativePosition(Index reach, Sharing sharing) : reach_(reach), sharing_(sharing) {
    require(reach >= 0 && reach <= kMostReach, "relative_position: reach = ", reach, ", but must be from 0 to ",
            kMostReach, "; the table has 2 reach + 1 entries.");
  }

  Index parameter_count(Index heads) const override { return length() * count_of(sharing_, heads); }
  bool reads_scores() const override { return false; }

  Real bound(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    const Extent used = extent(range);
    const Real largest = kernels<Real>().maximum(table(range, theta) + used.first, used.count);
    return largest == kMasked<Real> ? largest : incoming + largest;
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    const Real* bias = table(tile, theta);
    for (Index i = 0; i < tile.query_count; ++i) {
      Real* scores = tile.row(i);
      if (tile.key_list) {
        for (Index j = 0; j < tile.key_count; ++j) scores[j] += bias[entry(tile, i, j)];
        continue;
      }
      const Row row(*this, tile, i);
      run_widest<AddNumber>(scores, bias[0], row.begin);
      if (row.end > row.begin)
        kernels<Real>().add_scaled(scores + row.begin, bias + row.first, Real(1), row.end - row.begin);
      run_widest<AddNumber>(scores + row.end, bias[length() - 1], tile.key_count - row.end);
    }
  }

  // ds'/ds = 1,  ds'/db = 1 for the pair's own entry
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>& gradient, std::span<const Real>,
                std::span<Real> theta_gradient) const override {
    struct Sums;
    const Extent used = extent(gradient);
    Real* sums = row_memory<Sums, Real>(used.count);  // of the entries that the tile touches
    std::fill_n(sums, used.count, Real(0));
    for (Index i = 0; i < gradient.query_count; ++i) add_row(gradient, i, sums, used.first);
    Real* total = theta_gradient.data() + first_entry(gradient) + used.first;
    for (Index k = 0; k < used.count; ++k) total[k] += sums[k];
  }

 private:
  static constexpr Index kMostReach = Index(1) << 40;

  struct Extent {
    Index first, count;  ///< entries of a head's table
  };

  /// Keys [begin, end) of a row lie within reach and have the table's entries from `first` on; those before have its
  /// first entry, those behind its last.
  struct Row {
    Index begin, end, first;
    Row(const RelativePosition& of, const TileRange& tile, Index i) {
      const Index step = query_step(tile, i);
      begin = std::clamp(step - of.reach_, Index(0), tile.key_count);
      end = std::clamp(step + of.reach_ + 1, begin, tile.key_count);
      first = begin - step + of.reach_;
    }
  };

  Index length() const { return 2 * reach_ + 1; }
  Index clip(Index steps) const { return std::clamp(steps, -reach_, reach_) + reach_; }
  Index entry(const TileRange& tile, Index i, Index j) const {
    return clip(tile.key_position(j) - tile.query_position(i));
  }
  Extent extent(const TileRange& range) const {
    const Index first = entry(range, range.query_count - 1, 0);
    return {first, entry(range, 0, range.key_count - 1) - first + 1};
  }
  Index first_entry(const TileRange& range) const { return length() * static_cast<Index>(place_of(sharing_, range)); }
  const Real* table(const TileRange& range, std::span<const Real> theta) const {
    return theta.data() + first_entry(range);
  }

  /// sums[k] += the gradients of the row's pairs that have entry first + k.
  void add_row(const ScoreTile<Real>& gradient, Index i, Real* sums, Index first) const {
    const Real* g = gradient.row(i);
    if (gradient.key_list) {
      for (Index j = 0; j < gradient.key_count; ++j) sums[entry(gradient, i, j) - first] += g[j];
      return;
    }
    const Row row(*this, gradient, i);
    if (row.begin > 0) sums[0] += sum_of_entries(g, row.begin);
    if (row.end > row.begin)
      kernels<Real>().add_scaled(sums + (row.first - first), g + row.begin, Real(1), row.end - row.begin);
    if (row.end < gradient.key_count)
      sums[length() - 1 - first] += sum_of_entries(g + row.end, gradient.key_count - row.end);
  }

  Index reach_;
  Sharing sharing_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> relative_position(Index reach, Sharing sharing) {
  return std::make_shared<RelativePosition<Real>>(reach, sharing);
}
template std::shared_ptr<const ScoreModifier<float>> relative_position(Index, Sharing);
template std::shared_ptr<const ScoreModifier<double>> relative_position(Index, Sharing);

template <typename Real>
ModifierEntry<Real> relative_position_entry() {
  return {"relative_position",
          "s + b[clip(j - i, -reach, reach)]",
          "theta = b, 2 reach + 1 numbers, once for all heads or for each",
          "Shaw et al. 2018; Raffel et al. 2020",
          [](const ExampleProblem&) { return relative_position<Real>(4); },
          [](const ExampleProblem& problem) {
            std::vector<Real> theta;
            for (Index head = 0; head < problem.heads; ++head)
              for (Index k = 0; k < 9; ++k) theta.push_back(Real(0.2) * static_cast<Real>((2 * head + 3 * k) % 5) - 1);
            return theta;
          },
          {"each signed distance up to a reach has a learned bias, at first 0, that is added to the score",
           {whole_setting("reach", 16, 0, 4096, "positions", "largest distance with a bias of its own"),
            per_head_setting(true)},
           [](const ModifierValues& values, ModifierRows<Real>) {
             return relative_position<Real>(values.whole("reach"), values.sharing());
           },
           ModifierAsks::nothing,
           [](const ModifierValues& values) {
             const Index tables = values.flag("per_head") ? values.heads : 1;
             return std::vector<Real>(tables * (2 * values.whole("reach") + 1), Real(0));
           }}};
}
FOVEA_MODIFIER_ENTRY(relative_position)

}  // namespace fovea
