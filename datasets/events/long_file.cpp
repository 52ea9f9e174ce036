#include "fovea/datasets/events/long_file.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/events/cells.hpp"
#include "fovea/datasets/events/wide_row.hpp"

namespace fovea::datasets::events {

namespace {

void note_unread(const std::string& path, const text::CsvReader& reader, const EventColumns& columns,
                 StayBuilder& builder) {
  for (std::size_t c = 0; c < reader.columns().size(); ++c)
    if (c != columns.stay && c != columns.time && c != columns.variable && columns.patient != c && columns.value != c &&
        columns.origin != c && columns.value_unit != c)
      builder.note_unread(reader.columns()[c], "no column of the id, time, variable, value or unit");
  if (!columns.value) builder.note(concat(path, ": has no column of values; its events have none."));
}

/// What a row says of its stay and its time.
class RowHead {
 public:
  RowHead(const std::string& path, const OpenCsv& csv, const EventColumns& columns, const EventOptions& options)
      : reader_(*csv.reader),
        columns_(columns),
        decimal_comma_(csv.separator != ','),
        options_(options),
        origin_is_asked_(!options.origin.empty()),
        stem_(path.substr(path.find_last_of('/') + 1)) {
    stem_ = stem_.substr(0, stem_.find('.'));
  }
  bool decimal_comma() const { return decimal_comma_; }
  void put(EventRow& row) {
    row.stay = columns_.stay ? bare(reader_.text(*columns_.stay)) : std::string_view(stem_);
    if (row.stay.empty()) reader_.refuse(*columns_.stay, "the id of the stay is empty; every row needs one.");
    row.time = columns_.time ? time() : EventTime{};
    if (columns_.patient) row.patient = bare(reader_.text(*columns_.patient));
    row.origin = {};
    if (!columns_.origin) return;
    const bool dates = row.time.kind == EventTime::Kind::date;
    if (!dates && !origin_is_asked_) return;
    row.origin =
        event_time(reader_, *columns_.origin, dates ? TimeUnit::unknown : columns_.unit, decimal_comma_, options_);
  }

 private:
  /// A number of no known unit is no fault of its row, unless dates stand above it.
  EventTime time() {
    try {
      const EventTime time = event_time(reader_, *columns_.time, columns_.unit, decimal_comma_, options_);
      any_date_ = any_date_ || time.kind == EventTime::Kind::date;
      return time;
    } catch (const text::RowFault& fault) {
      if (columns_.unit != TimeUnit::unknown || any_date_ || !number_of(reader_.text(*columns_.time), decimal_comma_))
        throw;
      throw DataError(fault.what());
    }
  }

  const text::CsvReader& reader_;
  const EventColumns& columns_;
  bool decimal_comma_, any_date_ = false;
  const EventOptions& options_;
  bool origin_is_asked_;  // else the column was recognised by its name, and is one of dates beside dates
  std::string stem_;
};

}  // namespace

void read_event_table(const std::string& path, OpenCsv& csv, const EventColumns& columns, const EventOptions& options,
                      StayBuilder& builder) {
  text::CsvReader& reader = *csv.reader;
  const bool is_wide = !columns.variable;
  const CsvPlace place(path, reader);
  RowHead head(path, csv, columns, options);
  WideRow wide(reader, columns, head.decimal_comma(), builder);
  if (columns.origin) builder.see_origin_column(reader.columns()[*columns.origin]);
  if (is_wide)
    builder.see_wide_file();
  else
    note_unread(path, reader, columns, builder);
  builder.next_file();
  EventRow row;
  const bool any = take_rows(reader, builder, [&] {
    head.put(row);
    if (is_wide) return wide.take(row, place);
    row.variable = bare(reader.text(*columns.variable));
    const EventValue value = columns.value ? event_value(reader, *columns.value, head.decimal_comma()) : EventValue{};
    row.value = value.number, row.limit = value.limit;
    if (columns.value_unit) row.unit = bare(reader.text(*columns.value_unit));
    builder.add(row, place);
  });
  wide.finish();
  if (!any) throw DataError(concat(path, ": has a header but no rows; each row is one event."));
}

}  // namespace fovea::datasets::events
