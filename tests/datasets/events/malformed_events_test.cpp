/// Broken files of events: each is refused with its file, its row and the way out, or read as it is documented.

#include "fovea/datasets/events/read.hpp"
#include "fovea/tests/datasets/events/tar_files.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

using namespace std::string_literals;
using datasets::events::EventOptions;
using support::tar_packed;

namespace {

/// Events, and beside them a file of outcomes or folds where one is given.
struct MalformedEvents {
  const char* what;
  std::string name, bytes;
  std::string message;  ///< all of it, without the folder
  std::string outcomes = {}, folds = {};
  EventOptions options = {};
};

const std::string kEventHead = "stay_id,time_hours,variable,value\n";
const std::string kGoodEvents = kEventHead + "1,0,hr,80\n2,1,hr,90\n";

/// The sentence without the folder, everywhere in it, and without the way to leave out rows; "" if the files are read.
std::string event_refusal_of(const MalformedEvents& one) {
  const support::TemporaryFolder folder;
  const auto put = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder.file(name), std::ios::binary) << bytes;
    return folder.file(name);
  };
  const std::string leave_out = " To leave out such rows: --bad 'leave out'.";
  EventOptions options = one.options;
  if (!one.outcomes.empty()) options.outcomes = {put("b.csv", one.outcomes)};
  if (!one.folds.empty()) options.folds = put("b.csv", one.folds);
  const std::string said = support::refusal_in<DataError>(
      folder, [&] { datasets::events::read_stays({put(one.name, one.bytes)}, options); });
  return said.ends_with(leave_out) ? said.substr(0, said.size() - leave_out.size()) : said;
}

}  // namespace

TEST_CASE("a file of dates beside one of hours is refused", "[events][fault]") {
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("a.csv")) << "id,time,code,value\n1,2020-02-01,hr,80\n";
  std::ofstream(folder.file("b.csv")) << kGoodEvents;
  CHECK(
      support::refusal_of<DataError>([&] {
        datasets::events::read_stays({folder.file("a.csv"), folder.file("b.csv")});
      }) ==
      folder.file("b.csv") +
          ":row 2: the time is a number, but earlier ones are not; write all times in one way. To leave out such rows: "
          "--bad 'leave out'.");
}

TEST_CASE("a stay of more than a million events is refused, one of a million is read", "[events][fault]") {
  std::string rows = kEventHead;
  for (int k = 0; k < 1'000'000; ++k) rows += "1,0,a,1\n";
  CHECK(event_refusal_of({"a million", "e.csv", rows, ""}).empty());
  CHECK(event_refusal_of({"one more", "e.csv", rows + "1,0,a,1\n", ""}) ==
        "e.csv:row 1000002: stay '1' has more than 1000000 events; is its id the right column?");
}

TEST_CASE("a folder of events that holds none, or Parquet, says so", "[events][fault]") {
  const support::TemporaryFolder folder;
  const auto refusal = [&] {
    return support::refusal_of<DataError>([&] { datasets::events::read_stays({folder.path()}); });
  };
  CHECK(refusal() == folder.path() + ": holds no events; it needs RecordID.txt of the challenge, or CSV files.");
  std::filesystem::create_directories(folder.file("data/train"));
  std::ofstream(folder.file("data/train/0.parquet")) << "PAR1";
  CHECK(refusal() == folder.file("data/train/0.parquet") +
                         ": is Parquet, which is not read here. Type: "
                         "scripts/meds-to-long " +
                         folder.path() + " events.csv.gz");
  CHECK_THROWS_AS(datasets::events::read_stays({folder.file("nowhere.csv")}), DataError);
}

