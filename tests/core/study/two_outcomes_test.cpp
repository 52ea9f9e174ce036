#include <cmath>

#include "fovea/core/data/results.hpp"
#include "fovea/core/linear/calibration_line.hpp"
#include "fovea/core/statistics/decisions.hpp"
#include "fovea/core/study/report/two_outcomes.hpp"
#include "fovea/core/study/report/use_findings.hpp"
#include "fovea/core/study/scores/observed_over_expected.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

/// 600 cases with an age and a sex; risks are right for sex 0; of sex 1 all are `second`, and half of them have it.
TwoOutcomes two_sexes(Cases& cases, double second) {
  TwoOutcomes tested;
  cases.classes = {"age", "sex"};
  cases.features = {{"value", "1", {}}};
  cases.values.resize(1200, 1);
  const Random random(9);
  for (Index b = 0; b < 600; ++b) {
    const auto entity = static_cast<std::uint64_t>(b);
    cases.kinds.insert(cases.kinds.end(), {0, 1});
    cases.values(2 * b, 0) = static_cast<float>(20 + b % 60);
    cases.values(2 * b + 1, 0) = static_cast<float>(b % 2);
    cases.offsets.push_back(2 * b + 2);
    const double risk = random.uniform(entity, 0);
    tested.items.push_back(b), tested.groups.push_back(b);
    tested.outcomes.push_back(random.uniform(entity, 1) < risk ? 1 : 0);
    tested.risks.push_back(b % 2 == 0 || second < 0 ? risk : second);
    tested.ridge.push_back(0.5);
  }
  return tested;
}

std::vector<std::string> names_of(const Results& results) {
  return std::get<std::vector<std::string>>(results.data.at("subgroup").values);
}

TEST_CASE("subgroups are judged by the risks and outcomes of their own", "[study][subgroups]") {
  Cases cases;
  const TwoOutcomes tested = two_sexes(cases, 0.25);
  Results results;
  write_subgroups(cases, tested, true, Random(1), results);
  CHECK(names_of(results) ==
        std::vector<std::string>{"age below 40", "age 40 to below 59", "age 59 and above", "sex 0", "sex 1"});
  const auto& auroc = results.data.at("subgroup_auroc").reals();
  const auto& observed = results.data.at("subgroup_observed").reals();
  const auto& intercept = results.data.at("subgroup_intercept").reals();
  CHECK(results.data.at("subgroup_cases").reals() == std::vector<double>{200, 190, 210, 300, 300});
  CHECK(auroc[3] > 0.75);
  CHECK(auroc[4] == 0.5);
  CHECK(std::abs(observed[3] - 1) < 0.15);
  CHECK(std::abs(observed[4] - 2) < 0.3);
  CHECK(results.data.at("subgroup_observed_low").reals()[4] > 1.5);
  CHECK(std::abs(intercept[3]) < 0.35);
  CHECK(std::abs(intercept[4] - std::log(3)) < 0.35);  // from odds of 1/3 to even ones
  CHECK(results.data.at("subgroup_intercept_low").reals()[4] > 0.7);
  const auto found = results.found<CalibrationDiffers>();
  REQUIRE(found);
  CHECK(found->by == "sex");
  CHECK(found->compared == 2);
  CHECK(found->differ == 1);
  CHECK(found->left == 0);
  CHECK(found->sentence().find("could not") == std::string::npos);
  CHECK_FALSE(results.found<CalibrationAlike>());
}

TEST_CASE("subgroups whose risks are right are not said to differ, and a preview says nothing", "[study][subgroups]") {
  Cases cases;
  const TwoOutcomes tested = two_sexes(cases, -1);
  Results results, preview;
  write_subgroups(cases, tested, true, Random(1), results);
  CHECK(results.found<CalibrationAlike>());
  CHECK_FALSE(results.found<CalibrationDiffers>());
  write_subgroups(cases, tested, false, Random(1), preview);
  CHECK_FALSE(preview.found<CalibrationAlike>());
}

