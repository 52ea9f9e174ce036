/// Maps against their truth: by hand, against scikit-learn (tests/golden/statistics/agreement.py), and by blocks.

#include "fovea/core/statistics/agreement/confusion.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kSameDouble = 1e-14;  // the same sums in another order

/// The map of agreement.py: class 3 of five is only predicted, class 4 is neither.
struct MadeMap {
  std::vector<Index> truth, predicted, blocks;
};
MadeMap made_map() {
  MadeMap made;
  for (Index i = 0; i < 60; ++i) {
    const Index t = (i * i + i / 7) % 3;
    made.truth.push_back(t);
    made.predicted.push_back(i % 4 != 0 ? t : (t + 1 + i % 3) % 4);
    made.blocks.push_back(100 - i / 6);
  }
  return made;
}

}  // namespace

TEST_CASE("confusion by hand: 6 right of 8, and what follows", "[statistics][confusion]") {
  const Confusion seen =
      confusion(std::vector<Index>{0, 0, 0, 0, 1, 1, 1, 1}, std::vector<Index>{0, 0, 0, 1, 1, 1, 1, 0}, 2);
  CHECK(seen.counts(0, 1) == 1);
  CHECK(seen.counts(1, 1) == 3);
  CHECK(seen.accuracy() == 0.75);
  CHECK(seen.kappa() == 0.5);  // by chance: half
  CHECK(seen.intersection(0) == 0.6);
  CHECK(seen.f1(1) == 0.75);
  Confusion uneven(2);
  uneven.add(0, 1, 3), uneven.add(0, 0, 1), uneven.add(1, 1, 4);
  CHECK(uneven.recall(0) == 0.25);
  CHECK(uneven.precision(0) == 1);
  CHECK(uneven.precision(1) == Approx(4.0 / 7).epsilon(kSameDouble));
  CHECK(uneven.intersection(1) == Approx(4.0 / 7).epsilon(kSameDouble));
}

TEST_CASE(
    "accuracy, kappa, F1 and mIoU are scikit-learn's, with a class that is only predicted and one that is nowhere",
    "[statistics][confusion]") {
  const MadeMap made = made_map();
  const Confusion seen = confusion(made.truth, made.predicted, 5);
  Matrix<double> counts = Matrix<double>::Zero(5, 5);
  counts.topLeftCorner(3, 4) << 15, 3, 2, 2, 1, 15, 1, 1, 2, 2, 15, 1;
  CHECK(seen.counts == counts);
  CHECK(seen.accuracy() == 0.75);
  CHECK(seen.kappa() == Approx(0.6376811594202898).epsilon(kSameDouble));
  CHECK(seen.macro_f1() == Approx(0.5822368421052632).epsilon(kSameDouble));
  CHECK(seen.mean_intersection() == Approx(0.4760869565217391).epsilon(kSameDouble));
  CHECK(seen.intersection(1) == Approx(0.6521739130434783).epsilon(kSameDouble));
  CHECK(seen.intersection(3) == 0);
  CHECK(std::isnan(seen.intersection(4)));
  CHECK(std::isnan(seen.recall(3)));
  CHECK_FALSE(seen.occurs(4));
}

TEST_CASE("no examples, or one class alone, have no kappa", "[statistics][confusion][limit]") {
  Confusion seen(3);
  CHECK(std::isnan(seen.accuracy()));
  CHECK(std::isnan(seen.macro_f1()));
  seen.add(2, 2, 7);
  CHECK(seen.accuracy() == 1);
  CHECK(seen.mean_intersection() == 1);
  CHECK(std::isnan(seen.kappa()));
}

TEST_CASE("blocks add up to the map, and their interval is that of drawing their pixels", "[statistics][confusion]") {
  const MadeMap made = made_map();
  const std::vector<Confusion> blocks = confusions_of_groups(made.truth, made.predicted, 5, made.blocks);
  REQUIRE(blocks.size() == 10);
  CHECK(blocks.front().total() == 6);
  CHECK(blocks.front().counts == confusion(std::span(made.truth).last(6), std::span(made.predicted).last(6), 5).counts);
  const Random random(3);
  const BootstrapSettings settings{.draws = 200, .kind = BootstrapKind::percentile};
  const BootstrapInterval quick = confusion_interval(blocks, &Confusion::kappa, random, settings);
  const BootstrapInterval plain = bootstrap_interval(
      60,
      [&](std::span<const Index> rows) {
        Confusion drawn(5);
        for (const Index i : rows) drawn.add(made.truth[i], made.predicted[i]);
        return drawn.kappa();
      },
      random, settings, made.blocks);
  CHECK(quick.estimate == plain.estimate);
  CHECK(quick.low == plain.low);
  CHECK(quick.high == plain.high);
  CHECK(quick.low < quick.estimate);
}

TEST_CASE("confusion says which class or count is wrong", "[statistics][confusion][fault]") {
  Confusion seen(3);
  CHECK(support::refusal_of<ArgumentError>([&] { seen.add(0, 3); }) ==
        "confusion: a class is 3, but must be in [0, 3).");
  CHECK_THROWS_AS(seen.add(-1, 0), ArgumentError);
  CHECK_THROWS_AS(seen.add(0, 0, std::nan("")), ArgumentError);
  CHECK_THROWS_AS(seen += Confusion(2), ArgumentError);
  CHECK_THROWS_AS(confusion(std::vector<Index>{0}, std::vector<Index>{}, 2), ArgumentError);
}
