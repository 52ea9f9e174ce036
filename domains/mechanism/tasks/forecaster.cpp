#include "fovea/domains/mechanism/tasks/forecaster.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/domains/mechanism/pooled.hpp"

namespace fovea::mechanism::tasks {

PastWindow past_window(Index target, const std::vector<Index>& units, Index lags) {
  return {target, datasets::simulated::past_of(units, lags), lags};
}

namespace {

Matrix<float> start_of(Index rows, Index columns, double spread, const Random& random) {
  return (spread * normal_matrix(rows, columns, random)).cast<float>();
}

}  // namespace

Forecaster::Forecaster(learning::Parameters<float>& parameters, Index tokens, const ForecasterSettings& settings,
                       const Random& random)
    : settings_(settings), tokens_(tokens) {
  const Index columns = settings.heads * settings.key_columns;
  queries_ = parameters.add("queries", start_of(1, columns, 1, random.stream("queries")));
  keys_ = parameters.add("keys", start_of(tokens, columns, 1, random.stream("keys")));
  judged_ = parameters.add("judged", Matrix<float>::Zero(1, columns));
  Matrix<float> gain(settings.heads, 1);  // half of the heads add, half subtract
  for (Index h = 0; h < settings.heads; ++h) gain(h, 0) = h % 2 == 0 ? 0.5f : -0.5f;
  gain_ = parameters.add("gain", gain);
  shift_ = parameters.add("shift", Matrix<float>::Zero(1, 1), learning::Decay::no);
}

Forecaster::Parts Forecaster::parts(learning::Variable<float> values) const {
  learning::Tape<float>& tape = values.tape();
  const Index examples = values.rows() / tokens_;
  require(examples * tokens_ == values.rows(), "Forecaster: ", values.rows(), " values are no multiple of the ",
          tokens_, " tokens of an example.");
  Index* const token = tape.index_room(values.rows());
  for (Index row = 0; row < values.rows(); ++row) token[row] = row % tokens_;
  Index* const same = tape.index_room(examples);
  std::fill_n(same, examples, Index(0));
  auto& spec = tape.kept<AttentionSpec<float>>();
  spec.score.function = dot_product_score<float>();
  spec.heads = settings_.heads;
  spec.query_offsets.resize(examples + 1);
  spec.key_offsets.resize(examples + 1);
  for (Index e = 0; e <= examples; ++e) {
    spec.query_offsets[e] = e;
    spec.key_offsets[e] = e * tokens_;
  }
  const learning::Variable<float> queries =
      gather_rows(tape.parameter(queries_), {same, static_cast<std::size_t>(examples)});
  const learning::Variable<float> keys =
      add(gather_rows(tape.parameter(keys_), {token, static_cast<std::size_t>(values.rows())}),
          linear(values, tape.parameter(judged_)));
  const learning::Variable<float> ones = tape.constant(1, settings_.heads);
  ones.value().setOnes();
  const learning::AttentionCall<float>* call = nullptr;
  const learning::Variable<float> heads =
      learning::attention<float>({queries, keys, linear(values, ones)}, spec, &call);
  return {linear(heads, tape.parameter(gain_), tape.parameter(shift_)), queries, keys, call};
}

learning::Variable<float> past_values(learning::Tape<float>& tape, const Matrix<double>& series,
                                      const PastWindow& window, std::span<const Index> steps) {
  const learning::Variable<float> values = tape.constant(static_cast<Index>(steps.size() * window.past.size()), 1);
  float* next = values.data();
  for (const Index step : steps)
    for (const datasets::simulated::PastValue& value : window.past)
      *next++ = static_cast<float>(series(step - value.lag, value.unit));
  return values;
}

namespace {

/// Adds the sums over some steps.
void add_reliance(learning::Tape<float>& tape, const learning::Parameters<float>& parameters,
                  const Forecaster& forecaster, const Matrix<double>& series, const PastWindow& window,
                  std::span<const Index> steps, Reliance& sums) {
  tape.begin(&parameters, {});
  const Matrix<float> inputs = past_values(tape, series, window, steps).value();
  tape.begin(&parameters, {});
  const learning::Variable<float> values = tape.variable(inputs);
  const Forecaster::Parts parts = forecaster.parts(values);
  const std::vector<Index> all{0, parts.forecasts.rows()};
  tape.backward(
      sum_of_sets(parts.forecasts, learning::Offsets(all)));  // examples do not mix: each token gets its own dy/dx

  const Index tokens = forecaster.tokens();
  for (std::size_t e = 0; e < steps.size(); ++e) {
    const double error = static_cast<double>(parts.forecasts.data()[e]) - series(steps[e], window.target);
    sums.squared_error += error * error;
  }
  std::vector<Index> token(values.rows());
  for (Index row = 0; row < values.rows(); ++row) {
    token[row] = row % tokens;
    sums.gradient[row % tokens] += static_cast<double>(values.gradient()[row]);
  }
  const Matrix<float> gains = parameters.matrix(forecaster.gain()).cwiseAbs();
  const double examples = static_cast<double>(steps.size()), total = static_cast<double>(gains.sum());
  for (Index h = 0; h < forecaster.heads(); ++h) {
    const Matrix<float> mean =
        attention_between_groups<float>(parts.queries.value(), parts.keys.value(), parts.call->spec, parts.call->result,
                                        h, std::vector<Index>(steps.size(), 0), 1, token, tokens);
    for (Index j = 0; j < tokens; ++j)
      sums.attention[j] += examples * static_cast<double>(gains(h, 0)) / total * static_cast<double>(mean(0, j));
  }
}

}  // namespace

Reliance reliance(const learning::Parameters<float>& parameters, const Forecaster& forecaster,
                  const Matrix<double>& series, const PastWindow& window) {
  constexpr std::size_t kTogether = 256;
  std::vector<Index> steps(series.rows() - window.first);
  std::iota(steps.begin(), steps.end(), window.first);
  Reliance result{std::vector<double>(window.past.size()), std::vector<double>(window.past.size())};
  learning::Tape<float> tape;
  for (std::size_t from = 0; from < steps.size(); from += kTogether) {
    const std::size_t count = std::min(kTogether, steps.size() - from);
    add_reliance(tape, parameters, forecaster, series, window, std::span(steps).subspan(from, count), result);
  }
  const double examples = static_cast<double>(steps.size());
  for (double& gradient : result.gradient) gradient /= examples;
  for (double& share : result.attention) share /= examples;
  result.squared_error /= examples;
  return result;
}

}  // namespace fovea::mechanism::tasks
