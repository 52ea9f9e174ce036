#include "fovea/core/attention/engine/gradient_rows.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
struct GradientRowMemory {
  AlignedVector<Real> compared, centred, output_gradient, numbers, prepared;
  AlignedVector<Real> key_columns, value_columns, combined, key_sums, key_totals, value_sums;
  std::vector<Real> origin;
  static GradientRowMemory& mine() {
    static thread_local GradientRowMemory memory;
    return memory;
  }
};

// d(factor |q - k|^2)/dq = -2 factor (k - q),  d(factor q k)/dq = factor k
template <typename Real>
Real gradient_scale(const Problem<Real>& problem) {
  const Real factor = problem.score().factor(problem.dimension());
  switch (problem.score().comparison()) {
    case Comparison::product:
      return factor;
    case Comparison::squared_distance:
      return -2 * factor;
    case Comparison::tanh_sum:
      break;
  }
  return Real(1);
}

}  // namespace

template <typename Real>
GradientRows<Real>::GradientRows(const Problem<Real>& problem, const MatrixView<Real>& values,
                                 const AttentionResult<Real>& forward, const MatrixView<Real>& output_gradient)
    : problem_(problem),
      values_(values),
      forward_(forward),
      output_gradient_(output_gradient),
      shape_(GradientShape::of(problem, values.cols() / problem.key_heads())),
      prepared_(problem),
      distances_(problem.score().comparison() == Comparison::squared_distance),
      scale_(gradient_scale(problem)) {
  load_large_sets();
}

// numbers: the maxima of the rows, then the inverse sums, then the means  sum_j a_ij g_ij / sum_j a_ij
// = dL/do_i . (sum_j a_ij v_j / sum_j a_ij); for softmax the last factor is o_i.
template <typename Real>
void GradientRows<Real>::load_queries(Index head, Index first, Index count, Real* compared, Real* output_gradient,
                                      Real* numbers) const {
  const Index dv = shape_.value_columns, columns = shape_.columns;
  const MatrixView<Real> given = problem_.queries_of(head);
  RowSource<Real> rows{given.data(), given.outerStride(), columns, first};
  if (problem_.score().prepares()) {
    Real* prepared = columns == width() ? compared : room(GradientRowMemory<Real>::mine().prepared, count * columns);
    prepare_queries(problem_, head, first, count, prepared);
    rows = {prepared, columns, columns};
  }
  const RowSource<Real> outputs{output_gradient_.data() + head * dv, output_gradient_.outerStride(), dv, first};
  const Matrix<Real>& means = problem_.spec().normalizer ? forward_.slope_means : forward_.outputs;
  const RowSource<Real> against{means.data() + head * dv, means.cols(), dv, first};
  const auto dot = kernels<Real>().dot;
  for (Index i = 0; i < count; ++i) {
    if (rows.data != compared) {
      if (i + kRowsAhead < count) expect_row(rows.row(i + kRowsAhead), columns);
      copy_row(rows.row(i), columns, compared + i * width());
      std::fill(compared + i * width() + columns, compared + (i + 1) * width(), Real(0));
    }
    Real* output = output_gradient + i * value_width();
    if (i + kRowsAhead < count) {
      expect_row(outputs.row(i + kRowsAhead), dv);
      expect_row(against.row(i + kRowsAhead), dv);
    }
    copy_row(outputs.row(i), dv, output);
    std::fill(output + dv, output + value_width(), Real(0));
    const Real sum = forward_.sum_exp(first + i, head);
    numbers[i] = forward_.max_score(first + i, head);
    numbers[count + i] = sum == Real(0) ? Real(0) : Real(1) / sum;
    numbers[2 * count + i] = dot(outputs.row(i), against.row(i), dv);
  }
}

