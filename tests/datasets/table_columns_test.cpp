/// Tables as people bring them: what numbers the rows, adds up, follows from others, or is times in other forms.

#include "fovea/core/base/words.hpp"
#include "fovea/datasets/series/dates.hpp"
#include "fovea/datasets/series/file.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

using datasets::series::SeriesFile;
using datasets::series::SeriesFileOptions;
using Names = std::vector<std::string>;

SeriesFile table_of_text(const std::string& text, const SeriesFileOptions& options = {}) {
  const TemporaryFolder folder;
  support::put_file(folder.file("s.csv"), text);
  return datasets::series::read_series(folder.file("s.csv"), options);
}

/// `header`, and `rows` lines of what `line` gives.
template <typename Line>
SeriesFile table_of_lines(const std::string& header, int rows, const Line& line,
                          const SeriesFileOptions& options = {}) {
  std::string text = header + "\n";
  for (int t = 0; t < rows; ++t) text += line(t) + "\n";
  return table_of_text(text, options);
}

const Random kDraws(3);
double drawn(int t, int series) { return kDraws.normal(t, series); }
std::string cell(int t, int series = 0, int decimals = 3) { return fovea::compact(drawn(t, series), decimals); }

std::size_t found(const SeriesFile& file, std::string_view kind) {
  return static_cast<std::size_t>(
      std::count_if(file.findings.begin(), file.findings.end(), [&](const Finding& one) { return one.kind == kind; }));
}

std::string sentence_of(const SeriesFile& file, std::string_view kind) {
  for (const Finding& one : file.findings)
    if (one.kind == kind) return one.sentence;
  return "";
}

}  // namespace

TEST_CASE("columns that number the rows or repeat the calendar are no series", "[series][tables]") {
  for (const char* name : {"rownames", "X", "Unnamed: 0", "", "key"}) {
    const SeriesFile file = table_of_lines(std::string(name) + ",year,a,b", 30, [](int t) {
      return concat(t + 1, ',', 1780 + t, ',', cell(t), ',', cell(t, 1));
    });
    CHECK(file.table.names == Names{"a", "b"});
    CHECK(file.table.time_unit == "years");
    CHECK(found(file, "counts_rows") == 1);
  }
  const auto calendar = [](int t) {
    return concat(datasets::series::date_text(18000 + t), ',', datasets::series::date_text(18000 + t).substr(0, 4), ',',
                  (t + 1) % 7, ',', t % 3 + 1, ',', cell(t));
  };
  const SeriesFile parts = table_of_lines("date,year,weekday,cycle,a", 500, calendar);
  CHECK(parts.table.names == Names{"a"});
  CHECK(table_of_lines("date,year,weekday,cycle,a", 500, calendar, {"", "", {"cycle", "a"}}).table.names ==
        Names{"cycle", "a"});
  // What also rises by another step, or only alternates, is a series.
  const SeriesFile other = table_of_lines("date,b,a,c", 40, [](int t) {
    return concat(datasets::series::date_text(18000 + t), ',', t % 2, ',', cell(t), ',', (t * t + t / 3) % 11);
  });
  CHECK(other.table.names == Names{"b", "a", "c"});
  CHECK(other.findings.empty());
}

TEST_CASE("of running totals and counters that wrap what each step adds is read", "[series][tables]") {
  const auto added = [](int t, int which) { return kDraws.below(90, t, which) + 10; };
  const auto total = [&](int t, int which) {
    std::uint64_t sum = 0;
    for (int i = 0; i <= t; ++i) sum += added(i, which);
    return sum;
  };
  const auto line = [&](int t) {
    return concat(cell(t), ',', total(t, 7), ',', total(t, 8) % 1024, ',', -static_cast<double>(total(t, 7)));
  };
  const SeriesFile file = table_of_lines("a,total,wrapped,left", 200, line);
  CHECK(sentence_of(file, "running_totals").find("'total', 'wrapped', 'left'. What is added") != std::string::npos);
  CHECK(file.table.names == Names{"a", "total", "wrapped"});  // what is left falls as the total rises
  CHECK(std::isnan(file.table.values(0, 1)));
  CHECK(file.table.values(5, 1) == static_cast<double>(added(5, 7)));
  std::size_t resets = 0;
  for (Index t = 1; t < 200; ++t) {
    if (std::isnan(file.table.values(t, 2)))
      ++resets;
    else
      CHECK(file.table.values(t, 2) == static_cast<double>(added(static_cast<int>(t), 8)));
  }
  CHECK(resets == total(199, 8) / 1024);
  const SeriesFile kept = table_of_lines("a,total,wrapped,left", 200, line, {"", "", {}, "auto", {}, "keep"});
  CHECK(kept.table.values(5, 1) == static_cast<double>(total(5, 7)));
  CHECK(sentence_of(kept, "running_totals").find("do not trust") != std::string::npos);
  // Rain falls back to nothing as often as it rises; a step up, ten rises and one fall in the middle are no totals.
  const SeriesFile none = table_of_lines("rain,level,course", 60, [](int t) {
    return concat(t % 3 == 0 ? 0 : kDraws.below(9, t, 8), ',', t < 30 ? 0 : 5, ',', t * t - (t > 40 ? 900 : 0));
  });
  CHECK(found(none, "running_totals") == 0);
}

