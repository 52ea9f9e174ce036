// Stacks thinned to windows of time, pixels as cases, and squares that are tested.

#include "fovea/domains/fusion/pixels/pixel_cases.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::fusion::pixels {

namespace {

namespace made = datasets::simulated::stacks;

made::CloudedStackPlan pixel_plan() {
  made::CloudedStackPlan plan;
  plan.rows = 12, plan.columns = 16, plan.field = 4, plan.dates = 12;
  return plan;
}

Composites hand_made() {
  Composites stack{"hand", 2, 3, {15}, {"VV", "VH"}, {"B04"}, {}, {}};
  stack.s1 = {
      (Matrix<float>(6, 2) << 0.1F, 0.01F, 0.1F, 0.01F, 0.1F, 0.01F, 0.1F, 0.01F, 0.1F, 0.01F, 1, 1).finished()};
  stack.s2 = {(Matrix<float>(6, 1) << 0.1F, 0.2F, 0.3F, 0.4F, static_cast<float>(kNan), 0.6F).finished()};
  return stack;
}

}  // namespace

TEST_CASE("windows of a stack hold the median of the clear dates and the mean intensity", "[fusion]") {
  const made::CloudedStackPlan plan = pixel_plan();
  const made::CloudedStack stack = made::clouded_stack(plan, Random(3));
  const Composites thinned = composites(plan, stack, 30);
  REQUIRE(thinned.days.size() == thinned.s2.size());
  REQUIRE(thinned.days.size() == thinned.s1.size());
  CHECK(thinned.days.front() == Approx(15));
  CHECK(thinned.days[1] - thinned.days[0] == Approx(30));
  for (const Index pixel : {Index{0}, Index{77}, plan.rows * plan.columns - 1}) {
    std::vector<float> red;
    double intensity = 0, dates = 0;
    for (std::size_t d = 0; d < stack.days.size(); ++d)
      if (stack.days[d] < 30 && stack.clear[d][pixel] != 0) red.push_back(stack.images[d](pixel, 2));
    for (std::size_t d = 0; d < stack.s1_days.size(); ++d)
      if (stack.s1_days[d] < 30) intensity += static_cast<double>(stack.s1[d](pixel, 1)), ++dates;
    std::sort(red.begin(), red.end());
    CHECK(static_cast<double>(thinned.s1[0](pixel, 1)) == Approx(intensity / dates).epsilon(1e-5));
    if (red.empty())
      CHECK(std::isnan(thinned.s2[0](pixel, 2)));
    else
      CHECK(static_cast<double>(thinned.s2[0](pixel, 2)) ==
            Approx((static_cast<double>(red[(red.size() - 1) / 2]) + static_cast<double>(red[red.size() / 2])) / 2));
  }
}

TEST_CASE("a mean about a pixel leaves out what is missing and what lies outside", "[fusion]") {
  const Composites stack = hand_made();
  CHECK(mean_about(stack, stack.s2[0], 0, 0, 0, 3) == Approx((0.1 + 0.2 + 0.4) / 3));
  CHECK(mean_about(stack, stack.s2[0], 1, 1, 0, 3) == Approx((0.1 + 0.2 + 0.3 + 0.4 + 0.6) / 5));
  CHECK(mean_about(stack, stack.s2[0], 1, 2, 0, 1) == Approx(0.6));
}

TEST_CASE("a pixel is a case of the windows that show it, with labels outside of guards", "[fusion]") {
  const std::vector<Part> parts{Part::training, Part::training, Part::guard, Part::test, Part::test, Part::validation};
  const auto reader = pixel_reader(hand_made(), {7, 9, 7, 0, 9, 7}, parts, {{"B04"}, {"7", "9"}, {3}, {2, 1, 0.5}});
  const study::Cases cases = study::read_all(*reader);
  REQUIRE(cases.count() == 6);
  CHECK(cases.ids[5] == "1_2");
  CHECK(cases.size(0) == 2);
  CHECK(cases.size(4) == 1);  // S2 does not show it
  CHECK(cases.targets[0] == 0);
  CHECK(cases.targets[1] == 1);
  CHECK(std::isnan(cases.targets[2]));
  CHECK(std::isnan(cases.targets[3]));
  CHECK(cases.parts[5] == "validation");
  const auto column = [&](const char* name) {
    const auto found = std::find_if(cases.features.begin(), cases.features.end(),
                                    [&](const study::Feature& one) { return one.name == name; });
    REQUIRE(found != cases.features.end());
    return found - cases.features.begin();
  };
  CHECK(static_cast<double>(cases.values(0, column("VH"))) == Approx(-20));
  CHECK(static_cast<double>(cases.values(1, column("B04 3x3"))) == Approx((0.1 + 0.2 + 0.4) / 3));
}

TEST_CASE("no pixel within the guard of a tested square is learned", "[fusion][property]") {
  const BlockRules rules{6, 2, 0.2};
  const Index rows = 29, columns = 31;
  const std::vector<Part> parts = block_parts(rows, columns, rules);
  Index learned = 0, validation = 0, test = 0;
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < columns; ++c) {
      const Part part = parts[r * columns + c];
      test += part == Part::test ? 1 : 0;
      validation += part == Part::validation ? 1 : 0;
      if (part != Part::training && part != Part::validation) continue;
      ++learned;
      for (Index i = std::max<Index>(0, r - 2); i <= std::min(rows - 1, r + 2); ++i)
        for (Index k = std::max<Index>(0, c - 2); k <= std::min(columns - 1, c + 2); ++k)
          REQUIRE(parts[i * columns + k] != Part::test);
    }
  CHECK(test > 200);
  CHECK(learned > 30);
  CHECK(validation > 0);
}

TEST_CASE("a model of pixels wants the bands that it learned", "[fusion]") {
  const std::string said = support::refusal_of<DataError>([] {
    static_cast<void>(pixel_reader(hand_made(), {}, {}, {{"B08"}, {"1", "2"}, {}, {}}));
  });
  CHECK(said.find("no band B08") != std::string::npos);
  Composites radar = hand_made();
  radar.s2.clear(), radar.s2_bands.clear();
  const study::Cases cases = study::read_all(*pixel_reader(std::move(radar), {}, {}, {{"B08"}, {"1", "2"}, {3}, {}}));
  CHECK(cases.tokens() == 6);
}

TEST_CASE("the shared stack gives a case a pixel, by its own split", "[fusion]") {
  const auto path = support::shared_data("fusion/wc_be_2018_31UDS.h5");
  if (!path) return;
  const datasets::rasters::Stack file{Place(path->string())};
  const Composites stack = composites(file, 30);
  CHECK(stack.rows == 64);
  CHECK(stack.s2_bands.size() == 10);
  const std::vector<Part> parts = given_parts(file.map("split"), {});
  const auto count = [&](Part part) { return std::count(parts.begin(), parts.end(), part); };
  CHECK(count(Part::test) > 1000);
  CHECK(count(Part::validation) > 100);
  CHECK(count(Part::training) > 4 * count(Part::validation));
}

}  // namespace fovea::fusion::pixels
