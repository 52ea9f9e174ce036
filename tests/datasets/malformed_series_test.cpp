#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/datasets/series/file.hpp"
#include "fovea/tests/support/test.hpp"

using namespace std::string_literals;

namespace {

struct MalformedSeries {
  const char* what;
  std::string text;
  std::string message;  ///< all of it, without the folder
  datasets::series::SeriesFileOptions options = {};
};

const std::string kFourRows = "a,b\n1,2\n2,1\n4,3\n3,5\n";

std::string many_columns(std::size_t count) {
  std::string text = "s1";
  for (std::size_t i = 2; i <= count; ++i) text += ",s" + std::to_string(i);
  return text + "\n1\n";
}

const MalformedSeries kMalformedSeries[] = {
    {"nothing at all", "", "s.csv: is empty; it needs a header and rows."},
    {"only comments", "# a\n# b\n\n", "s.csv: is empty; it needs a header and rows."},
    {"only a header", "a,b\n", "s.csv: has a header but no rows; each row is one time."},
    {"one row", "a,b\n1,2\n", "s.csv: has 1 row of values, but lags need at least 4; one row is one moment."},
    {"three rows", "a,b\n1,2\n2,3\n3,1\n",
     "s.csv: has 3 rows of values, but lags need at least 4; one row is one moment."},
    {"a row that is too short", "a,b,c\n1,2,3\n1,2\n",
     "s.csv:row 3: has 2 fields, but the first row has 3; each row needs as many."},
    {"a row that is too long", "a,b\n1,2\n1,2\n1,2,3\n",
     "s.csv:row 4: has 3 fields, but the first row has 2; each row needs as many."},
    {"text in a number", "a,b\n1,2\n2,high\n",
     "s.csv:row 3, column 'b': 'high' is not a number; leave the cell empty where nothing was measured, or name the "
     "columns that are series (columns)."},
    {"a unit in a number", "a,b\n1,2\n2,3 kg\n",
     "s.csv:row 3, column 'b': '3 kg' has the unit kg, but the rows above have none; give a column one unit."},
    {"a line break in a cell", "a,b\n1,2\n\"2\n\",1\n3,\"x\ny\"\n",
     "s.csv:row 3, column 'a': '2?' is not a number; leave the cell empty where nothing was measured, or name the "
     "columns that are series (columns)."},
    {"a long word with a letter of two bytes at the cut", "a\n1\n" + std::string(39, 'x') + "\xC3\xA9t\xC3\xA9\n",
     "s.csv:row 3, column 'a': '" + std::string(39, 'x') +
         "...' is not a number; leave the cell empty where nothing was measured, or name the columns that are series "
         "(columns)."},
    {"a line break in a name",
     "\"a\nb\",c\n1,2\n2,3\n",
     "s.csv: has no column 'd'; there are: 'a?b', 'c'.",
     {"d", "", {}}},
    {"a decimal comma among commas", "a,b\n1,2\n2,\"3,5\"\n",
     "s.csv:row 3, column 'b': '3,5' is not a number; write a decimal point, or decimal commas throughout and "
     "semicolons between the columns."},
    {"thousands", "a;b\n1;2\n2;1.234,5\n",
     "s.csv:row 3, column 'b': '1.234,5' is not a number; leave the cell empty where nothing was measured, or name the "
     "columns that are series (columns)."},
    {"a name twice", "a,b,a\n1,2,3\n", "s.csv:row 1: has two columns 'a'; rename one."},
    {"only empty columns", "a,b\n,\n,\n,\n,\n",
     "s.csv: has no series that changes: 2 of its 2 columns are empty and 0 constant."},
    {"only constant and empty columns", "a,b\n1,\n1,\n1,\n1,\n",
     "s.csv: has no series that changes: 1 of its 2 columns are empty and 1 constant."},
    {"infinite", "a,b\n1,2\n2,inf\n",
     "s.csv:row 3, column 'b': is inf; a value must be finite: leave the cell empty where none is known."},
    {"minus infinity", "a,b\n1,2\n-Infinity,1\n",
     "s.csv:row 3, column 'a': is -Infinity; a value must be finite: leave the cell empty where none is known."},
    {"beyond numbers", "a,b\n1,2\n1e999,1\n",
     "s.csv:row 3, column 'a': '1e999' is too large or too small for a number; scale the column."},
    {"two signs", "a,b\n1,2\n+-3,1\n",
     "s.csv:row 3, column 'a': '+-3' is not a number; leave the cell empty where nothing was measured, or name the "
     "columns that are series (columns)."},
    {"beyond numbers, behind a blank and with a sign", "a,b\n1,2\n3, +1e999\n",
     "s.csv:row 3, column 'b': '+1e999' is too large or too small for a number; scale the column."},
    {"other separators below", "a,b,c\n1;2;3\n2;3;4\n",
     "s.csv:row 2: is separated by semicolons, but row 1 by commas; use one of them throughout."},
    {"tabs below commas, behind a comment", "# made by hand\na,b\n1\t2\n",
     "s.csv:row 3: is separated by tabs, but row 2 by commas; use one of them throughout."},
    {"another separator further down", "a;b\n1;2\n2;3\n3,4\n",
     "s.csv:row 4: has 1 field, but the first row has 2; each row needs as many."},
    {"blanks between the columns", "1.5 2\n2 3\n",
     "s.csv:row 2, column '1.5 2': '2 3' is not one number; separate columns by commas, semicolons, tabs or bars, not "
     "by blanks."},
    {"a carriage return inside a row", "a,b\n1,2\n2\r,3\n",
     "s.csv:row 3: holds a carriage return that ends no line; lines must end in LF or CRLF."},
    {"a million columns", many_columns(1'000'000),
     "s.csv:row 1: has 1000000 columns, but at most 20000 are read. Rows are times and columns are series: is the "
     "table "
     "on its side?"},
    {"UTF-16 that was cut", "\xFF\xFE"s + "a\0,\0b\0\n"s,
     "s.csv: is damaged UTF-16 text, half of a letter is missing; save it as UTF-8."},
    {"a NUL byte", "a,b\n1,2\n2,\0003\n"s, "s.csv:row 3: holds a NUL byte; is this a text file?"},
    {"a quote that stays open", "a,b\n\"1,2\n2,3\n",
     "s.csv:row 2: has a quote that is never closed; close it, or double it if it belongs to the text."},
    {"times that go back", "time,a\n1,1\n3,2\n2,5\n4,1\n",
     "s.csv:row 4, column 'time': the time is 2, but must be later than the 3 of the row before; sort the rows by "
     "time, "
     "or name the column that tells recordings apart (recording)."},
    {"a time twice", "date,a\n2000-01-01,1\n2000-01-02,2\n2000-01-02,5\n2000-01-03,1\n",
     "s.csv:row 4, column 'date': the time is 2000-01-02 again, but must be later than the 2000-01-02 of the row "
     "before; "
     "keep one row for each time, or name the column that tells recordings apart (recording)."},
    {"times that go back within a recording", "recording,t,a\nx,1,1\nx,2,3\ny,2,2\ny,1,5\ny,3,1\n",
     "s.csv:row 5, column 't': the time is 1, but must be later than the 2 of the row before; sort the rows by time."},
    {"a time that is missing", "t,a\n1,1\n,2\n", "s.csv:row 3, column 't': the time is missing; give every row one."},
    {"a time that is none", "time,a\nsoon,1\n",
     "s.csv:row 2, column 'time': 'soon' is not a time; write dates as YYYY-MM-DD hh:mm:ss, or numbers."},
    {"a date as the Americas have it", "date,a\n12/31/1999,1\n31/12/1999,2\n12/30/1999,2\n",
     "s.csv:row 3, column 'date': '31/12/1999' is not a time with the month first; write dates as YYYY-MM-DD hh:mm:ss "
     "throughout."},
    {"a day that does not exist", "date,a\n1999-02-28,1\n1999-02-29,1\n",
     "s.csv:row 3, column 'date': '1999-02-29' is not a time; write dates as YYYY-MM-DD hh:mm:ss throughout."},
    {"a date among numbers", "t,a\n1,1\n1999-02-28,1\n",
     "s.csv:row 3, column 't': '1999-02-28' is not a time; write numbers throughout."},
    {"only times", "time\n1\n2\n3\n4\n",
     "s.csv: has a column of times 'time' but no series; each series needs a column. If it is a series itself, say "
     "that "
     "there are no times (time none)."},
    {"only recordings", "recording\nx\nx\nx\ny\n",
     "s.csv: has a column of recordings 'recording' but no series; each series needs a column."},
    {"a time twice, the newest row first", "# a\ndate,a\n2000-01-05,1\n2000-01-04,2\n2000-01-03,1\n2000-01-03,5\n",
     "s.csv:row 5, column 'date': the time is 2000-01-03 again, but must be later than the 2000-01-03 of the row "
     "before; "
     "keep one row for each time, or name the column that tells recordings apart (recording)."},
    {"long, a negative error", "series,t,y,dy\na,1,2,0.1\na,2,3,-0.1\n",
     "s.csv:row 3, column 'dy': the error is -0.1; a standard error must be >= 0, or empty where none is known."},
    {"long, no name", "series,t,y\na,1,2\n,2,3\n",
     "s.csv:row 3, column 'series': the name of the series is missing; give every row one."},
    {"long, no time", "series,t,y\na,,2\n", "s.csv:row 2, column 't': the time is missing; give every row one."},
    {"long, no values", "series,t,y\na,1,\n", "s.csv: has a header but no values; each row is one value."},
    {"an unknown column of times", kFourRows, "s.csv: has no column 'tim'; there are: 'a', 'b'.", {"tim", "", {}}},
    {"an unknown recording",
     "subject,b\nx,2\n",
     "s.csv: has no column 'subjct'; did you mean 'subject'?",
     {"", "subjct", {}}},
    {"an unknown series", kFourRows, "s.csv: has no column 'c'; there are: 'a', 'b'.", {"", "", {"a", "c"}}},
};

/// What is said of the file, without the folder; "" if it is read.
std::string series_refusal_of(const std::string& name, const std::string& text,
                              const datasets::series::SeriesFileOptions& options) {
  const TemporaryFolder folder;
  support::put_file(folder.file(name), text);
  return support::refusal_in<DataError>(folder, [&] { datasets::series::read_series(folder.file(name), options); });
}

}  // namespace