TEST_CASE("equal and scaled columns are named and one of them is kept", "[series][tables]") {
  const auto line = [](int t) {
    const double celsius = std::round(100 * drawn(t, 0)) / 10;
    return concat(cell(t, 1), ',', fovea::compact(celsius, 1), ',',
                  fovea::compact(std::round(18 * celsius + 320) / 10, 1), ',', t % 9 == 0 ? "" : cell(t, 1), ',',
                  t % 4 == 0 ? "NA" : cell(t, 1), ',', cell(t, 3));
  };
  const SeriesFile file = table_of_lines("x,celsius,fahrenheit,gaps,more_gaps,y", 120, line);
  CHECK(file.table.names == Names{"x", "celsius", "y"});
  CHECK(
      file.notes.back() ==
      "The same as 'celsius' wherever both are known, so left out: 'fahrenheit' (32 + 1.8 'celsius'). What is found of "
      "'celsius' holds for both; to read another of them instead, name the columns that are series (columns).");
  CHECK(found(file, "same_columns") == 2);
  CHECK(table_of_lines("x,celsius,fahrenheit,gaps,more_gaps,y", 120, line, {"", "", {"fahrenheit", "y"}}).table.names ==
        Names{"fahrenheit", "y"});
  // Nearly equal, few values, shifted in time, and one that equals another in nine rows of ten: all differ.
  const SeriesFile other = table_of_lines("a,b,c,d,e,f", 120, [](int t) {
    return concat(cell(t), ',', fovea::compact(drawn(t, 0) + 0.01 * drawn(t, 1), 3), ',', cell(t + 1), ',',
                  t % 10 == 0 ? cell(t, 5) : cell(t), ',', kDraws.below(2, t, 6), ',', kDraws.below(2, t, 7));
  });
  CHECK(other.table.series() == 6);
  CHECK(other.findings.empty());
}

TEST_CASE("sums, shares and means are named and one of their columns is left out", "[series][tables]") {
  const SeriesFile parts = table_of_lines("all,north,south,east", 100, [](int t) {
    const auto n = kDraws.below(50, t, 1), s = kDraws.below(60, t, 2), e = kDraws.below(70, t, 3);
    return concat(n + s + e, ',', n, ',', s, ',', e);
  });
  CHECK(parts.table.names == Names{"north", "south", "east"});
  CHECK(sentence_of(parts, "summing_columns").starts_with("'all' is the sum of 'north', 'south', 'east' in every "));
  const auto share = [](int t, int one) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += std::exp(drawn(t, i));
    return std::exp(drawn(t, one)) / sum;
  };
  for (const int decimals : {0, 1, 6}) {  // of percent
    const SeriesFile shares = table_of_lines("a,b,c,d", 100, [&](int t) {
      std::string text;
      for (int i = 0; i < 4; ++i) text += concat(i > 0 ? "," : "", fovea::compact(100 * share(t, i), decimals));
      return text;
    });
    CHECK(shares.table.names == Names{"a", "b", "c"});
    CHECK(sentence_of(shares, "summing_columns").starts_with("'a', 'b', 'c', 'd' sum to 100 in every complete row"));
  }
  const SeriesFile closed = table_of_lines("a,b,c", 100, [](int t) {
    const double a = drawn(t, 0), b = drawn(t, 1), mean = (a + b + drawn(t, 2)) / 3;
    return concat(fovea::compact(a - mean, 4), ',', fovea::compact(b - mean, 4), ',',
                  fovea::compact(2 * mean - a - b, 4));
  });
  CHECK(sentence_of(closed, "summing_columns").starts_with("'a', 'b', 'c' sum to 0 in every complete row"));
  const SeriesFile mean = table_of_lines("a,b,m,c", 100, [](int t) {
    return concat(cell(t), ',', cell(t, 1), ',', fovea::compact((drawn(t, 0) + drawn(t, 1)) / 2, 3), ',', cell(t, 2));
  });
  CHECK(mean.table.names == Names{"a", "b", "c"});
  CHECK(sentence_of(mean, "summing_columns").starts_with("'m' is a linear combination of 'a', 'b' "));
  // A sum with noise above the rounding, counts of few values, and fewer rows than decide.
  CHECK(table_of_lines("a,b,c", 100, [](int t) {
          return concat(cell(t), ',', cell(t, 1), ',',
                        fovea::compact(drawn(t, 0) + drawn(t, 1) + 0.01 * drawn(t, 2), 3));
        }).findings.empty());
  const SeriesFile counts = table_of_lines("a,b,c,d,e", 200, [](int t) {
    std::string text = concat(kDraws.below(3, t, 0));
    for (int i = 1; i < 5; ++i) text += concat(',', kDraws.below(3, t, i));
    return text;
  });
  CHECK(counts.table.series() == 5);
  CHECK(table_of_lines("a,b,c", 25, [](int t) {
          return concat(cell(t), ',', cell(t, 1), ',', fovea::compact(drawn(t, 0) + drawn(t, 1), 2));
        }).table.series() == 3);
}

