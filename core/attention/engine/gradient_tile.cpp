#include "fovea/core/attention/engine/gradient_tile.hpp"

#include <algorithm>

#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
struct GradientTileMemory {
  AlignedVector<Real> weights, gradients, slopes, ones, unwanted;
  static GradientTileMemory& mine() {
    static thread_local GradientTileMemory memory;
    return memory;
  }
};

}  // namespace

template <typename Real>
GradientQueries<Real> GradientQueries<Real>::from(Index i) const {
  GradientQueries queries = *this;
  queries.compared += i * width;
  queries.centred += i * width;
  queries.output_gradient += i * value_width;
  queries.maximum += i;
  queries.inverse += i;
  queries.mean += i;
  if (queries.gradient) queries.gradient += i * width;
  if (queries.sums) queries.sums += i;
  return queries;
}

template <typename Real>
GradientKeys<Real> GradientKeys<Real>::from(Index j, const GradientShape& shape) const {
  GradientKeys keys = *this;
  keys.compared.data += j * shape.columns;
  keys.values.data += j * shape.value_columns;
  keys.combined.data += j * (shape.keys_transposed ? shape.columns : whole_lanes<Real>(shape.columns));
  if (keys.gradient) keys.gradient += shape.keys_transposed ? j : j * apart;
  if (keys.value_gradient) keys.value_gradient += shape.values_transposed ? j : j * value_apart;
  if (keys.sums) keys.sums += j;
  return keys;
}

template <typename Real>
GradientTile<Real>::GradientTile(const Problem<Real>& problem, const GradientShape& shape,
                                 const AttentionResult<Real>& forward, const Matrix<Real>& draw_costs,
                                 const KeyBoxes<Real>* boxes, Index head, Index set)
    : problem_(problem),
      shape_(shape),
      forward_(forward),
      draw_costs_(draw_costs),
      boxes_(boxes),
      head_(head),
      set_(set),
      scorer_(problem, head, true) {
  GradientTileMemory<Real>& memory = GradientTileMemory<Real>::mine();
  weights_ = room(memory.weights, kBlockQueries * kGradientKeys);
  gradients_ = room(memory.gradients, kBlockQueries * kGradientKeys);
  slopes_ = problem.spec().normalizer ? room(memory.slopes, kTileQueries * kGradientKeys) : nullptr;
  if (memory.ones.empty()) memory.ones.assign(std::max(kBlockQueries, kGradientKeys), Real(1));
  ones_ = memory.ones.data();
}

template <typename Real>
void GradientTile<Real>::add(const TileRange& whole, Index place, const GradientQueries<Real>& queries,
                             const GradientKeys<Real>& all_keys, ThetaGradients<Real>& theta) {
  const KeySpan span = whole.key_list ? KeySpan{0, whole.key_count} : problem_.visible(whole);
  if (span.empty()) return;
  if (is_slanted(whole)) {  // its queries a few at a time: they have less in common that none of them sees
    for (Index row = 0; row < whole.query_count; row += rows_together_)
      add(with_queries(whole, whole.first_query + row, std::min(rows_together_, whole.query_count - row)), place,
          queries.from(row), all_keys, theta);
    return;
  }
  const TileRange range = whole.key_list ? whole : narrowed(whole, span);
  const GradientKeys<Real> keys = all_keys.from(span.begin, shape_);
  score(range, place + span.begin, queries, keys, theta);
  if (problem_.score().comparison() == Comparison::tanh_sum) {
    add_tanh(range.query_count, range.key_count, queries, keys, theta);
  } else {
    if (queries.gradient) add_to_queries(range.query_count, range.key_count, queries, keys);
    if (keys.gradient) add_to_keys(range.query_count, range.key_count, queries, keys);
  }
  if (!keys.value_gradient) return;
  const BlockKernels<Real>& kernel = kernels<Real>().blocks;
  if (shape_.values_transposed)
    kernel.add_product(shape_.value_columns, range.key_count, range.query_count,
                       {queries.output_gradient, 1, queries.value_width}, {weights_, kGradientKeys, kGroup<Real>},
                       nullptr, keys.value_gradient, keys.value_apart);
  else
    kernel.add_product(range.key_count, shape_.value_columns, range.query_count, {weights_, 1, kGradientKeys},
                       {queries.output_gradient, queries.value_width, kGroup<Real>}, nullptr, keys.value_gradient,
                       keys.value_apart);
}

// Whether the first and the last queries see different keys, as along the edge of a causal mask.
template <typename Real>
bool GradientTile<Real>::is_slanted(const TileRange& range) const {
  if (range.key_list || range.query_count <= rows_together_) return false;
  const KeySpan first = problem_.visible(with_queries(range, range.first_query, kTileQueries));
  const KeySpan last =
      problem_.visible(with_queries(range, range.first_query + range.query_count - kTileQueries, kTileQueries));
  return first != last;
}

