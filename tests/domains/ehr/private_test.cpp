/// What a run leaves behind holds nothing of a single patient: planted values are searched for in all of it.

#include <type_traits>

#include "fovea/core/config/config.hpp"
#include "fovea/core/data/dataset_bytes.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/tests/domains/ehr/ward_files.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::ehr {
namespace {

constexpr double kNear = 1e-6;  // relative: a float of the number, or its rounding to seven digits

/// Of one stay alone: an amount among those of a usual variable, a variable, a code, hours, the gap between two values.
const std::vector<double> kPlantedNumbers{7391.25, 8462.75, 6173, 17.3917, 3.0417, 7.7713, 25.1630, 48 - 17.3917};
const std::vector<std::string> kPlantedWords{"PLANTED", "planted", "7391.25", "8462.75",       "= 6173",
                                             "17.3917", "7.7713",  "25.163",  "patient-named-"};

std::string planted_rows() {
  std::string rows;
  for (int k = 0; k < 30; ++k) rows += "PLANTED-ID-7391,17.3917,lactate,7391.25\n";
  for (int k = 0; k < 4; ++k) rows += "PLANTED-ID-7391,3.0417,planted_test,<16925.5\n";
  rows += "PLANTED-ID-7391,17.3917,planted_drug,\nPLANTED-ID-7391,,ICUType,6173\n";
  rows += "PLANTED-ID-7391,17.3917,once,1\nPLANTED-ID-7391,25.1630,once,1.5\n";  // the only gap of this variable
  return rows;
}

/// Names of what holds a planted number, or a planted word.
std::vector<std::string> planted_in(const Dataset& data) {
  std::vector<std::string> places;
  const auto near = [](double x) {
    return std::any_of(kPlantedNumbers.begin(), kPlantedNumbers.end(),
                       [&](double planted) { return std::abs(x - planted) <= kNear * planted; });
  };
  const auto planted = [&](const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
      return std::any_of(kPlantedWords.begin(), kPlantedWords.end(),
                         [&](const std::string& word) { return value.find(word) != std::string::npos; });
    else
      return near(static_cast<double>(value));
  };
  for (const Variable& variable : data.variables())
    std::visit(
        [&](const auto& values) {
          if (std::any_of(values.begin(), values.end(), [&](const auto& value) { return planted(value); }))
            places.push_back(variable.name);
        },
        variable.values);
  for (const auto& [name, text] : data.documents)
    if (planted(text)) places.push_back(name);
  for (const auto& [name, text] : data.attributes)
    if (planted(text)) places.push_back(name);
  return places;
}

Results run_ward(const Experiment& experiment, const std::string& events, const std::string& outcomes,
                 const std::vector<std::string>& more) {
  std::vector<std::string> set{"data.events=[\"" + events + "\"]",
                               "data.outcomes=[\"" + outcomes + "\"]",
                               "split.folds=3",
                               "split.validation=0",
                               "training.epochs=2",
                               "training.patience=0",
                               "ensemble.members=2",
                               "calibration.method=line"};
  set.insert(set.end(), more.begin(), more.end());
  return support::run_of(experiment, set);
}

/// Runs it on stays among which one has planted values, and searches all that is left behind.
void check_private(const Experiment& experiment, const std::vector<std::string>& more) {
  const support::TemporaryFolder folder;
  datasets::events::Stays stays = datasets::simulated::made_stays(datasets::simulated::ward_plan(150), Random(4)).stays;
  for (std::string& id : stays.ids) id = "patient-named-" + id;
  stays.ids[40] = "PLANTED-ID-7391";
  std::string rows = planted_rows();
  for (int s = 60; s < 80; ++s) rows += stays.ids[s] + ",4,once,2\n";
  const std::string events = support::write_events(folder, "e.csv", stays, rows),
                    outcomes = support::write_outcomes(folder, "o.csv", stays);
  std::string with_units, line;
  for (std::ifstream file(events); std::getline(file, line);)
    with_units += line + (with_units.empty()                  ? ",valueuom\n"
                          : line.find("planted") == line.npos ? ",u\n"
                                                              : ",planted\n");
  std::ofstream(events) << with_units;
  REQUIRE(std::find(stays.variables.begin(), stays.variables.end(), "lactate") != stays.variables.end());
  const Results results = run_ward(experiment, events, outcomes, more);
  CHECK(planted_in(results.data) == std::vector<std::string>{});
  REQUIRE(results.model() != nullptr);
  CHECK(planted_in(*results.model()) == std::vector<std::string>{});
  const std::string page = draw_page(results, {});
  for (const std::string& word : kPlantedWords) {
    INFO(word);
    CHECK(page.find(word) == std::string::npos);
  }

  Dataset open = *results.model();  // the search finds what is there
  open.add({"slip", {}, std::vector<float>{7391.25F}, "1", "", {}});
  open.documents["slip_of_text"] = "stay PLANTED-ID-7391";
  CHECK(planted_in(open) == std::vector<std::string>{"slip", "slip_of_text"});
}

}  // namespace

TEST_CASE("mortality: neither results, page nor model hold an id, a value or a time of a single stay",
          "[ehr][private][long]") {
  check_private(*risk::make_mortality(), {"contributions.stays=100", "trees.rounds=20"});
}

TEST_CASE("trajectory: neither results, page nor model hold an id, a value or a time of a single stay",
          "[ehr][private][long]") {
  check_private(*alarms::make_trajectory(), {"alarms.every=2"});
}

}  // namespace fovea::ehr