template <typename Real>
void GradientRows<Real>::load_large_sets() {
  if (problem_.lists()) return;
  std::vector<RowBlock> blocks = problem_.query_blocks();
  std::erase_if(blocks, [&](const RowBlock& block) { return !is_loaded(block.set); });
  if (blocks.empty()) return;
  const Index rows = problem_.query_count();
  room(compared_, rows * problem_.heads() * width());
  room(output_gradients_, rows * problem_.heads() * value_width());
  room(numbers_, rows * problem_.heads() * 3);
  for_each_task(static_cast<Index>(blocks.size()), problem_.worth_threads(), [&](Index b) {
    const RowBlock& block = blocks[b];
    const Index row = block.head * rows + block.first;
    load_queries(block.head, block.first, block.count, compared_.data() + row * width(),
                 output_gradients_.data() + row * value_width(), numbers_.data() + row * 3);
  });
}

template <typename Real>
const Real* GradientRows<Real>::origin(Index head, Index set) const {
  std::vector<Real>& origin = GradientRowMemory<Real>::mine().origin;
  origin.assign(shape_.columns, Real(0));
  if (!distances_ || problem_.first_key(set) == problem_.first_key(set + 1)) return origin.data();
  const Real* first = prepared_.of(head).row(problem_.first_key(set));
  if (std::all_of(first, first + shape_.columns, [](Real x) { return std::isfinite(x); }))
    std::copy(first, first + shape_.columns, origin.begin());
  return origin.data();
}

template <typename Real>
GradientQueries<Real> GradientRows<Real>::queries(Index head, Index set, Index first, Index count,
                                                  const Real* origin) const {
  GradientRowMemory<Real>& memory = GradientRowMemory<Real>::mine();
  GradientQueries<Real> rows;
  rows.width = width();
  rows.value_width = value_width();
  if (is_loaded(set) && !problem_.lists()) {
    const Index row = head * problem_.query_count() + first;
    rows.compared = compared_.data() + row * width();
    rows.output_gradient = output_gradients_.data() + row * value_width();
    rows.maximum = numbers_.data() + row * 3;
  } else {
    Real* compared = room(memory.compared, count * width());
    Real* output_gradient = room(memory.output_gradient, count * value_width());
    Real* numbers = room(memory.numbers, 3 * count);
    load_queries(head, first, count, compared, output_gradient, numbers);
    rows.compared = compared;
    rows.output_gradient = output_gradient;
    rows.maximum = numbers;
  }
  rows.inverse = rows.maximum + count;
  rows.mean = rows.inverse + count;
  rows.centred = rows.compared;
  if (!distances_) return rows;
  Real* centred = room(memory.centred, count * width());
  for (Index i = 0; i < count; ++i)
    for (Index c = 0; c < width(); ++c)
      centred[i * width() + c] = c < shape_.columns ? rows.compared[i * width() + c] - origin[c] : Real(0);
  rows.centred = centred;
  return rows;
}

template <typename Real>
void GradientRows<Real>::finish_queries(Index head, Index set, Index first, Index count, Real* sums,
                                        const Real* totals) const {
  if (distances_) {
    const GradientQueries<Real> rows = queries(head, set, first, count, origin(head, set));
    for (Index i = 0; i < count; ++i)
      for (Index c = 0; c < shape_.columns; ++c) sums[i * width() + c] -= rows.centred[i * width() + c] * totals[i];
  }
  if (scale_ == Real(1)) return;
  for (Index k = 0; k < count * width(); ++k) sums[k] *= scale_;
}

