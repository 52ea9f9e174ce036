#include "fovea/core/attention/normalizers/softmax.hpp"

#include <algorithm>

#include "fovea/core/attention/kernels/exponential.hpp"
#include "fovea/core/attention/kernels/kernels.hpp"

namespace fovea {

template <typename Real>
void softmax_add(SoftmaxRow<Real>& row, Real* scores, Index count, const Panel<Real>& values, Real* accumulated) {
  const Kernels<Real>& kernel = kernels<Real>();
  const Real tile_maximum = kernel.maximum(scores, count);
  if (tile_maximum == kMasked<Real>) return;  // so a masked tile has the same effect as a skipped one
  const Real maximum = row.maximum >= tile_maximum ? row.maximum : tile_maximum;  // a NaN gets through
  const Real kept = row.maximum == maximum ? Real(1) : exponential(row.maximum - maximum);
  row.sum = row.sum * kept + kernel.exponentials(scores, count, maximum, scores);
  for (Index c = 0; c < values.columns(); ++c)
    accumulated[c] = accumulated[c] * kept + kernel.dot(scores, values.column(c), count);
  row.maximum = maximum;
}

template <typename Real>
void softmax_finish(const SoftmaxRow<Real>& row, Real* accumulated, Index columns) {
  if (row.sum == Real(0)) return;  // all keys masked: nothing was added
  for (Index c = 0; c < columns; ++c) accumulated[c] /= row.sum;
}

template <typename Real>
Real softmax_log_sum(const SoftmaxRow<Real>& row) {
  return row.sum == Real(0) ? kMasked<Real> : row.maximum + logarithm(row.sum);
}

template <typename Real>
void softmax_weights(const SoftmaxRow<Real>& row, Real* scores, Index count) {
  if (row.sum == Real(0)) {
    std::fill(scores, scores + count, Real(0));
    return;
  }
  kernels<Real>().exponentials(scores, count, row.maximum, scores);
  for (Index j = 0; j < count; ++j) scores[j] /= row.sum;
}

#define FOVEA_SOFTMAX(Real)                                                              \
  template void softmax_add(SoftmaxRow<Real>&, Real*, Index, const Panel<Real>&, Real*); \
  template void softmax_finish(const SoftmaxRow<Real>&, Real*, Index);                   \
  template Real softmax_log_sum(const SoftmaxRow<Real>&);                                \
  template void softmax_weights(const SoftmaxRow<Real>&, Real*, Index);
FOVEA_SOFTMAX(float)
FOVEA_SOFTMAX(double)

}  // namespace fovea
