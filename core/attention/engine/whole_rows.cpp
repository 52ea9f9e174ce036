#include "fovea/core/attention/engine/whole_rows.hpp"

#include "fovea/core/attention/modifiers/parts/widest.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

/// What some whole rows collect, kept by their thread.
template <typename Real>
struct WholeRowMemory {
  AlignedVector<Real> weights, slopes, sums;
  static WholeRowMemory& mine() {
    static thread_local WholeRowMemory memory;
    return memory;
  }
};

struct CountLoop {
  template <typename Real>
  FOVEA_LOOP void operator()(const Real* factors, Index count, Index* nonzero) const {
    Index found = 0;
#pragma omp simd reduction(+ : found)  // whole numbers: any order gives the same
    for (Index j = 0; j < count; ++j) found += factors[j] != Real(0);
    *nonzero = found;
  }
};

template <typename Real>
Index count_nonzero(const Real* factors, Index count) {
  Index nonzero = 0;
  run_widest<CountLoop>(factors, count, &nonzero);
  return nonzero;
}

/// The sum of a row, over a few lanes.
template <typename Real>
Real sum_of_row(const Real* row, Index count) {
  constexpr Index kSums = 8;
  double sums[kSums] = {};
  Index j = 0;
  for (; j + kSums <= count; j += kSums)
    for (Index lane = 0; lane < kSums; ++lane) sums[lane] += static_cast<double>(row[j + lane]);
  for (; j < count; ++j) sums[0] += static_cast<double>(row[j]);
  return static_cast<Real>(((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7])));
}

/// Some queries whose keys are the same: those of their set, or one query with its list.
template <typename Real>
class WholeRows {
 public:
  WholeRows(const PackedKeys<Real>& packed, const MatrixView<Real>& values, const RowBlock& rows)
      : packed_(packed),
        problem_(packed.problem()),
        rows_(rows),
        first_(problem_.lists() ? problem_.lists()->offsets[rows.first] : problem_.first_key(rows.set)),
        count_((problem_.lists() ? problem_.lists()->offsets[rows.first + 1] : problem_.first_key(rows.set + 1)) -
               first_),
        columns_(packed.value_columns()),
        values_{values.data() + problem_.key_head(rows.head) * columns_, values.outerStride(), columns_} {
    if (problem_.lists())
      values_.list = problem_.lists()->keys.data() + first_;
    else
      values_.first = first_;
    WholeRowMemory<Real>& memory = WholeRowMemory<Real>::mine();
    weights_ = room(memory.weights, rows.count * count_);
    slopes_ = room(memory.slopes, rows.count * count_);
  }

  void attend(AttentionResult<Real>& result) {
    score();
    for (Index i = 0; i < rows_.count; ++i) weigh(i, result);
    combine(weights_, false, result.outputs);
    if (!problem_.spec().normalizer->draws()) combine(slopes_, true, result.slope_means);
  }

 private:
  /// The scores, where the weights will be.
  void score() {
    std::fill_n(weights_, rows_.count * count_, kMasked<Real>);
    for_each_tile(packed_, rows_, [&](const ScoredTile<Real>& scored) {
      const ScoreTile<Real>& tile = scored.scores;
      const Index place = tile.key_list ? tile.key_list - values_.list : tile.key_position(0);
      for (Index i = 0; i < tile.query_count; ++i)
        std::copy_n(tile.row(i), tile.key_count, row(weights_, tile.first_query - rows_.first + i) + place);
    });
  }

  void weigh(Index i, AttentionResult<Real>& result) {
    const Normalizer<Real>& normalizer = *problem_.spec().normalizer;
    const Index query = rows_.first + i, head = rows_.head;
    const std::span<const Real> scores(row(weights_, i), count_);
    const RowState<Real> state = normalizer.state(scores, {query, head});
    result.max_score(query, head) = state.maximum;
    result.sum_exp(query, head) = state.sum_exp;
    result.threshold(query, head) = state.threshold;
    const bool masked = state.maximum == kMasked<Real>;
    result.log_sum_exp(query, head) = masked ? kMasked<Real> : state.maximum + logarithm(state.sum_exp);
    if (!masked) {
      normalizer.weigh(scores, 0, state, row(weights_, i), row(slopes_, i));
      return;
    }
    std::fill_n(row(weights_, i), count_, Real(0));
    std::fill_n(row(slopes_, i), count_, Real(0));
  }

