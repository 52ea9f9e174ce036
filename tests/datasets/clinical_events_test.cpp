/// Made stays: their form, and that outcomes depend on events as the manual says.

#include "fovea/datasets/simulated/clinical_events.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::simulated;
using fovea::datasets::events::Stays;

namespace {

std::size_t place_of_name(const Stays& stays, const std::string& name) {
  return (std::find(stays.variables.begin(), stays.variables.end(), name) - stays.variables.begin());
}

bool has_event_of(const Stays& stays, std::size_t stay, std::size_t kind) {
  for (Index i = stays.offsets[stay]; i < stays.offsets[stay + 1]; ++i)
    if (stays.kinds[i] == kind) return true;
  return false;
}

/// Weighted mean of variable 0 in a stay, from what a reader sees.
double plain_weighted_mean(const Stays& stays, std::size_t stay, double half_life, double end) {
  double sum = 0, total = 0;
  for (Index k = stays.offsets[stay]; k < stays.offsets[stay + 1]; ++k) {
    const std::size_t i = k;
    if (stays.kinds[i] != 0) continue;
    const double weight = std::exp2(-(end - static_cast<double>(stays.hours[i])) / half_life);
    sum += weight * static_cast<double>(stays.values[i]), total += weight;
  }
  return total > 0 ? sum / total : std::nan("");
}

/// Correlation of successive values of a variable that are less than an hour apart.
double successive_correlation(const Stays& stays, std::size_t kind) {
  double count = 0, xy = 0, xx = 0, yy = 0;
  for (std::size_t s = 0; s < stays.ids.size(); ++s) {
    Index last = -1;
    for (Index k = stays.offsets[s]; k < stays.offsets[s + 1]; ++k) {
      const std::size_t i = k;
      if (stays.kinds[i] != kind) continue;
      const std::size_t before = last;
      if (last >= 0 && stays.hours[i] - stays.hours[before] < 1) {
        const double x = static_cast<double>(stays.values[before]), y = static_cast<double>(stays.values[i]);
        count += 1, xy += x * y, xx += x * x, yy += y * y;
      }
      last = k;
    }
  }
  return count > 50 ? xy / std::sqrt(xx * yy) : std::nan("");
}

}  // namespace

TEST_CASE("records of a cohort end at hour 0, and the severe have more diagnoses, which have no value", "[simulated]") {
  const MadeStays made = made_stays(cohort_plan(1500), Random(4));
  const Stays& stays = made.stays;
  CHECK(*std::max_element(stays.hours.begin(), stays.hours.end()) < 0);
  CHECK(*std::min_element(stays.hours.begin(), stays.hours.end()) > -20 * kHoursOfYear - 1);
  const std::size_t diabetes = place_of_name(stays, "diabetes");
  for (std::size_t i = 0; i < stays.kinds.size(); ++i) {
    const std::string& name = stays.variables[stays.kinds[i]];
    const bool diagnosis = name == "diabetes" || name == "heart_failure" || name == "hypertension";
    REQUIRE(std::isnan(stays.values[i]) == diagnosis);
  }
  double with = 0, without = 0, risk_with = 0, risk_without = 0;
  for (std::size_t s = 0; s < made.risks.size(); ++s)
    if (has_event_of(stays, s, diabetes))
      ++with, risk_with += made.risks[s];
    else
      ++without, risk_without += made.risks[s];
  CHECK(risk_with / with > 1.2 * risk_without / without);
}

TEST_CASE("a variable without values has no effect of its values", "[simulated][errors]") {
  EventPlan plan = known_decay_plan(12, 10);
  plan.variables[0].valued = false;
  CHECK(support::refusal_of<ArgumentError>([&] { made_stays(plan, Random(1)); }) ==
        "made_stays: a has no values, but effect = 2.5; it must be 0.");
}

TEST_CASE("made stays stand as a reader would give them", "[events][simulated]") {
  const MadeStays made = made_stays(ward_plan(300), Random(3));
  const Stays& stays = made.stays;
  CHECK(stays.count() == 300);
  CHECK(std::set<std::string>(stays.ids.begin(), stays.ids.end()).size() == 300);
  CHECK(std::is_sorted(stays.variables.begin(), stays.variables.end()));
  REQUIRE(stays.offsets.size() == 301);
  CHECK(stays.offsets.back() == stays.events());
  CHECK(stays.static_values.size() == 600);
  for (std::size_t s = 0; s < 300; ++s) {
    const Index count = stays.offsets[s + 1] - stays.offsets[s];
    CHECK((count >= 60 && count <= 240));
    for (Index k = stays.offsets[s] + 1; k < stays.offsets[s + 1]; ++k) CHECK(stays.hours[k - 1] <= stays.hours[k]);
  }
  REQUIRE(stays.outcomes.size() == 2);
  CHECK(stays.outcomes[1].name == "survival_days");
  for (std::size_t s = 0; s < 300; ++s)  // deaths come after the two days of the stay
    CHECK((stays.outcomes[0].values[s] == 1 ? stays.outcomes[1].values[s] >= 2
                                            : std::isnan(stays.outcomes[1].values[s])));
  CHECK(made_stays(cohort_plan(100), Random(3)).stays.outcomes.size() == 1);
  for (const double died : stays.outcomes[0].values) CHECK((died == 0 || died == 1));
  CHECK(same_events(stays, made_stays(ward_plan(300), Random(3)).stays));
  CHECK_FALSE(same_events(stays, made_stays(ward_plan(300), Random(4)).stays));
}

