#include "fovea/domains/fusion/model/sensor_encoder.hpp"

#include "fovea/core/attention/scores.hpp"
#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::fusion::model {

namespace {

using learning::Tape;
using Float = learning::Variable<float>;

/// Sharp and wide heads by turns: widths of 1, 2, 4, ... steps.
Matrix<float> sharpness_start(Index heads) {
  Matrix<float> start(1, heads);
  for (Index h = 0; h < heads; ++h) start(0, h) = 1 / static_cast<float>(Index{1} << std::min<Index>(h, 8));
  return start;
}

Float times_of_tokens(Tape<float>& tape, const SensorTokens& sensor, const Dates& dates) {
  const Float times = tape.constant(sensor.tokens.count(), 1);
  for (Index i = 0; i < times.rows(); ++i)
    times.data()[i] = dates.count == 1 || sensor.tokens.times.empty()
                          ? 0.0F
                          : static_cast<float>((sensor.tokens.times[i] - dates.first) / dates.step);
  return times;
}

Float times_of_dates(Tape<float>& tape, Index cases, const Dates& dates) {
  const Float times = tape.constant(cases * dates.count, 1);
  for (Index i = 0; i < times.rows(); ++i) times.data()[i] = static_cast<float>(i % dates.count);
  return times;
}

Float zeros(Tape<float>& tape, Index rows, Index columns) {
  const Float none = tape.constant(rows, columns);
  std::fill_n(none.data(), none.size(), 0.0F);
  return none;
}

}  // namespace

SensorEncoder::SensorEncoder(learning::Parameters<float>& parameters, const std::string& name,
                             const EncoderSettings& settings, const Random& random)
    : settings_(settings),
      stem_(parameters, name + ".stem", settings.inputs, settings.width, random),
      value_(parameters, name + ".value", settings.width, settings.width, random),
      doubt_(parameters, name + ".doubt", settings.width, settings.heads, random),
      sharpness_(parameters.add(name + ".sharpness", sharpness_start(settings.heads), learning::Decay::no)) {}

/// The columns (time, doubt) of each head side by side.
Float SensorEncoder::place(Float times, Float doubts) const {
  const Float turned = linear(times, times.tape().parameter(sharpness_));
  std::vector<Float> columns;
  for (Index h = 0; h < settings_.heads; ++h) {
    columns.push_back(take_columns(turned, h, 1));
    columns.push_back(take_columns(doubts, h, 1));
  }
  return learning::join_columns<float>(columns);
}

Float SensorEncoder::operator()(Float x, const SensorTokens& sensor, const Dates& dates) const {
  Tape<float>& tape = x.tape();
  const Index cases = sensor.tokens.sets();
  if (sensor.rows.empty()) return zeros(tape, cases * dates.count, settings_.width);
  const Float h = gelu(stem_(gather_rows(x, std::span<const Index>(sensor.rows))));
  const Float values = value_(h);
  auto& spec = tape.kept<AttentionSpec<float>>();
  spec.score = {gaussian_score<float>(), {}};
  spec.modifiers.clear();
  spec.normalizer = nullptr;
  spec.heads = settings_.heads;
  spec.key_offsets = sensor.tokens.offsets;
  spec.query_offsets.assign(1, 0);
  for (Index b = 0; b < cases; ++b) spec.query_offsets.push_back((b + 1) * dates.count);
  const Float queries = place(times_of_dates(tape, cases, dates), zeros(tape, cases * dates.count, settings_.heads)),
              keys = place(times_of_tokens(tape, sensor, dates), softplus(doubt_(h)));
  return learning::attention<float>({queries, keys, values}, spec);
}

}  // namespace fovea::fusion::model
