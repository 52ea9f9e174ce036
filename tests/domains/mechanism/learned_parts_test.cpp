/// What the learned statements have in common: lessons, variables gathered piece by piece, numbers and figures.

#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/domains/mechanism/gathered.hpp"
#include "fovea/domains/mechanism/tasks/lessons.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::mechanism;

namespace {

/// Three sets of 2, 1 and 3 tokens with two columns.
tasks::ExampleSets three_sets() {
  tasks::ExampleSets sets;
  sets.offsets = {0, 2, 3, 6};
  sets.tokens.resize(6, 2);
  sets.tokens << 1, -2, 0.5f, 3, -1, 1, 2, 2, 0, -1, 4, 1;
  return sets;
}

struct LinearNetwork {
  learning::Parameters<float> parameters;
  learning::Linear<float> layer{parameters, "layer", 2, 2, Random(7)};
  tasks::Answers answers(const tasks::ExampleSets& sets) const {
    return tasks::answers_to(sets, [&](auto x, const auto&) { return layer(x); });
  }
};

double value_of(const learning::Parameters<float>& parameters, const tasks::Loss& loss,
                const std::vector<Index>& examples, float total) {
  learning::Tape<float> tape;
  tape.begin(&parameters, {});
  return static_cast<double>(loss(tape, examples, total).value()(0, 0));
}

}  // namespace

TEST_CASE("the losses of a lesson are those of its rows, in the order of the examples", "[mechanism][learning]") {
  const tasks::ExampleSets sets = three_sets();
  const LinearNetwork network;
  const tasks::Answers answers = network.answers(sets);
  const Matrix<float> x = tasks::examine(network.parameters, sets, answers);
  REQUIRE(x.rows() == 6);
  const std::vector<Index> classes{0, 1, 1, 0, 0, 1};
  const Matrix<float> numbers = sets.tokens.cwiseAbs() / 5;
  const auto rows = [&](Index e) { return static_cast<std::size_t>(sets.size(e)); };
  const auto classes_of = [&](Index e) { return std::span(classes).subspan(sets.begin(e), rows(e)); };
  const auto numbers_of = [&](Index e) {
    const float* const first = numbers.row(sets.begin(e)).data();
    return std::vector<float>(first, first + 2 * sets.size(e));
  };
  double squares = 0, logistic = 0, entropy = 0;
  for (const Index row : {3, 4, 5, 0, 1}) {
    for (Index c = 0; c < 2; ++c) {
      const double said = static_cast<double>(x(row, c)), wanted = static_cast<double>(numbers(row, c));
      squares += (said - wanted) * (said - wanted);
      logistic += std::log1p(std::exp(said)) - wanted * said;
    }
    const Index right = classes[row];
    entropy += std::log1p(std::exp(static_cast<double>(x(row, 1 - right)) - static_cast<double>(x(row, right))));
  }
  constexpr double kRounding = 1e-5;  // of sums of floats
  const std::vector<Index> some{2, 0};
  CHECK(value_of(network.parameters, tasks::squared_loss_of(answers, numbers_of), some, 2) ==
        Approx(squares / 2).epsilon(kRounding));
  CHECK(value_of(network.parameters, tasks::logistic_loss_of(answers, numbers_of), some, 2) ==
        Approx(logistic / 2).epsilon(kRounding));
  CHECK(value_of(network.parameters, tasks::cross_entropy_of(answers, classes_of), some, 2) ==
        Approx(entropy / 2).epsilon(kRounding));
}

TEST_CASE("the last examples of a problem choose the epoch", "[mechanism][learning]") {
  const learning::TrainingProblem problem = tasks::problem_of({5, 4, 3, 2, 1}, 2);
  CHECK(problem.tokens == std::vector<Index>{5, 4, 3, 2, 1});
  CHECK(problem.training == std::vector<Index>{0, 1, 2});
  CHECK(problem.validation == std::vector<Index>{3, 4});
}

TEST_CASE("gathered variables keep the order in which they were appended", "[mechanism]") {
  Gathered found;
  found.append("x", 1.0);
  found.append("x", std::vector<double>{2, 3});
  Matrix<float> rows(2, 2);
  rows << 4, 5, 6, 7;
  found.append("x", rows);
  CHECK(found.at("x") == std::vector<double>{1, 2, 3, 4, 5, 6, 7});
  Results results;
  add_numbers(results, "place", 3, 9, "1", "place");
  found.add_to(results, "x", {"place"}, "1", "numbers");
  CHECK(results.data.at("x").reals() == found.at("x"));
  CHECK(std::get<std::vector<std::int64_t>>(results.data.at("place").values).front() == 3);
  CHECK_THROWS_WITH(found.at("y"), "Gathered: there is no variable 'y'; append its values first.");
}

TEST_CASE("a headline comes with its mean and its standard error, a figure with its words", "[mechanism]") {
  Results results;
  add_headline(results, {.variable = "gap", .label = "Gap"}, {2.0, 0.5, 3}, "m", "the gap");
  CHECK(results.data.at("gap").reals().front() == 2.0);
  CHECK(results.data.at("gap").units == "m");
  CHECK(results.data.at("gap_error").reals().front() == 0.5);
  CHECK(results.headlines().front().half_width == "gap_error");
  show(results, {.variables = {"gap"}, .x = "place"}, "Title", "Caption.");
  CHECK(results.figures().front().name == "gap");
  CHECK(results.figures().front().title == "Title");
  CHECK(results.figures().front().caption == "Caption.");
}

TEST_CASE("shares count what is above, and guessing stays within its tolerance", "[mechanism]") {
  CHECK(share_above({1, 2, 3, 4}, 3.0) == 0.25);
  CHECK(share_above({1, 5, 3, 4}, std::vector<double>{0, 6, 3, 2}) == 0.5);
  CHECK(tolerance_of_guessing(0.5, 10000).size == Approx(3.29 * 0.005));
  CHECK(!tolerance_of_guessing(0.5, 10000).relative);
}
