#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/domains/ehr/decay/recency.hpp"

namespace fovea::ehr::decay {

namespace {

using learning::ParameterPlace;
using learning::Parameters;
using learning::Tape;
using learning::Variable;

constexpr double kLog2 = 0.693147180559945309;

/// Some stays side by side, as the tape reads them.
struct Packed {
  std::vector<Index> offsets, kinds, knots, next_knots;
  Matrix<float> values, ages, before, after, targets;  ///< before, after: the shares of the two knots about an age
};

void add_event(const RecencyData& data, Index event, Index variable, const std::vector<double>& knots, Packed& out) {
  const std::size_t from = event;
  const auto to = static_cast<Index>(out.kinds.size());
  out.kinds.push_back(variable);
  out.values(to, 0) = static_cast<float>(data.values[from]);
  out.ages(to, 0) = static_cast<float>(data.ages[from]);
  if (knots.empty()) return;
  const auto above = std::upper_bound(knots.begin() + 1, knots.end() - 1, data.ages[from]) - knots.begin();
  const double low = knots[above - 1], high = knots[above];
  const double part = std::clamp((data.ages[from] - low) / (high - low), 0.0, 1.0);
  out.knots.push_back(above - 1), out.next_knots.push_back(above);
  out.before(to, 0) = static_cast<float>(1 - part), out.after(to, 0) = static_cast<float>(part);
}

void pack(const RecencyData& data, std::span<const Index> stays, const std::vector<double>& knots, Packed& out) {
  Index events = 0;
  for (const Index s : stays) events += data.events(s);
  out.offsets.assign(1, 0);
  for (std::vector<Index>* list : {&out.kinds, &out.knots, &out.next_knots}) list->clear();
  for (Matrix<float>* column : {&out.values, &out.ages, &out.before, &out.after}) column->resize(events, 1);
  out.targets.resize(static_cast<Index>(stays.size()), 1);
  for (std::size_t b = 0; b < stays.size(); ++b) {
    for (Index v = 0; v < data.variables; ++v)
      for (Index i = data.first(stays[b], v); i < data.first(stays[b], v + 1); ++i) add_event(data, i, v, knots, out);
    out.offsets.push_back(static_cast<Index>(out.kinds.size()));
    out.targets(static_cast<Index>(b), 0) = static_cast<float>(data.outcomes[stays[b]]);
  }
}

/// What either model has: preferences, and the line from the pooled value to the logit.
struct Head {
  ParameterPlace preference, slope, intercept;
  Head(Parameters<float>& parameters, Index variables)
      : preference(parameters.add("preference", Matrix<float>::Zero(variables, 1))),
        slope(parameters.add("slope", Matrix<float>::Ones(1, 1))),
        intercept(parameters.add("intercept", Matrix<float>::Zero(1, 1))) {}
};

Variable<float> pooled_loss(Tape<float>& tape, const Head& head, const Packed& packed, Variable<float> by_time,
                            float total) {
  const Variable<float> drawn = gather_rows(tape.parameter(head.preference), std::span<const Index>(packed.kinds));
  const Variable<float> pooled =
      attention_pooling(tape.input(packed.values), add(drawn, by_time), std::span<const Index>(packed.offsets));
  const Variable<float> logit = linear(pooled, tape.parameter(head.slope), tape.parameter(head.intercept));
  return logistic_loss(logit, packed.targets, {}, total);
}

void train_by(const RecencyData& data, const RecencyTraining& training, Parameters<float>& parameters,
              const std::function<Variable<float>(Tape<float>&, std::span<const Index>, float)>& loss,
              const Random& random, learning::TrainingSeries& series) {
  learning::TrainingProblem problem;
  for (Index s = 0; s < data.stays(); ++s) {
    problem.tokens.push_back(data.events(s));
    problem.training.push_back(s);
  }
  problem.loss = loss;
  learning::TrainingSettings settings;
  settings.name = training.name;
  settings.epochs = training.epochs;
  settings.optimizer = learning::AdamW{.decay = 0};
  settings.schedule = {.learning_rate = training.learning_rate, .course = learning::RateCourse::cosine};
  settings.batches = {.tokens = 4096, .shard_tokens = 2048};
  settings.restore_best = false;
  series.train(parameters, problem, settings, random);
}

std::vector<double> column_of(const Parameters<float>& parameters, const ParameterPlace& place) {
  std::vector<double> values;
  const auto matrix = parameters.matrix(place);
  for (Index r = 0; r < matrix.rows(); ++r) values.push_back(static_cast<double>(matrix(r, 0)));
  return values;
}

/// Knots closer where the young events are, as shares of the window.
std::vector<double> knots_of(double window) {
  std::vector<double> knots;
  for (const double share : {0.0, 0.02, 0.04, 0.08, 0.125, 0.1875, 0.25, 0.375, 0.5, 0.75, 1.0})
    knots.push_back(share * window);
  return knots;
}

/// The exponential that fits e^g best, each knot weighted by the fitted exponential itself and by its share of the
/// axis: young events decide, where the data have weight.
void fit_exponential(FreeTime& free, const std::vector<double>& heights) {
  const std::size_t n = heights.size();
  double rate = 0, top = heights[0];
  for (int round = 0; round < 50; ++round) {
    double w = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double width = (free.knots[std::min(k + 1, n - 1)] - free.knots[k == 0 ? 0 : k - 1]) / 2;
      const double weight = width * exponential(-rate * free.knots[k]);
      w += weight, x += weight * free.knots[k], y += weight * heights[k];
      xx += weight * free.knots[k] * free.knots[k], xy += weight * free.knots[k] * heights[k];
    }
    rate = std::max(0.0, -(w * xy - x * y) / (w * xx - x * x));
    top = (y + rate * x) / w;
  }
  free.half_life = rate > 0 ? kLog2 / rate : std::numeric_limits<double>::infinity();
  for (const double height : heights) free.weights.push_back(exponential(height - top));
}

}  // namespace