TEST_CASE("the risk is the logistic function of the standardised mean with weights 2^(-age / half-life)",
          "[events][simulated][twin]") {
  constexpr double kSingle = 1e-5;  // values and hours are floats
  const MadeStays made = made_stays(known_decay_plan(6, 400), Random(5));
  CHECK(made.informative == std::vector<std::string>{"a"});
  std::vector<double> means;
  double count = 0, sum = 0, squares = 0;
  for (std::size_t s = 0; s < 400; ++s) means.push_back(plain_weighted_mean(made.stays, s, 6, 48));
  for (const double m : means)
    if (!std::isnan(m)) count += 1, sum += m;
  for (const double m : means)
    if (!std::isnan(m)) squares += (m - sum / count) * (m - sum / count);
  const auto effect = [&](std::size_t s) {
    return std::isnan(means[s]) ? 0 : 2.5 * (means[s] - sum / count) / std::sqrt(squares / count);
  };
  const auto logit = [&](std::size_t s) { return std::log(made.risks[s] / (1 - made.risks[s])); };
  double worst = 0;
  for (std::size_t s = 1; s < 400; ++s) worst = std::max(worst, std::abs(logit(s) - logit(0) - effect(s) + effect(0)));
  CHECK(worst < kSingle);
}

TEST_CASE("the mean risk is the prevalence, and outcomes follow the risks", "[events][simulated][statistics]") {
  const MadeStays made = made_stays(ward_plan(4000), Random(6));  // one test, 4 standard errors: 6e-5
  double risk = 0, died = 0, variance = 0;
  for (std::size_t s = 0; s < 4000; ++s) {
    risk += made.risks[s], died += made.stays.outcomes[0].values[s];
    variance += made.risks[s] * (1 - made.risks[s]);
  }
  CHECK(std::abs(risk / 4000 - 1.0 / 7) < 1e-9);
  CHECK(std::abs(died - risk) < 4 * std::sqrt(variance));
}

TEST_CASE("that a test was ordered for the severe says something, whatever its value",
          "[events][simulated][statistics]") {
  const MadeStays made = made_stays(ward_plan(4000), Random(7));
  const auto risk_gap = [&](const char* name) {
    double with = 0, without = 0, risk_with = 0, risk_without = 0;
    for (std::size_t s = 0; s < 4000; ++s) {
      const bool there = has_event_of(made.stays, s, place_of_name(made.stays, name));
      (there ? with : without) += 1;
      (there ? risk_with : risk_without) += made.risks[s];
    }
    return risk_with / with - risk_without / without;
  };
  CHECK(risk_gap("lactate") > 0.03);            // ordered for the severe
  CHECK(risk_gap("respiratory_rate") < -0.01);  // charted for the well
}

TEST_CASE("values keep a memory of their half-life, or none", "[events][simulated][statistics]") {
  EventPlan plan = known_decay_plan(6, 600);
  plan.variables[1].memory = 10;
  const MadeStays made = made_stays(plan, Random(8));
  CHECK(std::abs(successive_correlation(made.stays, 0)) < 0.1);
  CHECK(successive_correlation(made.stays, 1) > 0.9);
}

TEST_CASE("a plan out of range is refused in a sentence", "[events][simulated][fault]") {
  EventPlan plan = known_decay_plan(6, 100);
  plan.variables[1].name = "a";
  CHECK(support::refusal_of<ArgumentError>([&] { made_stays(plan, Random(1)); }) ==
        "made_stays: 'a' names two variables or none; each needs a name of its own.");
  plan = known_decay_plan(-1, 100);
  CHECK(support::refusal_of<ArgumentError>([&] { made_stays(plan, Random(1)); }) ==
        "made_stays: a has half-life -1, frequency 1 and memory 0; the first two must be > 0, the last >= 0.");
  plan = known_decay_plan(6, 100);
  plan.prevalence = 1;
  CHECK(support::refusal_of<ArgumentError>([&] { made_stays(plan, Random(1)); }) ==
        "made_stays: prevalence = 1, but must be in (0, 1).");
}

TEST_CASE("no amount that is written down is below 0, and none above the top of its scale", "[simulated]") {
  for (const EventPlan& plan : {ward_plan(600), cohort_plan(600)}) {
    const MadeStays made = made_stays(plan, Random(6));
    const float least = *std::min_element(made.stays.values.begin(), made.stays.values.end(),
                                          [](float a, float b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
    CHECK(least > 0);
  }
  const MadeStays made = made_stays(ward_plan(600), Random(6));
  const std::size_t coma = place_of_name(made.stays, "glasgow_coma_scale");
  const std::size_t urine = place_of_name(made.stays, "urine_output");
  double top = 0, sum = 0, squares = 0, count = 0;
  for (std::size_t i = 0; i < made.stays.kinds.size(); ++i) {
    const auto value = static_cast<double>(made.stays.values[i]);
    if (made.stays.kinds[i] == coma) top = std::max(top, value);
    if (made.stays.kinds[i] == urine) sum += value, squares += value * value, count += 1;
  }
  CHECK(top == 15);
  CHECK(std::abs(sum / count - 115) < 5);  // the plan's mean and deviation, in 20,000 dependent values
  CHECK(std::abs(std::sqrt(squares / count - sum / count * sum / count) - 90) < 10);
}
