#include "fovea/domains/ehr/model/heads_model.hpp"

#include "fovea/core/study/ensemble/fitting.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::ehr::model {
namespace {

constexpr Index kTokens = 1000;

/// Cases of two classes, "a" with values and "b" without, asked at hour 10.
study::Cases some_cases(Index count, const Random& random) {
  study::Cases cases;
  cases.features = {{"value", "1", {}}};
  cases.classes = {"a", "b"};
  cases.time_unit = "h";
  std::vector<float> values;
  for (Index b = 0; b < count; ++b) {
    const auto entity = static_cast<std::uint64_t>(b);
    const Index of_a = static_cast<Index>(random.below(6, entity, 0)),
                of_b = static_cast<Index>(random.below(3, entity, 1));
    for (Index i = 0; i < of_a + of_b; ++i) {
      cases.kinds.push_back(i < of_a ? 0 : 1);
      cases.times.push_back(1.5 * static_cast<double>(i < of_a ? i : i - of_a) + random.uniform(entity, 2));
      values.push_back(i < of_a ? static_cast<float>(random.normal(entity, static_cast<std::uint64_t>(i + 3))) : NAN);
    }
    cases.offsets.push_back(static_cast<Index>(values.size()));
    cases.ends.push_back(10);
    cases.targets.push_back(b % 2 == 0 ? 0 : 1);
    cases.ids.push_back(concat("case ", b));
  }
  cases.values = Eigen::Map<Matrix<float>>(values.data(), static_cast<Index>(values.size()), 1);
  return cases;
}

std::vector<Index> all_of(const study::Cases& cases) {
  std::vector<Index> items;
  for (Index b = 0; b < cases.count(); ++b) items.push_back(b);
  return items;
}

struct Made {
  study::Cases cases;
  study::Target target{};
  study::Preparation preparation;
  Matrix<float> inputs;
  study::Member member;
  study::StudyModel* model = nullptr;

