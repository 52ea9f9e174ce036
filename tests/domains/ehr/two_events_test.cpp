/// Two past events that compete for the attention of a patient's present state.

#include "fovea/core/config/config.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

TEST_CASE("two events: weights, ages and gradients are those of the closed forms", "[ehr]") {
  for (const char* toml :
       {"", "dimension = 2\nsimilar = 0.99\ndissimilar = -0.99\n",
        "dimension = 256\nsimilar = 0.3\ndissimilar = 0.2\nfresh_age = 0.0\nhalf_lives = [1, 1e4]\n"}) {
    const Results results = support::run_of("ehr.two_events", toml, 7);
    REQUIRE(results.checks().size() == 4);
    for (const Check& check : results.checks()) {
      INFO(toml << check.name << ": measured " << check.measured);
      CHECK(check.holds());
    }
    CHECK(results.verdict().find("holds within 1e-12") != std::string::npos);
  }
}

TEST_CASE("two events: a half-life of 30 days, by hand", "[ehr]") {
  const Results results = support::run_of("ehr.two_events", "half_lives = [30.0]\nages = [1, 31]\n", 7);
  // sqrt(16) (0.9 - 0.1) = 3.2; 1 + 30 x 3.2 / ln 2
  CHECK(std::abs(view(results.data, "overtaken_after").first() - 139.4987) < 1e-3);
  CHECK(std::abs(view(results.data, "fresh_to_old").first() - 4492.595) < 1e-2);  // 2^(364 / 30)
  const std::vector<double> weights = view(results.data, "similar_weight").values();
  CHECK(std::abs(weights[0] - 1 / (1 + std::exp(-3.2))) < 1e-12);      // of one age: similarity alone
  CHECK(std::abs(weights[1] - 1 / (1 + 2 * std::exp(-3.2))) < 1e-12);  // one half-life older: half the weight
}

TEST_CASE("two events: half-lives that do not ascend, and a similar event that is not, are refused", "[ehr]") {
  CHECK(support::complaints_of("ehr.two_events", "").empty());
  CHECK(support::complaints_of("ehr.two_events", "half_lives = [30.0, 7.0]\n") ==
        "test.toml:3:14: half_lives must have at least one value, ascending.\n");
  CHECK(support::complaints_of("ehr.two_events", "similar = 0.0\n") ==
        "test.toml:3:11: similar = 0, but must be above dissimilar = 0.1: the question is when the other event catches "
        "up.\n");
}
