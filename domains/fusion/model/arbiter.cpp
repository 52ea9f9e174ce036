#include "fovea/domains/fusion/model/arbiter.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fovea/core/attention/scores.hpp"
#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/normalized_rows.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::fusion::model {

namespace {

using learning::Tape;
using Float = learning::Variable<float>;

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

Float entropies(Float answers) {
  constexpr float kLeast = 1e-6F;  // keeps the logarithm finite
  const Float p = softmax_columns(answers), ones = answers.tape().constant(answers.columns(), 1);
  std::fill_n(ones.data(), answers.columns(), 1.0F);
  return scale(linear(multiply(p, log(scale(p, 1.0F, kLeast))), ones), -1.0F);
}

Arbiter::Arbiter(learning::Parameters<float>& parameters, const std::string& name, double first_sharpness)
    : log_sharpness_(parameters.add(name + ".log_sharpness",
                                    Matrix<float>::Constant(1, 1, static_cast<float>(std::log(first_sharpness))),
                                    learning::Decay::no)) {}

Arbitration Arbiter::operator()(const Statements& said, const BothSensors& sensors) const {
  Tape<float>& tape = said.answers[0].tape();
  const auto cases = static_cast<Index>(sensors[0].present.size());
  std::array<std::optional<Float>, kSensors> keys, values;
  std::array<const Present*, kSensors> there{};
  for (std::size_t s = 0; s < kSensors; ++s) {
    const std::array<Float, 2> value{said.answers[s], mark(tape, cases, static_cast<Index>(s))};
    there[s] = &cases_with(tape, sensors[s]);
    keys[s] = gather_rows(scale(said.doubts[s], -1.0F), std::span<const Index>(there[s]->cases));
    values[s] = gather_rows(learning::join_columns<float>(value), std::span<const Index>(there[s]->cases));
  }
  auto& spec = tape.kept<AttentionSpec<float>>();
  spec.score = {dot_product_score<float>(), {}};
  spec.modifiers.clear();
  spec.normalizer = nullptr;
  spec.heads = 1;
  spec.query_offsets.resize(cases + 1);
  for (Index b = 0; b <= cases; ++b) spec.query_offsets[b] = b;
  auto& offsets = tape.kept<std::vector<Index>>();
  offsets.resize(cases + 1);
  const learning::Offsets first(there[0]->offsets), second(there[1]->offsets);
  const Float all_keys = join_sets(*keys[0], first, *keys[1], second, offsets),
              all_values = join_sets(*values[0], first, *values[1], second, offsets);
  spec.key_offsets = offsets;
  Index* const same = tape.index_room(cases);
  std::fill_n(same, cases, Index{0});
  const Float queries = gather_rows(exp(tape.parameter(log_sharpness_)), std::span<const Index>(same, cases));
  const Float mixed = learning::attention<float>({queries, all_keys, all_values}, spec);
  const Index answers = said.answers[0].columns();
  return {take_columns(mixed, 0, answers), take_columns(mixed, answers, kSensors)};
}

}  // namespace fovea::fusion::model