namespace {

const std::string kRecordHead = "Time,Parameter,Value\n00:00,RecordID,11\n";
const std::string kPackedEvents = support::gzip_packed(kGoodEvents + std::string(2000, ' '));

std::string tar_of_record(const std::string& text) { return tar_packed({{"11.txt", text}}); }

/// Rows that do not pack well.
std::string many_record_rows() {
  std::string rows;
  const Random random(3);
  for (std::uint64_t k = 0; k < 3000; ++k) rows += "00:01,HR," + std::to_string(random.uniform(k)) + '\n';
  return rows;
}

std::string many_column_names() {
  std::string names;
  for (int k = 0; k < 300; ++k) names += ",x" + std::to_string(k);
  return names;
}

std::vector<MalformedEvents> malformed_columns() {
  return {
      {"nothing at all", "e.csv", "", "e.csv: is empty; it needs a header and rows."},
      {"only a header", "e.csv", kEventHead, "e.csv: has a header but no rows; each row is one event."},
      {"no header", "e.csv", "1,0,hr,80\n2,0,hr,81\n",
       "e.csv: has no column of stays (stay_id, hadm_id, id, subject_id, ...); there are: '1', '0', 'hr', '80'. Name "
       "it "
       "with --stay, or see 'fovea help inspect'."},
      {"no column of times", "e.csv", "stay_id,variable,value\n1,hr,80\n",
       "e.csv: has no column of times (time_minutes, time_hours, time_days, time, charttime, ...); there are: "
       "'stay_id', "
       "'variable', 'value'. Name it with --time, or see 'fovea help inspect'."},
      {"values without a variable", "e.csv", "stay_id,time_hours,value\n1,0,80\n",
       "e.csv: has no column of variables, one row an event (variable, code, parameter, test, ...); there are: "
       "'stay_id', 'time_hours', 'value'. Name it with --variable, or see 'fovea help inspect'."},
      {"a column that is not there",
       "e.csv",
       kGoodEvents,
       "e.csv: has no column 'x'; there are: 'stay_id', 'time_hours', 'variable', 'value'.",
       "",
       "",
       {.time = "x"}},
  };
}

std::vector<MalformedEvents> malformed_cells() {
  return {
      {"text for a number", "e.csv", kEventHead + "1,0,hr,80\n1,1,hr,high\n",
       "e.csv:row 3, column 'value': 'high' is not a number; a value is a number, or empty where something happened "
       "without one."},
      {"a value below a negative limit", "e.csv", kEventHead + "1,0,be,<-5\n",
       "e.csv:row 2, column 'value': '<-5' is not a number; half of such a limit would be above it. Give a number."},
      {"a decimal comma among commas", "e.csv", kEventHead + "1,0,temp,\"37,5\"\n",
       "e.csv:row 2, column 'value': '37,5' is not a number; write a decimal point."},
      {"an infinite value", "e.csv", kEventHead + "1,0,hr,inf\n",
       "e.csv:row 2, column 'value': 'inf' is not a number; a value is a number, or empty where something happened "
       "without one."},
      {"a value for no float", "e.csv", kEventHead + "1,0,hr,1e39\n",
       "e.csv:row 2: the value 1e+39 is too large for a number of 32 bits; choose another unit."},
      {"a row that is too short", "e.csv", kEventHead + "1,0,hr\n",
       "e.csv:row 2: has 3 fields, but the first row has 4; each row needs as many."},
      {"an empty id", "e.csv", kEventHead + " ,0,hr,80\n",
       "e.csv:row 2, column 'stay_id': the id of the stay is empty; every row needs one."},
      {"an empty variable", "e.csv", kEventHead + "1,0,,80\n",
       "e.csv:row 2: the name of the variable is empty; every row needs one."},
      {"an id that is a novel", "e.csv", kEventHead + std::string(201, 'x') + ",0,hr,80\n",
       "e.csv:row 2: the id of the stay '" + std::string(40, 'x') + "...' has 201 bytes, but at most 200 are read."},
      {"a time that is none", "e.csv", kEventHead + "1,soon,hr,80\n",
       "e.csv:row 2, column 'time_hours': 'soon' is no number, but the column's name gives times a unit; empty is the "
       "time of a static."},
      {"a time without a unit", "e.csv", "id,time,code,value\n1,3,hr,80\n",
       "e.csv:row 2, column 'time': '3' is a number, but of what? Say --time-unit seconds, minutes, hours or days, or "
       "call the "
       "column time_minutes, time_hours or time_days."},
      {"seconds since 1970 without a unit", "e.csv", "id,time,code,value\n1,1610100125,hr,80\n",
       "e.csv:row 2, column 'time': '1610100125' is a number, but of what? Of seconds since 1970? Then say --time-unit "
       "seconds --origin 'first event'."},
      {"milliseconds since 1970", "e.csv", "id,time,code,value\n1,1610100125878,hr,80\n",
       "e.csv:row 2, column 'time': '1610100125878' is a number, but of what? Of milliseconds since 1970? Divide them "
       "by 1000, and say --time-unit seconds --origin 'first event'."},
      {"a date that can be read in two ways", "e.csv", "id,charttime,code,value\n1,03/04/2020,hr,80\n",
       "e.csv:row 2, column 'charttime': '03/04/2020' is no date of ISO 8601, such as 2023-12-31 07:30:00; empty is "
       "the "
       "time of a static."},
      {"February 30th", "e.csv", "id,charttime,code,value\n1,2020-02-30,hr,80\n",
       "e.csv:row 2, column 'charttime': '2020-02-30' is no date of ISO 8601, such as 2023-12-31 07:30:00; empty is "
       "the "
       "time of a static."},
      {"dates and numbers", "e.csv", "id,time,code,value\n1,2020-02-01,hr,80\n1,7,hr,80\n",
       "e.csv:row 3, column 'time': '7' is a number, but of what? Say --time-unit seconds, minutes, hours or days, or "
       "call the "
       "column time_minutes, time_hours or time_days."},
      {"hours that are seconds since 1970", "e.csv", kEventHead + "1,1600000000,hr,80\n",
       "e.csv:row 2: the time is 1.6e+09 hours, but must lie within 2e+06; is its unit the one that the column says?"},
      {"two patients of a stay", "e.csv", "stay_id,patient_id,time_hours,code\n1,p,0,a\n1,q,0,a\n",
       "e.csv:row 3: stay '1' is of patient 'q', but above of 'p'; a stay has one patient."},
      {"a quote that is never closed", "e.csv", kEventHead + "1,0,\"hr,80\n",
       "e.csv:row 2: has a quote that is never closed; close it, or double it if it belongs to the text."},
      {"a NUL byte", "e.csv", kEventHead + "1,0,h\0r,80\n"s, "e.csv:row 2: holds a NUL byte; is this a text file?"},
      {"no UTF-8", "e.csv", kEventHead + "1,0,K\xF6rper,80\n",
       "e.csv:row 2: is not UTF-8 behind its first 5 bytes; save the file as UTF-8."},
      {"UTF-16 that was cut", "e.csv", "\xFF\xFEs\0t"s,
       "e.csv: is damaged UTF-16 text, half of a letter is missing; save it as UTF-8."},
  };
}

std::vector<MalformedEvents> malformed_containers() {
  return {
      {"a packed file that was cut", "e.csv.gz", kPackedEvents.substr(0, kPackedEvents.size() - 12),
       "e.csv.gz: ends in the middle; it was cut, get it again."},
      {"a name that says .gz", "e.csv.gz", kGoodEvents,
       "e.csv.gz: is no gzip file though it ends in .gz; rename it, or pack it with gzip."},
      {"Parquet", "e.parquet", "PAR1\x15\x04"s,
       "e.parquet: is Parquet, which is not read here. Type: scripts/meds-to-long e.parquet events.csv.gz"},
      {"HDF5", "e.h5", "\x89HDF\r\n", "e.h5: is HDF5; events are CSV or records of the challenge."},
      {"an archive that was cut", "e.tar.gz",
       support::gzip_packed(tar_of_record(kRecordHead + many_record_rows())).substr(0, 9000),
       "e.tar.gz: is damaged or was cut (truncated gzip input); get it again."},
      {"an archive whose paths leave it", "e.tar", tar_packed({{"../../etc/11.txt", kRecordHead}}),
       "e.tar: holds the path '../../etc/11.txt', which leads out of the archive; such an archive is not read."},
      {"an archive with paths from the root", "e.tar", tar_packed({{"/etc/11.txt", kRecordHead}}),
       "e.tar: holds the path '/etc/11.txt', which leads out of the archive; such an archive is not read."},
      {"an archive with a link", "e.tar", tar_packed({{"11.txt", "/etc/passwd", '2'}}),
       "e.tar: its '11.txt' is a link or no file; pack the files themselves."},
      {"an archive without records", "e.tar", tar_packed({{"read.me", "hello"}}),
       "e.tar: holds no record of the challenge (RecordID.txt)."},
      {"an archive of other texts", "e.tar", tar_packed({{"notes.txt", "hello\n"}}),
       "e.tar/notes.txt:row 1: is not 'Time,Parameter,Value'; a record of the challenge begins so."},
      {"a record without its number", "e.tar", tar_of_record("Time,Parameter,Value\n00:00,Age,54\n"),
       "e.tar/11.txt:row 2: is not the RecordID; a record of the challenge begins with it."},
      {"a record under another number", "e.tar", tar_packed({{"12.txt", kRecordHead}}),
       "e.tar/12.txt:row 2, column 'Value': the RecordID is '11', but the file is called 12.txt; a record is called by "
       "its RecordID."},
      {"a record twice", "e.tar", tar_packed({{"a/11.txt", kRecordHead}, {"b/11.txt", kRecordHead}}),
       "e.tar/b/11.txt:row 2, column 'Value': record '11' was read before; give each record once."},
      {"a clock that is none", "e.tar", tar_of_record(kRecordHead + "00:61,HR,80\n"),
       "e.tar/11.txt:row 3, column 'Time': '00:61' is no time since admission; it is hours and minutes, such as "
       "07:12."},
  };
}

std::vector<MalformedEvents> malformed_companions() {
  return {
      {"two outcomes of a stay", "e.csv", kGoodEvents,
       "b.csv:row 4, column 'stay_id': stay '1' has two outcomes, the first in row 2; keep one, or name the column "
       "of the times at which each is asked: --at-column.",
       "stay_id,death\n1,0\n2,1\n1,1\n"},
      {"an outcome of 2", "e.csv", kGoodEvents,
       "b.csv:row 3, column 'death': the outcome is '0' or '2'; say which of them counts as 1, such as --positive '2'.",
       "stay_id,death\n1,0\n2,2\n"},
      {"an outcome in words", "e.csv", kGoodEvents,
       "b.csv:row 2, column 'status': the outcome is 'Alive' or 'Expired'; say which of them counts as 1, such as "
       "--positive 'Expired'.",
       "stay_id,status\n1,Expired\n2,Alive\n"},
      {"an outcome of three words", "e.csv", kGoodEvents + "3,0,hr,1\n",
       "b.csv:row 2, column 'death': the outcome is 'Expired', but must be 0 or 1, or empty if it is not known. To "
       "count "
       "one word as 1: --positive WORD.",
       "stay_id,death\n1,Expired\n2,Home\n3,Hospice\n"},
      {"a word that no outcome is",
       "e.csv",
       kGoodEvents,
       "b.csv: no row of 'death' is 'gone', which counts as 1; there are: 'Alive', 'Expired'. Name one with "
       "--positive.",
       "stay_id,death\n1,Expired\n2,Alive\n",
       "",
       {.positive = "gone"}},
      {"two columns that could be the outcome", "e.csv", kGoodEvents,
       "b.csv: which column is the outcome? 'sex', 'gone' are 0 and 1. Name one with --outcome.",
       "stay_id,sex,gone,days\n1,0,1,7\n2,1,0,9\n"},
      {"no column that could be the outcome", "e.csv", kGoodEvents,
       "b.csv: which column is the outcome? None is 0 and 1; there are: 'stay_id', 'days'. Name one with --outcome.",
       "stay_id,days\n1,7\n2,9\n"},
      {"outcomes of other stays", "e.csv", kGoodEvents,
       "b.csv: none of its stays has events; the events are of stays such as '1'.", "stay_id,death\na,0\nb,1\n"},
      {"outcomes of the same stays, written otherwise", "e.csv", kGoodEvents,
       "b.csv: none of its stays has events; the events are of stays such as '1', which is '001' here; write ids "
       "alike.",
       "stay_id,death\n001,0\n002,1\n"},
      {"outcomes without stays", "e.csv", kGoodEvents,
       "b.csv: has no column of stays (stay_id, RecordID, id, ...); there are: 'name', 'death'.", "name,death\n1,0\n"},
      {"outcomes of 300 columns", "e.csv", kGoodEvents,
       "b.csv: has 302 columns, but at most 200 are read; keep the stay and its outcomes.",
       "stay_id,death" + many_column_names() + "\n"},
      {"a fold that is none", "e.csv", kGoodEvents,
       "b.csv:row 2, column 'fold': '0.5' is no fold; folds are 0, 1, 2, ...", "", "stay_id,fold\n1,0.5\n2,1\n"},
      {"a stay without a fold", "e.csv", kGoodEvents, "b.csv: stay '2' has no fold (1 stay of 2); each needs one.", "",
       "stay_id,fold\n1,0\n"},
      {"a stay in two folds", "e.csv", kGoodEvents,
       "b.csv:row 3, column 'stay_id': stay '1' has two folds, the first in row 2; keep one.", "",
       "stay_id,fold\n1,0\n1,1\n2,1\n"},
      {"a patient in two folds", "e.csv", "stay_id,patient_id,time_hours,code\n1,p,0,a\n2,p,0,a\n",
       "b.csv:row 3, column 'fold': patient 'p' lies in the folds 0 and 1; a patient has one.", "",
       "stay_id,fold\n1,0\n2,1\n"},
  };
}

std::vector<MalformedEvents> malformed_events() {
  std::vector<MalformedEvents> all;
  for (const auto& part : {malformed_columns(), malformed_cells(), malformed_containers(), malformed_companions()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

TEST_CASE("every malformed file of events is refused with its file, its row and the way out", "[events][fault]") {
  const std::vector<MalformedEvents> all = malformed_events();
  CHECK(all.size() >= 40);
  for (const MalformedEvents& one : all) {
    INFO(one.what);
    CHECK(event_refusal_of(one) == one.message);
  }
}