// The weights and gradients of keys that none of these queries sees, but other queries of the block do.
template <typename Real>
void GradientTile<Real>::clear_outside(Index row, Index rows, const KeySpan& span, Index count) {
  if (span.begin == 0 && span.end == count) return;
  for (Real* memory : {weights_, gradients_})
    for (Index i = row; i < row + rows; ++i) {
      std::fill(memory + i * kGradientKeys, memory + i * kGradientKeys + span.begin, Real(0));
      std::fill(memory + i * kGradientKeys + span.end, memory + i * kGradientKeys + count, Real(0));
    }
}

// Rows that see the same keys are multiplied together; what may add up over rows meets kTileQueries of them at a time.
template <typename Real>
void GradientTile<Real>::score(const TileRange& all, Index place, const GradientQueries<Real>& queries,
                               const GradientKeys<Real>& keys, ThetaGradients<Real>& theta) {
  Index multiplied = 0;  // rows whose products stand there
  KeySpan of_products;
  for (Index row = 0; row < all.query_count; row += kTileQueries) {
    const TileRange rows = with_queries(all, all.first_query + row, std::min(kTileQueries, all.query_count - row));
    const KeySpan span = visible(rows, queries, row);
    clear_outside(row, rows.query_count, span, all.key_count);
    if (span.empty()) continue;
    if (row >= multiplied || span != of_products) {
      multiplied = row + rows.query_count;
      while (multiplied < all.query_count && multiplied < row + rows_together_ && !boxes_) {
        const Index more = std::min(kTileQueries, all.query_count - multiplied);
        const KeySpan seen = visible(with_queries(all, all.first_query + multiplied, more), queries, multiplied);
        if (seen != span) break;
        multiplied += more;
      }
      of_products = span;
      multiply(with_queries(all, rows.first_query, multiplied - row), row, span, queries, keys);
    }
    const TileRange range = all.key_list ? rows : narrowed(rows, span);
    const Index at = row * kGradientKeys + span.begin;
    const ScoreTile<Real> tile = scorer_.finish(range, weights_ + at, kGradientKeys);
    for (Index i = 0; boxes_ && i < tile.query_count; ++i)
      if (skipped_[i]) std::fill_n(tile.row(i), tile.key_count, kMasked<Real>);
    weigh(tile, row, place + span.begin, queries, gradients_ + at);
    ScoreTile<Real> score_gradient = tile;
    score_gradient.scores = gradients_ + at;
    scorer_.backward(score_gradient, theta);
  }
}

template <typename Real>
KeySpan GradientTile<Real>::visible(const TileRange& rows, const GradientQueries<Real>& queries, Index row) {
  if (boxes_ && skips(rows, queries, row)) return {0, 0};
  return rows.key_list ? KeySpan{0, rows.key_count} : problem_.visible(rows);
}

// Comparisons, and dL/dw.
template <typename Real>
void GradientTile<Real>::multiply(const TileRange& rows, Index row, const KeySpan& span,
                                  const GradientQueries<Real>& queries, const GradientKeys<Real>& all_keys) {
  const GradientKeys<Real> keys = all_keys.from(span.begin, shape_);
  const TileRange range = rows.key_list ? rows : narrowed(rows, span);
  const Index at = row * kGradientKeys + span.begin;
  scorer_.compare(range, {queries.compared + row * queries.width, queries.width, 1}, keys.compared, weights_ + at,
                  kGradientKeys);
  kernels<Real>().blocks.scores(range.query_count, range.key_count, shape_.value_columns,
                                {queries.output_gradient + row * queries.value_width, queries.value_width, 1},
                                keys.values, Real(1), gradients_ + at, kGradientKeys);
}

// Whether all rows leave this tile out; each decides by itself, as in the forward pass.
template <typename Real>
bool GradientTile<Real>::skips(const TileRange& range, const GradientQueries<Real>& queries, Index row) {
  const Index block = range.key_position(0) / kGradientKeys;
  const Real* rows = queries.compared + row * queries.width;
  Real least = std::numeric_limits<Real>::infinity();
  for (Index i = 0; i < range.query_count; ++i) least = std::min(least, forward_.skip_threshold(range.query(i), head_));
  const auto box = box_of(range.first_query, range.query_count, rows, queries.width, shape_.columns);
  if (boxes_->bound(head_, set_, block, box) <= least) return true;
  bool all = true;
  for (Index i = 0; i < range.query_count; ++i) {
    const Real* query = rows + i * queries.width;
    skipped_[i] = boxes_->bound(head_, set_, block, {range.query(i), 1, query, query}) <=
                  forward_.skip_threshold(range.query(i), head_);
    all = all && skipped_[i];
  }
  return all;
}

