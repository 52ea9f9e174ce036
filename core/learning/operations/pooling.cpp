#include <algorithm>

#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

namespace {

enum class Share { whole, equal };

/// Sums of sets, or means.
template <typename Real>
Variable<Real> pool_sums(std::string_view who, Variable<Real> x, Offsets offsets, Share share) {
  const auto& kernels = learning_kernels<Real>();
  const Index sets = check_offsets(who, x.rows(), offsets), columns = x.columns();
  const auto factor = [=](Index count) {
    return share == Share::whole || count == 0 ? Real(1) : Real(1) / static_cast<Real>(count);
  };
  Variable<Real> y = x.tape().result(sets, columns, {x});
  std::fill_n(y.data(), y.size(), Real(0));
  const auto each_set = [=](auto f) {
    for (Index b = 0; b < sets; ++b) {
      const Index first = offsets[b];
      f(b * columns, first * columns, offsets[b + 1] - first);
    }
  };
  each_set([&](Index pooled, Index from, Index count) {
    kernels.add_column_sums(x.data() + from, count, columns, y.data() + pooled);
    if (share == Share::equal) kernels.scale(y.data() + pooled, factor(count), 0, columns, y.data() + pooled);
  });
  x.tape().on_backward(y, [=, &kernels] {
    const auto place = gradient_place(x);
    each_set([&](Index pooled, Index from, Index count) {
      for (Index i = 0; i < count; ++i)
        kernels.add_scaled(y.gradient() + pooled, factor(count), columns, place.add, place.to + from + i * columns);
    });
  });
  return y;
}

}  // namespace

template <typename Real>
Variable<Real> mean_of_sets(Variable<Real> x, Offsets offsets) {
  return pool_sums("mean_of_sets", x, offsets, Share::equal);
}

template <typename Real>
Variable<Real> sum_of_sets(Variable<Real> x, Offsets offsets) {
  return pool_sums("sum_of_sets", x, offsets, Share::whole);
}

template <typename Real>
OperationEntry<Real> mean_of_sets_entry() {
  return {"mean_of_sets",
          "mean of x_i, i in set b",
          "",
          &one_example<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            return mean_of_sets(in[0], example.offsets);
          },
          false};
}

template <typename Real>
OperationEntry<Real> sum_of_sets_entry() {
  return {"sum_of_sets",
          "sum of x_i, i in set b",
          "",
          &one_example<Real>,
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            return sum_of_sets(in[0], example.offsets);
          },
          false};
}

#define FOVEA_POOLING(Real)                                      \
  template Variable<Real> mean_of_sets(Variable<Real>, Offsets); \
  template Variable<Real> sum_of_sets(Variable<Real>, Offsets);
FOVEA_POOLING(float)
FOVEA_POOLING(double)
FOVEA_OPERATION_ENTRY(mean_of_sets)
FOVEA_OPERATION_ENTRY(sum_of_sets)

}  // namespace fovea::learning
