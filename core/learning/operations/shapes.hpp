#pragma once
/// What many operations share. Internal to core/learning.

#include <span>
#include <string_view>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/kernels/learning_kernels.hpp"
#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

template <typename Real>
void check_same_shape(std::string_view who, const Variable<Real>& a, const Variable<Real>& b) {
  require(a.rows() == b.rows() && a.columns() == b.columns(), who, ": one is ", a.rows(), " x ", a.columns(),
          ", the other ", b.rows(), " x ", b.columns(), "; they must be of the same shape.");
}

/// `name` is one row for the columns of x.
template <typename Real>
void check_row(std::string_view who, std::string_view name, const Variable<Real>& x, const Variable<Real>& row) {
  require(row.rows() == 1 && row.columns() == x.columns(), who, ": the ", name, " is ", row.rows(), " x ",
          row.columns(), ", but must be 1 x ", x.columns(), ".");
}

/// Offsets of packed sets that hold `rows` tokens together; the number of sets.
inline Index check_offsets(std::string_view who, Index rows, std::span<const Index> offsets) {
  require(!offsets.empty() && offsets.front() == 0, who, ": the offsets of the sets must start with 0.");
  for (std::size_t b = 1; b < offsets.size(); ++b)
    require(offsets[b] >= offsets[b - 1], who, ": offset ", b, " is ", offsets[b], ", but the one before is ",
            offsets[b - 1], "; offsets must not decrease.");
  require(offsets.back() == rows, who, ": the sets end at ", offsets.back(), ", but there are ", rows,
          " rows; the last offset must be their number.");
  return static_cast<Index>(offsets.size()) - 1;
}

/// Where dL/dx goes: to be written, or, if `add`, to be added to.
template <typename Real>
struct GradientPlace {
  Real* to;
  bool add;
};
template <typename Real>
GradientPlace<Real> gradient_place(const Variable<Real>& x) {
  const bool add = !x.first_gradient();  // first: it may have to find room
  return {x.gradient_memory(), add};
}

/// dL/dx += factor dL/dy, of the same shape
template <typename Real>
void pass_gradient(const Variable<Real>& y, const Variable<Real>& x, Real factor = 1) {
  if (!x.learns()) return;
  const auto [to, add] = gradient_place(x);
  learning_kernels<Real>().add_scaled(y.gradient(), factor, x.size(), add, to);
}

/// dL/dx += factors dL/dy, entry by entry
template <typename Real>
void pass_gradient(const Variable<Real>& y, const Real* factors, const Variable<Real>& x) {
  if (!x.learns()) return;
  const auto [to, add] = gradient_place(x);
  learning_kernels<Real>().multiply(y.gradient(), factors, x.size(), add, to);
}

}  // namespace fovea::learning
