/// Half-lives that are known, found again: what one run reports, and what a config may not say.

#include "fovea/core/config/config.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

TEST_CASE("known decay: a half-life is found again, and nothing where labels are shuffled", "[ehr]") {
  const Results results = support::run_of(
      "ehr.known_decay",
      "half_lives = [12]\ncases.training = 1200\ncases.held_out = 1000\ntraining.learning_rate = 0.1\n", 7);
  REQUIRE(results.checks().size() == 6);
  for (const Check& check : results.checks()) {
    INFO(check.name << ": measured " << check.measured);
    CHECK(check.holds());
  }
  CHECK(std::get<std::vector<std::string>>(results.data.at("fit").values) ==
        std::vector<std::string>{"12 h, made stays 1", "labels shuffled 1"});
  CHECK(view(results.data, "true_auroc").first() > 0.8);
  for (const SvgFigure& figure : draw_figures(results)) CHECK(figure.svg.find("no data") == std::string::npos);
}

TEST_CASE("known decay: what a config may not say is said in a sentence", "[ehr][fault]") {
  CHECK(support::complaints_of("ehr.known_decay", "half_lives = [6, 6]\n")
            .find("half_lives must have at least one value, ascending.") != std::string::npos);
  CHECK(support::complaints_of("ehr.known_decay", "cases.fewest_events = 90\n")
            .find("cases.fewest_events = 90, but must not be above cases.most_events = 80.") != std::string::npos);
}
