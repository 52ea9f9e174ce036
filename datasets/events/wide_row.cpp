#include "fovea/datasets/events/wide_row.hpp"

#include <algorithm>
#include <iterator>

#include "fovea/datasets/events/cells.hpp"
#include "fovea/datasets/events/outcome_column.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/text/row_fault.hpp"

namespace fovea::datasets::events {

namespace {

/// What a stay has once, though each row repeats it; the last three are of the PhysioNet challenge 2019.
constexpr std::string_view kOfAStay[]{"age", "sex", "gender", "race", "ethnicity", "hospadmtime", "unit1", "unit2"};
}  // namespace

WideRow::WideRow(const text::CsvReader& reader, const EventColumns& columns, bool decimal_comma, StayBuilder& builder)
    : reader_(reader), decimal_comma_(decimal_comma), builder_(builder) {
  for (std::size_t c = 0; c < reader.columns().size(); ++c) {
    const std::string& name = reader.columns()[c];
    if (c == columns.stay || c == columns.time || c == columns.patient || c == columns.origin) continue;
    const bool of_a_stay = std::find(std::begin(kOfAStay), std::end(kOfAStay), plain_name(name)) != std::end(kOfAStay);
    columns_.push_back({.place = c,
                        .name = name,
                        .is_static = !columns.time || of_a_stay,
                        .is_word = of_a_stay,
                        .is_outcome = is_outcome_name(name),
                        .is_text = name.empty()});
  }
}

/// What the cell says, if it is anything that the stay does not have yet.
void WideRow::take_cell(Column& column) {
  const std::string_view cell = reader_.text(column.place);
  if (column.is_outcome || column.is_text || series::is_missing(cell)) return;
  const std::string word = plain_name(std::string(text::trimmed(cell)));
  EventValue value;
  if (word == "true" || word == "false") {
    value.number = word == "true" ? 1 : 0;
  } else {
    try {
      value = event_value(reader_, column.place, decimal_comma_);
    } catch (const text::RowFault&) {
      if (column.is_number) throw;
      column.is_text = !column.is_word;  // else "sex = Female", an event without a value
      if (column.is_word) cells_.push_back({&column, {}, column.name + " = " + std::string(text::trimmed(cell))});
      return;
    }
  }
  column.is_number = true;
  cells_.push_back({&column, value});
}

void WideRow::take(EventRow row, const RowPlace& place) {
  if (row.stay != stay_)
    for (Column& column : columns_) column.last = kNan, column.last_word.clear();
  stay_ = row.stay;
  cells_.clear();  // all or nothing of a row is taken
  for (Column& column : columns_) take_cell(column);
  builder_.stay(row.stay, place);
  const EventTime time = row.time;
  for (const Cell& cell : cells_) {
    Column& column = *cell.column;
    if (column.is_static && cell.word == column.last_word && (!cell.word.empty() || cell.value.number == column.last))
      continue;
    row.time = column.is_static ? EventTime{} : time;
    row.variable = cell.word.empty() ? column.name : cell.word;
    row.value = cell.value.number, row.limit = cell.value.limit;
    builder_.add(row, place);
    column.last = cell.value.number, column.last_word = cell.word;
  }
}

void WideRow::finish() {
  for (const Column& column : columns_)
    if (column.is_text || column.is_outcome)
      builder_.note_unread(column.name, column.is_outcome ? "an outcome by its name" : "no numbers");
}

}  // namespace fovea::datasets::events