  /// The sums of values that the factors (rows x keys) make, or with `mean` their means. Rows of few factors read
  /// their values alone; which way a row goes depends on nothing but itself.
  void combine(const Real* factors, bool mean, Matrix<Real>& target) const {
    const Index width = whole_lanes<Real>(columns_);
    Real* sums = zeros(WholeRowMemory<Real>::mine().sums, rows_.count * width);
    bool few[kTileQueries], all_few = true;
    for (Index i = 0; i < rows_.count; ++i) {
      const Real* factor = row(factors, i);
      few[i] = 4 * count_nonzero(factor, count_) <= count_;
      all_few = all_few && few[i];
    }
    if (!all_few) add_tiles(factors, sums);
    for (Index i = 0; i < rows_.count; ++i) {
      if (few[i]) add_few(row(factors, i), sums + i * width);
      const Real divisor = mean ? sum_of_row(row(factors, i), count_) : Real(1);
      Real* output = target.data() + (rows_.first + i) * target.cols() + rows_.head * columns_;
      kernels<Real>().blocks.divide(sums + i * width, columns_, divisor == 0 ? Real(1) : divisor, output);
    }
  }

  void add_tiles(const Real* factors, Real* sums) const {
    for (Index key = 0; key < count_; key += kTileKeys) {
      const Index keys = std::min(kTileKeys, count_ - key);
      ScoreTile<Real> tile;
      static_cast<TileRange&>(tile) = problem_.lists() ? problem_.listed_range(rows_, first_ + key, keys)
                                                       : problem_.range(rows_, first_ + key, keys);
      tile.scores = const_cast<Real*>(factors) + key;  // which are only read
      tile.stride = count_;
      add_values(tile, packed_.values(tile, rows_.set), columns_, static_cast<const Real*>(nullptr), sums);
    }
  }

  void add_few(const Real* factors, Real* sum) const {
    std::fill_n(sum, columns_, Real(0));
    for (Index j = 0; j < count_; ++j)
      if (factors[j] != 0) kernels<Real>().add_scaled(sum, values_.row(j), factors[j], columns_);
  }

  Real* row(Real* matrix, Index i) const { return matrix + i * count_; }
  const Real* row(const Real* matrix, Index i) const { return matrix + i * count_; }

  const PackedKeys<Real>& packed_;
  const Problem<Real>& problem_;
  RowBlock rows_;
  Index first_, count_;  ///< of the keys: row numbers, or places in the lists
  Index columns_;
  RowSource<Real> values_;
  Real *weights_, *slopes_;  ///< rows x count_; memory of the thread
};

}  // namespace

template <typename Real>
void add_values(const ScoreTile<Real>& weights, RightOperand<Real> values, Index columns, const Real* kept,
                Real* outputs) {
  const BlockKernels<Real>& kernel = kernels<Real>().blocks;
  const Index width = whole_lanes<Real>(columns);
  const LeftOperand<Real> left{weights.scores, weights.stride, 1};
  if (columns < kWide) {
    kernel.add_dots(weights.query_count, columns, weights.key_count, left, values, kept, outputs, width);
    return;
  }
  kernel.add_product(weights.query_count, columns, weights.key_count, left, values, kept, outputs, width);
}

template <typename Real>
void whole_row_block(const PackedKeys<Real>& packed, const MatrixView<Real>& values, const RowBlock& block,
                     AttentionResult<Real>& result) {
  const Index step = packed.problem().lists() ? 1 : kTileQueries;
  for (Index i = 0; i < block.count; i += step) {
    const RowBlock rows{block.set, block.head, block.first + i, std::min(step, block.count - i)};
    WholeRows<Real>(packed, values, rows).attend(result);
  }
}

#define FOVEA_WHOLE_ROWS(Real)                                                                     \
  template void add_values(const ScoreTile<Real>&, RightOperand<Real>, Index, const Real*, Real*); \
  template void whole_row_block(const PackedKeys<Real>&, const MatrixView<Real>&, const RowBlock&, \
                                AttentionResult<Real>&);
FOVEA_WHOLE_ROWS(float)
FOVEA_WHOLE_ROWS(double)

}  // namespace fovea