  Made(const HeadsModelSettings& settings, Index count) : cases(some_cases(count, Random(3))) {
    preparation = study::prepare(cases, all_of(cases), target);
    inputs = study::prepared(preparation, cases);
    auto made = make_heads_model(settings, study::shape_of(preparation, target), member.parameters, Random(5));
    model = made.get();
    member.model = std::move(made);
  }
  Matrix<double> outputs(const study::Cases& of, const std::vector<Index>& items,
                         std::span<const double> at = {}) const {
    return study::outputs_of(member, target, of, study::prepared(preparation, of), items, kTokens, at);
  }
};

/// One head with a half-life of 4 hours, one mass, no mixing layers: columns a: mean, mass, age, log(1 + n), then b.
HeadsModelSettings plain_settings() {
  HeadsModelSettings settings;
  settings.half_lives = {4};
  settings.whole = settings.squares = false;
  settings.sharpness = 0;
  settings.mass_half_lives = {8};
  settings.hidden = {};
  return settings;
}

TEST_CASE("a model of one head is the weighted mean, the mass, the age and the number of each variable",
          "[ehr][model][twin]") {
  const Made made(plain_settings(), 7);
  const Matrix<double> outputs = made.outputs(made.cases, all_of(made.cases));
  const auto& parameters = made.member.parameters;
  const auto weight = [&](const char* name, Index row) {
    return static_cast<double>(parameters.matrix(parameters.at(name).place)(row, 0));
  };
  for (Index b = 0; b < made.cases.count(); ++b) {
    double expected = weight("answer.bias", 0) + weight("linear.bias", 0);
    for (Index kind = 0; kind < 2; ++kind) {
      double sum = 0, total = 0, mass = 0, age = 0, count = 0;
      for (Index i = made.cases.offsets[b]; i < made.cases.offsets[b + 1]; ++i) {
        if (made.cases.kinds[i] != kind) continue;
        age = 10 - made.cases.times[i];
        sum += std::exp2(-age / 4) * static_cast<double>(made.inputs(i, 0));
        total += std::exp2(-age / 4);
        mass += std::exp2(-age / 8);
        ++count;
      }
      const double columns[] = {count > 0 ? sum / total : 0, std::log1p(mass), age, std::log1p(count)};
      for (Index c = 0; c < 4; ++c)
        expected += columns[c] * (weight("answer.weight", 4 * kind + c) + weight("linear.weight", 4 * kind + c));
    }
    CHECK(std::abs(outputs(b, 0) - expected) < 1e-5);
  }
}

TEST_CASE("before it learns, the columns of the training part are given mean 0 and deviation 1", "[ehr][model]") {
  Made made(plain_settings(), 40);
  const auto batch = [&](learning::Tape<float>& tape, std::span<const Index> items) {
    auto& tokens = tape.kept<learning::Tokens>();
    auto& kinds = tape.kept<std::vector<std::uint16_t>>();
    auto& ends = tape.kept<std::vector<double>>();
    const study::Cases some = study::selected(made.cases, {items.begin(), items.end()});
    tokens.offsets = some.offsets;
    tokens.times = some.times;
    kinds = some.kinds;
    ends = some.ends;
    const auto x = tape.constant(some.tokens(), 2);
    x.value() = study::prepared(made.preparation, some);
    return study::Batch{x, &tokens, kinds, ends, {}, items};
  };
  made.model->look(made.member.parameters, {all_of(made.cases)}, batch);
  auto& parameters = made.member.parameters;
  parameters.matrix(parameters.at("linear.bias").place).setZero();
  parameters.matrix(parameters.at("linear.weight").place).setZero();
  parameters.matrix(parameters.at("answer.bias").place).setZero();
  for (Index column = 0; column < 8; ++column) {
    auto weights = parameters.matrix(parameters.at("answer.weight").place);
    weights.setZero();
    weights(column, 0) = 1;
    const Matrix<double> z = made.outputs(made.cases, all_of(made.cases));
    const double mean = z.mean(), squares = z.squaredNorm() / static_cast<double>(z.rows());
    CHECK(std::abs(mean) < 1e-5);
    CHECK((std::abs(squares - 1) < 1e-4 || z.squaredNorm() == 0));  // of the class without values: its mean is 0
    CHECK((column == 4) == (z.squaredNorm() == 0));
  }
}

TEST_CASE("a case asked at a time does not see what comes later", "[ehr][model]") {
  const Made made(HeadsModelSettings{}, 12);
  const std::vector<double> at{3, 10};
  const Matrix<double> asked = made.outputs(made.cases, all_of(made.cases), at);
  const Matrix<double> ended = made.outputs(made.cases, all_of(made.cases));
  study::Cases changed = made.cases;
  for (Index i = 0; i < changed.tokens(); ++i)
    if (changed.times[i] > 3 && changed.kinds[i] == 0) changed.values(i, 0) = -7;
  const Matrix<double> other = made.outputs(changed, all_of(changed), at);
  bool differs = false;
  for (Index b = 0; b < made.cases.count(); ++b) {
    CHECK(asked(2 * b + 1, 0) == ended(b, 0));
    CHECK(other(2 * b, 0) == asked(2 * b, 0));
    differs = differs || other(2 * b + 1, 0) != asked(2 * b + 1, 0);
  }
  CHECK(differs);
}

TEST_CASE("a case has the same bits alone and among others", "[ehr][model][twin]") {
  for (const Kernel kernel : {Kernel::exponential, Kernel::power_law, Kernel::fixed, Kernel::shared, Kernel::none}) {
    HeadsModelSettings settings;
    settings.kernel = kernel;
    const Made made(settings, 9);
    const Matrix<double> together = made.outputs(made.cases, all_of(made.cases));
    for (Index b = 0; b < made.cases.count(); ++b) CHECK(made.outputs(made.cases, {b})(0, 0) == together(b, 0));
  }
}

TEST_CASE("what a kernel says of its half-lives holds", "[ehr][model]") {
  const auto learns = [](Kernel kernel) {
    HeadsModelSettings settings;
    settings.kernel = kernel;
    const Made made(settings, 4);
    return made.member.parameters.at(kernel == Kernel::power_law ? "heads.log_scale" : "heads.log_half_life");
  };
  CHECK(learns(Kernel::exponential).learns);
  CHECK(learns(Kernel::exponential).place.rows == 2);
  CHECK(learns(Kernel::shared).place.rows == 1);
  CHECK_FALSE(learns(Kernel::fixed).learns);
  CHECK_FALSE(learns(Kernel::none).learns);
  HeadsModelSettings none;
  none.kernel = Kernel::none;
  const Made made(none, 4);
  CHECK((made.member.parameters.matrix(learns(Kernel::none).place).array() > std::log(1e9F)).all());
}

}  // namespace
}  // namespace fovea::ehr::model
