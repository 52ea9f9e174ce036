#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/statistics/survival/aalen_johansen.hpp"
#include "fovea/core/statistics/survival/concordance.hpp"
#include "fovea/tests/support/statistics/kaplan_meier.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

// Ties of ends with ends, of ends with censored ones, and of risks.
const std::vector<double> kTimes{6, 1, 3, 2, 3, 3, 5, 1, 6, 8};
const std::vector<Index> kEnded{1, 1, 1, 1, 1, 0, 1, 0, 0, 0};
const std::vector<double> kRisks{0.3, 0.9, 0.5, 0.7, 0.7, 0.1, 0.4, 0.2, 0.4, 0.5};

/// The definition, pair by pair.
Concordance plain_concordance(const std::vector<double>& risks, const std::vector<double>& times,
                              const std::vector<Index>& ended) {
  Concordance pairs;
  for (std::size_t i = 0; i < risks.size(); ++i)
    for (std::size_t j = 0; j < risks.size(); ++j) {
      if (ended[i] == 0 || times[j] < times[i] || (times[j] == times[i] && ended[j] == 1)) continue;
      (risks[i] > risks[j] ? pairs.concordant : risks[i] < risks[j] ? pairs.discordant : pairs.tied) += 1;
    }
  return pairs;
}

}  // namespace

TEST_CASE("Kaplan and Meier's survival with ties, errors and intervals are those of lifelines",
          "[statistics][survival]") {
  constexpr double kDigits = 1e-6;  // lifelines 0.30.3, KaplanMeierFitter, printed with six digits
  const auto curve = support::kaplan_meier(kTimes, kEnded);
  REQUIRE(curve.size() == 6);
  const double survival[] = {0.9, 0.7875, 0.5625, 0.421875, 0.28125, 0.28125};
  const double low[] = {0.473009, 0.380882, 0.209421, 0.111029, 0.044741, 0.044741};
  const double high[] = {0.985281, 0.942591, 0.809171, 0.712567, 0.595755, 0.595755};
  const Index at_risk[] = {10, 8, 7, 4, 3, 1}, ended[] = {1, 1, 2, 1, 1, 0}, censored[] = {1, 0, 1, 0, 1, 1};
  for (std::size_t k = 0; k < curve.size(); ++k) {
    CHECK(std::abs(curve[k].survival - survival[k]) < 1e-15);
    CHECK(std::abs(curve[k].low - low[k]) < kDigits);
    CHECK(std::abs(curve[k].high - high[k]) < kDigits);
    CHECK((curve[k].at_risk == at_risk[k] && curve[k].ended == ended[k] && curve[k].censored == censored[k]));
  }
  // Greenwood by hand at 2: 0.7875 sqrt(1 / (10 9) + 1 / (8 7))
  CHECK(std::abs(curve[1].error - 0.7875 * std::sqrt(1.0 / 90 + 1.0 / 56)) < 1e-15);
  CHECK((support::survival_at(curve, 0.5) == 1 && support::survival_at(curve, 2.9) == curve[1].survival));
  CHECK((support::survival_at(curve, 99) == curve[5].survival && support::survival_quantile(curve, 0.5) == 5));
  CHECK(support::survival_quantile(curve, 0.25) == INFINITY);
}

TEST_CASE("without censoring survival is the share that is left, with binomial errors", "[statistics][survival]") {
  const std::vector<double> times{4, 2, 1, 3};
  const auto curve = support::kaplan_meier(times, std::vector<Index>(4, 1));
  for (std::size_t k = 0; k < 3; ++k) {
    const double share = 1 - static_cast<double>(k + 1) / 4;
    CHECK(std::abs(curve[k].survival - share) < 1e-15);
    CHECK(std::abs(curve[k].error - std::sqrt(share * (1 - share) / 4)) < 1e-15);
  }
  CHECK(curve[3].survival == 0);
  CHECK((std::isnan(curve[3].error) && std::isnan(curve[3].low) && std::isnan(curve[3].high)));
  const auto nobody = support::kaplan_meier(times, std::vector<Index>(4));
  CHECK((nobody[3].survival == 1 && nobody[3].low == 1 && nobody[3].error == 0));
}

TEST_CASE("Aalen and Johansen's incidence with ties is that worked out by hand", "[statistics][survival]") {
  const auto curve =
      aalen_johansen(std::vector<double>{1, 1, 1, 2, 2, 3, 3, 4}, std::vector<Index>{1, 2, 0, 1, 1, 2, 0, 1}, 2);
  REQUIRE(curve.size() == 4);
  const double first[] = {1.0 / 8, 0.125 + 0.75 * 2 / 5, 0.425, 0.425 + 0.45 * 2 / 3};
  const double second[] = {1.0 / 8, 0.125, 0.125 + 0.45 / 3, 0.275};
  const double survival[] = {0.75, 0.45, 0.3, 0};
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(std::abs(curve[k].incidence[0] - first[k]) < 1e-15);
    CHECK(std::abs(curve[k].incidence[1] - second[k]) < 1e-15);
    CHECK(std::abs(curve[k].survival - survival[k]) < 1e-15);
  }
}