TEST_CASE("calibrations that too few groups could tell apart are named as not compared", "[study][subgroups]") {
  Cases cases;
  TwoOutcomes tested = two_sexes(cases, 0.25);
  for (std::size_t i = 0; i < tested.groups.size(); ++i) tested.groups[i] = static_cast<Index>(i % 4);
  Results results;
  write_subgroups(cases, tested, true, Random(1), results);
  const auto found = results.found<CalibrationNotCompared>();
  REQUIRE(found);
  CHECK(found->left == 2);
  CHECK(found->sentence().starts_with("Calibration between subgroups: 2 properties could not be compared"));
  CHECK_FALSE(results.found<CalibrationDiffers>());
  CHECK_FALSE(results.found<CalibrationAlike>());
}

TEST_CASE("features, categories and few groups tell cases apart, and what changes within a case does not",
          "[study][subgroups]") {
  Cases cases;
  TwoOutcomes tested = two_sexes(cases, -1);
  cases.classes.clear(), cases.kinds.clear();
  cases.features = {{"dose", "1", {}}, {"drug", "1", {"a", "b"}}, {"pulse", "1", {}}};
  Matrix<float> values(1200, 3);
  for (Index i = 0; i < 1200; ++i) {
    values(i, 0) = static_cast<float>(static_cast<double>((i / 2) % 50) / 50);  // thirds that rounding would join
    values(i, 1) = static_cast<float>(i / 2 % 2);
    values(i, 2) = static_cast<float>(i % 2);
  }
  cases.values = values;
  for (Index b = 0; b < 600; ++b) cases.groups.push_back(b < 595 ? (b < 300 ? "east" : "west") : "north");
  cases.reading.group = "hospital";
  Results results;
  write_subgroups(cases, tested, true, Random(1), results);
  const std::vector<std::string> names = names_of(results);
  CHECK(std::find(names.begin(), names.end(), "drug b") != names.end());
  CHECK(std::find(names.begin(), names.end(), "hospital west") != names.end());
  CHECK(std::find(names.begin(), names.end(), "hospital north") == names.end());  // five cases
  CHECK(std::none_of(names.begin(), names.end(), [](const std::string& name) { return name.starts_with("pulse"); }));
  CHECK(std::count_if(names.begin(), names.end(), [](const std::string& name) { return name.starts_with("dose"); }) ==
        3);
}

std::string caption_of(const Results& results) {
  for (const Figure& figure : results.figures())
    if (figure.name == "subgroups") return figure.caption;
  return "";
}

TEST_CASE("a table of subgroups says where it does not show all properties", "[study][subgroups]") {
  Cases cases;
  const TwoOutcomes tested = two_sexes(cases, -1);
  cases.classes.clear(), cases.kinds.clear(), cases.features.clear();
  Matrix<float> values(1200, 14);
  for (Index f = 0; f < 14; ++f) {
    cases.features.push_back({"x" + std::to_string(f), "1", {}});
    for (Index i = 0; i < 1200; ++i) values(i, f) = static_cast<float>((i / 2 + f) % 2);
  }
  cases.values = values;
  Results all, some;
  write_subgroups(cases, tested, true, Random(1), some);
  CHECK(caption_of(some).starts_with("12 of 14 properties are shown."));
  cases.features.resize(12);
  cases.values = values.leftCols(12);
  write_subgroups(cases, tested, true, Random(1), all);
  CHECK(caption_of(all).starts_with("Subgroups of fewer than 10 cases"));
}

TEST_CASE("few outcomes of a subgroup are not judged", "[study][subgroups]") {
  Cases cases;
  TwoOutcomes tested = two_sexes(cases, -1);
  for (std::size_t i = 0; i < tested.outcomes.size(); ++i)
    if (i % 2 == 1) tested.outcomes[i] = i < 12 ? 1 : 0;  // six of sex 1
  Results results;
  write_subgroups(cases, tested, true, Random(1), results);
  CHECK(std::isnan(results.data.at("subgroup_slope").reals()[4]));
  CHECK(std::isnan(results.data.at("subgroup_outcomes").reals()[4]));
  CHECK_FALSE(std::isnan(results.data.at("subgroup_slope").reals()[3]));
}

