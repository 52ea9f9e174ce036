#include "fovea/datasets/simulated/economies/made_economy.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

using datasets::simulated::MadeEconomy;
using datasets::simulated::MadeEconomySettings;
using datasets::simulated::MadeEvent;

std::string made_refusal(const datasets::simulated::MadeKind& kind) {
  MadeEconomySettings settings;
  settings.kinds = {{"a", 1.0}, kind};
  return refusal_of<ArgumentError>([&] { datasets::simulated::made_economy(Random(1), settings); });
}

}  // namespace

TEST_CASE("an event adds its effect once its delay is over, and half of it a half-life later", "[simulated][nowcast]") {
  const datasets::simulated::MadeKind kind{"oil", 3.0, 6, 9.0};
  const MadeEvent event{0, 100, 0.5};
  CHECK(datasets::simulated::contribution(event, kind, 99) == 0);
  CHECK(datasets::simulated::contribution(event, kind, 105) == 0);
  CHECK(datasets::simulated::contribution(event, kind, 106) == 1.5);
  CHECK(datasets::simulated::contribution(event, kind, 115) == 0.75);
  const MadeEconomySettings settings{120, -1, {kind}};
  const std::vector<double> probability = datasets::simulated::bayes_probability(settings, {event, {0, 104, 1.0}});
  CHECK(probability[105] == 1 / (1 + std::exp(1.0)));
  CHECK(probability[110] == Approx(1 / (1 + std::exp(1 - 1.5 * std::exp2(-4 / 9.0) - 3))));
}

TEST_CASE("a made economy is a function of its random numbers", "[simulated][nowcast]") {
  const MadeEconomy one = datasets::simulated::made_economy(Random(5)),
                    again = datasets::simulated::made_economy(Random(5)),
                    other = datasets::simulated::made_economy(Random(6));
  CHECK(one.labels == again.labels);
  CHECK(one.probability == again.probability);
  CHECK(one.labels != other.labels);
  CHECK(one.months() == 4000);
  CHECK(std::is_sorted(one.events.begin(), one.events.end(),
                       [](const MadeEvent& a, const MadeEvent& b) { return a.month < b.month; }));
  CHECK(datasets::simulated::bayes_probability(one.settings, one.events) == one.probability);
}

TEST_CASE("the labels of a made economy follow Bayes' probabilities, whose AUROC is about .9",
          "[simulated][nowcast][statistics]") {
  // Seed 11, 6000 months, ten bins of probability: 4 standard errors, a level of 6e-4 for all bins together.
  MadeEconomySettings settings;
  settings.months = 6000;
  const MadeEconomy made = datasets::simulated::made_economy(Random(11), settings);
  double excess[10] = {}, variance[10] = {};
  for (std::size_t t = 0; t < made.labels.size(); ++t) {
    const double p = made.probability[t];
    const int bin = static_cast<int>(10 * p);
    excess[bin] += made.labels[t] - p;
    variance[bin] += p * (1 - p);
  }
  for (int bin = 0; bin < 10; ++bin) {
    INFO("bin " << bin);
    CHECK(variance[bin] > 5);
    CHECK(std::abs(excess[bin]) < 4 * std::sqrt(variance[bin]));
  }
  double pairs = 0, right = 0;
  for (std::size_t i = 0; i < made.labels.size(); ++i)
    for (std::size_t j = 0; j < made.labels.size(); ++j)
      if (made.labels[i] == 1 && made.labels[j] == 0) ++pairs, right += made.probability[i] > made.probability[j];
  CHECK(std::abs(right / pairs - 0.9) < 0.02);
}

TEST_CASE("a kind that follows another's cause precedes recessions, though it causes nothing",
          "[simulated][nowcast][statistics]") {
  // Seed 12, 6000 months.
  MadeEconomySettings settings;
  settings.months = 6000;
  const MadeEconomy made = datasets::simulated::made_economy(Random(12), settings);
  constexpr Index kCredit = 0, kStorms = 3, kSentiment = 5;
  REQUIRE(settings.kinds[kSentiment].follows == settings.kinds[kCredit].name);
  double causes = 0, followed = 0;
  for (const MadeEvent& cause : made.events) {
    if (cause.kind != kCredit) continue;
    ++causes;
    followed += std::any_of(made.events.begin(), made.events.end(), [&](const MadeEvent& event) {
      const Index behind = event.month - cause.month;
      return event.kind == kSentiment && (behind == 1 || behind == 2) && event.size == cause.size;
    });
  }
  CHECK(std::abs(followed / causes - 0.85) < 4 * std::sqrt(0.85 * 0.15 / causes));
  const auto rate_behind = [&](Index kind) {
    double months = 0, recessions = 0;
    for (const MadeEvent& event : made.events)
      for (Index t = event.month; event.kind == kind && t < std::min<Index>(event.month + 6, made.months()); ++t)
        ++months, recessions += made.labels[static_cast<std::size_t>(t)];
    return recessions / months;
  };
  const double overall = std::accumulate(made.labels.begin(), made.labels.end(), 0.0) / 6000;
  CHECK(rate_behind(kSentiment) > overall + 0.15);
  CHECK(std::abs(rate_behind(kStorms) - overall) < 0.1);
  for (Index t = 0; t < made.months(); ++t)
    if (const Index first = datasets::simulated::first_cause(made, t); first >= 0)
      CHECK(made.events[static_cast<std::size_t>(first)].kind < kStorms);
}

TEST_CASE("the first cause of a month is the event that adds most to its logit", "[simulated][nowcast]") {
  MadeEconomy made{
      {20, -2, {{"a", 3.0, 2, 4.0}, {"b", 1.0, 0, 4.0}, {"c", 0.0}}}, {{1, 3, 1}, {0, 4, 1}, {2, 9, 1.5}}, {}, {}};
  CHECK(datasets::simulated::first_cause(made, 2) == -1);
  CHECK(datasets::simulated::first_cause(made, 5) == 0);
  CHECK(datasets::simulated::first_cause(made, 6) == 1);
  CHECK(datasets::simulated::first_cause(made, 15) == 1);
}

TEST_CASE("settings of a made economy that are out of range are refused", "[simulated][nowcast]") {
  CHECK(made_refusal({"b", 1, -1}) == "made economy: the delay of 'b' is -1 months, but must be >= 0.");
  CHECK(made_refusal({"b", 1, 0, 0}) == "made economy: the half-life of 'b' is 0 months, but must be > 0.");
  CHECK(made_refusal({"b", 1, 0, 1, 13}) == "made economy: 'b' has 13 events a year, but must have 0 to 12.");
  CHECK(made_refusal({"b", kNan}) == "made economy: the effect of 'b' is nan, but must be finite.");
  CHECK(made_refusal({"b", 0, 0, 1, 1, "z", 0.5}) ==
        "made economy: 'b' follows 'z', but must follow a kind that is there and follows none.");
  CHECK(made_refusal({"b", 0, 0, 1, 1, "a", 1.5}) ==
        "made economy: 'b' follows with the chance 1.5, but it must be in [0, 1].");
  CHECK(refusal_of<ArgumentError>([] { datasets::simulated::made_economy(Random(1), {0}); }) ==
        "made economy: it has 0 months; it takes 1 at least.");
}
