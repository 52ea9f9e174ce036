#include "fovea/datasets/panels/recessions.hpp"

#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets;

namespace {

panels::Recessions recessions_of(const std::string& text, std::optional<Index> known_through = {}) {
  const TemporaryFolder folder(support::memory_disk());
  support::put_file(folder.file("r.csv"), text);
  return panels::read_recessions(folder.file("r.csv"), known_through);
}

/// "1960-04 0110": the first month, then a sign a month, ? for an unknown one.
std::string months_text(const panels::Recessions& recessions) {
  std::string text = panels::month_text(recessions.first_month) + " ";
  for (const double value : recessions.in) text += std::isnan(value) ? '?' : value == 1 ? '1' : value == 0 ? '0' : 'x';
  return text;
}

panels::MonthlyPanel panel_over(Index first, Index count) {
  return {"folder/p.csv", first, {{"A", 1, std::vector<double>(static_cast<std::size_t>(count), 1.0)}}};
}

}  // namespace

TEST_CASE("a recession lasts from the month behind its peak through its trough", "[panels]") {
  const auto two = recessions_of("peak,trough\n1990-07,1990-09\n1990-12,1991-01\n");
  CHECK(months_text(two) == "1990-07 0110001");
  CHECK(two.notes == std::vector<std::string>{"r.csv: months behind the last trough (1991-01) are unknown."});
  CHECK(std::isnan(two.at(12 * 1990)));
  CHECK(two.at(12 * 1990 + 7) == 1);
  CHECK(std::isnan(two.at(12 * 1991 + 1)));
  CHECK(months_text(recessions_of("Peak month;Trough month\n;December 1854\nJune 1857;\n")) ==
        "1854-12 1" + std::string(30, '0') + "1");
}

TEST_CASE("months behind the last trough are no recession only where that is given", "[panels]") {
  const auto given = recessions_of("peak,trough\n1990-07,1990-08\n", 12 * 1990 + 9);
  CHECK(months_text(given) == "1990-07 0100");
  CHECK(given.notes ==
        std::vector<std::string>{
            "r.csv: months behind the last trough (1990-08) to 1990-10 are no recession, as was given."});
  const auto open = recessions_of("peak,trough\n1990-07,\n", 12 * 1990 + 9);
  CHECK(months_text(open) == "1990-07 01");
  CHECK(open.notes == std::vector<std::string>{"r.csv: the last recession, behind the peak of 1990-07, has no trough; "
                                               "months behind 1990-08 are unknown."});
}

TEST_CASE("a column of 0 and 1 is read as it stands", "[panels]") {
  CHECK(months_text(recessions_of("observation_date,USREC\n1990-07-01,0\n1990-08-01,1.0\n1990-09-01,.\n")) ==
        "1990-07 01?");
  const auto among = recessions_of("date,UNRATE,USREC\n1990-07,5,0\n1990-08,6,1\n");
  CHECK(months_text(among) == "1990-07 01");
  CHECK(among.notes == std::vector<std::string>{"r.csv: recessions are those of the column 'USREC'."});
}

TEST_CASE("months of a panel whose recessions are unknown are reported, and are refused where all are", "[panels]") {
  auto recessions = recessions_of("date,USREC\n1990-07,0\n1990-08,1\n1990-09,\n1990-10,0\n");
  const Index july = 12 * 1990 + 6;
  CHECK(panels::unknown_months(panel_over(july, 2), recessions).empty());
  CHECK(panels::unknown_months(panel_over(july - 1, 7), recessions) ==
        std::vector<std::string>{"r.csv: begins with 1990-07; 1 month of p.csv is unknown, not without recession.",
                                 "r.csv: ends with 1990-10; 2 months of p.csv are unknown, not without recession.",
                                 "r.csv: has empty cells; 1 month of p.csv is unknown, not without recession."});
  recessions.source = "r.csv";
  CHECK(refusal_of<DataError>([&] { panels::unknown_months(panel_over(july + 4, 2), recessions); }) ==
        "r.csv: knows no month of p.csv (1990-11 to 1990-12); take recessions of the same years.");
}

TEST_CASE("the chronology of the NBER gives the months of FRED's USREC", "[panels]") {
  const auto folder = support::shared_data("nowcast");
  if (!folder) return;
  const auto dated = panels::read_recessions(*folder / "nber_recessions.csv");
  const auto column = panels::read_recessions(*folder / "usrec.csv");
  CHECK(panels::month_text(dated.first_month) == "1857-06");
  CHECK(panels::month_text(dated.last_month()) == "2020-04");
  Index differ = 0, in = 0;
  for (Index month = dated.first_month; month <= dated.last_month(); ++month) {
    differ += dated.at(month) != column.at(month) ? 1 : 0;
    in += dated.at(month) == 1 && month >= 12 * 1985 ? 1 : 0;
  }
  CHECK(differ == 0);
  CHECK(in == 36);
}
