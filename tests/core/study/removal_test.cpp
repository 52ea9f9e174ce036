#include "fovea/core/learning/explanation.hpp"
#include "fovea/core/study/cases/token_classes.hpp"
#include "fovea/core/study/ensemble/explanation.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/record_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

/// Records with times, classes and a random model of two members.
struct RemovalCase {
  Cases cases;
  Target target;
  Matrix<float> inputs;
  std::vector<Member> members;

  RemovalCase() {
    const Study study(support::record_task());
    const Config config = support::config_of(study, {"ensemble.members=2", "data.cases=10"});
    cases = until_ends(read_all(*study.task().open(config, Random(9))));
    target = study.task().target(config);
    const Preparation preparation = prepare(cases, first_numbers(cases.count()), target);
    inputs = prepared(preparation, cases);
    members = make_members(study.task(), config, shape_of(preparation, target), Random(4));
  }
  double answer(const Cases& some, const Matrix<float>& x, Index item) const {
    double sum = 0;
    for (const Member& member : members) sum += outputs_of(member, target, some, x, {item}, 100)(0, 0);
    return sum / 2;
  }
  std::vector<Index> tokens_of(Index item) const { return first_numbers(cases.size(item)); }
};

}  // namespace

TEST_CASE("a removed token is out of its set, as if the case had never had it", "[study][explain][twin]") {
  RemovalCase made;
  for (const bool with_ends : {true, false}) {
    if (!with_ends) made.cases.ends.clear();
    for (Index item = 0; item < made.cases.count(); ++item) {
      const std::vector<Index> tokens = made.tokens_of(item);
      const std::vector<double> removals = removals_of(made.members, made.cases, made.inputs, item, tokens);
      for (const Index token : tokens) {
        Cases without = made.cases;
        const Index row = made.cases.offsets[item] + token;
        if (!with_ends && token + 1 == std::ssize(tokens)) continue;  // its case would be asked earlier
        for (std::size_t b = static_cast<std::size_t>(item) + 1; b < without.offsets.size(); ++b) --without.offsets[b];
        without.times.erase(without.times.begin() + row);
        without.kinds.erase(without.kinds.begin() + row);
        Matrix<float> x(made.inputs.rows() - 1, made.inputs.cols());
        x << made.inputs.topRows(row), made.inputs.bottomRows(made.inputs.rows() - row - 1);
        const double change = made.answer(made.cases, made.inputs, item) - made.answer(without, x, item);
        CHECK(removals[static_cast<std::size_t>(token)] == Approx(change).margin(1e-12));
      }
    }
  }
}

TEST_CASE("a token of zeros still takes attention, which removal sees and deletion does not", "[study][explain]") {
  RemovalCase made;
  made.inputs.row(made.cases.offsets[2] + 1).setZero();
  const std::vector<Index> one{1};
  CHECK(std::abs(removals_of(made.members, made.cases, made.inputs, 2, one)[0]) > 1e-3);
  learning::Tape<float> tape;
  learning::Tokens tokens;
  const Index first = made.cases.offsets[2], size = made.cases.size(2);
  tokens.offsets = {0, size};
  tokens.times.assign(made.cases.times.begin() + first, made.cases.times.begin() + first + size);
  const std::vector<std::uint16_t> kinds(made.cases.kinds.begin() + first, made.cases.kinds.begin() + first + size);
  const Member& member = made.members[0];
  const Matrix<float> x = made.inputs.middleRows(first, size), nothing = Matrix<float>::Zero(size, x.cols());
  const auto answer = [&](learning::Variable<float> inputs) {
    return member.model->outputs(inputs.tape(), {inputs, &tokens, kinds}, nullptr);
  };
  CHECK(learning::deletion<float>(tape, member.parameters, answer, x, nothing)[1] == 0);
}

TEST_CASE("removal asks for tokens that are there, and has an answer for the last one", "[study][explain][error]") {
  RemovalCase made;
  const std::vector<Index> none{made.cases.size(0)}, first{0};
  CHECK(support::refusal_of<ArgumentError>([&] { removals_of(made.members, made.cases, made.inputs, 0, none); }) ==
        concat("removals_of: there is no token ", none[0], " in a case of ", none[0], '.'));
  Cases alone = selected(made.cases, {0});
  alone.offsets = {0, 1};
  alone.times.resize(1), alone.kinds.resize(1);
  CHECK(std::isfinite(removals_of(made.members, alone, made.inputs.topRows(1), 0, first)[0]));
}

TEST_CASE("gradient shares are the slopes of the answer times the inputs", "[study][explain][gradient]") {
  const RemovalCase made;
  const Index item = 0, first = made.cases.offsets[item];
  const std::vector<double> shares = gradient_shares_of(made.members, made.cases, made.inputs, item);
  for (const Index token : made.tokens_of(item)) {
    constexpr float kStep = 1e-2F;  // of float outputs: rounding 1e-7 / step, curvature step^2
    double slopes = 0;
    for (Index c = 0; c < made.inputs.cols(); ++c) {
      Matrix<float> up = made.inputs, down = made.inputs;
      up(first + token, c) += kStep, down(first + token, c) -= kStep;
      slopes += static_cast<double>(made.inputs(first + token, c)) *
                (made.answer(made.cases, up, item) - made.answer(made.cases, down, item)) /
                (2 * static_cast<double>(kStep));
    }
    CHECK(std::abs(shares[token] - slopes) < 2e-3);
  }
}

}  // namespace fovea::study
