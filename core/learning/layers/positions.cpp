#include "fovea/core/learning/layers/positions.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/random_math.hpp"
#include "fovea/core/learning/layers/entry.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::learning {

namespace {

/// Calls see(row, t) with the time, or the place in its set, of each token.
template <typename See>
void each_time(const Tokens& tokens, const See& see) {
  for (std::size_t b = 0; b + 1 < tokens.offsets.size(); ++b)
    for (Index i = tokens.offsets[b]; i < tokens.offsets[b + 1]; ++i)
      see(i, tokens.times.empty() ? static_cast<double>(i - tokens.offsets[b]) : tokens.times[i]);
}

/// cos(2 pi turns), the same bits on every machine.
double cosine_of(double turns) { return cosine_of_turn(turns - std::floor(turns)); }

}  // namespace

template <typename Real>
Variable<Real> SinusoidalPositions<Real>::operator()(Variable<Real> x, const Tokens& tokens) const {
  require(x.rows() == tokens.count(), "positions: there are ", x.rows(), " rows, but ", tokens.count(), " tokens.");
  const Index columns = x.columns();
  const Variable<Real> encoding = x.tape().constant(x.rows(), columns);
  double* const turns = x.tape().scratch().template take<double>(columns);
  for (Index c = 0; c < columns; ++c)
    turns[c] = std::pow(base_, -static_cast<double>(c / 2 * 2) / static_cast<double>(columns)) / (2 * std::numbers::pi);
  each_time(tokens, [&](Index i, double t) {
    for (Index c = 0; c < columns; ++c)
      encoding.data()[i * columns + c] = static_cast<Real>(cosine_of(turns[c] * t - (c % 2 == 0 ? 0.25 : 0.0)));
  });
  return add(x, encoding);
}

template <typename Real>
LearnedPositions<Real>::LearnedPositions(Parameters<Real>& parameters, const std::string& name, Index longest,
                                         Index columns, const Random& random)
    : table_(parameters.add(name + ".table", normal_start<Real>(longest, columns, 0.02, random, name + ".table"),
                            Decay::no)) {}

template <typename Real>
Variable<Real> LearnedPositions<Real>::operator()(Variable<Real> x, const Tokens& tokens) const {
  Tape<Real>& tape = x.tape();
  Index* const places = tape.index_room(tokens.count());
  for (std::size_t b = 0; b + 1 < tokens.offsets.size(); ++b) {
    const Index size = tokens.offsets[b + 1] - tokens.offsets[b];
    require(size <= table_.rows, "positions: a set has ", size, " tokens, but the table only ", table_.rows,
            " rows; make it longer.");
    for (Index i = 0; i < size; ++i) places[tokens.offsets[b] + i] = i;
  }
  return add(x, gather_rows(tape.parameter(table_), std::span(places, tokens.count())));
}

template <typename Real>
ContinuousTime<Real>::ContinuousTime(Parameters<Real>& parameters, const std::string& name, Index count, Index columns,
                                     double period, const Random& random) {
  require(count >= 2 && period > 0, "continuous_time: ", count, " features and a period of ", period,
          "; there must be at least 2, and the period above 0.");
  Matrix<Real> frequency(1, count);
  for (Index c = 0; c < count; ++c) {  // in equal steps of log frequency
    const double share = c == 0 ? 0.0 : static_cast<double>(c - 1) / static_cast<double>(std::max<Index>(count - 2, 1));
    frequency(0, c) = static_cast<Real>(std::pow(static_cast<double>(count), share) / period);
  }
  frequency_ = parameters.add(name + ".frequency", frequency, Decay::no);
  phase_ = parameters.add(name + ".phase", Matrix<Real>(uniform_start<Real>(1, count, 0.5, random, name + ".phase")),
                          Decay::no);
  weight_ = parameters.add(name + ".weight", glorot_start<Real>(count, columns, random, name + ".weight"));
}

template <typename Real>
Variable<Real> ContinuousTime<Real>::operator()(Variable<Real> x, const Tokens& tokens) const {
  Tape<Real>& tape = x.tape();
  const Variable<Real> features = time_features(tape.parameter(frequency_), tape.parameter(phase_), tokens.times);
  return add(x, linear(features, tape.parameter(weight_)));
}

template <typename Real>
LayerEntry<Real> sinusoidal_positions_layer_entry() {
  return {"sinusoidal_positions", "x + [sin | cos](t / base^(2c/C))", "Vaswani et al. 2017", 5,
          [](Parameters<Real>&, const Random&) -> LayerFunction<Real> { return SinusoidalPositions<Real>(100); }};
}

template <typename Real>
LayerEntry<Real> learned_positions_layer_entry() {
  return {"learned_positions", "x + table[place in the set]", "Gehring et al. 2017", 3,
          [](Parameters<Real>& parameters, const Random& random) -> LayerFunction<Real> {
            return LearnedPositions<Real>(parameters, "positions", 12, 3, random);
          }};
}

template <typename Real>
LayerEntry<Real> continuous_time_layer_entry() {
  return {"continuous_time", "x + phi(t) P, phi_c = cos(2 pi (f_c t + p_c))", "Kazemi et al. 2019", 3,
          [](Parameters<Real>& parameters, const Random& random) -> LayerFunction<Real> {
            return ContinuousTime<Real>(parameters, "time", 4, 3, 10, random);
          }};
}

template class SinusoidalPositions<float>;
template class SinusoidalPositions<double>;
template class LearnedPositions<float>;
template class LearnedPositions<double>;
template class ContinuousTime<float>;
template class ContinuousTime<double>;
FOVEA_LAYER_ENTRY(sinusoidal_positions_layer)
FOVEA_LAYER_ENTRY(learned_positions_layer)
FOVEA_LAYER_ENTRY(continuous_time_layer)

}  // namespace fovea::learning
