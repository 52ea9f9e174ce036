#include "fovea/core/study/ensemble/fitting.hpp"

#include "fovea/core/base/missing.hpp"
#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

/// What a model was shown before it learned.
struct Shown {
  std::vector<Index> items;
  std::vector<double> targets, weights;
  Index tokens = 0;
};

/// Its outputs are a linear part of each token.
class ShownModel final : public StudyModel {
 public:
  ShownModel(Shown& shown, const ModelShape& shape, learning::Parameters<float>& parameters)
      : shown_(shown), linear_(parameters, "linear", shape.inputs, shape.outputs, Random(3)) {}
  learning::Variable<float> outputs(learning::Tape<float>&, const Batch& batch,
                                    learning::Variable<float>*) const override {
    return linear_(batch.x);
  }
  void look(learning::Parameters<float>& parameters, const TrainingPart& training,
            const BatchMaker& batch) const override {
    learning::Tape<float> tape;
    tape.begin(&parameters, {});
    shown_ = {{training.items.begin(), training.items.end()},
              {training.targets.begin(), training.targets.end()},
              {training.weights.begin(), training.weights.end()},
              batch(tape, training.items).tokens->count()};
  }

 private:
  Shown& shown_;
  learning::Linear<float> linear_;
};

/// Five cases of 1, 2, 1, 2, 1 tokens.
Cases few_cases() {
  Cases cases;
  cases.features = {{"x", "1", {}}};
  cases.offsets = {0, 1, 3, 4, 6, 7};
  cases.ids = {"a", "b", "c", "d", "e"};
  cases.values = Matrix<float>::Random(7, 1);
  return cases;
}

Shown shown_of(const Cases& cases, const Target& target, const Split& split) {
  Shown shown;
  const Preparation preparation = prepare(cases, split.training, target);
  std::vector<Member> members(1);
  members[0].model = std::make_unique<ShownModel>(shown, shape_of(preparation, target), members[0].parameters);
  support::StoppingBench bench;
  learning::TrainingSeries series(bench, 1);
  fit_members(members, "m", target, preparation, cases, prepared(preparation, cases), split, {.epochs = 1}, Random(1),
              series);
  return shown;
}

}  // namespace

TEST_CASE("before it learns, a model sees the targets and weights of its training part alone", "[study][model]") {
  Cases cases = few_cases();
  cases.targets = {0, kNan, 1, 1, 0, 1, 1};
  cases.weights = {1, 1, 2, 1, 0.5, 1, 1};
  const Target target{.level = TargetLevel::per_token, .classes = {"no", "yes"}};
  const Shown shown = shown_of(cases, target, {{0, 1, 3}, {}, {2, 4}});
  CHECK(shown.items == std::vector<Index>{0, 1, 3});
  REQUIRE(shown.targets.size() == 5);
  CHECK(std::isnan(shown.targets[1]));
  CHECK((shown.targets[0] == 0 && shown.targets[2] == 1 && shown.targets[3] == 0 && shown.targets[4] == 1));
  CHECK(shown.weights == std::vector<double>{1, 0, 2, 0.5, 1});
  CHECK(shown.tokens == 5);
}

TEST_CASE("before it learns, a model sees numbers in standard deviations of its training part", "[study][model]") {
  Cases cases = few_cases();
  cases.offsets = {0, 1, 2, 3, 4, 7};
  cases.targets = {10, 30, kNan, 500, 7};
  const Target target{.kind = TargetKind::number, .classes = {}};
  const Shown shown = shown_of(cases, target, {{0, 1, 2}, {}, {3, 4}});
  CHECK(shown.items == std::vector<Index>{0, 1});  // what has no target teaches nothing
  CHECK(shown.targets == std::vector<double>{-1, 1});
  CHECK(shown.weights == std::vector<double>{1, 1});
}

}  // namespace fovea::study