TEST_CASE("incidences and their errors are those of lifelines", "[statistics][survival]") {
  constexpr double kDigits = 1e-6;  // lifelines 0.30.3, AalenJohansenFitter
  const auto curve = aalen_johansen(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                                    std::vector<Index>{1, 2, 0, 1, 2, 1, 0, 2, 1, 0}, 2);
  CHECK(std::abs(curve[8].incidence[0] - 0.480952) < kDigits);
  CHECK(std::abs(curve[9].incidence[1] - 0.366667) < kDigits);
  const double first[] = {0.094868, 0.094868, 0.094868, 0.135041, 0.135041, 0.156184, 0.156184, 0.156184, 0.178001};
  const double second[] = {0, 0.094868, 0.094868, 0.094868, 0.135041, 0.135041, 0.135041, 0.172139, 0.172139};
  for (std::size_t k = 0; k < 9; ++k) {
    CHECK(std::abs(curve[k].error[0] - first[k]) < kDigits);
    CHECK(std::abs(curve[k].error[1] - second[k]) < kDigits);
  }
}

TEST_CASE("of a single end the incidence is one less the survival, with its error", "[statistics][survival]") {
  const auto incidence = aalen_johansen(kTimes, kEnded, 1);
  const auto survival = support::kaplan_meier(kTimes, kEnded);
  for (std::size_t k = 0; k < survival.size(); ++k) {
    CHECK(std::abs(incidence[k].incidence[0] + survival[k].survival - 1) < 1e-15);
    CHECK(std::abs(incidence[k].error[0] - survival[k].error) < 1e-14);
  }
}

TEST_CASE("concordance is that of its definition and of lifelines, and without censoring of two times the AUROC",
          "[statistics][survival][twin]") {
  // lifelines 0.30.3, concordance_index of kTimes with the risks sorted alike: 26.5 of 31 pairs
  const std::vector<double> times{1, 1, 2, 3, 3, 3, 5, 6, 6, 8}, risks{.9, .2, .7, .5, .7, .1, .4, .4, .3, .5};
  const std::vector<Index> ended{1, 0, 1, 1, 1, 0, 1, 0, 1, 0};
  CHECK(std::abs(concordance(risks, times, ended).index() - 26.5 / 31) < 1e-15);
  const Random random = Random(2).stream("concordance");
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    std::vector<double> t, r;
    std::vector<Index> e;
    for (std::uint64_t i = 0; i < 1 + trial % 40; ++i) {
      t.push_back(std::floor(10 * random.uniform(i, 3 * trial)));
      r.push_back(std::floor(10 * random.uniform(i, 3 * trial + 1)));
      e.push_back(random.uniform(i, 3 * trial + 2) < 0.6 ? 1 : 0);
    }
    const Concordance found = concordance(r, t, e), plain = plain_concordance(r, t, e);
    CHECK((found.concordant == plain.concordant && found.discordant == plain.discordant && found.tied == plain.tied));
  }
  const std::vector<Index> sooner{1, 0, 0, 1, 1, 0, 1, 0, 0, 0};
  std::vector<double> two;
  for (const Index y : sooner) two.push_back(y == 1 ? 1 : 2);
  CHECK(std::abs(concordance(kRisks, two, std::vector<Index>(10, 1)).index() - auroc(kRisks, sooner)) < 1e-15);
  CHECK(std::isnan(concordance(kRisks, kTimes, std::vector<Index>(10)).index()));
}

TEST_CASE("survival refuses ends that are none and times that are not finite", "[statistics][survival][errors]") {
  CHECK_THROWS_WITH(support::kaplan_meier(std::vector<double>{1, 2}, std::vector<Index>{1, 2}),
                    "kaplan_meier: an end is 2, but must be in [0, 1], 0: censored.");
  CHECK_THROWS_WITH(support::kaplan_meier(std::vector<double>{1}, std::vector<Index>{1, 0}),
                    "kaplan_meier: there are 1 times and 2 ends; as many are needed, and at least one.");
  CHECK_THROWS_AS(aalen_johansen(std::vector<double>{NAN}, std::vector<Index>{1}, 1), ArgumentError);
  CHECK_THROWS_AS(aalen_johansen(std::vector<double>{1}, std::vector<Index>{0}, 0), ArgumentError);
  CHECK_THROWS_AS(concordance(std::vector<double>{NAN}, std::vector<double>{1}, std::vector<Index>{1}), ArgumentError);
}
