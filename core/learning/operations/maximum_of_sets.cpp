
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

namespace {

/// The first row of [first, last) with the largest entry of column c, or with a NaN.
template <typename Real>
Index first_largest(const Variable<Real>& x, Index first, Index last, Index c) {
  const auto entry = [&](Index i) { return x.data()[i * x.columns() + c]; };
  Index best = first;
  for (Index i = first; i < last; ++i) {
    if (entry(i) != entry(i)) return i;
    if (entry(i) > entry(best)) best = i;
  }
  return best;
}

}  // namespace

template <typename Real>
Variable<Real> maximum_of_sets(Variable<Real> x, Offsets offsets) {
  const Index sets = check_offsets("maximum_of_sets", x.rows(), offsets), columns = x.columns();
  Variable<Real> y = x.tape().result(sets, columns, {x});
  Index* const chosen = x.tape().index_room(y.size());  // place in x of each entry of y; -1: none
  for (Index b = 0; b < sets; ++b) {
    const Index first = offsets[b], last = offsets[b + 1];
    for (Index c = 0; c < columns; ++c) {
      const Index place = first == last ? -1 : first_largest(x, first, last, c) * columns + c;
      chosen[b * columns + c] = place;
      y.data()[b * columns + c] = place < 0 ? Real(0) : x.data()[place];
    }
  }
  x.tape().on_backward(y, [=] {
    Real* const to = x.gradient();
    for (Index k = 0; k < y.size(); ++k)
      if (chosen[k] >= 0) to[chosen[k]] += y.gradient()[k];
  });
  return y;
}

template <typename Real>
OperationEntry<Real> maximum_of_sets_entry() {
  return {"maximum_of_sets",
          "largest x_i of each column, i in set b",
          "",
          &one_example<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            return maximum_of_sets(in[0], example.offsets);
          },
          false};
}

template Variable<float> maximum_of_sets(Variable<float>, Offsets);
template Variable<double> maximum_of_sets(Variable<double>, Offsets);
FOVEA_OPERATION_ENTRY(maximum_of_sets)

}  // namespace fovea::learning
