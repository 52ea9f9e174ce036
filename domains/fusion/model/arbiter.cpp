#include "fovea/domains/fusion/model/arbiter.hpp"

#include <algorithm>
#include <optional>

#include "fovea/core/attention/scores.hpp"
#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::fusion::model {

namespace {

using learning::Tape;
using Float = learning::Variable<float>;

constexpr Index kKeyColumns = 8;

Float column_of(Tape<float>& tape, const std::vector<float>& numbers) {
  const Float column = tape.constant(static_cast<Index>(numbers.size()), 1);
  std::copy(numbers.begin(), numbers.end(), column.data());
  return column;
}

/// In which column of the trust a sensor's weight is found.
Float mark(Tape<float>& tape, Index rows, Index sensor) {
  const Float marks = tape.constant(rows, kSensors);
  for (Index i = 0; i < rows; ++i)
    for (Index s = 0; s < kSensors; ++s) marks.data()[i * kSensors + s] = s == sensor ? 1.0F : 0.0F;
  return marks;
}

/// The cases in which a sensor is there, and sets of one row or none.
struct Present {
  std::vector<Index> cases, offsets;
};

const Present& cases_with(Tape<float>& tape, const SensorTokens& sensor) {
  Present& there = tape.kept<Present>();
  there.cases.clear();
  there.offsets.assign(1, 0);
  for (std::size_t b = 0; b < sensor.present.size(); ++b) {
    if (sensor.present[b] > 0) there.cases.push_back(static_cast<Index>(b));
    there.offsets.push_back(static_cast<Index>(there.cases.size()));
  }
  return there;
}

}  // namespace

Arbiter::Arbiter(learning::Parameters<float>& parameters, const std::string& name, Index features, const Random& random)
    : token_{learning::Linear<float>(parameters, name + ".s1", 2 * features + 1, features, random.stream("s1")),
             learning::Linear<float>(parameters, name + ".s2", 2 * features + 1, features, random.stream("s2"))},
      key_(parameters, name + ".key", features, kKeyColumns, random),
      query_(parameters.add(name + ".query", learning::normal_start<float>(1, kKeyColumns, 1, random, name + ".query"),
                            learning::Decay::no)) {}

Arbitration Arbiter::operator()(const Statements& said, const BothSensors& sensors) const {
  Tape<float>& tape = said.features[0].tape();
  const auto cases = static_cast<Index>(sensors[0].present.size());
  std::array<std::optional<Float>, kSensors> keys, values;
  std::array<const Present*, kSensors> there{};
  for (std::size_t s = 0; s < kSensors; ++s) {
    const std::size_t other = 1 - s;
    const Float other_is_there = column_of(tape, sensors[other].present);
    const std::array<Float, 3> seen{said.features[s], multiply_column(said.features[other], other_is_there),
                                    other_is_there};
    const Float key = key_(gelu(token_[s](learning::join_columns<float>(seen))));
    const std::array<Float, 2> value{said.answers[s], mark(tape, cases, static_cast<Index>(s))};
    there[s] = &cases_with(tape, sensors[s]);
    keys[s] = gather_rows(key, std::span<const Index>(there[s]->cases));
    values[s] = gather_rows(learning::join_columns<float>(value), std::span<const Index>(there[s]->cases));
  }
  auto& spec = tape.kept<AttentionSpec<float>>();
  spec.score = {dot_product_score<float>(), {}};
  spec.modifiers.clear();
  spec.normalizer = nullptr;
  spec.heads = 1;
  spec.query_offsets.resize(static_cast<std::size_t>(cases) + 1);
  for (Index b = 0; b <= cases; ++b) spec.query_offsets[static_cast<std::size_t>(b)] = b;
  auto& offsets = tape.kept<std::vector<Index>>();
  offsets.resize(static_cast<std::size_t>(cases) + 1);
  const learning::Offsets first(there[0]->offsets), second(there[1]->offsets);
  const Float all_keys = join_sets(*keys[0], first, *keys[1], second, offsets),
              all_values = join_sets(*values[0], first, *values[1], second, offsets);
  spec.key_offsets = offsets;
  Index* const same = tape.index_room(cases);
  std::fill_n(same, cases, Index{0});
  const Float queries =
      gather_rows(tape.parameter(query_), std::span<const Index>(same, static_cast<std::size_t>(cases)));
  const Float mixed = learning::attention<float>({queries, all_keys, all_values}, spec);
  const Index answers = said.answers[0].columns();
  return {take_columns(mixed, 0, answers), take_columns(mixed, answers, kSensors)};
}

}  // namespace fovea::fusion::model
