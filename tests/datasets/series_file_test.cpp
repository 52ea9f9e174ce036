#include "fovea/datasets/series/file.hpp"

#include <zlib.h>

#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/datasets/series/times.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

datasets::series::SeriesFile series_of(const std::string& text,
                                       const datasets::series::SeriesFileOptions& options = {}) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("s.csv"), std::ios::binary) << text;
  return datasets::series::read_series(folder.file("s.csv"), options);
}

bool says(const datasets::series::SeriesFile& file, const std::string& piece) {
  for (const std::string& note : file.notes)
    if (note.find(piece) != std::string::npos) return true;
  return false;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("line ends, marks, separators and spellings of missing do not change what is read", "[series]") {
  const Matrix<double> plain = series_of("a,b\n1.5,2\n2,\n4,3\n3,5\n").table.values;
  for (const std::string& text :
       {std::string("\xEF\xBB\xBF"
                    "a,b\r\n1.5,2\r\n2,NA\r\n4,3\r\n3,5\r\n"),
        std::string("a,b\r1.5,2\r2,nan\r4,3\r3,5\r"), std::string("# c\na;b\n1,5;2\n2;None\n4;3\n3;5"),
        std::string("a\tb\n\n1,5\t2\n2\t.\n4\t3\n3\t5\n"), std::string("\"a\",\"b\"\n1.5,2\n+2,null\n4,\"3\"\n3, 5 \n"),
        std::string("a;b\n1,5;2\n2,0;N/A\n4,0;3\n3,0;5\n"), std::string("\"a\";\"b\"\n1,5;2,0\n2;NA\n4;3\n3;5\n"),
        std::string("a,b\n\"1.5\",\"2\"\n2,\n4,3\n3,5\n")}) {
    INFO(text);
    const datasets::series::SeriesFile file = series_of(text);
    CHECK(file.table.names == Names{"a", "b"});
    REQUIRE(file.table.values.rows() == 4);
    CHECK(std::isnan(file.table.values(1, 1)));
    for (Index i = 0; i < 4; ++i) CHECK(file.table.values(i, 0) == plain(i, 0));
    CHECK(says(file, "1 of 8 cells is missing"));
  }
}

TEST_CASE("a file without names gets names, and it is said; running numbers above fractions are names", "[series]") {
  const datasets::series::SeriesFile bare = series_of("1.5,2\n2,1\n4,3\n3,5\n");
  CHECK(bare.table.names == Names{"x1", "x2"});
  CHECK(bare.table.steps() == 4);
  CHECK(says(bare, "called x1, x2"));
  CHECK(series_of("0,1\n1.5,2\n2,1\n4,3\n3,5\n").table.names == Names{"0", "1"});
  CHECK(series_of("5\n3\n4\n1\n").table.names == Names{"x1"});
  CHECK(series_of("1,5;2,5\n1,6;2,4\n3,1;2,2\n1,1;2,0\n").table.values(1, 1) == 2.4);  // semicolons, not commas
  CHECK(series_of("\"1.5\",\"2\"\n2,1\n4,3\n3,5\n").table.names == Names{"x1", "x2"});
  CHECK(series_of("\"a;b\",\"c;d\"\n1,2\n2,1\n4,3\n3,5\n").table.names == Names{"a;b", "c;d"});
  CHECK(series_of("\"a;b;c\",d\n1,2\n2,1\n4,3\n3,5\n").table.names == Names{"a;b;c", "d"});
  CHECK(series_of("\"p;q\",a\n\"u;v\",1\n\"u;v\",2\n\"u;v\",4\n\"u;v\",3\n", {"", "p;q", {}}).table.names ==
        Names{"a"});
  const datasets::series::SeriesFile nameless = series_of("a,,column 2\n5,1,2\n3,2,1\n4,9,2\n1,1,7\n");
  CHECK(nameless.table.names == Names{"a", "column 2*", "column 2"});
  CHECK(series_of("a,b\n5,1\n3,2\n4,9\n1,1\n", {"", "", {"b", "a", "b"}}).table.names == Names{"b", "a"});
}

TEST_CASE("times are recognised by name, by dates and by ascending numbers, and can be refused", "[series]") {
  for (const char* name : {"time", "t", "Date", "time [s]", "time_s", "mjd", "step", "year", "", "moment"}) {
    INFO(name);
    const datasets::series::SeriesFile file = series_of(std::string(name) + ",a,b\n10,1,2\n20,2,1\n30,4,3\n40,3,5\n");
    CHECK(file.table.names == Names{"a", "b"});
    CHECK(file.table.step == 10);
  }
  CHECK(says(series_of("moment,a\n1,3\n2,1\n3,2\n4,9\n"), "ascends from row to row"));
  CHECK(series_of("T,a\n5,3\n2,1\n3,2\n4,9\n").table.names == Names{"T", "a"});  // a temperature
  CHECK(series_of("month,a\n11,3\n12,1\n1,2\n2,9\n").table.names.size() == 2);   // a season
  CHECK(series_of("moment,a\n1,3\n2,1\n3,2\n4,9\n", {"none", "", {}}).table.names.size() == 2);
  CHECK(series_of("a,when\n3,1\n1,2\n2,3\n5,5\n", {"when", "", {}}).table.steps() == 5);
  CHECK(series_of("step,a,b\n1,3,1\n2,1,2\n3,2,4\n4,9,1\n", {"", "", {"b"}}).table.names == Names{"b"});
  CHECK(series_of("x,a,b\n1,3,1\n0,1,2\n3,2,4\n4,9,1\n", {"", "", {"b"}}).table.names == Names{"b"});
  CHECK(series_of("time [ms],a\n0,3\n2,1\n4,2\n6,9\n").table.time_unit == "ms");
}

TEST_CASE("gaps in even times become missing rows; uneven times become curves", "[series]") {
  const datasets::series::SeriesFile gap = series_of("t,a\n0,1\n0.5,2\n1.5,4\n2,3\n2.5,7\n");
  REQUIRE(gap.table.steps() == 6);
  CHECK(gap.table.step == 0.5);
  CHECK(std::isnan(gap.table.values(2, 0)));
  CHECK(says(gap, "1 row of the grid is not in the file"));
  const datasets::series::SeriesFile uneven = series_of("t,a,b\n0,1,5\n1,2,\n2.7,4,2\n9,3,1\n9.2,3.5,1\n");
  REQUIRE(uneven.irregular());
  CHECK(uneven.groups[0].curves[1].time == std::vector<double>{0, 2.7, 9, 9.2});
  CHECK(series_of("t,a\n0,1\n1,2\n2,4\n3.15,3\n4,9\n5,1\n").irregular());         // more than a tenth off
  CHECK(series_of("t,a\n0,1\n1,2\n2,4\n3,3\n20,9\n21,1\n").irregular());          // less than half of the grid
  CHECK(series_of("t,a\n0,1\n1,2\n2,4\n3,3\n10,9\n11,1\n").table.steps() == 12);  // half of it
  // A clock that jitters by a few per cent is even.
  CHECK(series_of("t,a\n0,1\n1.01,2\n1.99,4\n3.02,3\n4,9\n").table.steps() == 5);
}

TEST_CASE("the calendar's steps are even: months, quarters, years, weekdays, hours", "[series]") {
  const auto table = [](const std::string& times) {
    std::string text = "date,a\n";
    int value = 0;
    for (std::size_t start = 0; start < times.size();) {
      const std::size_t stop = std::min(times.find(' ', start), times.size());
      text += times.substr(start, stop - start) + "," + std::to_string(++value * 7 % 5) + "\n";
      start = stop + 1;
    }
    return series_of(text).table;
  };
  CHECK(table("2000-01-31 2000-02-29 2000-03-31 2000-04-30").time_unit == "months");
  CHECK(table("2000-01 2000-02 2000-03 2000-05").steps() == 5);
  CHECK(table("2000-01-01 2000-04-01 2000-07-01 2000-10-01").step == 3);
  CHECK(table("1999-12-31 2000-12-31 2001-12-31 2002-12-31").time_unit == "years");
  const datasets::series::SeriesTable week = table("2024-01-04 2024-01-05 2024-01-08 2024-01-09 2024-01-11");
  CHECK(week.time_unit == "weekdays");
  CHECK(week.steps() == 6);
  CHECK(table("1969-12-30 1969-12-31 1970-01-01 1970-01-02 1970-01-05").steps() == 5);
  const datasets::series::SeriesTable hours =
      table("2024-01-04T22:00 2024-01-04T23:00 2024-01-05T00:00Z 2024-01-05T02:00+01:00");
  CHECK(hours.time_unit == "hours");
  CHECK(hours.step == 1);
  CHECK(table("2024-01-06 2024-01-13 2024-01-20 2024-01-27").step == 7);
}

TEST_CASE("recordings are stretches that no lag crosses; alternating ones are put together", "[series]") {
  const datasets::series::SeriesFile regimes =
      series_of("regime,a\nx,1\nx,2\nx,3\nx,1\nx,1\ny,5\ny,2\ny,9\ny,1\nx,2\nx,7\nx,8\nx,0\n");
  CHECK(regimes.table.recording_starts == std::vector<Index>{0, 5, 9});
  const datasets::series::SeriesFile alternating =
      series_of("subject,t,a\nx,1,1\ny,1,2\nx,2,4\ny,2,3\nx,3,8\ny,3,9\nx,4,1\ny,4,7\n");
  CHECK(alternating.table.recording_starts == std::vector<Index>{0, 4});
  CHECK(alternating.table.values(1, 0) == 4);
  CHECK(says(alternating, "alternate"));
  CHECK(series_of("who,a\nx,1\nx,2\ny,3\ny,1\n", {"", "who", {}}).table.recording_starts.size() == 2);
  std::string measured = "who,a\n";
  for (int t = 0; t < 60; ++t) measured += std::to_string(t % 30) + ".5," + std::to_string(t * t % 7) + "\n";
  CHECK_THROWS_WITH(
      series_of(measured, {"", "who", {}}),
      Catch::Contains(
          "column 'who' cannot tell recordings apart: it has 30 values in 60 rows, such as '0.5', '1.5'; "));
  CHECK_THROWS_WITH(series_of("who,a\nx,1\ny,2\nz,3\ny,1\n", {"", "who", {}}), Catch::Contains("3 values"));
  // Numbers that ascend within each recording are times, though the second begins again.
  const datasets::series::SeriesFile ascending =
      series_of("moment,trial,a\n1,x,1\n2,x,2\n3,x,9\n1,y,4\n2,y,3\n3,y,7\n");
  CHECK(ascending.table.names == Names{"a"});
  CHECK(ascending.table.recording_starts == std::vector<Index>{0, 3});
  CHECK(series_of("session,a\n1,1\n1,2\n2,3\n2,1\n", {"", "none", {}}).table.names.size() == 2);
}

TEST_CASE("empty and constant series are left out with a word, and the newest row may come first", "[series]") {
  const datasets::series::SeriesFile file = series_of("a,b,c,d\n1,,7,1\n2,,7,4\n4,,7,2\n3,,,3\n");
  CHECK(file.table.names == Names{"a", "d"});
  CHECK(says(file, "empty: 'b'"));
  CHECK(says(file, "constant and can neither drive nor be driven: 'c'"));
  const datasets::series::SeriesFile turned =
      series_of("date,a\n2000-01-04,4\n2000-01-03,3\n2000-01-02,9\n2000-01-01,1\n");
  CHECK(turned.table.values(0, 0) == 1);
  CHECK(says(turned, "newest row"));
}

TEST_CASE("long files become curves by group, or a table where their times are even", "[series]") {
  const datasets::series::SeriesFile curves = series_of(
      "pair,series,t,y,dy\n0,driver,1.5,2,0.1\n0,echo,2.5,3,\n0,driver,1.1,5,0.2\n1,driver,8,1,0\n0,echo,4,,1\n");
  REQUIRE(curves.groups.size() == 2);
  CHECK(curves.groups[0].name == "0");
  CHECK(curves.groups[0].curves[0].time == std::vector<double>{1.1, 1.5});
  CHECK(curves.groups[0].curves[0].error == std::vector<double>{0.2, 0.1});
  CHECK(curves.groups[0].curves[1].value == std::vector<double>{3});
  CHECK(curves.groups[0].curves[1].error == std::vector<double>{0});  // none is known
  CHECK(says(curves, "order of their times"));
  std::string even = "series,time,value\n";
  for (int t = 0; t < 6; ++t)
    for (const char* name : {"a", "b"}) even += concat(name, ",", t, ",", t * 5 % 7, "\n");
  CHECK(series_of(even).table.steps() == 6);
  CHECK(series_of(even, {"", "", {"b"}}).table.names == Names{"b"});
  const datasets::series::SeriesFile twice =
      series_of(even + "a,3,0.5\n");  // two values of one moment are no row of a table
  REQUIRE(twice.irregular());
  CHECK(twice.groups[0].curves[0].time == std::vector<double>{0, 1, 2, 3, 3, 4, 5});
}

TEST_CASE("an HDF5 file of a matrix, of lists, or of our own making is read", "[series]") {
  const TemporaryFolder folder;
  Dataset data;
  data.add({"time", {"time"}, std::vector<double>{0, 2, 4, 6}, "days since 1970-01-01", "", {}});
  data.dimension("unit", 2);
  data.add({"unit", {"unit"}, std::vector<std::string>{"a", "b"}, "", "", {}});
  data.add({"values", {"time", "unit"}, std::vector<double>{1, 2, 3, 5, 8, 1, NAN, 4}, "1", "", {}});
  write_dataset(folder.file("m.h5"), data);
  const datasets::series::SeriesTable matrix = datasets::series::read_series(folder.file("m.h5")).table;
  CHECK(matrix.names == Names{"a", "b"});
  CHECK(matrix.step == 2);
  CHECK(matrix.time_unit == "days");
  CHECK(matrix.values(2, 0) == 8);
  CHECK(std::isnan(matrix.values(3, 0)));
  Dataset side;  // series x times
  side.add({"time", {"time"}, std::vector<double>{0, 2, 4, 6}, "days since 1970-01-01", "", {}});
  side.dimension("unit", 2);
  side.add({"values", {"unit", "time"}, std::vector<double>{1, 3, 8, NAN, 2, 5, 1, 4}, "1", "", {}});
  write_dataset(folder.file("s.h5"), side);
  CHECK(datasets::series::read_series(folder.file("s.h5")).table.names == Names{"x1", "x2"});
  CHECK(datasets::series::read_series(folder.file("s.h5")).table.values.topRows(3) == matrix.values.topRows(3));
  data.add({"other", {"time"}, std::vector<std::int64_t>{4, 3, 2, 6}, "1", "", {}});
  write_dataset(folder.file("l.h5"), data);
  CHECK(datasets::series::read_series(folder.file("l.h5")).table.names == Names{"values[a]", "values[b]", "other"});
  CHECK(datasets::series::read_series(folder.file("l.h5"), {"", "", {"other"}}).table.names == Names{"other"});
  CHECK(datasets::series::read_series(folder.file("l.h5"), {"", "", {"other", "other"}}).table.names == Names{"other"});
  CHECK_THROWS_AS(datasets::series::read_series(folder.file("l.h5"), {"", "", {"othr"}}), DataError);
}

TEST_CASE("the shared sets of series are read as what they are", "[series]") {
  const auto folder = support::shared_data("lag");
  if (!folder) return;
  const auto read = [&](const char* name) { return datasets::series::read_series((*folder / name).string()); };
  CHECK(read("finance/manyinputs.csv.gz").table.steps() == 4000);
  CHECK(read("synth/missing20pct_var10_T1000_tau5_s0.csv.gz").table.series() == 10);
  CHECK(read("real/soi_recruitment.csv.gz").table.names == Names{"soi", "rec"});
  const datasets::series::SeriesFile danube = read("real/danube8_daily_1960_2010.csv.gz");
  CHECK(danube.table.time_unit == "days");
  CHECK(danube.table.steps() == 18628);
  CHECK(read("irregular/mock_pairs.csv.gz").groups.size() == 60);
  CHECK(read("irregular/javelin_mock.csv.gz").groups[0].curves.size() == 3);
  CHECK(read("irregular/ngc5548.csv.gz").irregular());
}
