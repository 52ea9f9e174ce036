#include "fovea/core/learning/class_pooling.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/operations/entry.hpp"
#include "fovea/core/learning/operations/pooled_groups.hpp"

namespace fovea::learning {

namespace {

/// Everything of a call that backward() wants.
template <typename Real>
struct PooledCall {
  PooledShape shape;
  ClassLanes<Real> lanes;  ///< of class 0
  ClassResults<Real> to;   ///< of query 0 and class 0
  ClassLanes<Real> lanes_of(Index c) const {
    const Index step = c * lanes.count;
    return {lanes.sharpness + step, lanes.rates + step, lanes.exponents ? lanes.exponents + step : nullptr, lanes.heads,
            lanes.count};
  }
  ClassResults<Real> results_of(Index query, Index c, Index first_event) const {
    const Index step = query * to.stride + c * shape.width();
    const auto moved = [&](Real* from) { return from ? from + step : nullptr; };
    return {to.y + step,
            to.stride,
            moved(to.by_sharpness),
            moved(to.by_time),
            moved(to.by_exponent),
            to.shares ? to.shares + first_event * lanes.count : nullptr};
  }
};

/// The same group, where only the masses are pooled.
template <typename Real>
void pool_masses(const ClassGroup<Real>& group, const ClassLanes<Real>& lanes, ClassResults<Real> to) {
  const Index heads = lanes.heads;
  for (Real** const place : {&to.y, &to.by_sharpness, &to.by_time})
    if (*place) *place += heads;
  to.shares = nullptr;
  learning_kernels<Real>().pool_decaying(
      group, {lanes.sharpness + heads, lanes.rates + heads, nullptr, 0, lanes.count - heads}, to);
}

template <typename Real>
void pool_all(const PooledCall<Real>& call, const Real* values, const ClassEvents& events,
              const TimedQueries& queries) {
  const auto& kernels = learning_kernels<Real>();
  each_group(call.shape, values, events, queries,
             [&](const ClassGroup<Real>& group, Index query, Index c, Index first) {
               const ClassLanes<Real> lanes = call.lanes_of(c);
               const ClassResults<Real> to = call.results_of(query, c, first);
               put_recency(group, lanes.count, to);
               if (!lanes.exponents) return kernels.pool_decaying(group, lanes, to);
               kernels.pool_power_law(group, lanes, to);
               pool_masses(group, lanes, to);
             });
}

/// dL/dpart += sum over queries of dL/dy slope, of columns [first, ...) of each class
template <typename Real>
void add_slopes(const PooledCall<Real>& call, const Real* y_gradient, const Real* slopes, Index first,
                const Variable<Real>& part, Real* sums) {
  if (!part.learns()) return;
  std::fill_n(sums, call.to.stride, Real(0));
  learning_kernels<Real>().add_column_dots(y_gradient, slopes, call.shape.queries, call.to.stride, sums);
  Real* const gradient = part.gradient();
  for (Index c = 0; c < call.shape.classes; ++c)
    for (Index h = 0; h < part.columns(); ++h)
      gradient[c * part.columns() + h] += sums[c * call.shape.width() + first + h];
}

/// dL/dx of exponential decay. An event's weight at a later query is its share times what each newcomer since has left
/// of it, so the queries' gradients are carried back from newcomer to newcomer:
///   dL/dx_i = share_i ((1 + beta x_i) A - beta B),  A = sum of later g_q left, B = sum of later g_q mean_q left
template <typename Real>
void decaying_values(const ClassGroup<Real>& group, const ClassLanes<Real>& lanes, const ClassResults<Real>& to,
                     const Real* y_gradient, Real* x_gradient) {
  for (Index h = 0; h < lanes.heads; ++h) {
    const Real beta = lanes.sharpness[h];
    Real weights = 0, means = 0;  // A and B
    Index q = group.queries - 1;
    for (Index i = group.events - 1; i >= 0; --i) {
      for (; q >= 0 && group.query_times[q] >= group.times[i]; --q) {
        const Real g = y_gradient[q * to.stride + h];
        weights += g;
        means += g * to.y[q * to.stride + h];
      }
      const Real share = to.shares[i * lanes.count + h];
      x_gradient[i] += share * ((1 + beta * group.values[i]) * weights - beta * means);
      weights *= 1 - share;
      means *= 1 - share;
    }
  }
}

/// dL/dx of a power law: the weights of each query again.
template <typename Real>
void power_law_values(const ClassGroup<Real>& group, const ClassLanes<Real>& lanes, const ClassResults<Real>& to,
                      const Real* y_gradient, Real* x_gradient, Real* weights) {
  for (Index q = 0; q < group.queries; ++q)
    for (Index h = 0; h < lanes.heads; ++h) {
      const Real beta = lanes.sharpness[h], mean = to.y[q * to.stride + h];
      Index seen = 0;
      for (; seen < group.events && group.times[seen] <= group.query_times[q]; ++seen) {
        const Real age = static_cast<Real>(group.query_times[q] - group.times[seen]);
        weights[seen] = beta * group.values[seen] - lanes.exponents[h] * logarithm(1 + age * lanes.rates[h]);
      }
      if (seen == 0) continue;
      const Real top = *std::max_element(weights, weights + seen);
      Real sum = 0;
      for (Index i = 0; i < seen; ++i) sum += weights[i] = exponential(weights[i] - top);
      const Real g = y_gradient[q * to.stride + h] / sum;
      for (Index i = 0; i < seen; ++i) x_gradient[i] += g * weights[i] * (1 + beta * (group.values[i] - mean));
    }
}

template <typename Real>
void values_backward(const PooledCall<Real>& call, const Variable<Real>& values, const Real* y_gradient,
                     const ClassEvents& events, const TimedQueries& queries, Real* weights) {
  Real* const gradient = values.gradient();
  each_group(call.shape, values.data(), events, queries,
             [&](const ClassGroup<Real>& group, Index query, Index c, Index first) {
               const Real* const g = y_gradient + query * call.to.stride + c * call.shape.width();
               const ClassResults<Real> to = call.results_of(query, c, first);
               if (call.lanes.exponents)
                 power_law_values(group, call.lanes_of(c), to, g, gradient + first, weights);
               else
                 decaying_values(group, call.lanes_of(c), to, g, gradient + first);
             });
}

/// The columns of a head and of a mass as lanes of each class side by side, 0 where a lane has none.
template <typename Real, typename F>
Real* lanes_of(Tape<Real>& tape, const PooledShape& shape, const Variable<Real>& of_heads,
               const Variable<Real>* of_masses, F f) {
  Real* const lanes = tape.room(shape.classes * shape.lanes());
  for (Index c = 0; c < shape.classes; ++c) {
    Real* const mine = lanes + c * shape.lanes();
    for (Index h = 0; h < shape.heads; ++h) mine[h] = f(of_heads.data()[c * shape.heads + h]);
    for (Index k = 0; k < shape.masses; ++k)
      mine[shape.heads + k] = of_masses ? f(of_masses->data()[c * shape.masses + k]) : Real(0);
  }
  return lanes;
}

/// Places for the result, for slopes where heads learn, and for shares.
template <typename Real>
ClassResults<Real> result_places(Variable<Real> y, bool slopes, bool exponents, Index shares) {
  const auto room = [&](bool wanted, Index count) { return wanted ? y.tape().room(count) : nullptr; };
  ClassResults<Real> to{y.data(),
                        y.columns(),
                        room(slopes, y.size()),
                        room(slopes, y.size()),
                        room(slopes && exponents, y.size()),
                        room(shares > 0, shares)};
  if (to.by_exponent) std::fill_n(to.by_exponent, y.size(), Real(0));  // masses have no exponent
  return to;
}

template <typename Real>
void check_heads(std::string_view name, const Variable<Real>& part, const Variable<Real>& sharpness) {
  require(part.rows() == sharpness.rows() && part.columns() == sharpness.columns(), "class_pooling: the ", name, " is ",
          part.rows(), " x ", part.columns(), ", the sharpness ", sharpness.rows(), " x ", sharpness.columns(),
          "; they must be of the same shape.");
}

}  // namespace

template <typename Real>
Variable<Real> class_pooling(Variable<Real> values, const DecayHeads<Real>& heads, const ClassEvents& events,
                             const TimedQueries& queries) {
  const auto [sharpness, log_half_life, log_mass] = heads;
  const PooledShape shape = check_call(values, sharpness, log_mass, events, queries);
  check_heads("log half-life", log_half_life, sharpness);
  Tape<Real>& tape = values.tape();
  Variable<Real> y =
      tape.result(shape.queries, shape.classes * shape.width(), {values, sharpness, log_half_life, log_mass});
  const bool slopes = sharpness.learns() || log_half_life.learns() || log_mass.learns();
  const Index shares = values.learns() ? values.rows() * shape.lanes() : 0;
  const PooledCall<Real> call{
      shape,
      {lanes_of<Real>(tape, shape, sharpness, nullptr, [](Real beta) { return beta; }),
       lanes_of<Real>(tape, shape, log_half_life, &log_mass, &rate_of<Real>), nullptr, shape.heads, shape.lanes()},
      result_places(y, slopes, false, shares)};
  pool_all(call, values.data(), events, queries);
  Real* const sums = tape.room(y.columns());
  tape.on_backward(y, [=, sharp = sharpness, half_life = log_half_life, mass = log_mass] {
    const Real* const g = y.gradient();
    add_slopes(call, g, call.to.by_sharpness, 0, sharp, sums);
    add_slopes(call, g, call.to.by_time, 0, half_life, sums);
    add_slopes(call, g, call.to.by_time, shape.heads, mass, sums);
    if (values.learns()) values_backward<Real>(call, values, g, events, queries, nullptr);
  });
  return y;
}

template <typename Real>
Variable<Real> class_pooling(Variable<Real> values, const PowerLawHeads<Real>& heads, const ClassEvents& events,
                             const TimedQueries& queries) {
  const auto [sharpness, log_exponent, log_scale, log_mass] = heads;
  const PooledShape shape = check_call(values, sharpness, log_mass, events, queries);
  check_heads("log exponent", log_exponent, sharpness);
  check_heads("log scale", log_scale, sharpness);
  Tape<Real>& tape = values.tape();
  Variable<Real> y =
      tape.result(shape.queries, shape.classes * shape.width(), {values, sharpness, log_exponent, log_scale, log_mass});
  const bool slopes = sharpness.learns() || log_exponent.learns() || log_scale.learns() || log_mass.learns();
  Real* const rates = lanes_of<Real>(tape, shape, log_scale, &log_mass, [](Real log) { return exponential(-log); });
  for (Index c = 0; c < shape.classes; ++c)
    for (Index k = 0; k < shape.masses; ++k) rates[c * shape.lanes() + shape.heads + k] *= static_cast<Real>(kLn2);
  const PooledCall<Real> call{
      shape,
      {lanes_of<Real>(tape, shape, sharpness, nullptr, [](Real beta) { return beta; }), rates,
       lanes_of<Real>(tape, shape, log_exponent, nullptr, &exponential<Real>), shape.heads, shape.lanes()},
      result_places(y, slopes, true, 0)};
  pool_all(call, values.data(), events, queries);
  Real *const sums = tape.room(y.columns()), *const weights = tape.room(values.learns() ? values.rows() : 0);
  tape.on_backward(y, [=, sharp = sharpness, exponent = log_exponent, scale = log_scale, mass = log_mass] {
    const Real* const g = y.gradient();
    add_slopes(call, g, call.to.by_sharpness, 0, sharp, sums);
    add_slopes(call, g, call.to.by_exponent, 0, exponent, sums);
    add_slopes(call, g, call.to.by_time, 0, scale, sums);
    add_slopes(call, g, call.to.by_time, shape.heads, mass, sums);
    if (values.learns()) values_backward<Real>(call, values, g, events, queries, weights);
  });
  return y;
}

namespace {

/// Two classes in each set of the example, three queries: before all events, between them, after them.
struct PoolingExample {
  std::vector<Index> event_offsets, query_offsets;
  std::vector<double> event_times, query_times;
  ClassEvents events() const { return {2, event_offsets, event_times}; }
  TimedQueries queries() const { return {query_offsets, query_times}; }
};

template <typename Real>
PoolingExample& pooling_example(Tape<Real>& tape, const OperationExample& example) {
  auto& made = tape.template kept<PoolingExample>() = {{0}, {0}, {}, {}};
  for (std::size_t b = 0; b + 1 < example.offsets.size(); ++b) {
    const Index first = example.offsets[b], last = example.offsets[b + 1], middle = (first + last + 1) / 2;
    made.event_offsets.insert(made.event_offsets.end(), {middle, last});
    for (Index i = first; i < last; ++i)
      made.event_times.push_back(0.7 * static_cast<double>((i < middle ? i - first : i - middle) / 2));  // some equal
    made.query_times.insert(made.query_times.end(), {-1.0, 0.3, 2.6});
    made.query_offsets.push_back(made.query_offsets.back() + 3);
  }
  return made;
}

/// Values and `parts` matrices of two classes, three heads each and two masses.
template <typename Real, int parts>
std::vector<Matrix<Real>> pooling_inputs(const OperationExample& example) {
  std::vector<Matrix<Real>> inputs{example_matrix<Real>(example.tokens(), 1, 1)};
  for (int part = 0; part < parts; ++part)
    inputs.push_back(example_matrix<Real>(2, part + 1 < parts ? 3 : 2, static_cast<std::uint64_t>(part + 2)));
  return inputs;
}

}  // namespace

template <typename Real>
OperationEntry<Real> class_pooling_entry() {
  return {"class_pooling",
          "sum_i w_i x_i in class c, w = softmax(beta_c x - ln 2 / tau_c age); log(1 + sum 2^(-age / tau))",
          "Che et al. 2018",
          &pooling_inputs<Real, 3>,
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            const PoolingExample& made = pooling_example(in[0].tape(), example);
            return class_pooling(in[0], DecayHeads<Real>{in[1], in[2], in[3]}, made.events(), made.queries());
          },
          false};
}

template <typename Real>
OperationEntry<Real> class_pooling_power_law_entry() {
  return {"class_pooling_power_law",
          "the same, w = softmax(beta_c x - a_c log(1 + age / scale_c))",
          "Hegazy et al. 2026",
          &pooling_inputs<Real, 4>,
          [](std::span<const Variable<Real>> in, const OperationExample& example) {
            const PoolingExample& made = pooling_example(in[0].tape(), example);
            return class_pooling(in[0], PowerLawHeads<Real>{in[1], in[2], in[3], in[4]}, made.events(), made.queries());
          },
          false};
}

#define FOVEA_CLASS_POOLING(Real)                                                                       \
  template Variable<Real> class_pooling(Variable<Real>, const DecayHeads<Real>&, const ClassEvents&,    \
                                        const TimedQueries&);                                           \
  template Variable<Real> class_pooling(Variable<Real>, const PowerLawHeads<Real>&, const ClassEvents&, \
                                        const TimedQueries&);
FOVEA_CLASS_POOLING(float)
FOVEA_CLASS_POOLING(double)
FOVEA_OPERATION_ENTRY(class_pooling)
FOVEA_OPERATION_ENTRY(class_pooling_power_law)

}  // namespace fovea::learning
