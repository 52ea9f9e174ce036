#include "fovea/core/statistics/decisions.hpp"

#include "fovea/core/statistics/metrics.hpp"
#include "fovea/tests/support/test.hpp"

TEST_CASE("AUROC, average precision and event 1 of a small sample with ties are those worked out by hand",
          "[statistics][decisions]") {
  const std::vector<double> risks{0.5, 0.9, 0.8, 0.3, 0.8, 0.1, 0.3};
  const std::vector<Index> outcomes{1, 1, 0, 0, 1, 0, 0};
  // descending: 0.9 (1); 0.8 (1, 0); 0.5 (1); 0.3 (0, 0); 0.1 (0)
  // pairs: 0.9 beats 4; 0.8 beats 3 and ties one; 0.5 beats 3: 10.5 of 12
  CHECK(std::abs(auroc(risks, outcomes) - 10.5 / 12) < 1e-15);
  // recall and precision: 1/3, 1; 2/3, 2/3; 1, 3/4
  CHECK(std::abs(average_precision(risks, outcomes) - (1 + 2.0 / 3 + 0.75) / 3) < 1e-15);
  CHECK(balanced_threshold(risks, outcomes) == 0.8);
  const DecisionCounts counts = decide(risks, outcomes, 0.8);
  CHECK((counts.true_positive == 2 && counts.false_positive == 1 && counts.false_negative == 1));
  CHECK(counts.true_negative == 3);
  CHECK(std::abs(counts.event_1() - 2.0 / 3) < 1e-15);
  CHECK(std::abs(decide(risks, outcomes, 0.85).event_1() - 1.0 / 3) < 1e-15);
  CHECK(decide(risks, outcomes, 0.5).event_1() == 0.75);  // the best in hindsight is not the balanced one
}

TEST_CASE("where equal risks step over the balance, the side with the larger event 1 is taken",
          "[statistics][decisions]") {
  const std::vector<double> over{0.9, 0.8, 0.8, 0.8, 0.3, 0.3};
  CHECK(balanced_threshold(over, std::vector<Index>{1, 1, 0, 0, 1, 0}) == 0.8);  // 1/3 before, 2/4 behind
  const std::vector<double> before{0.9, 0.8, 0.5, 0.5, 0.5, 0.5};
  CHECK(balanced_threshold(before, std::vector<Index>{1, 1, 0, 1, 0, 0}) == 0.8);  // 2/3 before, 3/6 behind
  CHECK(balanced_threshold(before, std::vector<Index>(6)) == INFINITY);
  CHECK(balanced_threshold(before, std::vector<Index>(6, 1)) == 0.5);
  CHECK(balanced_threshold(std::vector<double>(4, 0.2), std::vector<Index>{0, 1, 0, 0}) == 0.2);
}

TEST_CASE("no threshold between two risks is more balanced than the balanced one", "[statistics][decisions][twin]") {
  const Random random = Random(5).stream("decisions");
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    std::vector<double> risks;
    std::vector<Index> outcomes;
    for (std::uint64_t i = 0; i < 1 + trial % 30; ++i) {
      risks.push_back(std::floor(8 * random.uniform(i, 2 * trial)) / 8);
      outcomes.push_back(random.uniform(i, 2 * trial + 1) < 0.4 ? 1 : 0);
    }
    const DecisionCounts at = decide(risks, outcomes, balanced_threshold(risks, outcomes));
    const Index happened = at.true_positive + at.false_negative, called = at.true_positive + at.false_positive;
    for (const double other : risks) {
      const DecisionCounts there = decide(risks, outcomes, other);
      const Index as_many = there.true_positive + there.false_positive;
      if (as_many == happened) CHECK(called == happened);
      const bool beside = (as_many < happened) ? (called > happened) : (called < happened);
      if (called != happened && !beside && as_many < happened) CHECK(as_many <= called);
    }
  }
}

TEST_CASE("nothing called and nothing happened are decided", "[statistics][decisions][limit]") {
  const std::vector<double> risks{0.2, 0.4};
  const DecisionCounts none = decide(risks, std::vector<Index>{1, 0}, 0.5);
  CHECK(none.event_1() == 0);
  CHECK(std::isnan(none.positive_predictive_value()));
  CHECK(std::isnan(decide(risks, std::vector<Index>{0, 0}, 0.1).event_1()));
  CHECK_THROWS_AS(decide(risks, std::vector<Index>{0}, 0.1), ArgumentError);
  CHECK_THROWS_AS(decide(std::vector<double>{std::nan("")}, std::vector<Index>{0}, 0.1), ArgumentError);
}

TEST_CASE("event 2 is the range-normalised H of lemeshow.m: the rest is dropped, ties stay in order",
          "[statistics][decisions]") {
  const std::vector<double> risks{0.9, 0.2, 0.1, 0.3, 0.5, 0.7, 0.6};
  const std::vector<Index> outcomes{1, 0, 0, 1, 1, 1, 0};
  // groups 0.1 0.2 0.3 (1 of 0.6 expected) and 0.5 0.6 0.7 (2 of 1.8); 0.9 is left over
  const double h = 0.16 / (0.6 * 0.8 + 0.001) + 0.04 / (1.8 * 0.4 + 0.001);
  const HosmerLemeshow test = hosmer_lemeshow(risks, outcomes, 2);
  CHECK(std::abs(test.h - h) < 1e-14);
  CHECK(std::abs(test.range - 0.4) < 1e-15);
  CHECK(std::abs(test.event_2 - h / 0.4) < 1e-13);
  // 0.1, 0.2 | 0.2, 0.6: the first 0.2 goes into the first group
  const std::vector<double> tied{0.2, 0.6, 0.2, 0.1};
  const double first = 0.49 / (0.3 * 0.85 + 0.001), second = 0.04 / (0.8 * 0.6 + 0.001);
  CHECK(std::abs(hosmer_lemeshow(tied, std::vector<Index>{1, 1, 0, 0}, 2).h - (first + second)) < 1e-14);
  CHECK_THROWS_WITH(hosmer_lemeshow(tied, std::vector<Index>(4), 5),
                    "hosmer_lemeshow: groups = 5 for 4 examples; there must be at least two, and an example for each.");
  CHECK_THROWS_AS(hosmer_lemeshow(std::vector<double>{0.1, 1.1}, std::vector<Index>(2), 2), ArgumentError);
}
