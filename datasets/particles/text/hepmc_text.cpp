#include "fovea/datasets/particles/text/hepmc_text.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::particles::text {

bool HepMCText::next_event() {
  if (!is_at_event_ && !find_event()) return false;
  has_ended_ = false;
  begin_event();
  bool has_unit = false;
  while (true) {
    next_or_cut();
    const std::string_view line = lines_.line();
    if (line.starts_with(end_) || line.starts_with("E ")) break;
    if (!line.starts_with("U ")) {
      take_line(line);
      continue;
    }
    check_units_line(has_unit);
    LineFields fields(lines_, "the line of units");
    fields.word();
    take_unit(fields.word("unit of momenta"));
    has_unit = true;
  }
  has_ended_ = true;
  if (!has_unit && !unit_is_given_) {
    note_once("an event has no line U with units: GeV is taken");
    facts_.unit_known_by = "assumed where an event has no line U";
  }
  builder_.end_set(checked_event(), repairs_);
  is_at_event_ = is_listing_ = lines_.line().starts_with("E ");
  return true;
}

bool HepMCText::skip_event() {
  const auto is_end = [this] { return lines_.line().starts_with("E ") || lines_.line().starts_with(end_); };
  while (!has_ended_) {
    if (!lines_.next()) return false;
    has_ended_ = is_end();
  }
  is_at_event_ = is_listing_ = lines_.line().starts_with("E ");
  return true;
}

bool HepMCText::find_event() {
  while (lines_.next()) {
    const std::string_view line = lines_.line();
    if (line.starts_with(start_)) is_listing_ = true;
    if (line.starts_with(end_)) is_listing_ = false;
    if (!line.starts_with("E ")) continue;
    if (!is_listing_) lines_.refuse(concat("is an event outside a listing; it must stand behind ", start_, "."));
    return true;
  }
  if (is_listing_) refuse_cut();
  return false;
}

void HepMCText::next_or_cut() {
  if (!lines_.next()) refuse_cut();
}

void HepMCText::refuse_cut() const {
  throw DataError(
      concat(lines_.path(), ": ends behind line ", lines_.number(), " without ", end_, "; it was cut, get it again."));
}

}  // namespace fovea::datasets::particles::text
