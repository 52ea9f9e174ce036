#include "fovea/datasets/panels/panel.hpp"

#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets;

namespace {

constexpr Index kJanuary1959 = 12 * 1959;

panels::MonthlyPanel panel_of(const std::string& text, const panels::Codes& codes = {},
                              const std::string& name = "p.csv") {
  const TemporaryFolder folder(support::memory_disk());
  support::put_file(folder.file(name), text);
  return panels::read_panel(folder.file(name), codes);
}

/// Numbers as text, "" for NaN.
std::string values_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (std::isnan(value) ? std::string() : concat(value)) + "|";
  return text;
}

std::vector<double> by_code(int code, std::vector<double> values) {
  return panels::transformed({"x", code, std::move(values)});
}

}  // namespace

TEST_CASE("a panel has the series of a FRED-MD file, late, with gaps and with a ragged end", "[panels]") {
  const auto panel = panel_of(
      "sasdate,PAYEMS,S&P 500,UMCSENTx\nTransform:,5,5,2\n1/1/1959,52478,55.62,\n2/1/1959,52688,54.77,90.5\n"
      "3/1/1959,53014,56.15,\n4/1/1959,53321,57.1,91\n5/1/1959,,57.96,\n,,,\n,,,\n");
  CHECK(panel.first_month == kJanuary1959);
  CHECK(panel.months() == 5);
  CHECK(panels::month_text(panel.last_month()) == "1959-05");
  REQUIRE(panel.series.size() == 3);
  CHECK(panel.find("S&P 500")->code == 5);
  CHECK(values_text(panel.find("UMCSENTx")->values) == "|90.5||91||");
  CHECK(panel.find("S&P") == nullptr);
  CHECK(panel.notes ==
        std::vector<std::string>{"p.csv: 2 of 3 series have no value in 1959-05, the last month: PAYEMS, UMCSENTx."});
}

TEST_CASE("a panel is the same however its file is written", "[panels]") {
  const std::string plain = "sasdate,A,B\nTransform:,1,5\n1/1/1959,1.5,2\n2/1/1959,,3\n3/1/1959,-2,4\n";
  const std::pair<std::string, std::string> files[] = {
      {"BOM and CRLF",
       "\xEF\xBB\xBFsasdate,A,B\r\nTransform:,1,5\r\n1/1/1959,1.5,2\r\n2/1/1959,,3\r\n3/1/1959,-2,4\r\n,,\r\n"},
      {"semicolons, decimal commas", "date;A;B\nTRANSFORM;1;5\n31.01.1959;1,5;2\n28.02.1959;;3\n31.03.1959;-2;4,0\n"},
      {"tabs, words for nothing", "Date\tA\tB\ntransform:\t1\t5\n1959-01\t1.5\t2\n1959-02\tNA\t3\n1959-03\t-2\t4\n"},
      {"names of months", "month,A,B\nTransform:,1,5\nJan 1959,1.5,2\nFeb 1959,.,3\nMar 1959,-2,4\n"},
      {"1959M01", "TIME_PERIOD,A,B\nTransform:,1,5\n1959M01,1.5,2\n1959M02,,3\n1959M03,-2,4\n"},
      {"the day first", ",A,B\nTransform:,1,5\n01/01/1959,1.5,2\n01/02/1959,,3\n01/03/1959,-2,4\n"},
      {"six digits", "date,A,B\nTransform:,1,5\n195901,1.5,2\n195902,,3\n195903,-2,4\n"},
      {"colons", "date,A,B\nTransform:,1,5\n1959:01,1.5,2\n1959:02,,3\n1959:03,-2,4\n"},
      {"an empty row in between, times of the day",
       "date,A,B\nTransform:,1,5\n1959-01-31 00:00:00,1.5,2\n,,\n1959-02-28 00:00:00,,3\n1959-03-31 00:00:00,-2,4\n"},
      {"year and month", "year,month,A,B\nTransform:,,1,5\n1959,1,1.5,2\n1959,2,,3\n1959,3,-2,4\n"},
      {"the date behind", "A,B,date\n1,5,Transform:\n1.5,2,1959-01-01\n,3,1959-02-01\n-2,4,1959-03-01\n"},
  };
  const TemporaryFolder folder(support::memory_disk());
  support::put_file(folder.file("p.csv.gz"), support::gzip_packed(plain));
  for (const auto& panel : {panel_of(plain), panels::read_panel(folder.file("p.csv.gz"))}) {
    CHECK(values_text(panel.series[0].values) == "1.5||-2|");
    CHECK(panel.notes.empty());
  }
  for (const auto& [what, text] : files) {
    INFO(what);
    const auto panel = panel_of(text);
    CHECK(panel.first_month == kJanuary1959);
    REQUIRE(panel.series.size() == 2);
    CHECK(panel.series[0].name == "A");
    CHECK(values_text(panel.series[0].values) == "1.5||-2|");
    CHECK(values_text(panel.series[1].values) == "2|3|4|");
    CHECK(panel.series[0].code == 1);
    CHECK(panel.series[1].code == 5);
    CHECK(panel.notes.empty());
  }
}