TEST_CASE("every malformed file of series is refused with its file, its line and the way out", "[series][fault]") {
  CHECK(std::size(kMalformedSeries) >= 30);
  for (const MalformedSeries& file : kMalformedSeries) {
    INFO(file.what);
    CHECK(series_refusal_of("s.csv", file.text, file.options) == file.message);
  }
}

TEST_CASE("what is no HDF5 file of series is refused with its name", "[series][fault]") {
  CHECK(series_refusal_of("s.h5", "no HDF5 at all", {}).starts_with("s.h5: "));
  CHECK(series_refusal_of("s.csv.gz", "a,b\n1,2\n", {}) ==
        "s.csv.gz: is no gzip file though it ends in .gz; rename it, or pack it with gzip.");
  CHECK_THROWS_AS(datasets::series::read_series("/nowhere/s.csv"), DataError);
}

TEST_CASE("an HDF5 file whose series cannot be told apart or are infinite is refused", "[series][fault]") {
  const TemporaryFolder folder;
  const auto refusal_of = [&](const std::vector<std::string>& names, double value) -> std::string {
    Dataset data;
    data.dimension("time", 4);
    data.dimension("unit", 2);
    data.add({"unit", {"unit"}, names, "", "", {}});
    data.add({"values", {"time", "unit"}, std::vector<double>{1, 2, 3, 5, 8, value, 2, 4}, "1", "", {}});
    write_dataset(folder.file("s.h5"), data);
    return support::refusal_in<DataError>(folder, [&] { datasets::series::read_series(folder.file("s.h5")); });
  };
  CHECK(refusal_of({"a", "b"}, 1).empty());
  CHECK(refusal_of({"a", "a"}, 1) == "s.h5: has two series 'a'; rename one.");
  CHECK(refusal_of({"a", "b"}, -HUGE_VAL) ==
        "s.h5:row 3, column 'b': is -inf; a value must be finite, or NaN where none is known.");
}
