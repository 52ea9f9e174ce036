#include "fovea/datasets/events/wide_row.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/datasets/events/cells.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/text/row_fault.hpp"

namespace fovea::datasets::events {

namespace {

/// What a stay has once, though each row repeats it; the last three are of the PhysioNet challenge 2019.
constexpr std::array<std::string_view, 8> kOfAStay{"age",       "sex",         "gender", "race",
                                                   "ethnicity", "hospadmtime", "unit1",  "unit2"};
constexpr std::array<std::string_view, 10> kOutcomes{
    "in_hospital_death", "hospital_expire_flag", "death",       "died", "mortality", "outcome", "label",
    "boolean_value",     "sepsislabel",          "sepsis_label"};

template <std::size_t N>
bool has_name(const std::array<std::string_view, N>& names, const std::string& column) {
  return std::find(names.begin(), names.end(), plain_name(column)) != names.end();
}

}  // namespace

bool is_outcome_name(const std::string& column) { return has_name(kOutcomes, column); }

WideRow::WideRow(const text::CsvReader& reader, const EventColumns& columns, bool decimal_comma, StayBuilder& builder)
    : reader_(reader), decimal_comma_(decimal_comma), builder_(builder) {
  for (std::size_t c = 0; c < reader.columns().size(); ++c) {
    const std::string& name = reader.columns()[c];
    if (c == columns.stay || c == columns.time || c == columns.patient || c == columns.origin) continue;
    columns_.push_back({.place = c,
                        .name = name,
                        .is_static = !columns.time || has_name(kOfAStay, name),
                        .is_word = has_name(kOfAStay, name),
                        .is_text = is_outcome_name(name) || name.empty()});
  }
}

/// "sex = Female" is an event without a value.
void WideRow::take_word(Column& column, EventRow& row, const RowPlace& place) {
  const std::string variable = column.name + " = " + std::string(text::trimmed(reader_.text(column.place)));
  if (variable == column.last_word) return;
  column.last_word = variable;
  row.variable = variable;
  row.value = kNan, row.limit = 0;
  builder_.add(row, place);
}

void WideRow::take_cell(Column& column, EventRow& row, const RowPlace& place) {
  const std::string_view cell = reader_.text(column.place);
  if (column.is_text || series::is_missing(cell)) return;
  const std::string word = plain_name(std::string(text::trimmed(cell)));
  EventValue value;
  if (word == "true" || word == "false") {
    value.number = word == "true" ? 1 : 0;
  } else {
    try {
      value = event_value(reader_, column.place, decimal_comma_);
    } catch (const text::RowFault&) {
      if (column.is_number) throw;
      if (column.is_word) return take_word(column, row, place);
      column.is_text = true;
      return;
    }
  }
  column.is_number = true;
  if (column.is_static && value.number == column.last) return;
  if (column.is_static) column.last = value.number;
  row.variable = column.name;
  row.value = value.number, row.limit = value.limit;
  builder_.add(row, place);
}

void WideRow::take(EventRow row, const RowPlace& place) {
  if (row.stay != stay_)
    for (Column& column : columns_) column.last = kNan, column.last_word.clear();
  stay_ = row.stay;
  builder_.stay(row.stay, place);
  const EventTime time = row.time;
  for (Column& column : columns_) {
    row.time = column.is_static ? EventTime{} : time;
    take_cell(column, row, place);
  }
}

void WideRow::finish() {
  for (const Column& column : columns_)
    if (column.is_text) builder_.note_unread(column.name);
}

}  // namespace fovea::datasets::events
