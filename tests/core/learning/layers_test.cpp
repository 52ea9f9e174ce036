#include "fovea/core/learning/layers/class_heads.hpp"
#include "fovea/core/learning/layers/registry.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/learning/training/optimizer.hpp"
#include "fovea/tests/support/gradient_check.hpp"
#include "fovea/tests/support/odd_sum.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {
namespace {

/// Sets of 0, 1 and more tokens at irregular times, short enough for a wave's third derivative. patch_embedding takes
/// each row for an image.
Tokens example_tokens(std::vector<Index> offsets) {
  Tokens tokens;
  tokens.offsets = std::move(offsets);
  for (Index i = 0; i < tokens.count(); ++i)
    tokens.times.push_back(0.1 * static_cast<double>(i) + 0.03 * static_cast<double>(i % 3));
  tokens.coordinates.resize(tokens.count(), 2);
  for (Index i = 0; i < tokens.count(); ++i) {
    tokens.coordinates.row(i) << 0.3 * static_cast<double>((i * i) % 5), 0.2 * static_cast<double>(i % 4);
    tokens.weights.push_back(i % 4 == 2 ? 0 : 0.5 + 0.4 * static_cast<double>(i % 3));
  }
  tokens.periods = {1.5, 0};
  return tokens;
}
const std::vector<Index> kLayerOffsets{0, 3, 3, 4, 9};

/// A layer with its parameters off their start, where a forgotten term shows.
template <typename Real>
struct Example {
  Parameters<Real> parameters;
  LayerFunction<Real> layer;
  Matrix<Real> input;
  explicit Example(const LayerEntry<Real>& entry) : layer(entry.make(parameters, Random(7))) {
    const Random random = Random(11).stream("layer example");
    for (Index k = 0; k < parameters.size(); ++k)
      parameters.values()[k] += static_cast<Real>(0.4 * random.uniform(static_cast<std::uint64_t>(k)) - 0.2);
    input.resize(kLayerOffsets.back(), entry.columns);
    for (Index k = 0; k < input.size(); ++k)
      input.data()[k] = static_cast<Real>(2 * random.uniform(static_cast<std::uint64_t>(k), 1) - 1);
  }
};

template <typename Real>
struct LayerOutcome {
  Matrix<Real> result, input_gradient;
  std::vector<Real> gradients;
  Real loss = 0;
};

template <typename Real>
LayerOutcome<Real> use(Tape<Real>& tape, const Example<Real>& example, const Tokens& tokens, bool learn = true) {
  LayerOutcome<Real> outcome;
  outcome.gradients.assign(learn ? static_cast<std::size_t>(example.parameters.size()) : 0, Real(0));
  tape.begin(&example.parameters, outcome.gradients, {true, Random(5), 3});
  const Matrix<Real> input = example.input.topRows(tokens.count());
  const Variable<Real> x = learn ? tape.variable(input) : tape.input(input);
  const Variable<Real> y = example.layer(x, tokens), loss = fovea::test::odd_sum(y);
  outcome.result = y.value();
  outcome.loss = loss.data()[0];
  if (!learn) return outcome;
  tape.backward(loss);
  outcome.input_gradient = x.gradient_matrix();
  return outcome;
}

TEST_CASE("every layer: the gradients of its input and parameters agree with central differences",
          "[learning][layer][gradient]") {
  for (const LayerEntry<double>& entry : layers<double>()) {
    DYNAMIC_SECTION(entry.name) {
      Example<double> example(entry);
      Tape<double> tape;
      const Tokens tokens = example_tokens(kLayerOffsets);
      const auto analytic = use(tape, example, tokens);
      const auto loss = [&] { return use(tape, example, tokens).loss; };
      CHECK(fovea::test::gradient_error(example.input.data(), example.input.size(), analytic.input_gradient.data(),
                                        loss) < fovea::test::kGradientTolerance);
      for (const auto& parameter : example.parameters.entries()) {
        INFO(parameter.name);
        const Index begin = parameter.place.begin;
        CHECK(fovea::test::gradient_error(example.parameters.values().data() + begin, parameter.place.size(),
                                          analytic.gradients.data() + begin, loss) < fovea::test::kGradientTolerance);
      }
    }
  }
}

TEST_CASE("every layer: sets that come later in the batch change no bit", "[learning][layer][property]") {
  for (const LayerEntry<float>& entry : layers<float>()) {
    DYNAMIC_SECTION(entry.name) {
      const Example<float> example(entry);
      Tape<float> tape;
      const Tokens all_tokens = example_tokens(kLayerOffsets), some_tokens = example_tokens({0, 3, 3, 4});
      const auto all = use(tape, example, all_tokens), some = use(tape, example, some_tokens);
      CHECK(some.result == all.result.topRows(some.result.rows()));
      CHECK(some.input_gradient == all.input_gradient.topRows(some.input_gradient.rows()));
    }
  }
}

TEST_CASE("every layer: a pass without gradients gives the same bits", "[learning][layer]") {
  for (const LayerEntry<float>& entry : layers<float>()) {
    DYNAMIC_SECTION(entry.name) {
      const Example<float> example(entry);
      Tape<float> tape;
      const Tokens tokens = example_tokens(kLayerOffsets);
      CHECK(use(tape, example, tokens, false).result == use(tape, example, tokens).result);
    }
  }
}

TEST_CASE("every layer: the third pass takes no more memory than the second", "[learning][layer]") {
  for (const LayerEntry<float>& entry : layers<float>()) {
    DYNAMIC_SECTION(entry.name) {
      const Example<float> example(entry);
      Tape<float> tape;
      const Tokens tokens = example_tokens(kLayerOffsets);
      const auto first = use(tape, example, tokens);
      use(tape, example, tokens);
      const std::size_t held = tape.capacity();
      const auto third = use(tape, example, tokens);
      CHECK(tape.capacity() == held);
      CHECK(first.result == third.result);
      CHECK(first.gradients == third.gradients);
    }
  }
}

TEST_CASE("frozen parameters get no gradient, and the others the same", "[learning][layer]") {
  for (const LayerEntry<double>& entry : layers<double>()) {
    DYNAMIC_SECTION(entry.name) {
      Example<double> example(entry);
      if (example.parameters.entries().size() < 2) continue;
      Tape<double> tape;
      const Tokens tokens = example_tokens(kLayerOffsets);
      const auto all = use(tape, example, tokens);
      const auto& first = example.parameters.entries().front();
      example.parameters.set_learning(first.name, false);
      const auto rest = use(tape, example, tokens);
      for (Index k = 0; k < example.parameters.size(); ++k) {
        const bool frozen = k >= first.place.begin && k < first.place.begin + first.place.size();
        const std::size_t at = k;
        CHECK(rest.gradients[at] == (frozen ? 0.0 : all.gradients[at]));
      }
    }
  }
}

/// 100 sets of 20 events of two classes in 48 hours, asked at the end.
struct DatedSets {
  std::vector<Index> offsets{0}, query_offsets{0};
  std::vector<double> query_times;
  GroupedEvents events;
  Matrix<double> values;
  TimedQueries queries() const { return {query_offsets, query_times}; }
};

DatedSets dated_sets() {
  DatedSets sets;
  const Random random = Random(3).stream("dated sets");
  std::vector<double> times;
  std::vector<Index> classes;
  for (Index i = 0; i < 2000; ++i) {
    times.push_back(48 * random.uniform(static_cast<std::uint64_t>(i)));
    classes.push_back(i % 2);
    if (i % 20 != 19) continue;
    sets.offsets.push_back(i + 1);
    sets.query_times.push_back(48);
    sets.query_offsets.push_back(static_cast<Index>(sets.query_times.size()));
  }
  sets.events = group_by_class(sets.offsets, times, classes, 2);
  sets.values.resize(2000, 1);
  for (Index i = 0; i < 2000; ++i) sets.values(i, 0) = random.normal(static_cast<std::uint64_t>(i), 1);
  return sets;
}

TEST_CASE("class heads find the half-lives that made their targets", "[learning][layer]") {
  const DatedSets sets = dated_sets();
  const auto means_of = [](Variable<double> pooled) { return take_columns(reshape(pooled, 200, 3), 0, 1); };
  Parameters<double> parameters;
  const ClassHeads<double> heads(parameters, "heads", {2, {6}, {0}, {}, {}, true, false, false, 5});
  Tape<double> tape;
  Matrix<double> targets(200, 1);
  for (Index c = 0; c < 2; ++c) {  // class 0 by one half-life, class 1 by the other; each set has both
    Parameters<double> both;
    const ClassHeads<double> layer(both, "both", {2, {c == 0 ? 3.0 : 12.0}, {0}, {}, {}});
    tape.begin(&both, {});
    const auto means = means_of(layer(tape.input(sets.values), sets.events.view(), sets.queries()));
    for (Index b = 0; b < 100; ++b) targets(2 * b + c, 0) = means.value()(2 * b + c, 0);
  }
  Optimizer<double> optimizer(AdamW{}, parameters.size());
  std::vector<double> gradients(parameters.size());
  for (int step = 0; step < 1000; ++step) {
    std::fill(gradients.begin(), gradients.end(), 0.0);
    tape.begin(&parameters, gradients);
    const auto means = means_of(heads(tape.input(sets.values), sets.events.view(), sets.queries()));
    tape.backward(squared_loss<double>(means, targets, {}, 200));
    optimizer.step(parameters, gradients, 0.01 * std::pow(0.992, step));
  }
  const Matrix<double> found = heads.half_lives(parameters);
  CHECK(std::abs(found(0, 0) / 3 - 1) < 1e-3);  // exact targets: what is left is the last step
  CHECK(std::abs(found(1, 0) / 12 - 1) < 1e-3);
}

TEST_CASE("class heads: shared times are alike in all classes, and infinity is no decay", "[learning][layer]") {
  Parameters<float> parameters;
  const ClassHeads<float> shared(parameters, "shared", {3, {2, INFINITY}, {0, 1}, {}, {4}, true, true, true, 10});
  CHECK(parameters.at("shared.log_half_life").place.rows == 1);
  CHECK(parameters.at("shared.sharpness").place.rows == 3);
  CHECK(shared.columns() == 5);
  const Matrix<double> half_lives = shared.half_lives(parameters);
  CHECK((half_lives.rows() == 3 && std::isinf(half_lives(2, 1))));
  CHECK(std::abs(half_lives(2, 0) - 2) < 1e-6);
}

TEST_CASE("class heads refuse starts that are no times", "[learning][layer][errors]") {
  Parameters<float> parameters;
  const auto make = [&](const ClassHeadsSettings& settings) { ClassHeads<float>(parameters, "heads", settings); };
  CHECK_THROWS_WITH(make({2, {1, 2}, {0}, {}, {}}), "heads: there are 2 half-lives for 1 heads; each needs one.");
  CHECK_THROWS_WITH(make({2, {-1}, {0}, {}, {}}), "heads: one of the half-lives is -1, but must be > 0.");
  CHECK_THROWS_WITH(make({2, {INFINITY}, {0}, {1}, {}}),
                    "heads: one of the half-lives is inf, but must be > 0 and finite.");
  CHECK_THROWS_WITH(make({0, {1}, {0}, {}, {}}), "heads: there are 0 classes, but must be at least 1.");
}

}  // namespace
}  // namespace fovea::learning