// From scores to weights, and from dL/dw to dL/ds; both in place.
template <typename Real>
void GradientTile<Real>::weigh(const ScoreTile<Real>& tile, Index row, Index place,
                               const GradientQueries<Real>& queries, Real* gradient) {
  const BlockKernels<Real>& kernel = kernels<Real>().blocks;
  if (!slopes_) {
    kernel.weights(tile.query_count, tile.key_count, tile.scores, tile.stride, queries.maximum + row,
                   queries.inverse + row);
    kernel.centred(tile.query_count, tile.key_count, gradient, tile.scores, tile.stride, queries.mean + row);
    return;
  }
  const Normalizer<Real>& normalizer = *problem_.spec().normalizer;
  const std::size_t count = tile.key_count;
  for (Index i = 0; i < tile.query_count; ++i) {
    const Index query = tile.query(i);
    const RowState<Real> state{forward_.max_score(query, head_), forward_.sum_exp(query, head_),
                               forward_.threshold(query, head_)};
    Real* slopes = slopes_ + i * kGradientKeys;
    if (state.maximum == kMasked<Real>) {
      std::fill_n(tile.row(i), count, Real(0));
      std::fill_n(slopes, count, Real(0));
    } else {
      normalizer.weigh({tile.row(i), count}, place, state, tile.row(i), slopes);
    }
    if (normalizer.draws())  // Williams 1992: d/ds_j log p(drawn) = w_j - p_j
      for (std::size_t j = 0; j < count; ++j)
        gradient[(i * kGradientKeys) + j] = draw_costs_(query, head_) * (tile.row(i)[j] - slopes[j]);
  }
  if (!normalizer.draws())
    kernel.centred(tile.query_count, tile.key_count, gradient, slopes_, tile.stride, queries.mean + row);
}

// Sums of g_ij k_j, and for distances of g_ij: their difference is formed when the block is done.
template <typename Real>
void GradientTile<Real>::add_to_queries(Index rows, Index count, const GradientQueries<Real>& queries,
                                        const GradientKeys<Real>& keys) {
  const BlockKernels<Real>& kernel = kernels<Real>().blocks;
  const LeftOperand<Real> left{gradients_, kGradientKeys, 1};
  if (shape_.keys_transposed)
    kernel.add_dots(rows, shape_.columns, count, left, keys.combined, nullptr, queries.gradient, queries.width);
  else
    kernel.add_product(rows, shape_.columns, count, left, keys.combined, nullptr, queries.gradient, queries.width);
  if (queries.sums) kernel.add_dots(rows, 1, count, left, {ones_, 0, kGroup<Real>}, nullptr, queries.sums, 1);
}

template <typename Real>
void GradientTile<Real>::add_to_keys(Index rows, Index count, const GradientQueries<Real>& queries,
                                     const GradientKeys<Real>& keys) {
  const BlockKernels<Real>& kernel = kernels<Real>().blocks;
  const RightOperand<Real> right{gradients_, kGradientKeys, kGroup<Real>};
  if (shape_.keys_transposed)
    kernel.add_product(shape_.columns, count, rows, {queries.centred, 1, queries.width}, right, nullptr, keys.gradient,
                       keys.apart);
  else
    kernel.add_product(count, shape_.columns, rows, {gradients_, 1, kGradientKeys},
                       {queries.centred, queries.width, kGroup<Real>}, nullptr, keys.gradient, keys.apart);
  if (keys.sums) kernel.add_product(1, count, rows, {ones_, 0, 1}, right, nullptr, keys.sums, 0);
}

// What is not wanted is added to memory that nobody reads.
template <typename Real>
void GradientTile<Real>::add_tanh(Index rows, Index count, const GradientQueries<Real>& queries,
                                  const GradientKeys<Real>& keys, ThetaGradients<Real>& theta) {
  const Index place = problem_.score().weights_place(problem_.dimension(), head_);
  Real* unwanted = room(GradientTileMemory<Real>::mine().unwanted,
                        std::max(kBlockQueries * queries.width, shape_.columns * kGradientKeys));
  kernels<Real>().blocks.tanh_sums_backward(rows, count, shape_.columns, {queries.compared, queries.width, 1},
                                            keys.compared, problem_.spec().score.theta.data() + place, gradients_,
                                            kGradientKeys, queries.gradient ? queries.gradient : unwanted,
                                            queries.width, keys.gradient ? keys.gradient : unwanted,
                                            keys.gradient ? keys.apart : kGradientKeys, theta.score().data() + place);
}

template struct GradientQueries<float>;
template struct GradientQueries<double>;
template struct GradientKeys<float>;
template struct GradientKeys<double>;
template class GradientTile<float>;
template class GradientTile<double>;

}  // namespace fovea
