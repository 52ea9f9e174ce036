#include "fovea/core/study/ensemble/attended_tokens.hpp"

#include "fovea/core/study/cases/token_classes.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/tasks/toy_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {

TEST_CASE("the largest weights come first, and of equal ones the first", "[study][predict]") {
  const std::vector<double> weights{0.1, 0.3, 0.1, 0.3, 0.2};
  CHECK(largest_weights(weights, 4) == std::vector<Index>{1, 3, 4, 0});
  CHECK(largest_weights(weights, 9) == std::vector<Index>{1, 3, 4, 0, 2});
  CHECK(largest_weights({}, 2).empty());
}

TEST_CASE("attention to the tokens of a case sums to 1 and depends on the case alone", "[study][predict]") {
  const Study study(support::toy_task());
  const Config config = support::config_of(study, {"ensemble.members=2", "data.cases=20"});
  const Cases cases = until_ends(read_all(*study.task().open(config, Random(9))));
  const Target target = study.task().target(config);
  const Preparation preparation = prepare(cases, first_numbers(cases.count()), target);
  std::vector<Member> members = make_members(study.task(), config, shape_of(preparation, target), Random(4));
  const Matrix<float> inputs = prepared(preparation, cases);
  const std::vector<double> all = attention_of(members, cases, inputs, 8192);
  CHECK(all == attention_of(members, cases, inputs, 1));
  for (Index b = 0; b < cases.count(); ++b) {
    const auto first = cases.offsets[b];
    double sum = 0;
    for (Index i = 0; i < cases.size(b); ++i) sum += all[first + i];
    CHECK(std::abs(sum - 1) < 1e-9);
    const std::vector<double> alone =
        attention_of(members, selected(cases, {b}), inputs.middleRows(first, cases.size(b)), 100);
    CHECK(std::equal(alone.begin(), alone.end(), all.begin() + first));
  }
}

}  // namespace fovea::study
