#include "fovea/domains/lag/delay/forecaster.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::lag::delay {

namespace {

using learning::Variable;

constexpr Index kRamps = 8;

Matrix<float> normal_start(Index rows, Index columns, double spread, const Random& random) {
  Matrix<float> start(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index c = 0; c < columns; ++c)
      start(i, c) =
          static_cast<float>(spread * random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(c)));
  return start;
}

/// 0, 1, ..., period - 1, again and again.
std::span<const Index> repeated(learning::Tape<float>& tape, Index count, Index period) {
  Index* const numbers = tape.index_room(count);
  for (Index k = 0; k < count; ++k) numbers[k] = k % period;
  return {numbers, static_cast<std::size_t>(count)};
}

/// Sets of `queries` queries and `keys` keys.
AttentionSpec<float>& even_sets(learning::Tape<float>& tape, Index sets, Index queries, Index keys) {
  auto& spec = tape.kept<AttentionSpec<float>>();
  spec.score.function = dot_product_score<float>();
  spec.query_offsets.resize(sets + 1);
  spec.key_offsets.resize(sets + 1);
  for (Index s = 0; s <= sets; ++s) {
    spec.query_offsets[s] = s * queries;
    spec.key_offsets[s] = s * keys;
  }
  return spec;
}

/// The driver's values before each step, the last first.
Variable<float> driver_values(learning::Tape<float>& tape, const DrivenSeries& series, std::span<const Index> steps,
                              Index lags) {
  const Variable<float> values = tape.constant(static_cast<Index>(steps.size()) * lags, 1);
  float* next = values.data();
  for (const Index step : steps)
    for (Index lag = 1; lag <= lags; ++lag) *next++ = static_cast<float>(series.driver[step - lag]);
  return values;
}

/// The responses one step before each step.
Variable<float> known_responses(learning::Tape<float>& tape, const DrivenSeries& series, std::span<const Index> steps) {
  const Index responses = series.responses.cols();
  const Variable<float> values = tape.constant(static_cast<Index>(steps.size()) * responses, 1);
  float* next = values.data();
  for (const Index step : steps)
    for (Index r = 0; r < responses; ++r) *next++ = static_cast<float>(series.responses(step - 1, r));
  return values;
}

}  // namespace

AttentionForecaster::AttentionForecaster(learning::Parameters<float>& parameters, Index responses,
                                         const AttentionForecasterSettings& settings, const Random& random)
    : settings_(settings), responses_(responses) {
  require(responses > 0 && settings.lags > 0 && settings.key_columns > 0, "AttentionForecaster: ", responses,
          " responses, ", settings.lags, " lags and ", settings.key_columns, " key columns; all must be at least 1.");
  const Index columns = settings.key_columns;
  const auto none = learning::Decay::no;
  queries_ = parameters.add("queries", Matrix<float>::Zero(responses, columns));
  told_ = parameters.add("told", Matrix<float>::Zero(1, columns));
  keys_ = parameters.add("keys", normal_start(settings.lags, columns, 1, random.stream("keys")));
  judged_ = parameters.add("judged", Matrix<float>::Zero(1, columns));
  shift_ = parameters.add("shift", Matrix<float>::Zero(responses, 1), none);
  gain_ = parameters.add("gain", Matrix<float>::Ones(responses, 1));
  if (settings.content == ForecastContent::plain) return;
  ramps_ = parameters.add("ramps", normal_start(1, kRamps, 1, random.stream("ramps")));
  corners_ = parameters.add("corners", normal_start(1, kRamps, 1, random.stream("corners")), none);
  sums_ = parameters.add("sums", Matrix<float>::Zero(kRamps, 1));
}

Variable<float> AttentionForecaster::contents(Variable<float> values) const {
  if (settings_.content == ForecastContent::plain) return values;
  const Variable<float> ramps =
      relu(linear(values, values.tape().parameter(ramps_), values.tape().parameter(corners_)));
  return linear(ramps, values.tape().parameter(sums_));
}

AttentionForecaster::Parts AttentionForecaster::parts(learning::Tape<float>& tape, const DrivenSeries& series,
                                                      std::span<const Index> steps) const {
  const Index examples = static_cast<Index>(steps.size());
  const Variable<float> values = driver_values(tape, series, steps, settings_.lags);
  const std::span<const Index> lag = repeated(tape, values.rows(), settings_.lags);
  const std::span<const Index> response = repeated(tape, examples * responses_, responses_);
  const Variable<float> queries = add(gather_rows(tape.parameter(queries_), response),
                                      linear(known_responses(tape, series, steps), tape.parameter(told_)));
  const Variable<float> keys = add(gather_rows(tape.parameter(keys_), lag), linear(values, tape.parameter(judged_)));
  const AttentionSpec<float>& spec = even_sets(tape, examples, responses_, settings_.lags);
  const learning::AttentionCall<float>* call = nullptr;
  const Variable<float> seen = learning::attention<float>({queries, keys, contents(values)}, spec, &call);
  const Variable<float> forecasts =
      add(multiply(seen, gather_rows(tape.parameter(gain_), response)), gather_rows(tape.parameter(shift_), response));
  return {forecasts, queries, keys, call};
}

learning::TrainingProblem forecast_problem(const AttentionForecaster& forecaster, const DrivenSeries& series) {
  learning::TrainingProblem problem;
  problem.tokens.assign(series.steps(), 1);
  for (Index t = forecaster.lags(); t < series.steps(); ++t) problem.training.push_back(t);
  problem.loss = [&forecaster, &series](learning::Tape<float>& tape, std::span<const Index> steps, float total) {
    auto& targets = tape.kept<Matrix<float>>();
    const Index responses = forecaster.responses();
    targets.resize(static_cast<Index>(steps.size()) * responses, 1);
    for (std::size_t e = 0; e < steps.size(); ++e)
      for (Index r = 0; r < responses; ++r)
        targets(static_cast<Index>(e) * responses + r, 0) = static_cast<float>(series.responses(steps[e], r));
    return learning::squared_loss<float>(forecaster.parts(tape, series, steps).forecasts, targets, {}, total);
  };
  return problem;
}

Matrix<double> attention_over_lags(const learning::Parameters<float>& parameters, const AttentionForecaster& forecaster,
                                   const DrivenSeries& series) {
  constexpr Index kTogether = 256;
  const Index responses = forecaster.responses(), lags = forecaster.lags();
  Matrix<double> sum = Matrix<double>::Zero(responses, lags);
  learning::Tape<float> tape;
  for (Index from = lags; from < series.steps(); from += kTogether) {
    std::vector<Index> steps(std::min(kTogether, series.steps() - from));
    std::iota(steps.begin(), steps.end(), from);
    tape.begin(&parameters, {});
    const AttentionForecaster::Parts parts = forecaster.parts(tape, series, steps);
    const auto numbered = [&](Index period) {
      std::vector<Index> group(steps.size() * period);
      for (std::size_t k = 0; k < group.size(); ++k) group[k] = static_cast<Index>(k) % period;
      return group;
    };
    sum += static_cast<double>(steps.size()) *
           attention_between_groups<float>(parts.queries.value(), parts.keys.value(), parts.call->spec,
                                           parts.call->result, 0, numbered(responses), responses, numbered(lags), lags)
               .cast<double>();
  }
  return sum / static_cast<double>(series.steps() - lags);
}

}  // namespace fovea::lag::delay
