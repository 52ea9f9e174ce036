#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"

namespace fovea::learning {

namespace {

/// Calls move(place in the images, place in the patches, count) for each run of numbers that lie together in both.
template <typename Move>
void each_run(Index images, const ImageShape& shape, Index side, const Move& move) {
  const Index down = shape.height / side, across = shape.width / side, run = side * shape.channels;
  Index to = 0;
  for (Index image = 0; image < images; ++image)
    for (Index r = 0; r < down; ++r)
      for (Index c = 0; c < across; ++c)
        for (Index line = 0; line < side; ++line, to += run)
          move(((image * shape.height + r * side + line) * shape.width + c * side) * shape.channels, to, run);
}

}  // namespace

template <typename Real>
Variable<Real> patches(Variable<Real> images, const ImageShape& shape, Index side) {
  require(images.columns() == shape.numbers(), "patches: an image of ", shape.height, " x ", shape.width, " x ",
          shape.channels, " has ", shape.numbers(), " numbers, but there are ", images.columns(), ".");
  require(side >= 1 && shape.height % side == 0 && shape.width % side == 0, "patches: ", shape.height, " x ",
          shape.width, " pixels cannot be cut into squares of ", side, "; choose a divisor of both.");
  const Index columns = side * side * shape.channels, count = images.rows();
  const Variable<Real> y = images.tape().result(images.size() / columns, columns, {images});
  const Real* const from = images.data();
  each_run(count, shape, side, [&](Index at, Index to, Index run) { std::copy_n(from + at, run, y.data() + to); });
  images.tape().on_backward(y, [=] {
    Real* const sums = images.gradient();
    const Real* const g = y.gradient();
    each_run(count, shape, side, [&](Index at, Index to, Index run) {
      for (Index k = 0; k < run; ++k) sums[at + k] += g[to + k];
    });
  });
  return y;
}

template <typename Real>
OperationEntry<Real> patches_entry() {
  return {"patches",
          "squares of pixels as rows",
          "Dosovitskiy et al. 2021",
          [](const OperationExample&) { return std::vector<Matrix<Real>>{example_matrix<Real>(2, 48, 1)}; },
          [](std::span<const Variable<Real>> in, const OperationExample&) {
            return patches(in[0], {4, 6, 2}, 2);
          },
          false};
}

#define FOVEA_PATCHES(Real) template Variable<Real> patches(Variable<Real>, const ImageShape&, Index);
FOVEA_PATCHES(float)
FOVEA_PATCHES(double)
FOVEA_OPERATION_ENTRY(patches)

}  // namespace fovea::learning
