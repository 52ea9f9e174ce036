#include "fovea/core/attention/engine/gradient_rows.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/attention/kernels/kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
struct GradientRowMemory {
  AlignedVector<Real> compared, centred, output_gradient, row_numbers, query_sums, query_totals;
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
  set_means();
}

// sum_j a_ij g_ij / sum_j a_ij = dL/do_i . (sum_j a_ij v_j / sum_j a_ij); for softmax the last factor is o_i.
template <typename Real>
void GradientRows<Real>::set_means() {
  const Matrix<Real>& against = problem_.spec().normalizer ? forward_.slope_means : forward_.outputs;
  const Index dv = shape_.value_columns;
  means_.setZero(problem_.query_count(), problem_.heads());
  for (Index i = 0; dv > 0 && i < means_.rows(); ++i)
    for (Index h = 0; h < problem_.heads(); ++h)
      means_(i, h) = kernels<Real>().dot(output_gradient_.data() + i * output_gradient_.outerStride() + h * dv,
                                         &against(i, h * dv), dv);
}

template <typename Real>
const Real* GradientRows<Real>::origin(Index head, Index set) const {
  std::vector<Real>& origin = GradientRowMemory<Real>::mine().origin;
  origin.assign(static_cast<std::size_t>(shape_.columns), Real(0));
  if (!distances_ || problem_.first_key(set) == problem_.first_key(set + 1)) return origin.data();
  const Real* first = prepared_.of(head).row(problem_.first_key(set));
  if (std::all_of(first, first + shape_.columns, [](Real x) { return std::isfinite(x); }))
    std::copy(first, first + shape_.columns, origin.begin());
  return origin.data();
}

template <typename Real>
GradientQueries<Real> GradientRows<Real>::queries(Index head, Index first, Index count, const Real* origin) const {
  GradientRowMemory<Real>& memory = GradientRowMemory<Real>::mine();
  const Index dv = shape_.value_columns;
  GradientQueries<Real> rows;
  rows.columns = shape_.columns;
  rows.width = whole_lanes<Real>(shape_.columns);
  rows.value_width = whole_lanes<Real>(dv);
  rows.compared = room(memory.compared, count * rows.columns);
  prepare_queries(problem_, head, first, count, rows.compared);
  rows.centred = zeros(memory.centred, count * rows.width);
  rows.output_gradient = zeros(memory.output_gradient, count * rows.value_width);
  rows.maximum = room(memory.row_numbers, 3 * count);
  rows.inverse = rows.maximum + count;
  rows.mean = rows.inverse + count;
  rows.gradient = zeros(memory.query_sums, count * rows.width);
  if (distances_) rows.sums = zeros(memory.query_totals, count);
  for (Index i = 0; i < count; ++i) {
    for (Index c = 0; c < rows.columns; ++c)
      rows.centred[i * rows.width + c] = rows.compared[i * rows.columns + c] - (distances_ ? origin[c] : Real(0));
    const Real* output = output_gradient_.data() + (first + i) * output_gradient_.outerStride() + head * dv;
    std::copy_n(output, dv, rows.output_gradient + i * rows.value_width);
    rows.maximum[i] = forward_.max_score(first + i, head);
    const Real sum = forward_.sum_exp(first + i, head);
    rows.inverse[i] = sum == Real(0) ? Real(0) : Real(1) / sum;
    rows.mean[i] = means_(first + i, head);
  }
  return rows;
}

template <typename Real>
void GradientRows<Real>::add_queries(const GradientQueries<Real>& queries, Index count, Real* target,
                                     Index apart) const {
  for (Index i = 0; i < count; ++i) {
    const Real* sums = queries.gradient + i * queries.width;
    const Real* query = queries.centred + i * queries.width;
    const Real total = distances_ ? queries.sums[i] : Real(0);
    for (Index c = 0; c < shape_.columns; ++c)
      target[i * apart + c] += scale_ * (distances_ ? sums[c] - query[c] * total : sums[c]);
  }
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
Real GradientRows<Real>::key_gradient(const GradientKeys<Real>& keys, Index j, Index c) const {
  const bool transposed = shape_.keys_transposed;
  const Real sum = transposed ? keys.gradient[c * keys.apart + j] : keys.gradient[j * keys.apart + c];
  if (!distances_) return scale_ * sum;
  const RightOperand<Real>& key = keys.combined;
  const Real centred =
      transposed ? key.data[j / kGroup<Real> * key.group + c * key.row + j % kGroup<Real>] : key.data[j * key.row + c];
  return scale_ * (sum - centred * keys.sums[j]);
}

template class GradientRows<float>;
template class GradientRows<double>;

}  // namespace fovea
