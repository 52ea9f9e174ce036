/// Half-lives that are known, found again: what one run reports, and what a config may not say.

#include <memory>
#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/config.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/tests/support/catch.hpp"
#include "fovea/tests/support/messages.hpp"

using namespace fovea;

namespace {

const std::unique_ptr<Experiment> kKnownDecay = ehr::decay::make_known_decay();

Config known_decay_config(const std::string& toml) {
  static const Schema schema = kKnownDecay->schema();
  return parse_config("experiment = \"ehr.known_decay\"\n" + toml, "test.toml", ".",
                      [](std::string_view) { return &schema; }, {"ehr.known_decay"}, {});
}

std::string known_decay_complaint(const std::string& toml) {
  Complaints complaints;
  const Config config = known_decay_config(toml);
  kKnownDecay->check(config, complaints);
  return support::message_of<ConfigError>([&] { complaints.raise(); });
}

}  // namespace

TEST_CASE("known decay: a half-life is found again, and nothing where labels are shuffled", "[ehr]") {
  Results results;
  const auto bench = plain_workbench();
  const Config config = known_decay_config(
      "half_lives = [12]\ncases.training = 1200\ncases.held_out = 1000\ntraining.learning_rate = 0.1\n");
  kKnownDecay->run(config, {}, Random(7), results, *bench);
  kKnownDecay->conclude(results);
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
  CHECK(known_decay_complaint("half_lives = [6, 6]\n").find("half_lives must have at least one value, ascending.") !=
        std::string::npos);
  CHECK(known_decay_complaint("cases.fewest_events = 90\n")
            .find("cases.fewest_events = 90, but must not be above cases.most_events = 80.") != std::string::npos);
}
