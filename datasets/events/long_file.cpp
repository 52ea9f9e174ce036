#include "fovea/datasets/events/long_file.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/events/cells.hpp"

namespace fovea::datasets::events {

namespace {

void note_unread(const std::string& path, const text::CsvReader& reader, const EventColumns& columns,
                 StayBuilder& builder) {
  std::vector<std::string> unread;
  for (std::size_t c = 0; c < reader.columns().size(); ++c)
    if (c != columns.stay && c != columns.time && c != columns.variable && columns.patient != c && columns.value != c)
      unread.push_back(reader.columns()[c]);
  if (!unread.empty()) builder.note(concat(path, ": not read: ", quoted_list(unread), "."));
  if (!columns.value) builder.note(concat(path, ": has no column of values; its events have none."));
}

}  // namespace

void read_long_file(const std::string& path, OpenCsv& csv, const EventOptions& options, StayBuilder& builder) {
  text::CsvReader& reader = *csv.reader;
  const EventColumns columns = event_columns(reader, path, options);
  note_unread(path, reader, columns, builder);
  const bool decimal_comma = csv.separator != ',';
  const CsvPlace place(path, reader);
  builder.next_file();
  EventRow row;
  bool any = false;
  while (reader.next()) {
    row.stay = bare(reader.text(columns.stay));
    row.variable = bare(reader.text(columns.variable));
    row.time = event_time(reader, columns.time, columns.unit, decimal_comma);
    row.value = columns.value ? event_value(reader, *columns.value, decimal_comma) : kNan;
    if (columns.patient) row.patient = bare(reader.text(*columns.patient));
    builder.add(row, place);
    any = true;
  }
  if (!any) throw DataError(concat(path, ": has a header but no rows; each row is one event."));
}

}  // namespace fovea::datasets::events