TEST_CASE("times in other forms are read as what they are", "[series][tables]") {
  const auto unit = [](const std::string& name, const auto& time) {
    const SeriesFile file =
        table_of_lines(name + ",a,b", 60, [&](int t) { return concat(time(t), ',', cell(t), ',', cell(t, 1)); });
    CHECK(file.table.names == Names{"a", "b"});
    return file.irregular() ? "uneven" : concat(file.table.step, ' ', file.table.time_unit);
  };
  const auto two = [](int value) { return concat(value < 10 ? "0" : "", value); };
  CHECK(unit("period", [&](int t) { return concat(1990 + t / 12, two(t % 12 + 1)); }) == "1 months");
  CHECK(unit("month", [&](int t) { return concat(1999 - t / 12, two(12 - t % 12)); }) == "1 months");  // newest first
  CHECK(unit("time", [&](int t) { return concat(1990 + t / 12, '.', two(t % 12 + 1)); }) == "1 months");
  CHECK(unit("when", [&](int t) { return concat(1990 + t / 12, '.', t % 12 + 1); }) == "1 months");
  CHECK(unit("quarter", [&](int t) { return concat(1990 + t / 4, '.', t % 4 + 1); }) == "3 months");
  CHECK(unit("q", [&](int t) { return concat(1990 + t / 4, t % 4 + 1); }) == "3 months");
  CHECK(unit("day", [&](int t) {
          return concat(2019 + (t + 340) / 365, t < 25 ? "3" : "0", two(t < 25 ? t + 41 : t - 24));
        }) == "1 days");
  CHECK(unit("year", [&](int t) { return fovea::compact(1960 + t / 12.0, 4); }) == "1 months");
  CHECK(unit("time", [&](int t) { return concat(1577836800 + 3600 * t); }) == "1 hours");
  CHECK(unit("time", [&](int t) { return concat(1577836800000 + 60000 * t); }) == "1 minutes");
  CHECK(unit("t", [&](int t) { return concat(1577836800000 + 2 * t); }) == "2 ms");
  CHECK(unit("year,quarter", [&](int t) { return concat(1990 + t / 4, ',', t % 4 + 1); }) == "3 months");
  CHECK(unit("Year,Qtr", [&](int t) { return concat(1990 + t / 4, ",Q", t % 4 + 1); }) == "3 months");
  CHECK(unit("year,doy", [&](int t) { return concat(2019 + (t + 340) / 365, ',', (t + 340) % 365 + 1); }) == "1 days");
  CHECK(unit("Month,Day", [&](int t) {
          const std::string date = datasets::series::date_text(18231 + t);  // from 1 December 2019 on
          return concat(std::stoi(date.substr(5, 2)), ',', std::stoi(date.substr(8, 2)));
        }) == "1 days");
  CHECK(unit("time", [&](int t) { return concat("2020-01-0", 1 + t / 24, ' ', two(t % 24), ":00 UTC"); }) == "1 hours");
  // Numbers that are not dates throughout, or evenly spaced as they are, stay numbers.
  CHECK(unit("t", [&](int t) { return concat(199001 + 13 * t); }) == "13 ");
  CHECK(unit("year", [&](int t) { return fovea::compact(1990 + t / 10.0, 1); }) == "0.1 years");
}

