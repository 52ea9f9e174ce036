#include "fovea/domains/ehr/record/stay_reading.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/cases/reading_findings.hpp"
#include "fovea/domains/ehr/record/units.hpp"

namespace fovea::ehr::record {

namespace {

using datasets::events::ReadingFacts;
using datasets::events::UnitFacts;

/// "hour 48 (data.at), counted from its first event (data.origin)".
std::string asked_text(const ReadingFacts& facts, const CaseOptions& options) {
  if (facts.asks_at_origin) return concat("the '", facts.origin, "' of each");
  const std::string from =
      facts.origin == "as given" ? "" : concat(", counted from its ", facts.origin, " (data.origin)");
  return concat(record_unit(options.unit).singular, ' ', rounded_text(options.at), " (data.at)", from);
}

/// The unit of a variable is that of nine of ten of its values, at least, and of a unit of few stays nothing is said.
void add_units(const ReadingFacts& facts, study::Reading& reading) {
  for (const auto& [variable, units] : facts.units) {
    Index all = 0;
    for (const UnitFacts& one : units) all += one.values;
    if (units.front().is_common && 10 * units.front().values >= 9 * all)
      reading.variables.push_back({variable, units.front().unit, "a column of the file"});
    if (units.size() < 2 || !units[0].is_common || !units[1].is_common) continue;
    reading.finding(study::TwoUnits{variable, units[0].unit, units[1].unit, units[0].values, units[1].values,
                                    units[0].median, units[1].median});
  }
}

}  // namespace

void Window::see(const datasets::events::Stays& block, double hour) {
  has.resize(block.variables.size());
  has_late.resize(block.variables.size());
  for (const std::uint16_t kind : block.static_kinds) has[kind] = true;
  statics += static_cast<Index>(block.static_kinds.size());
  for (std::size_t s = 0; s < block.ids.size(); ++s) {
    Index mine = 0;
    for (Index i = block.offsets[s]; i < block.offsets[s + 1]; ++i) {
      const bool is_late = !(static_cast<double>(block.hours[i]) <= hour);
      mine += is_late ? 1 : 0;
      (is_late ? has_late : has)[block.kinds[i]] = true;
    }
    const Index all = block.offsets[s + 1] - block.offsets[s];
    late += mine, inside += all - mine;
    late_stays += mine > 0 && mine == all ? 1 : 0;
  }
}

study::Reading stay_reading(const datasets::events::Stays& index, const CaseOptions& options, const Window* window) {
  const ReadingFacts& facts = index.facts;
  study::Reading reading{.noun = options.unit == "hours" ? "stay" : "record", .token = "event", .group = "patient"};
  add_units(facts, reading);
  if (window != nullptr && window->late > 0) {
    const bool shown = window->late_stays >= kFewestStays;
    reading.left_out.push_back(
        {"event", window->late,
         concat("later than ", asked_text(facts, options), ", when each ", reading.noun, " is asked",
                shown ? concat("; of ", counted(window->late_stays, reading.noun), " all") : "")});
    for (std::size_t v = 0; v < window->has.size(); ++v)
      if (!window->has[v] && window->has_late[v]) reading.late.push_back(index.variables[v]);
  }
  for (const auto& one : facts.left_out) reading.left_out.push_back({one.what, one.count, one.reason, one.places});
  if (facts.missing_codes > 0)
    reading.left_out.push_back({"row", facts.missing_codes, "-1, which means missing in the challenge 2012"});
  for (const auto& [why, names] : facts.unread) {
    reading.left_out.push_back({"column", std::ssize(names), why, {names.begin(), names.end()}});
    auto& shown = reading.left_out.back().places;
    shown.resize(std::min(shown.size(), study::kShownPlaces));
  }
  reading.notes = facts.notes;
  return reading;
}

void refuse_empty_window(const Window& window, const datasets::events::Stays& index, const CaseOptions& options) {
  if (window.inside > 0 || window.statics > 0 || window.late == 0) return;
  const std::string hint = datasets::events::clock_hint(index.facts);
  throw DataError(concat(options.source, ": all of ", counted(window.late, "event"), " are later than ",
                         asked_text(index.facts, options), ", when each is asked; ",
                         index.facts.asks_at_origin
                             ? "name another column, or none: --set data.at_column=..."
                             : "say when that is, from where times count, or their unit: --set data.at=..., --set "
                               "data.origin=... or --set data.time_unit=...",
                         hint.empty() ? "" : ". " + hint));
}

}  // namespace fovea::ehr::record
