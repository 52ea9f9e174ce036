#include "fovea/domains/ehr/record/keys.hpp"

#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/datasets/events/read.hpp"
#include "fovea/datasets/simulated/clinical_events.hpp"

namespace fovea::ehr::record {

const Keys<EventSettings>& event_keys() {
  using S = EventSettings;
  static const auto keys =
      Keys<S>()
          .files("data.events", &S::files,
                 "files or folders of dated events, as `fovea inspect` reads them; none: stays are simulated")
          .files("data.outcomes", &S::outcomes,
                 "CSV files of stays and an outcome of 0 or 1; none: those beside the records")
          .file("data.folds", &S::folds,
                "CSV of stays with a column 'fold' for the cross-validation; empty: folds are drawn")
          .key("data.outcome", &S::outcome, "column of the outcome; empty: recognised")
          .key("data.stay", &S::stay, "column of the stays; empty: recognised")
          .key("data.patient", &S::patient, "column of the patients, each of whom is in one fold; empty: recognised")
          .key(study::kDataTime, &S::time)
          .key("data.variable", &S::variable, "column of the variables' names; empty: recognised")
          .key(study::kDataValue, &S::value)
          .choice(
              "data.time_unit", &S::number_unit,
              {{"by name", {}}, {"seconds", "seconds"}, {"minutes", "minutes"}, {"hours", "hours"}, {"days", "days"}},
              "unit of times that are numbers; by name: the column's name says it")
          .choice(
              "data.unit", &S::unit, {"hours", "days", "years"},
              "unit of this experiment: of data.at, half-lives and the page; hours of a stay, days or years of a life")
          .added_later()
          .key("data.at", &S::at, Range::any(), "data.unit",
               "time at which the risk is predicted, from data.origin; later events are not read")
          .key("data.origin", &S::origin,
               "where hours begin: 'first event', 'birth', 'as given' or the name of a column or an event; empty: a "
               "column such as admittime, else numbers as given and dates from the first event")
          .added_later()
          .key("data.at_column", &S::at_column,
               "column of data.outcomes with the time at which each stay is asked, in place of data.at; 'none': there "
               "is none; empty: prediction_time, if it and the events have dates")
          .added_later()
          .key("data.positive", &S::positive,
               "word of the outcome that counts as 1, all others as 0; empty: 1, true or yes")
          .added_later()
          .choice(study::kDataBad, &S::leave_out_bad)
          .added_later()
          .key("data.codes", &S::distinct,
               "variables whose numbers are codes: each code becomes an event of its own as well")
          .key("data.allowed", &S::allowed, "variables that look like the outcome but may be used")
          .key("data.simulated", &S::simulated, Range::between(50, 1e6), "",
               "number of simulated stays, where no files are named");
  return keys;
}

datasets::events::Stays simulated_stays(const EventSettings& settings, const Random& random) {
  namespace simulated = datasets::simulated;
  const Index count = settings.simulated;
  const auto plan = settings.in_hours() ? simulated::ward_plan(count) : simulated::cohort_plan(count);
  return simulated::made_stays(plan, random).stays;
}

study::Cases simulated_cases(const EventSettings& settings, const Random& random) {
  const bool ward = settings.in_hours();
  return cases_of(simulated_stays(settings, random),
                  {ward ? "the simulated stays" : "the simulated records", ward ? 48.0 : 0.0, {}, {}, settings.unit});
}

const std::vector<double>* find_column(const datasets::events::Stays& stays, const std::string& name) {
  for (const datasets::events::OutcomeColumn& column : stays.outcomes)
    if (column.name == name) return &column.values;
  return nullptr;
}

datasets::events::StaysReader open_stays(const EventSettings& settings) {
  datasets::events::EventOptions options = settings;
  options.time_unit = settings.number_unit.value_or("");
  options.from_config = true;
  return datasets::events::StaysReader(settings.files, options);
}

std::unique_ptr<study::CaseReader> open_cases(const EventSettings& settings, const CaseFinish& finish) {
  return read_stay_cases(open_stays(settings),
                         {settings.files.front(), settings.at, settings.distinct, settings.allowed, settings.unit},
                         finish);
}

}  // namespace fovea::ehr::record
