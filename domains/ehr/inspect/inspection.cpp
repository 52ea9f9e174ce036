#include "fovea/domains/ehr/inspect/inspection.hpp"

#include <algorithm>
#include <filesystem>

#include "fovea/datasets/events/read.hpp"
#include "fovea/datasets/images/images.hpp"
#include "fovea/datasets/recognise/file_kind.hpp"
#include "fovea/datasets/text/file_format.hpp"
#include "fovea/domains/ehr/inspect/output.hpp"

namespace fovea::ehr::inspect {

namespace {

std::string text_of(const Arguments& arguments, Form form, std::size_t width) {
  datasets::events::EventOptions options;
  options.stay = arguments.text("stay", "");
  options.patient = arguments.text("patient", "");
  options.time = arguments.text("time", "");
  options.time_unit = arguments.text("time-unit", "");
  options.variable = arguments.text("variable", "");
  options.value = arguments.text("value", "");
  options.outcomes = arguments.texts("outcomes");
  options.outcome = arguments.text("outcome", "");
  options.folds = arguments.text("folds", "");
  options.positive = arguments.text("positive", "");
  options.origin = arguments.text("origin", "");
  options.at_column = arguments.text("at-column", "");
  const std::string bad = arguments.text("bad", "stop");
  if (bad != "stop" && bad != "leave out")
    throw UsageError("--bad is '" + bad + "', but must be 'stop' or 'leave out'.");
  options.leave_out_bad = bad == "leave out";
  if (!datasets::events::is_time_unit(options.time_unit))
    throw UsageError("--time-unit is '" + options.time_unit + "', but must be seconds, minutes, hours or days.");
  const EventFacts facts = facts_of(datasets::events::read_stays(arguments.positional, options));
  return form == Form::json ? facts_json(facts, arguments.positional) : facts_text(facts, arguments.positional, width);
}

/// Tables by their columns; archives of records and Parquet by their first bytes. Any other text is none, unless an
/// option of events comes with it.
bool holds_events(const std::string& path) {
  if (!datasets::events::looks_like_events(path) || datasets::images::is_image(path)) return false;
  if (std::filesystem::is_directory(path) || path.ends_with(".psv")) return true;
  constexpr std::size_t kTarMark = 257;
  const std::string front = datasets::text::front_of(path);
  if (front.starts_with("PAR1") || front.substr(std::min(front.size(), kTarMark)).starts_with("ustar")) return true;
  return datasets::kind_of_file(path) == datasets::FileKind::events;
}

}  // namespace

Inspection inspection() {
  return {
      "dated events of stays or patients: long or wide CSV, .psv (also .gz), records of the PhysioNet challenge 2012 "
      "(folder, .tar.gz)",
      {"fovea inspect set-a.csv.gz --outcomes outcomes.csv",
       "fovea inspect labs.csv drugs.csv --time-unit days --json"},
      {{"outcomes", 0, "FILE", "events: CSV of stays and an outcome of 0 or 1; may be given again", true},
       {"outcome", 0, "COLUMN", "events: its column (default: recognised)", false},
       {"folds", 0, "FILE", "events: CSV of stays and a column 'fold'", false},
       {"stay", 0, "COLUMN", "events: column of the stays (default: recognised, as the next four)", false},
       {"patient", 0, "COLUMN", "events: column of the patients", false},
       {"time", 0, "COLUMN", "events: column of the times", false},
       {"variable", 0, "COLUMN", "events: column of the variables' names", false},
       {"value", 0, "COLUMN", "events: column of the values", false},
       {"time-unit", 0, "UNIT", "events: seconds, minutes, hours or days, of times that are numbers", false},
       {"origin", 0, "NAME",
        "events: where hours begin: 'first event', 'birth', or a column or an event that each stay has", false},
       {"at-column", 0, "COLUMN", "events: column of the outcomes with the time at which each is asked", false},
       {"positive", 0, "WORD", "events: word of the outcome that counts as 1", false},
       {"bad", 0, "WORD", "events: rows that cannot be read: stop (default) or 'leave out'", false}},
      &holds_events,
      &text_of};
}

}  // namespace fovea::ehr::inspect
