#include "fovea/domains/nowcast/series/known_series.hpp"

#include "fovea/domains/nowcast/series/columns.hpp"
#include "fovea/tests/domains/nowcast/small_panels.hpp"

namespace fovea::nowcast {

namespace {

std::string refused(const SeriesSettings& settings) {
  return refusal_of<DataError>([&] { known_of({{"PAYEMS", line_of(3, 1)}}, settings); });
}

double column_of(const std::string& name, const std::vector<KnownSeries>& series, Index now) {
  for (const Column& column : classical_columns())
    if (column.name == name) return value_of(column, series, now);
  FAIL("no column " << name);
  return kNan;
}

}  // namespace

TEST_CASE("a series has the lag of the table, of its own entry, or of all", "[nowcast][series]") {
  const std::vector<std::pair<std::string, std::vector<double>>> panel{{"CLAIMSx", line_of(3, 1)},
                                                                       {"PAYEMS", line_of(3, 1)}};
  const auto lags = [&](const std::vector<std::string>& entries) {
    const auto series = known_of(panel, {.lags = entries});
    return std::pair{find_series(series, "CLAIMSx")->lag, find_series(series, "PAYEMS")->lag};
  };
  CHECK(lags({}) == std::pair<Index, Index>{0, 1});
  CHECK(lags({"PAYEMS=3"}) == std::pair<Index, Index>{0, 3});
  CHECK(lags({"*=2"}) == std::pair<Index, Index>{2, 2});
  CHECK(lags({"CLAIMSx=0", "*=2"}) == std::pair<Index, Index>{0, 2});  // its own wins, whatever the order
}

TEST_CASE("the table of series is in order, and its lags, codes and words are there", "[nowcast][series]") {
  const auto& rules = series_rules();
  CHECK(std::is_sorted(rules.begin(), rules.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const SeriesRule& rule : rules) {
    CHECK((rule.lag >= 0 && rule.lag <= 2 && rule.code >= 1 && rule.code <= 7 && !rule.words.empty()));
    for (const SeriesRule& other : rules) CHECK((&rule == &other || rule.words != other.words));
  }
}

TEST_CASE("the newest value is the last one that is released, unless it is too old", "[nowcast][series]") {
  const auto series = known_of({{"PAYEMS", {1, 2, kNan, kNan, 5, kNan, kNan, kNan, kNan, kNan}}});
  const KnownSeries& payrolls = *find_series(series, "PAYEMS");
  CHECK(payrolls.newest(kBegin) == -1);          // the value of the month itself is not out yet
  CHECK(payrolls.newest(kBegin + 1) == kBegin);  // a lag of one month
  CHECK(payrolls.newest(kBegin + 2) == kBegin + 1);
  CHECK(payrolls.newest(kBegin + 4) == kBegin + 1);  // the file shows nothing newer
  CHECK(payrolls.newest(kBegin + 5) == kBegin + 4);
  CHECK(payrolls.newest(kBegin + 5 + kStalest) == kBegin + 4);
  CHECK(payrolls.newest(kBegin + 6 + kStalest) == -1);
  CHECK(payrolls.newest(kBegin + 100) == -1);
  CHECK(std::isnan(payrolls.at(kBegin - 1)));
  CHECK(std::isnan(payrolls.at(kBegin + 10)));
}

TEST_CASE("a spread is the difference where both are known, released with the later one", "[nowcast][series]") {
  const auto series = known_of({{"GS10", {5, 6, kNan, 8}}, {"TB3MS", {4, kNan, 3, 9}}}, {.lags = {"TB3MS=2"}});
  const KnownSeries* const spread = find_series(series, "GS10-TB3MS");
  REQUIRE(spread != nullptr);
  CHECK(spread->lag == 2);
  CHECK(spread->words == "the yield spread");
  CHECK(spread->at(kBegin) == 1);
  CHECK((std::isnan(spread->at(kBegin + 1)) && std::isnan(spread->at(kBegin + 2))));
  CHECK(spread->at(kBegin + 3) == -1);
  CHECK(find_series(known_of({{"GS10", line_of(3, 5)}, {"AAA", line_of(3, 7)}}), "BAA-AAA") == nullptr);
}

TEST_CASE("series are found by the names that the file has, and what is not there is noted", "[nowcast][series]") {
  std::vector<std::string> notes;
  const SeriesSettings settings{.names = {"PAYEMS=jobs", "S&P 500=a=b"}};
  const auto series = known_series(
      panel_of(
          {{"a=b", line_of(3, 1)}, {"jobs", line_of(3, 2)}, {"UNRATE", line_of(3, 4)}, {"rainfall", line_of(3, 0)}}),
      settings, notes);
  REQUIRE(series.size() == 3);  // in the order of the table
  CHECK((series[0].name == "PAYEMS" && series[0].at(kBegin) == 2 && series[0].words == "payrolls"));
  CHECK((series[1].name == "S&P 500" && series[1].at(kBegin) == 1));
  CHECK(series[2].name == "UNRATE");
  CHECK(notes == std::vector<std::string>{"p.csv: has no AAA, AWHMAN, BAA, CLAIMSx, CMRMTSPLx, CPIAUCSL, FEDFUNDS, "
                                          "GS10, INDPRO, OILPRICEx, PERMIT, TB3MS, UMCSENTx, W875RX1."});
}

TEST_CASE("codes of transformation are by the names that the file has", "[nowcast][series]") {
  using datasets::panels::Codes;
  CHECK(codes_of({.names = {"PAYEMS=jobs", "UNRATE=u"}}).empty());  // the file's own
  CHECK(codes_of({.names = {"PAYEMS=jobs"}, .codes = {"PAYEMS=6", "GS10=1"}}) == Codes{{"GS10", 1}, {"jobs", 6}});
  const Codes usual = usual_codes({.names = {"PAYEMS=jobs"}});
  CHECK((usual.size() == series_rules().size() && usual.at("jobs") == 5 && usual.at("UNRATE") == 2));
}

TEST_CASE("entries that are none are refused by their key", "[nowcast][series][errors]") {
  CHECK(refused({.lags = {"PAYEMS"}}) == "data.lags: 'PAYEMS' is no entry of the form SERIES=VALUE.");
  CHECK(refused({.lags = {"=1"}}) == "data.lags: '=1' is no entry of the form SERIES=VALUE.");
  CHECK(refused({.names = {"PAYEMS="}}) == "data.names: 'PAYEMS=' is no entry of the form SERIES=VALUE.");
  CHECK(refused({.lags = {"PAYEMS=25"}}) == "data.lags: 'PAYEMS=25', but the number must be a whole one from 0 to 24.");
  for (const char* entry : {"PAYEMS=-1", "PAYEMS=1.5", "PAYEMS=one", "PAYEMS= 1", "PAYEMS=99999999999999999999"})
    CHECK(refused({.lags = {entry}}) ==
          concat("data.lags: '", entry, "', but the number must be a whole one from 0 to 24."));
  CHECK(refused({.lags = {"jobs=1"}}) ==
        "data.lags: 'jobs' is none of the series that nowcasts use; see domains/nowcast.");
  CHECK(refused({.names = {"jobs=PAYEMS"}}) ==
        "data.names: 'jobs' is none of the series that nowcasts use; see domains/nowcast.");
  CHECK(refusal_of<DataError>([] { codes_of({.codes = {"PAYEMS=8"}}); }) ==
        "data.codes: 'PAYEMS=8', but the number must be a whole one from 1 to 7.");
  CHECK(refusal_of<DataError>([] { codes_of({.codes = {"*=2"}}); }) ==
        "data.codes: '*' is none of the series that nowcasts use; see domains/nowcast.");
  const std::string none = refusal_of<DataError>([] { known_of({{"rainfall", line_of(3, 1)}}); });
  CHECK(none.starts_with("folder/p.csv: none of its 1 column is a series that nowcasts use (AAA, AWHMAN, "));
  CHECK(none.ends_with("W875RX1); name the columns in data.names, such as \"PAYEMS=payrolls\"."));
}

TEST_CASE("columns have the numbers that are worked out by hand", "[nowcast][series]") {
  std::vector<double> rates = line_of(30, 5, 0.1), bills = line_of(30, 4);
  bills[10] = 7;  // a spread of -1 in 1990-11
  const auto series = known_of({{"AAA", line_of(30, 6)},
                                {"BAA", line_of(30, 6.5, 0.01)},
                                {"GS10", rates},
                                {"PAYEMS", line_of(30, 100, 1)},
                                {"PERMIT", line_of(30, 100, 2)},
                                {"TB3MS", bills},
                                {"UNRATE", line_of(30, 4, 0.1)}});
  const Index now = kBegin + 20;
  const auto near = [&](const char* name, double expected) {
    INFO(name);
    CHECK(std::abs(column_of(name, series, now) - expected) < 1e-12);
  };
  near("payrolls, 3-month growth", std::log(119.0 / 116.0));  // the newest is that of a month before
  near("unemployment, 3-month change", 0.3);
  near("yield spread, 12 months ago", 5.8 - 4);
  near("yield spread, lowest of 18 months", 6.0 - 7);
  near("building permits, 12-month growth", std::log(138.0 / 114.0));
  near("credit spread", 0.7);
  CHECK(std::isnan(column_of("claims, 3-month growth", series, now)));                     // no such series
  CHECK(std::isnan(column_of("building permits, 12-month growth", series, kBegin + 12)));  // needs 1989-12
  CHECK_FALSE(std::isnan(column_of("building permits, 12-month growth", series, kBegin + 13)));
  CHECK(std::isnan(column_of("yield spread, lowest of 18 months", series, kBegin + 16)));
  CHECK_FALSE(std::isnan(column_of("yield spread, lowest of 18 months", series, kBegin + 17)));
}

TEST_CASE("a column is not known where a value that it takes is missing or has no logarithm", "[nowcast][series]") {
  std::vector<double> jobs = line_of(30, 100, 1);
  jobs[10] = kNan, jobs[20] = -1, jobs[25] = 0;
  const auto series = known_of({{"PAYEMS", jobs}});
  const auto known = [&](Index place) {
    return !std::isnan(column_of("payrolls, 3-month growth", series, kBegin + place + 1));
  };
  CHECK((known(9) && known(12) && known(14)));
  CHECK_FALSE(known(13));
  CHECK(known(10));  // the newest is then that of the month before
  CHECK_FALSE((known(20) || known(23) || known(25) || known(28)));
  CHECK(known(29));
}

}  // namespace fovea::nowcast
