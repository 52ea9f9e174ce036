#include "fovea/core/data/view.hpp"
#include "fovea/domains/ehr/risk/contributions.hpp"
#include "fovea/domains/ehr/risk/examined.hpp"
#include "fovea/domains/ehr/risk/literature.hpp"
#include "fovea/domains/ehr/risk/sources.hpp"
#include "fovea/domains/ehr/risk/variable_memory.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::ehr::risk {
namespace {

/// One class, values every hour: x(t) = phi x(t - 1) + noise, variance 1.
study::Cases autoregressive(double phi, Index count, Index steps, const Random& random) {
  study::Cases cases;
  cases.classes = {"x"};
  for (Index b = 0; b < count; ++b) {
    double x = random.normal(static_cast<std::uint64_t>(b), 0);
    for (Index t = 0; t < steps; ++t) {
      cases.kinds.push_back(0);
      cases.times.push_back(static_cast<double>(t));
      cases.coordinates.conservativeResize(0, 0);
      cases.weights.push_back(x);  // taken for the inputs below
      x = phi * x +
          std::sqrt(1 - phi * phi) * random.normal(static_cast<std::uint64_t>(b), static_cast<std::uint64_t>(t + 1));
    }
    cases.offsets.push_back(cases.tokens() + steps);
  }
  return cases;
}

TEST_CASE("a variable's memory is the age at which its autocorrelation halves", "[ehr][risk]") {
  for (const double half : {4.0, 9.0}) {
    study::Cases cases = autoregressive(std::exp2(-1 / half), 400, 48, Random(2));
    Matrix<float> inputs = Matrix<float>::Zero(cases.tokens(), 2);
    for (Index i = 0; i < cases.tokens(); ++i) inputs(i, 0) = static_cast<float>(cases.weights[i]);
    const std::vector<VariableMemory> found = memories(cases, inputs, 48);
    REQUIRE(found.size() == 1);
    CHECK(found[0].gap == 1);
    CHECK(std::abs(found[0].half_time / (half + 1) - 1) < 0.2);  // halved against the first bin, whose age is 1 hour
    study::Cases slow = cases;
    for (double& time : slow.times) time *= 16;
    CHECK(memories(slow, inputs, 16 * 48)[0].half_time == 16 * found[0].half_time);
    inputs.col(1).setOnes();
    CHECK(std::isnan(memories(cases, inputs, 48)[0].gap));
    CHECK(std::isnan(memories(cases, inputs, 48)[0].half_time));
  }
}

/// 600 cases with a static "sex" of 0 and 1 and an "age"; the risk is right for sex 0 and constant for sex 1.
Examined two_groups(const study::Target& target, study::Cases& cases) {
  const Random random(8);
  cases.classes = {"age", "sex"};
  cases.time_unit = "h";
  cases.values.resize(1200, 1);
  Examined examined{target, cases, {}, {}, {}, {}, {}};
  examined.risks.mean.resize(600, 1);
  examined.risks.spread = Matrix<double>::Zero(600, 1);
  for (Index b = 0; b < 600; ++b) {
    const auto entity = static_cast<std::uint64_t>(b);
    cases.kinds.insert(cases.kinds.end(), {0, 1});
    cases.values(2 * b, 0) = static_cast<float>(20 + b % 60);
    cases.values(2 * b + 1, 0) = static_cast<float>(b % 2);
    cases.offsets.push_back(2 * b + 2);
    const double risk = random.uniform(entity, 0);
    examined.items.push_back(b);
    examined.groups.push_back(b);
    examined.outcomes.push_back(random.uniform(entity, 1) < risk ? 1 : 0);
    examined.risks.mean(b, 0) = b % 2 == 0 ? risk : 0.25;
  }
  return examined;
}

TEST_CASE("a course asks the model at each hour", "[ehr][risk]") {
  const study::Target target;
  study::Cases cases;
  Examined examined = two_groups(target, cases);
  examined.risks_at = [&](double at) {
    study::Predictions risks = examined.risks;
    for (Index b = 0; b < risks.mean.rows(); ++b) risks.mean(b, 0) = at == 48 ? examined.outcomes[b] : 0.5;
    return risks;
  };
  Results results;
  write_trajectory(examined, {6, 48}, Random(1), results);
  CHECK(results.data.at("auroc_at").reals() == std::vector<double>{0.5, 1});
  CHECK(std::abs(results.data.at("observed_over_expected_at").reals()[1] - 1) < 1e-12);
  cases.time_unit = "yr";
  Results years;
  write_trajectory(examined, {-5, 48}, Random(1), years);
  CHECK(years.data.at("year").reals() == std::vector<double>{-5, 48});
  Results nothing;
  write_trajectory(examined, {}, Random(1), nothing);
  CHECK_FALSE(nothing.data.has("hour"));
}

/// 40 stays; those with the outcome have logits that are larger by this on average.
Contributions told_apart(double by, double by_without_top, double by_without_random) {
  Contributions found;
  const auto logits = [&](double larger, std::uint64_t draw) {
    std::vector<double> of_stays;
    for (std::uint64_t b = 0; b < 40; ++b)
      of_stays.push_back(Random(3).normal(b, draw) + (b % 2 == 0 ? larger : -larger));
    return of_stays;
  };
  for (Index b = 0; b < 40; ++b) {
    found.items.push_back(b);
    found.outcomes.push_back(b % 2 == 0 ? 1 : 0);
  }
  found.logits = logits(by, 0);
  found.without_top = logits(by_without_top, 0);
  found.without_random = logits(by_without_random, 0);
  found.agreement = 0.5;
  return found;
}

TEST_CASE("what is told of removed values is true with either sign, and nothing is told of chance", "[ehr][risk]") {
  const std::string usual = note_on_deletion(told_apart(1, 0.2, 1.2));
  CHECK(usual.find(
            "Of 40 stays: without the tenth of the values with the largest contributions the AUROC falls by 0.") == 0);
  CHECK(usual.find(", without a random tenth it rises by 0.") != std::string::npos);
  CHECK(usual.find("do not show") == std::string::npos);
  const std::string odd = note_on_deletion(told_apart(1, 1.5, 0.5));
  CHECK(odd.find("the AUROC rises by 0.") != std::string::npos);
  CHECK(odd.find("the contributions do not show what the risks rest on.") != std::string::npos);
  const std::string chance = note_on_deletion(told_apart(-0.5, 0.1, 0.2));
  CHECK(chance.find("which is no better than chance, so there is nothing that contributions could show.") !=
        std::string::npos);
  CHECK(chance.find("falls") == std::string::npos);
}

TEST_CASE("a code comes from where its variable comes from", "[ehr][risk]") {
  CHECK(source_of("Lactate") == "gases and ventilation");
  CHECK(source_of("ICUType = 3") == "demographics");
  CHECK(source_of("what") == "other");
}

TEST_CASE("half-lives of the literature are those of substances in the blood, and no others have one", "[ehr][risk]") {
  for (const char* name : {"ALT", "AST", "Albumin", "TroponinI", "TroponinT"}) {
    CHECK(source_of(name) == "laboratory");
    CHECK((literature_half_life(name) > 1 && literature_half_life(name) < 24 * 30));
  }
  for (const char* name : {"HR", "GCS", "MechVent", "ALT = 3", ""}) CHECK(std::isnan(literature_half_life(name)));
}

}  // namespace
}  // namespace fovea::ehr::risk
