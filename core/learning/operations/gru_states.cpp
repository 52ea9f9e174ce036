#include <algorithm>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/products.hpp"

namespace fovea::learning {

namespace {

template <typename Real>
Real logistic_of(Real x) {
  const Real e = exponential(-std::abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

template <typename Real>
Real tanh_of(Real x) {
  const Real e = exponential(-2 * std::abs(x));
  const Real y = (1 - e) / (1 + e);
  return x >= 0 ? y : -y;
}

/// All sets walk side by side, the longest first, so those still walking at any step are the first ones. Everything of
/// a walk is stored step after step: row begin[t] + s is step t of the s-th longest set.
struct Walk {
  Index steps = 0, rows = 0;
  const Index* begin;  ///< steps + 1
  const Index* token;  ///< rows: the token each stands for
  Index walking(Index t) const { return begin[t + 1] - begin[t]; }
};

template <typename Real>
Walk plan_walk(Tape<Real>& tape, Offsets offsets) {
  const Index sets = static_cast<Index>(offsets.size()) - 1;
  const auto size = [&](Index s) { return offsets[s + 1] - offsets[s]; };
  Index* const order = tape.index_room(sets);
  std::iota(order, order + sets, Index{0});
  std::stable_sort(order, order + sets, [&](Index a, Index b) { return size(a) > size(b); });
  Walk walk;
  walk.steps = sets == 0 ? 0 : size(order[0]);
  Index* const begin = tape.index_room(walk.steps + 1);
  Index* const token = tape.index_room(offsets.back());
  begin[0] = 0;
  for (Index t = 0; t < walk.steps; ++t) {
    Index s = 0;
    for (; s < sets && size(order[s]) > t; ++s) token[begin[t] + s] = offsets[order[s]] + t;
    begin[t + 1] = begin[t] + s;
  }
  walk.rows = begin[walk.steps];
  walk.begin = begin;
  walk.token = token;
  return walk;
}

/// What the steps leave behind, in the order of the walk.
template <typename Real>
struct Memory {
  Real* before;    ///< rows x h: the states that steps start from
  Real* gates;     ///< rows x 3 h: r, z, n
  Real* recalled;  ///< rows x h: h U_n + c_n
};

template <typename Real>
void gru_step(const Real* x, const Real* before, const Real* products, Index width, Real* gates, Real* recalled,
              Real* after) {
  for (Index c = 0; c < width; ++c) {
    const Real r = logistic_of(x[c] + products[c]), z = logistic_of(x[width + c] + products[width + c]);
    recalled[c] = products[2 * width + c];
    const Real n = tanh_of(x[2 * width + c] + r * recalled[c]);
    gates[c] = r, gates[width + c] = z, gates[2 * width + c] = n;
    after[c] = (1 - z) * n + z * before[c];
  }
}

/// From dL/dh' (in `state`) to dL/dx, dL/d(h U + c), and in `state` what goes back along z. The first two differ in n.
template <typename Real>
void gru_step_backward(const Real* before, const Real* gates, const Real* recalled, Index width, Real* state,
                       Real* x_gradient, Real* product_gradient) {
  for (Index c = 0; c < width; ++c) {
    const Real r = gates[c], z = gates[width + c], n = gates[2 * width + c], g = state[c];
    const Real to_n = g * (1 - z) * (1 - n * n), to_z = g * (before[c] - n) * z * (1 - z);
    const Real to_r = to_n * recalled[c] * r * (1 - r);
    x_gradient[c] = to_r, x_gradient[width + c] = to_z, x_gradient[2 * width + c] = to_n;
    product_gradient[c] = to_r, product_gradient[width + c] = to_z, product_gradient[2 * width + c] = to_n * r;
    state[c] = g * z;
  }
}

template <typename Real>
void add_rows_to(const Real* rows, Index count, Index columns, Real* sums) {
  for (Index row = 0; row < count; ++row)
    for (Index c = 0; c < columns; ++c) sums[c] += rows[row * columns + c];
}

template <typename Real>
Memory<Real> walk_forward(Variable<Real> x, Variable<Real> weight, Variable<Real> bias, const Walk& walk,
                          Variable<Real> y) {
  Tape<Real>& tape = x.tape();
  const Index width = y.columns();
  const Memory<Real> memory{tape.room(walk.rows * width), tape.room(3 * walk.rows * width),
                            tape.room(walk.rows * width)};
  Real* const products = walk.steps > 0 ? tape.room(walk.walking(0) * 3 * width) : nullptr;
  for (Index t = 0; t < walk.steps; ++t) {
    const Index first = walk.begin[t], count = walk.walking(t);
    Real* const before = memory.before + first * width;
    for (Index s = 0; s < count; ++s) {
      if (t == 0)
        std::fill_n(before + s * width, width, Real(0));
      else
        std::copy_n(y.data() + walk.token[walk.begin[t - 1] + s] * width, width, before + s * width);
      std::copy_n(bias.data(), 3 * width, products + 3 * s * width);
    }
    multiply(before, weight.data(), count, width, 3 * width, products, true);
    for (Index s = 0; s < count; ++s) {
      const Index row = first + s, token = walk.token[row];
      gru_step(x.data() + 3 * token * width, before + s * width, products + 3 * s * width, width,
               memory.gates + 3 * row * width, memory.recalled + row * width, y.data() + token * width);
    }
  }
  return memory;
}

template <typename Real>
void walk_backward(Variable<Real> x, Variable<Real> weight, Variable<Real> bias, const Walk& walk,
                   const Memory<Real>& memory, Variable<Real> y) {
  Tape<Real>& tape = x.tape();
  const Index width = y.columns();
  Real* const input_gradients = tape.room(3 * walk.rows * width);
  Real* const product_gradients = tape.room(3 * walk.rows * width);
  Real* const state = tape.room(walk.rows * width);  // dL/dh' of each step, first from outside
  for (Index row = 0; row < walk.rows; ++row)
    std::copy_n(y.gradient() + walk.token[row] * width, width, state + row * width);
  for (Index t = walk.steps - 1; t >= 0; --t) {
    const Index first = walk.begin[t], count = walk.walking(t);
    for (Index row = first; row < first + count; ++row)
      gru_step_backward(memory.before + row * width, memory.gates + 3 * row * width, memory.recalled + row * width,
                        width, state + row * width, input_gradients + 3 * row * width,
                        product_gradients + 3 * row * width);
    if (t == 0) continue;
    Real* const earlier = state + walk.begin[t - 1] * width;
    for (Index k = 0; k < count * width; ++k) earlier[k] += state[first * width + k];
    multiply_transposed(product_gradients + 3 * first * width, weight.data(), count, 3 * width, width, earlier, true);
  }
  if (weight.learns())
    transposed_multiply(memory.before, product_gradients, walk.rows, width, 3 * width, weight.gradient(), true);
  if (bias.learns()) add_rows_to(product_gradients, walk.rows, 3 * width, bias.gradient());
  if (!x.learns()) return;
  for (Index row = 0; row < walk.rows; ++row)
    add_rows_to(input_gradients + 3 * row * width, 1, 3 * width, x.gradient() + 3 * walk.token[row] * width);
}

}  // namespace

template <typename Real>
Variable<Real> gru_states(Variable<Real> x, Variable<Real> state_weight, Variable<Real> state_bias, Offsets offsets) {
  const Index width = state_weight.rows();
  require(state_weight.columns() == 3 * width && x.columns() == 3 * width && state_bias.size() == 3 * width,
          "gru_states: for states of ", width,
          " numbers inputs, the columns of the state's weight and its bias must be ", 3 * width, ", but are ",
          x.columns(), ", ", state_weight.columns(), " and ", state_bias.size(), ".");
  require(!offsets.empty() && offsets.back() == x.rows(), "gru_states: the sets hold ",
          offsets.empty() ? 0 : offsets.back(), " tokens, but there are ", x.rows(), ".");
  Tape<Real>& tape = x.tape();
  const Variable<Real> y = tape.result(x.rows(), width, {x, state_weight, state_bias});
  const Walk walk = plan_walk(tape, offsets);
  const Memory<Real> memory = walk_forward(x, state_weight, state_bias, walk, y);
  tape.on_backward(y, [=] { walk_backward(x, state_weight, state_bias, walk, memory, y); });
  return y;
}

template <typename Real>
OperationEntry<Real> gru_states_entry() {
  return {"gru_states", "h' = (1 - z) tanh(x_n + r (h U_n + c_n)) + z h", "Cho et al. 2014",
          [](const OperationExample& example) {
            return std::vector<Matrix<Real>>{example_matrix<Real>(example.tokens(), 12, 1),
                                             example_matrix<Real>(4, 12, 2), example_matrix<Real>(1, 12, 3)};
          },
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            return gru_states(in[0], in[1], in[2], example.offsets);
          }};
}

#define FOVEA_GRU(Real) template Variable<Real> gru_states(Variable<Real>, Variable<Real>, Variable<Real>, Offsets);
FOVEA_GRU(float)
FOVEA_GRU(double)
FOVEA_OPERATION_ENTRY(gru_states)

}  // namespace fovea::learning
