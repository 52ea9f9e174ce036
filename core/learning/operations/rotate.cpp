#include <cmath>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

namespace {

/// Turns per position of each pair: base^(-c / pairs) / (2 pi)
double* frequencies_of(Arena& scratch, Index pairs, double base) {
  constexpr double kTurn = 6.283185307179586476925;
  double* const frequencies = scratch.take<double>(pairs);
  const double step = -logarithm(base) / static_cast<double>(pairs);
  for (Index c = 0; c < pairs; ++c) frequencies[c] = exponential(step * static_cast<double>(c)) / kTurn;
  return frequencies;
}

template <typename Real>
void check_rotate(const Variable<Real>& x, std::span<const double> positions, Index heads, double base) {
  require(static_cast<Index>(positions.size()) == x.rows(), "rotate: there are ", positions.size(), " positions for ",
          x.rows(), " rows; each row needs one.");
  require(heads >= 1 && x.columns() % (2 * heads) == 0, "rotate: ", x.columns(), " columns in ", heads,
          " heads; each head must have an even number of columns.");
  require(base >= 1 && base < 1e100, "rotate: the base is ", base, ", but must be at least 1.");
  for (const double position : positions)
    require(std::abs(position) <= 1e15, "rotate: a position is ", position, ", but must be within 1e15 of 0.");
}

}  // namespace

template <typename Real>
Variable<Real> rotate(Variable<Real> x, std::span<const double> positions, Index heads, double base) {
  check_rotate(x, positions, heads, base);
  Tape<Real>& tape = x.tape();
  const Index pairs = x.columns() / (2 * heads);
  Real *const cosines = tape.room(x.rows() * pairs), *const sines = tape.room(x.rows() * pairs);
  learning_kernels<Real>().turns(positions.data(), x.rows(), frequencies_of(tape.scratch(), pairs, base), pairs,
                                 cosines, sines);
  Variable<Real> y = tape.result(x.rows(), x.columns(), {x});
  learning_kernels<Real>().rotate(x.data(), cosines, sines, x.rows(), heads, pairs, false, false, y.data());
  tape.on_backward(y, [=] {
    const auto [to, add] = gradient_place(x);
    learning_kernels<Real>().rotate(y.gradient(), cosines, sines, x.rows(), heads, pairs, true, add, to);
  });
  return y;
}

template <typename Real>
OperationEntry<Real> rotate_entry() {
  return {"rotate", "pairs of columns turned by position * base^(-2 c / d)", "Su et al. 2021",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), 12, 1)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            const auto positions = example_matrix<double>(example.tokens(), 1, 2, -50, 50);
            return rotate(in[0], std::span<const double>(positions.data(), positions.size()), 2);
          }};
}

template Variable<float> rotate(Variable<float>, std::span<const double>, Index, double);
template Variable<double> rotate(Variable<double>, std::span<const double>, Index, double);
FOVEA_OPERATION_ENTRY(rotate)

}  // namespace fovea::learning