TEST_CASE("dates that fit in both orders are read with the month first, which is noted", "[panels]") {
  const auto panel = panel_of("date,A\nTransform:,1\n3/4/2020,1\n4/5/2020,2\n");
  CHECK(panels::month_text(panel.first_month) == "2020-03");
  CHECK(panel.notes == std::vector<std::string>{"p.csv: dates such as 3/4/2020 are read with the month first."});
}

TEST_CASE("codes of a config win over those of the file, or supply them", "[panels]") {
  const std::string with = "date,A,B\nTransform:,1,5\n1959-01,1,2\n", without = "date,A,B\n1959-01,1,2\n";
  const auto changed = panel_of(with, {{"A", 1}, {"B", 2}, {"Z", 3}});
  CHECK(changed.find("B")->code == 2);
  CHECK(changed.notes ==
        std::vector<std::string>{"p.csv: the codes of the config take the place of those of the file for B.",
                                 "p.csv: the config gives codes for series that are not there: Z."});
  const auto supplied = panel_of(without, {{"B", 2}});
  REQUIRE(supplied.series.size() == 1);
  CHECK(supplied.series[0].code == 2);
  CHECK(supplied.notes == std::vector<std::string>{"p.csv: left out, as they have no code: A."});
}

TEST_CASE("a series is transformed as its code says, by McCracken and Ng", "[panels]") {
  const std::vector<double> x{1, 2, 4, 12};
  const double log2 = std::log(2.0), log3 = std::log(3.0);
  CHECK(by_code(1, x) == x);
  CHECK(values_text(by_code(2, x)) == "|1|2|8|");
  CHECK(values_text(by_code(3, x)) == "||1|6|");
  CHECK(by_code(4, x)[3] == std::log(12.0));
  CHECK(by_code(5, x)[3] == Approx(log3));
  CHECK(by_code(6, x)[3] == Approx(log3 - log2));
  CHECK(values_text(by_code(6, x)).starts_with("||0|"));
  CHECK(values_text(by_code(7, x)) == "||0|1|");
}

TEST_CASE("what cannot be transformed is empty", "[panels]") {
  CHECK(values_text(by_code(2, {1, kNan, 4, 12, 13})) == "|||8|1|");
  CHECK(values_text(by_code(3, {1, kNan, 4, 12, 13})) == "||||-7|");
  CHECK(values_text(by_code(7, {1, 0, 4, 8, 8})) == "||||-1|");
  CHECK(values_text(by_code(3, {7})) == "|");
  CHECK(refusal_of<ArgumentError>([] {
          panels::transformed({"x", {}, {1}});
        }) == "transformed: 'x' has no code from 1 to 7.");
}

TEST_CASE("the panel FRED-MD of January 2024 is read whole", "[panels]") {
  const auto folder = support::shared_data("nowcast");
  if (!folder) return;
  const auto panel = panels::read_panel(*folder / "fredmd_2024-01.csv.gz");
  CHECK(panel.series.size() == 127);
  CHECK(panel.first_month == kJanuary1959);
  CHECK(panel.months() == 780);
  CHECK(panel.find("NONBORRES")->code == 7);
  CHECK(panels::transformed(*panel.find("PAYEMS"))[1] == Approx(std::log(52688.0 / 52478.0)));
  REQUIRE(panel.notes.size() == 1);
  CHECK(panel.notes[0].find(": 11 of 127 series have no value in 2023-12, the last month: CMRMTSPLx, ACOGNO") !=
        std::string::npos);
}
