/// What `fovea inspect` says of dated events: right in sum, and nothing of a single patient.

#include "fovea/datasets/events/read.hpp"
#include "fovea/domains/ehr/inspect/output.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::ehr::inspect;

namespace {

/// 400 stays: hr every hour for five hours, 60 + s % 100; lactate once in every second; the first 40 of the others and
/// 60 of those with lactate died; a drug in 7, planted values in one, pH 735 in 12.
datasets::events::Stays made_stays(const std::string& more_rows = "") {
  const support::TemporaryFolder folder;
  std::ofstream events(folder.file("e.csv")), outcomes(folder.file("o.csv"));
  events << "stay_id,time_hours,variable,value\n";
  outcomes << "stay_id,death\n";
  for (int s = 0; s < 400; ++s) {
    const std::string id = s == 7 ? "planted-id" : std::to_string(s);
    for (int hour = 0; hour < 5; ++hour) events << id << ',' << hour << ",HR," << 60 + s % 100 << '\n';
    events << id << ",,sex," << s % 3 % 2 << '\n';
    if (s % 2 == 0) events << id << ",1,lactate," << (s % 40 == 0 ? "-1" : "2") << '\n';
    if (s < 12) events << id << ",2,pH,735\n";
    events << id << ",2,pH,7.4\n";
    if (s < 7) events << id << ",3,digoxin,\n";
    if (s == 9) events << id << ",4,HR,71.8125\n" << id << ",4,Temp,-17.8125\n";
    outcomes << id << ',' << ((s % 2 == 0 ? s < 120 : s < 80) ? 1 : 0) << '\n';
  }
  events << more_rows;
  events.close();
  outcomes.close();
  return datasets::events::read_stays({folder.file("e.csv")}, {.outcomes = {folder.file("o.csv")}});
}

const VariableFacts& inspected(const EventFacts& facts, const std::string& name) {
  const auto found = std::find_if(facts.variables.begin(), facts.variables.end(),
                                  [&](const VariableFacts& one) { return one.name == name; });
  REQUIRE(found != facts.variables.end());
  return *found;
}

}  // namespace

TEST_CASE("the facts of made stays are those they were made with", "[ehr]") {
  const EventFacts facts = facts_of(made_stays());
  CHECK(facts.stays == 400);
  CHECK(facts.patients == 400);
  CHECK(facts.events == 2000 + 200 + 12 + 400 + 7 + 2);
  CHECK(facts.statics == 400);
  CHECK(facts.repeated == 13);
  CHECK(facts.conflicting == 13);
  CHECK(facts.with_outcome == 100);
  CHECK(facts.last_hour.median == 4);
  const VariableFacts& rate = inspected(facts, "HR");
  CHECK(rate.median_gap_hours == 1);
  CHECK(rate.values.median == Approx(109.5).margin(0.5));
  CHECK(rate.values.low == Approx(65).margin(1));
  const VariableFacts& lactate = inspected(facts, "lactate");
  CHECK(lactate.stays == 200);
  CHECK(lactate.outcome.with == 0.3);
  CHECK(lactate.outcome.without == 0.2);
  CHECK(lactate.code == -1);
  CHECK(lactate.coded_stays == 10);
  CHECK(std::isnan(lactate.median_gap_hours));
  CHECK(inspected(facts, "pH").impossible_stays == 12);
  CHECK(inspected(facts, "sex").is_static);
  CHECK(inspected(facts, "digoxin").without_value == 7);
}

TEST_CASE("a finding is said in a sentence, without the value", "[ehr]") {
  const std::string text = facts_text(facts_of(made_stays()), {"e.csv"}, 0);
  CHECK(
      text.starts_with("e.csv: 400 stays, 2621 events of 5 variables, 400 statics of 1 further variable; 3021 rows "
                       "read.\n"));
  CHECK(text.find("pH: values outside 6.3 to 8 (wide limits of our own) in 12 stays, 12 values.") != std::string::npos);
  CHECK(text.find("Temp: values outside 13.7 to 46.5 degrees Celsius (survived: 13.7 (Gilbert et al. 2000), 46.5 "
                  "(Slovis et al. 1982)) in fewer than 10 stays.") != std::string::npos);
  CHECK(text.find("lactate: is -1 in 10 stays, else never below 0: a code for missing?") != std::string::npos);
  CHECK(text.find("death: no in 300 stays (75.0 %), yes in 100 stays (25.0 %).") != std::string::npos);
}

TEST_CASE("neither ids nor the values of a single patient nor small cells are shown", "[ehr][private]") {
  const EventFacts facts = facts_of(made_stays("400,2,rare,12345.5\n400,99.25,HR,301.5\n"));
  for (const std::string& said : {facts_text(facts, {"e.csv"}, 80), facts_json(facts, {"e.csv"})}) {
    INFO(said);
    for (const char* planted : {"planted", "71.8", "17.8", "735", "12345", "301", "99.25"})
      CHECK(said.find(planted) == std::string::npos);
  }
  CHECK(std::isnan(inspected(facts, "digoxin").outcome.with));
  CHECK(std::isnan(inspected(facts, "digoxin").outcome.without));  // it would tell the other by a difference
  CHECK(facts_json(facts, {"e.csv"}).find("\"name\": \"digoxin\", \"static\": false, \"stays\": null") !=
        std::string::npos);
}

TEST_CASE("no living patient is outside a range, whose names are of one case", "[ehr]") {
  for (const PhysiologicalRange& range : physiological_ranges()) {
    CHECK(range.low < range.high);
    CHECK(range_of(std::string(range.name))->high == range.high);
    CHECK(!range.source.empty());
  }
  CHECK(range_of("Heart Rate")->unit == "1/min");
  CHECK_FALSE(range_of("unheard of"));
}

TEST_CASE("a code that tells the outcome alone, two units and what was left out are said", "[ehr]") {
  const support::TemporaryFolder folder;
  std::ofstream events(folder.file("e.csv")), outcomes(folder.file("o.csv"));
  events << "stay_id,time_hours,variable,value,valueuom,nurse\n";
  outcomes << "stay_id,death\n";
  for (int s = 0; s < 100; ++s) {
    const bool died = s % 3 == 0;
    events << s << ",1,crea," << (s % 2 == 0 ? 1 : 90) << ',' << (s % 2 == 0 ? "mg/dL" : "umol/L") << ",x\n";
    if (died) events << s << ",2,comfort,,,x\n";
    outcomes << s << ',' << died << '\n';
  }
  outcomes << "nobody,1\n";
  events.close();
  outcomes.close();
  const auto said = [&](const std::vector<std::string>& files) {
    return facts_text(facts_of(datasets::events::read_stays({folder.file("e.csv")}, {.outcomes = files})), {"e.csv"},
                      0);
  };
  const std::string all = said({folder.file("o.csv")}), without = said({});
  for (const char* sentence :
       {"'number of comfort' alone nearly determines death: an AUROC of 1.000 in 100 cases; ",
        "Two units in one variable: crea has 50 values in mg/dL (median 1) and 50 in umol/L",
        "1 column: no column of the id, time, variable, value or unit (nurse)",
        "fewer than 10 stays: without events, in ", "death: no in 66 stays (66.0 %), yes in 34 stays (34.0 %)."})
    CHECK_THAT(all, Catch::Contains(sentence));
  CHECK(without.find("alone nearly") == std::string::npos);
  CHECK(without.find("not known") == std::string::npos);
  CHECK(without.find("Two units") != std::string::npos);
}