TEST_CASE("hours that a local clock strikes twice or not at all are its own", "[series][tables]") {
  const auto clock = [](double from, double changed, double by, double step) {
    return table_of_lines("time,a,b", 200, [=](int t) {
      const double time = from + t * step;
      return concat(datasets::series::date_text(time + (time > changed - 1e-9 ? by : 0)), ',', cell(t), ',',
                    cell(t, 1));
    });
  };
  const double hour = 1.0 / 24, autumn = 18196, spring = 18350;  // 27 October 2019, 29 March 2020
  for (const double step : {hour, hour / 4}) {
    const SeriesFile back = clock(autumn - 1, autumn + 3 * hour, -hour, step);
    CHECK(back.table.steps() == 200);
    CHECK(sentence_of(back, "local_clock").find("set back an hour 1 time, first at 2019-10-27 02:00:00") !=
          std::string::npos);
    CHECK(clock(spring - 1, spring + 2 * hour, hour, step).table.steps() == 200);
  }
  CHECK(clock(autumn, autumn + 12 * hour, hour, hour).table.steps() == 201);  // an hour missing at noon
  CHECK_THROWS_WITH(clock(autumn + 1, autumn + 1 + 3 * hour, -hour, hour),
                    Catch::Contains("2019-10-28 02:00:00 again"));
}

TEST_CASE("numbers and words tell recordings apart where the times bear it out", "[series][tables]") {
  const auto panel = [](const std::string& header, bool by_year) {
    return table_of_lines(header, 60, [=](int t) {
      return concat(by_year ? t % 5 + 1 : t / 12 + 1, ',', by_year ? 1980 + t / 5 : 1980 + t % 12, ',', cell(t), ',',
                    cell(t, 1));
    });
  };
  for (const char* header : {"firm,year,a,b", "any,year,a,b"}) {
    const SeriesFile file = panel(header, false);
    CHECK(file.table.recording_starts == std::vector<Index>{0, 12, 24, 36, 48});
    CHECK(file.table.names == Names{"a", "b"});
    CHECK(found(file, "numbered_recordings") == 1);
  }
  CHECK(panel("firm,year,a,b", true).table.recording_starts.size() == 5);
  CHECK(panel("any,year,a,b", true).table.recording_starts.size() == 1);  // could be the season
  const auto words = [](int repeats) {
    return table_of_lines("date,ticker,open,close", 40, [=](int t) {
      return concat(datasets::series::date_text(18000 + t % repeats), ',', t < 20 ? "AA" : "BB", ',', cell(t), ',',
                    cell(t, 1));
    });
  };
  CHECK(words(20).table.recording_starts == std::vector<Index>{0, 20});
  CHECK_THROWS_WITH(words(40), Catch::Contains("column 'ticker' holds words ('AA', 'BB'), but a series is numbers"));
  const SeriesFile prices = table_of_lines("date,symbol,price", 40, [](int t) {
    return concat(datasets::series::date_text(18000 + t / 2), ',', t % 2 == 0 ? "x" : "y", ',', cell(t));
  });
  CHECK(prices.table.names == Names{"x", "y"});
  CHECK_THROWS_WITH(table_of_text("date,region,product,n\n2020-01-01,N,p,1\n"),
                    Catch::Contains("columns 'region', 'product' hold words"));
  CHECK_THROWS_WITH(table_of_text("name,2020-01-01,2020-01-02\na,1,2\n"), Catch::Contains("first row holds dates"));
}

TEST_CASE("a value that repeats far off every other is asked about", "[series][tables]") {
  const auto marked = [](double mark, int every, int decimals = 1) {
    return table_of_lines("a,b", 120, [=](int t) {
      return concat(t % every == 0 ? fovea::compact(mark, 1) : fovea::compact(100 + 5 * drawn(t, 0), decimals), ',',
                    cell(t, 1));
    });
  };
  CHECK_THROWS_WITH(marked(65535, 40), Catch::Contains("column 'a' holds 65535 3 times, far from its other values"));
  CHECK_THROWS_WITH(marked(0, 10), Catch::Contains("holds 0 12 times"));
  CHECK(marked(65535, 60).table.steps() == 120);  // twice can be chance
  CHECK(marked(130, 10).table.steps() == 120);    // not far
  CHECK(table_of_lines("a,b", 120, [](int t) {
          return concat(t % 3 == 0 ? 500 : t % 5, ',', cell(t));
        }).table.steps() == 120);  // few values: settings
  CHECK(table_of_lines("a,b", 120, [](int t) {
          return concat(t % 3 == 0 ? cell(t) : "50", ',', cell(t, 1));
        }).table.steps() == 120);  // most of the values: what is usual
}
