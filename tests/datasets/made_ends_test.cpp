/// Made ends: what is known of them is what they are.

#include "fovea/datasets/simulated/made_ends.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::datasets::simulated {
namespace {

/// Many records of two risks, in turns.
std::vector<double> two_risks(std::size_t count) {
  std::vector<double> risks;
  for (std::size_t i = 0; i < count; ++i) risks.push_back(i % 2 == 0 ? 0.2 : 0.7);
  return risks;
}

TEST_CASE("made ends come as often as their known incidence says", "[simulated][statistics]") {
  constexpr std::size_t kRecords = 20000;
  EndsPlan plan;
  plan.lost = 0;
  const MadeEnds made = made_ends(two_risks(kRecords), plan, Random(7));
  for (const std::size_t kind : {0, 1})
    for (Index t = 0; t < 5; ++t)
      for (Index k = 0; k < 2; ++k) {
        double came = 0;
        for (std::size_t i = kind; i < kRecords; i += 2)
          came += made.ends[i] == static_cast<double>(k + 1) && made.times[i] <= static_cast<double>(t + 1) ? 1 : 0;
        const double known = made.incidence(static_cast<Index>(kind), 2 * t + k);
        // 20 comparisons: four standard errors of 10,000 records.
        CHECK(std::abs(came / (kRecords / 2) - known) < 4 * std::sqrt(known * (1 - known) / (kRecords / 2)));
      }
}

TEST_CASE("the larger risk ends sooner, and the lost are lost at their rate", "[simulated]") {
  EndsPlan plan;
  const MadeEnds made = made_ends(two_risks(4), plan, Random(1));
  CHECK(made.incidence(1, 8) > 2 * made.incidence(0, 8));
  plan.rates = {-30, -30}, plan.lost = 0.2;
  const MadeEnds lost = made_ends(two_risks(8000), plan, Random(2));
  double gone = 0;
  for (std::size_t i = 0; i < 8000; ++i) {
    REQUIRE(lost.ends[i] == 0);
    gone += lost.times[i] < 5 ? 1.0 / 8000 : 0;
  }
  CHECK(std::abs(gone - (1 - std::exp(-1.0))) < 4 * std::sqrt(0.63 * 0.37 / 8000));
}

TEST_CASE("a plan of ends without slopes is refused", "[simulated][errors]") {
  EndsPlan plan;
  plan.slopes.pop_back();
  CHECK(support::refusal_of<ArgumentError>([&] { made_ends(two_risks(2), plan, Random(1)); }) ==
        "made_ends: there are 2 rates and 1 slopes; each end needs one of both.");
  CHECK(support::refusal_of<ArgumentError>([&] { made_ends(std::vector<double>{1.0}, EndsPlan{}, Random(1)); }) ==
        "made_ends: a risk is 1, but must be in (0, 1).");
}

}  // namespace
}  // namespace fovea::datasets::simulated