template <typename Real>
GradientKeys<Real> GradientRows<Real>::keys(const TileRange& range, Index room_for, const Real* origin) const {
  GradientRowMemory<Real>& memory = GradientRowMemory<Real>::mine();
  const Index d = shape_.columns, dv = shape_.value_columns, count = range.key_count;
  RowSource<Real> keys = prepared_.of(range.head);
  RowSource<Real> values{values_.data() + problem_.key_head(range.head) * dv, values_.outerStride(), dv};
  keys.first = values.first = range.first_key;
  keys.list = values.list = range.key_list;
  GradientKeys<Real> rows;
  Real* compared = room(memory.key_columns, column_room<Real>(count, d));
  pack_columns(keys, count, compared);
  rows.compared = columns_operand(compared, d);
  Real* columns = room(memory.value_columns, column_room<Real>(count, dv));
  pack_columns(values, count, columns);
  rows.values = columns_operand(columns, dv);
  rows.combined = combined(keys, count, rows.compared, origin);
  rows.apart = shape_.keys_transposed ? room_for : whole_lanes<Real>(d);
  rows.value_apart = shape_.values_transposed ? room_for : whole_lanes<Real>(dv);
  rows.gradient = zeros(memory.key_sums, room_for * whole_lanes<Real>(d));
  if (distances_) rows.sums = zeros(memory.key_totals, room_for);
  return rows;
}

template <typename Real>
RightOperand<Real> GradientRows<Real>::combined(const RowSource<Real>& keys, Index count,
                                                const RightOperand<Real>& compared, const Real* origin) const {
  const Index d = shape_.columns, width = whole_lanes<Real>(d);
  if (shape_.keys_transposed && !distances_) return compared;
  Real* packed = room(GradientRowMemory<Real>::mine().combined, whole_groups<Real>(count) * width);
  if (shape_.keys_transposed) {
    for (Index c = 0; c < d; ++c)
      for (Index j = 0; j < whole_groups<Real>(count); ++j) {
        const Index place = j / kGroup<Real> * compared.group + c * compared.row + j % kGroup<Real>;
        packed[place] = compared.data[place] - origin[c];
      }
    return columns_operand(packed, d);
  }
  pack_rows(keys, count, packed);
  for (Index j = 0; distances_ && j < count; ++j)
    for (Index c = 0; c < d; ++c) packed[j * width + c] -= origin[c];
  return rows_operand(packed, d);
}

template <typename Real>
Real* GradientRows<Real>::value_sums(Index room_for) const {
  return zeros(GradientRowMemory<Real>::mine().value_sums, room_for * whole_lanes<Real>(shape_.value_columns));
}

template <typename Real>
void GradientRows<Real>::finish_keys(const GradientKeys<Real>& keys, Index count) const {
  const RightOperand<Real>& centred = keys.combined;
  const Index d = shape_.columns;
  if (shape_.keys_transposed) {
    for (Index c = 0; c < d; ++c)
      for (Index j = 0; j < count; ++j) {
        Real& sum = keys.gradient[c * keys.apart + j];
        const Index place = j / kGroup<Real> * centred.group + c * centred.row + j % kGroup<Real>;
        sum = scale_ * (distances_ ? sum - centred.data[place] * keys.sums[j] : sum);
      }
    return;
  }
  for (Index j = 0; j < count; ++j) {
    Real* sums = keys.gradient + j * keys.apart;
    for (Index c = 0; distances_ && c < d; ++c) sums[c] -= centred.data[j * centred.row + c] * keys.sums[j];
    for (Index c = 0; c < d; ++c) sums[c] *= scale_;
  }
}

// + 0: a sum that is -0 becomes the 0 that adding it to 0 gives.
template <typename Real>
void GradientRows<Real>::write_queries(const Real* sums, GradientPlace<Real> to) const {
  for (Index i = 0; i < to.rows(); ++i) {
    Real* const row = to.data() + i * to.outerStride();
    for (Index c = 0; c < shape_.columns; ++c) row[c] = sums[i * width() + c] + Real(0);
  }
}

template <typename Real>
void GradientRows<Real>::write_keys(const GradientKeys<Real>& keys, GradientPlace<Real> to) const {
  if (!shape_.keys_transposed) return write_queries(keys.gradient, to);
  for (Index j = 0; j < to.rows(); ++j) {
    Real* const row = to.data() + j * to.outerStride();
    for (Index c = 0; c < shape_.columns; ++c) row[c] = keys.gradient[c * keys.apart + j] + Real(0);
  }
}

template class GradientRows<float>;
template class GradientRows<double>;

}  // namespace fovea
