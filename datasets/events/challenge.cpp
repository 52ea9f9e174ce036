#include "fovea/datasets/events/challenge.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/events/archive.hpp"
#include "fovea/datasets/events/cells.hpp"

namespace fovea::datasets::events {

namespace {

constexpr std::size_t kTime = 0, kParameter = 1, kValue = 2;

/// "132539" of "set-a/132539.txt".
std::string stem_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.find('.'));
}

bool is_text_file(const std::string& path) {
  return path.ends_with(".txt") && !stem_of(path).empty();  // "._1.txt" is a desktop's
}
bool is_outcomes_file(const std::string& path) { return is_text_file(path) && stem_of(path).starts_with("Outcomes"); }

/// Records one after the other, and the outcomes among them.
class Records {
 public:
  explicit Records(StayBuilder& builder) : builder_(builder) {}
  void take(std::string path, std::string bytes) {
    text::CsvText one{std::move(path), std::move(bytes)};
    if (is_outcomes_file(one.name)) {
      outcomes_ = std::move(one);
      return;
    }
    const std::string name = one.name;
    text::CsvReader reader(std::move(one));
    if (!is_record(reader))
      throw DataError(concat(name, ":row 1: is not 'Time,Parameter,Value'; a record of the challenge begins so."));
    read_record(name, reader, builder_);
    ++count_;
  }
  BesideRecords outcomes(const std::string& path) {
    if (count_ == 0) throw DataError(concat(path, ": holds no record of the challenge (RecordID.txt)."));
    return std::move(outcomes_);
  }

 private:
  StayBuilder& builder_;
  BesideRecords outcomes_;
  std::size_t count_ = 0;
};

std::string record_id(const std::string& path, text::CsvReader& reader, const StayBuilder& builder) {
  const bool any = reader.next();
  if (!any || text::trimmed(reader.text(kParameter)) != "RecordID")
    throw DataError(concat(path, ":row 2: is not the RecordID; a record of the challenge begins with it."));
  const std::string id(text::trimmed(reader.text(kValue)));
  const std::string stem = stem_of(path);
  const bool is_number = std::all_of(stem.begin(), stem.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (is_number && stem != id)
    reader.refuse(kValue, concat("the RecordID is '", text::shown_text(id), "', but the file is called ", stem,
                                 ".txt; a record is called by its RecordID."));
  if (builder.has_stay(id))
    reader.refuse(kValue, concat("record '", text::shown_text(id), "' was read before; give each record once."));
  return id;
}

}  // namespace

bool is_record(const text::CsvReader& reader) {
  return reader.columns() == std::vector<std::string>{"Time", "Parameter", "Value"};
}

void read_record(const std::string& path, text::CsvReader& reader, StayBuilder& builder) {
  const std::string id = record_id(path, reader, builder);
  const CsvPlace place(path, reader);
  builder.next_file();
  builder.stay(id, place);
  take_rows(reader, builder, [&] {
    const auto hours = clock_hours(reader.text(kTime));
    if (!hours)
      reader.refuse(kTime, concat("'", text::shown_text(reader.text(kTime)),
                                  "' is no time since admission; it is hours and minutes, such as 07:12."));
    EventRow row;
    row.stay = id;
    row.variable = text::trimmed(reader.text(kParameter));
    row.time = {EventTime::Kind::hours, *hours};
    const EventValue value = event_value(reader, kValue, false);
    row.value = value.number, row.limit = value.limit;
    builder.add(row, place);
  });
}

BesideRecords read_record_folder(const std::string& folder, StayBuilder& builder) {
  Records records(builder);
  for (const std::string& name : names_in(folder)) {
    const Place file = Place(folder) / name;
    if (!is_text_file(name)) continue;
    if (file_size(file) > kLargestMember)
      throw DataError(
          concat(file, ": has more than ", kLargestMember >> 20, " MiB; a record of the challenge has some kB."));
    records.take(file.path(), read_file(file));
  }
  return records.outcomes(folder);
}

BesideRecords read_record_archive(const std::string& path, StayBuilder& builder) {
  Records records(builder);
  for_each_member(path, &is_text_file, [&](const std::string& name, std::string bytes) {
    records.take(path + '/' + name, std::move(bytes));
  });
  return records.outcomes(path);
}

}  // namespace fovea::datasets::events