RecencyModel trained(const RecencyData& data, const RecencyTraining& training, const Random& random,
                     learning::TrainingSeries& series) {
  Parameters<float> parameters;
  const Head head(parameters, data.variables);
  const auto start = static_cast<float>(logarithm(training.start_half_life));
  const ParameterPlace time =
      parameters.add("log_half_life", Matrix<float>::Constant(data.variables, 1, start), learning::Decay::no);
  train_by(
      data, training, parameters,
      [&](Tape<float>& tape, std::span<const Index> stays, float total) {
        Packed& packed = tape.kept<Packed>();
        pack(data, stays, {}, packed);
        const Variable<float> rates = scale(exp(scale(tape.parameter(time), -1.0F)), -static_cast<float>(kLog2));
        const Variable<float> fallen =
            multiply(gather_rows(rates, std::span<const Index>(packed.kinds)), tape.input(packed.ages));
        return pooled_loss(tape, head, packed, fallen, total);
      },
      random, series);
  return {column_of(parameters, head.preference), column_of(parameters, time), column_of(parameters, head.slope)[0],
          column_of(parameters, head.intercept)[0]};
}

FreeTime trained_free(const RecencyData& data, const RecencyTraining& training, const Random& random,
                      learning::TrainingSeries& series) {
  FreeTime free{knots_of(data.window), {}, 0};
  Parameters<float> parameters;
  const Head head(parameters, data.variables);
  const auto count = static_cast<Index>(free.knots.size());
  const ParameterPlace heights = parameters.add("by_age", Matrix<float>::Zero(count, 1), learning::Decay::no);
  train_by(
      data, training, parameters,
      [&](Tape<float>& tape, std::span<const Index> stays, float total) {
        Packed& packed = tape.kept<Packed>();
        pack(data, stays, free.knots, packed);
        const Variable<float> g = tape.parameter(heights);
        const Variable<float> below =
            multiply(gather_rows(g, std::span<const Index>(packed.knots)), tape.input(packed.before));
        const Variable<float> above =
            multiply(gather_rows(g, std::span<const Index>(packed.next_knots)), tape.input(packed.after));
        return pooled_loss(tape, head, packed, add(below, above), total);
      },
      random, series);
  fit_exponential(free, column_of(parameters, heights));
  return free;
}

}  // namespace fovea::ehr::decay