TEST_CASE("equal calibration is called different as often as the level says, also where cases come in groups",
          "[study][subgroups]") {
  constexpr int kStudies = 400;
  int alone = 0, grouped = 0, as_if_alone = 0, shifted = 0;
  for (std::uint64_t study = 0; study < kStudies; ++study) {
    const Random random(study);
    std::vector<double> z;
    std::vector<Index> y, same, moved, parts, own, of_four;
    for (std::uint64_t i = 0; i < 240; ++i) {
      z.push_back(random.normal(i, 0));
      const double shared = random.normal(i / 4, 1) * 2.5;
      const auto drawn = [&](double x, std::uint64_t k) {
        return random.uniform(i, k) < 1 / (1 + std::exp(-x)) ? 1 : 0;
      };
      y.push_back(drawn(z.back(), 2)), same.push_back(drawn(shared, 3));
      parts.push_back(static_cast<Index>(i / 4 % 3));
      moved.push_back(drawn(z.back() + (parts.back() == 0 ? 1.2 : 0), 4));
      own.push_back(static_cast<Index>(i)), of_four.push_back(static_cast<Index>(i / 4));
    }
    const std::vector<double> even(z.size(), 0.0);
    alone += calibration_difference_p_value(z, y, parts, own) < 0.05 ? 1 : 0;
    shifted += calibration_difference_p_value(z, moved, parts, own) < 0.05 ? 1 : 0;
    grouped += calibration_difference_p_value(even, same, parts, of_four) < 0.05 ? 1 : 0;
    as_if_alone += calibration_difference_p_value(even, same, parts, own) < 0.05 ? 1 : 0;
  }
  CHECK(alone > 0.025 * kStudies);
  CHECK(alone < 0.08 * kStudies);
  CHECK(grouped < 0.09 * kStudies);
  CHECK(as_if_alone > 0.15 * kStudies);
  CHECK(shifted > 0.7 * kStudies);
}

TEST_CASE("a difference of calibration is not asked of nine clusters", "[study][subgroups]") {
  std::vector<double> z(38, 0.0);
  std::vector<Index> y, parts, clusters;
  for (Index i = 0; i < 38; ++i) y.push_back(i % 2), parts.push_back(i < 20 ? 0 : 1), clusters.push_back(i / 2);
  CHECK(std::isnan(calibration_difference_p_value(z, y, parts, clusters)));
  CHECK(std::isnan(calibration_difference_p_value(z, y, std::vector<Index>(38, 0), clusters)));
}

TEST_CASE("net benefit is that of the formula", "[study][net_benefit]") {
  const std::vector<double> risks{0.9, 0.8, 0.4, 0.3, 0.2}, other{0.1, 0.1, 0.1, 0.1, 0.1};
  const std::vector<Index> outcomes{1, 1, 0, 1, 0}, groups{0, 1, 2, 3, 4};
  const std::vector<double> thresholds{0.1, 0.25, 0.5};
  const DecisionCurve curve = decision_curve(risks, other, outcomes, groups, thresholds, 200, Random(1));
  CHECK(std::abs(curve.value[0] - (3.0 - 2.0 / 9) / 5) < 1e-12);
  CHECK(std::abs(curve.value[1] - (3.0 - 1.0 / 3) / 5) < 1e-12);
  CHECK(std::abs(curve.value[2] - 0.4) < 1e-12);
  CHECK(std::abs(curve.all[2] - (3.0 - 2.0) / 5) < 1e-12);
  CHECK(std::abs(curve.other[0] - curve.all[0]) < 1e-12);  // at a threshold of their risk all are called
  CHECK(curve.other[1] == 0);
  CHECK(curve.called == std::vector<Index>{5, 4, 2});
  for (std::size_t t = 0; t < 3; ++t) CHECK((curve.low[t] <= curve.value[t] && curve.value[t] <= curve.high[t]));
}

TEST_CASE("observed over expected has the interval of a Poisson number", "[study][subgroups]") {
  const ScoreValue some = observed_over_expected_interval(100, 80);
  CHECK(some.value == 1.25);
  CHECK(std::abs(some.low - 1.25 / std::exp(0.196)) < 1e-12);
  CHECK(std::abs(some.high - 1.25 * std::exp(0.196)) < 1e-12);
  CHECK(observed_over_expected_interval(0, 2).value == 0);
  CHECK(std::abs(observed_over_expected_interval(0, 2).high - 1.84) < 0.01);  // -log .025 / 2
}

}  // namespace
}  // namespace fovea::study
