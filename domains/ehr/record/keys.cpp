#include "fovea/domains/ehr/record/keys.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/events/read.hpp"
#include "fovea/datasets/simulated/clinical_events.hpp"

namespace fovea::ehr::record {

void add_event_keys(Schema& schema) {
  schema.files("data.events",
               "files or folders of dated events, as `fovea inspect` reads them; none: stays are simulated");
  schema.files("data.outcomes", "CSV files of stays and an outcome of 0 or 1; none: those beside the records");
  schema.file("data.folds", "CSV of stays with a column 'fold' for the cross-validation; empty: folds are drawn");
  schema.text("data.outcome", "", "column of the outcome; empty: recognised");
  schema.text("data.stay", "", "column of the stays; empty: recognised");
  schema.text("data.patient", "", "column of the patients, each of whom is in one fold; empty: recognised");
  schema.text("data.time", "", "column of the times; empty: recognised");
  schema.text("data.variable", "", "column of the variables' names; empty: recognised");
  schema.text("data.value", "", "column of the values; empty: recognised");
  schema.choice("data.time_unit", "by name", {"by name", "minutes", "hours", "days"},
                "unit of times that are numbers; by name: the column's name says it");
  schema
      .choice("data.unit", "hours", {"hours", "days", "years"},
              "unit of this experiment: of data.at, half-lives and the page; hours of a stay, days or years of a life")
      .added_later();
  schema.real("data.at", 48, Range::any(), "data.unit",
              "time at which the risk is predicted; later events are not read");
  schema.texts("data.codes", {"ICUType"},
               "variables whose numbers are codes: each code becomes an event of its own as well");
  schema.texts("data.allowed", {}, "variables that look like the outcome but may be used");
}

void add_simulated_key(Schema& schema) {
  schema.integer("data.simulated", 2000, Range::between(50, 1e6), "",
                 "number of simulated stays, where no files are named");
}

datasets::events::Stays simulated_stays(const Config& config, const Random& random) {
  namespace simulated = datasets::simulated;
  const auto count = static_cast<Index>(config.integer("data.simulated"));
  const bool ward = config.text("data.unit") == "hours";
  return simulated::made_stays(ward ? simulated::ward_plan(count) : simulated::cohort_plan(count), random).stays;
}

study::Cases simulated_cases(const Config& config, const Random& random) {
  const std::string& unit = config.text("data.unit");
  const bool ward = unit == "hours";
  return cases_of(simulated_stays(config, random),
                  {ward ? "the simulated stays" : "the simulated records", ward ? 48.0 : 0.0, {}, {}, unit});
}

const std::vector<double>* find_column(const datasets::events::Stays& stays, const std::string& name) {
  for (const datasets::events::OutcomeColumn& column : stays.outcomes)
    if (column.name == name) return &column.values;
  return nullptr;
}

bool has_files(const Config& config) { return !config.texts("data.events").empty(); }

datasets::events::StaysReader open_stays(const Config& config) {
  datasets::events::EventOptions options;
  options.stay = config.text("data.stay");
  options.patient = config.text("data.patient");
  options.time = config.text("data.time");
  options.variable = config.text("data.variable");
  options.value = config.text("data.value");
  if (config.text("data.time_unit") != "by name") options.time_unit = config.text("data.time_unit");
  options.outcomes = config.texts("data.outcomes");
  options.outcome = config.text("data.outcome");
  options.folds = config.text("data.folds");
  options.distinct = config.texts("data.codes");
  return datasets::events::StaysReader(config.texts("data.events"), options);
}

std::unique_ptr<study::CaseReader> open_cases(const Config& config, const CaseFinish& finish) {
  return read_stay_cases(open_stays(config),
                         {config.texts("data.events").front(), config.real("data.at"), config.texts("data.codes"),
                          config.texts("data.allowed"), config.text("data.unit")},
                         finish);
}

}  // namespace fovea::ehr::record
