#include "fovea/domains/ehr/inspect/output.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/lines.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::ehr::inspect {

namespace {

const std::string kFew = concat("fewer than ", kFewestStays);

std::string shown(double value, int digits = 4) { return std::isnan(value) ? "-" : rounded_text(value, digits); }

std::string percent(double share) { return std::isnan(share) ? "-" : fixed_text(100 * share, 1); }

std::string stays_text(Index stays) { return shown_count(stays) ? counted(stays, "stay") : kFew + " stays"; }

std::string short_count(Index stays) { return shown_count(stays) ? concat(stays) : concat('<', kFewestStays); }

std::string spread_text(const Spread& spread) {
  const std::string ends = std::isnan(spread.low) || std::isnan(spread.high)
                               ? " (5 and 95 % are not shown: few stays lie beyond)"
                               : concat(", 5 to 95 % ", shown(spread.low), " to ", shown(spread.high));
  return concat("median ", shown(spread.median), ends);
}

std::string headline(const EventFacts& facts, const std::vector<std::string>& files) {
  std::string names;
  for (const std::string& file : files) names += (names.empty() ? "" : ", ") + file;
  Index series = 0;
  for (const VariableFacts& one : facts.variables) series += one.is_static ? 0 : 1;
  const auto variables = static_cast<Index>(facts.variables.size());
  return concat(names, ": ", counted(facts.stays, "stay"),
                facts.patients == facts.stays ? "" : concat(" of ", counted(facts.patients, "patient")), ", ",
                counted(facts.events, "event"), " of ", counted(series, "variable"), ", ",
                counted(facts.statics, "static"), " of ", counted(variables - series, "further variable"), "; ",
                counted(facts.rows, facts.is_wide ? "value" : "row"), " read.");
}

std::vector<std::string> sentences(const EventFacts& facts) {
  std::vector<std::string> all;
  all.push_back(concat("Events of a stay: ", spread_text(facts.events_of_stay),
                       "; at different times: ", spread_text(facts.times_of_stay), "."));
  all.push_back(concat("Last event of a stay, in hours: ", spread_text(facts.last_hour), "."));
  if (facts.repeated > 0)
    all.push_back(concat("Repeated: ", facts.repeated, " times a variable has several values at one time of a stay, ",
                         facts.conflicting, " times different ones; all are kept."));
  if (facts.folds > 0) all.push_back(concat("Folds: ", facts.folds, "."));
  return all;
}

/// What is wrong with single values.
std::vector<std::string> findings(const EventFacts& facts) {
  std::vector<std::string> all;
  for (const Finding& found : facts.reading.findings) all.push_back(found.sentence);
  for (const VariableFacts& one : facts.variables) {
    if (one.impossible > 0)
      all.push_back(concat(one.name, ": values outside ", one.range->low, " to ", one.range->high,
                           one.range->unit == "1" ? "" : concat(' ', one.range->unit), " (", one.range->source, ") in ",
                           stays_text(one.impossible_stays),
                           shown_count(one.impossible_stays) ? concat(", ", counted(one.impossible, "value")) : "",
                           "."));
    if (one.coded > 0)
      all.push_back(concat(one.name, ": is ", one.code, " in ", stays_text(one.coded_stays),
                           ", else never below 0: a code for missing?"));
  }
  return all;
}

std::string variable_table(const EventFacts& facts) {
  const bool has_outcome = !facts.outcome.empty();
  std::vector<std::vector<std::string>> rows{{"variable", "stays", "events", "gap", "5 %", "median", "95 %"}};
  if (has_outcome) rows[0].insert(rows[0].end(), {"with", "without"});
  for (const VariableFacts& one : facts.variables) {
    rows.push_back({datasets::text::shown_text(one.name, 200), short_count(one.stays),
                    shown_count(one.stays) ? concat(one.events) : "-",
                    one.is_static ? "static" : shown(one.median_gap_hours, 3), shown(one.values.low),
                    shown(one.values.median), shown(one.values.high)});
    if (has_outcome) rows.back().insert(rows.back().end(), {percent(one.outcome.with), percent(one.outcome.without)});
  }
  return in_columns(rows, 1);
}

Json json_or_null(double value) { return std::isnan(value) ? Json{"null"} : json(value); }
Json json_count(Index stays) { return shown_count(stays) ? json(stays) : Json{"null"}; }

Json spread_json(const Spread& spread) {
  JsonObject object;
  object.add("p5", json_or_null(spread.low)).add("median", json_or_null(spread.median));
  return object.add("p95", json_or_null(spread.high)).done();
}

Json variable_json(const VariableFacts& one) {
  JsonObject object;
  object.add("name", one.name).add("static", one.is_static).add("stays", json_count(one.stays));
  object.add("events", shown_count(one.stays) ? json(one.events) : Json{"null"});
  object.add("without_value", shown_count(one.stays) ? json(one.without_value) : Json{"null"});
  object.add("values", spread_json(one.values)).add("median_gap_hours", json_or_null(one.median_gap_hours));
  object.add("outcome_with", json_or_null(one.outcome.with)).add("outcome_without", json_or_null(one.outcome.without));
  object.add("impossible_stays", json_count(one.impossible_stays));
  if (one.range) object.add("possible", json_list({json(one.range->low), json(one.range->high)}));
  if (one.coded > 0) object.add("suspected_code", one.code).add("suspected_code_stays", json_count(one.coded_stays));
  return object.add("missing_codes", json_count(one.missing_codes)).done();
}

}  // namespace

std::string facts_text(const EventFacts& facts, const std::vector<std::string>& files, std::size_t width) {
  std::string text = in_lines(headline(facts, files), width);
  study::Reading reading = facts.reading;
  reading.files = files;
  reading.without_folders();
  for (const std::string& sentence : study::sentences_of(reading)) text += in_lines(sentence, width, 2);
  for (const std::string& sentence : sentences(facts)) text += in_lines(sentence, width, 2);
  text += '\n' + variable_table(facts) + '\n';
  text +=
      in_lines(concat("gap: median hours between two times of a stay. with, without: outcome in % of the stays that "
                      "have the variable, and of those that do not. -: fewer than ",
                      kFewestStays, " stays are behind it, or beyond a quantile."),
               width);
  const std::vector<std::string> found = findings(facts);
  if (!found.empty()) text += "\nto look at:\n";
  for (const std::string& one : found) text += in_lines("  " + one, width, 4);
  return text;
}

std::string facts_json(const EventFacts& facts, const std::vector<std::string>& files) {
  std::vector<Json> variables;
  for (const VariableFacts& one : facts.variables) variables.push_back(variable_json(one));
  JsonObject object;
  object.add("files", json_texts(files)).add("stays", facts.stays).add("patients", facts.patients);
  object.add("rows", facts.rows).add("events", facts.events).add("statics", facts.statics);
  object.add("stays_without_events", json_count(facts.without_events));
  object.add("events_of_stay", spread_json(facts.events_of_stay))
      .add("times_of_stay", spread_json(facts.times_of_stay));
  object.add("last_hour", spread_json(facts.last_hour));
  object.add("repeated", facts.repeated).add("conflicting", facts.conflicting);
  object.add("missing_codes", facts.missing_codes);
  object.add("outcome", facts.outcome.empty() ? Json{"null"} : json(facts.outcome));
  object.add("with_outcome", json_count(facts.with_outcome)).add("outcomes_known", facts.known);
  object.add("folds", facts.folds).add("notes", json_texts(facts.reading.notes)).add("variables", json_list(variables));
  return object.add("reading", Json{study::reading_json(facts.reading)}).done().text + '\n';
}

}  // namespace fovea::ehr::inspect
