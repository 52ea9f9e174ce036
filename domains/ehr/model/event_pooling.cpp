#include "fovea/domains/ehr/model/event_pooling.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/learning/operations.hpp"

namespace fovea::ehr::model {

namespace {

using learning::Tape;
using Float = learning::Variable<float>;

/// The events that each query sees, query after query.
struct SeenEvents {
  std::vector<Index> rows, kinds, offsets;
  Matrix<float> ages;
};

void see(std::span<const std::uint16_t> kinds, std::span<const double> times, std::span<const Index> offsets,
         const learning::TimedQueries& queries, SeenEvents& seen) {
  std::vector<float> ages;
  seen.rows.clear();
  seen.kinds.clear();
  seen.offsets.assign(1, 0);
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b)
    for (Index q = queries.offsets[b]; q < queries.offsets[b + 1]; ++q) {
      const double at = queries.times[q];
      for (Index i = offsets[b]; i < offsets[b + 1]; ++i) {
        const std::size_t k = i;
        if (times[k] > at) continue;
        seen.rows.push_back(i);
        seen.kinds.push_back(kinds[k]);
        ages.push_back(static_cast<float>(at - times[k]));
      }
      seen.offsets.push_back(static_cast<Index>(seen.rows.size()));
    }
  seen.ages = Eigen::Map<Matrix<float>>(ages.data(), static_cast<Index>(ages.size()), 1);
}

Matrix<float> normal_rows(Index rows, Index columns, const Random& random) {
  Matrix<float> numbers(rows, columns);
  for (Index k = 0; k < numbers.size(); ++k)
    numbers.data()[k] = static_cast<float>(random.normal(static_cast<std::uint64_t>(k)));
  return numbers;
}

/// log(start) / rate in each row; 0 without decay, which a factor of 0 takes out.
Matrix<float> stored_half_lives(const EventPoolingSettings& settings) {
  Matrix<float> stored = Matrix<float>::Zero(settings.classes, static_cast<Index>(settings.half_lives.size()));
  for (Index h = 0; h < stored.cols(); ++h) {
    const double start = settings.half_lives[h];
    if (std::isfinite(start)) stored.col(h).setConstant(static_cast<float>(std::log(start) / settings.time_rate));
  }
  return stored;
}

Matrix<float> decays_of(const std::vector<double>& half_lives) {
  Matrix<float> decays(1, static_cast<Index>(half_lives.size()));
  for (Index h = 0; h < decays.cols(); ++h)
    decays(0, h) = std::isfinite(half_lives[h]) ? std::numbers::ln2_v<float> : 0.0F;
  return decays;
}

}  // namespace

EventPooling::EventPooling(learning::Parameters<float>& parameters, const EventPoolingSettings& settings,
                           const Random& random)
    : settings_(settings), decays_(decays_of(settings.half_lives)) {
  const Index classes = settings.classes, heads = static_cast<Index>(settings.half_lives.size());
  parameters.require_room(classes * (2 * settings.width + 3 * heads));
  const auto zeros = [&] { return Matrix<float>::Zero(classes, heads).eval(); };
  embedding_ = parameters.add("events.embedding", normal_rows(classes, settings.width, random.stream("embedding")));
  slope_ = parameters.add("events.slope", normal_rows(classes, settings.width, random.stream("slope")));
  preference_ = parameters.add("events.preference", zeros(), learning::Decay::no);
  sharpness_ = parameters.add("events.sharpness", zeros(), learning::Decay::no);
  log_half_life_ = parameters.add("events.log_half_life", stored_half_lives(settings), learning::Decay::no);
}

Float EventPooling::operator()(Float values, std::span<const std::uint16_t> kinds, std::span<const double> times,
                               std::span<const Index> offsets, const learning::TimedQueries& queries) const {
  Tape<float>& tape = values.tape();
  SeenEvents& seen = tape.kept<SeenEvents>();
  see(kinds, times, offsets, queries, seen);
  const auto of_kinds = [&](Float table) { return gather_rows(table, std::span<const Index>(seen.kinds)); };
  const auto drawn = [&](const learning::ParameterPlace& place) { return of_kinds(tape.parameter(place)); };
  const Float x = gather_rows(values, std::span<const Index>(seen.rows));
  const Float rate = multiply_row(exp(scale(tape.parameter(log_half_life_), -static_cast<float>(settings_.time_rate))),
                                  tape.input(decays_));
  const Float scores = subtract(add(drawn(preference_), multiply_column(drawn(sharpness_), x)),
                                multiply_column(of_kinds(rate), tape.input(seen.ages)));
  const Float events = add(drawn(embedding_), multiply_column(drawn(slope_), x));
  std::vector<Float> pooled;
  for (Index h = 0; h < static_cast<Index>(settings_.half_lives.size()); ++h)
    pooled.push_back(attention_pooling(events, take_columns(scores, h, 1), std::span<const Index>(seen.offsets)));
  return learning::join_columns<float>(pooled);
}

}  // namespace fovea::ehr::model
