#include "fovea/datasets/series/dates.hpp"

#include "fovea/core/base/words.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea {

namespace {

using datasets::series::date_of;
using datasets::series::date_text;
using datasets::series::DayMonth;
using datasets::series::DayMonthEvidence;

/// Written back as ISO 8601; empty for no date.
std::string iso(std::string_view text, DayMonth order = DayMonth::unknown) {
  const auto days = date_of(text, order);
  return days ? date_text(*days) : "";
}

DayMonthEvidence evidence_of(std::initializer_list<const char*> cells) {
  DayMonthEvidence evidence;
  for (const char* cell : cells) evidence.add(cell);
  return evidence;
}

}  // namespace

TEST_CASE("dates are read as ISO 8601 has them and written back", "[series]") {
  CHECK(date_of("1970-01-01") == 0.0);
  CHECK(date_of("2000/03/01") == 11017.0);
  CHECK(date_of("1970-01-01 12:00") == 0.5);
  CHECK(std::fabs(*date_of("1970-01-01T01:00:00.5+01:00") - 0.5 / 86400) < 1e-15);  // 1/24 is no binary fraction
  for (const char* text : {"1969-12-31", "2024-02-29", "2024-02-29 23:59:59"}) CHECK(iso(text) == text);
}

TEST_CASE("dates of other kinds are those that they name", "[series]") {
  for (const char* text : {"2023-12-31", "2023.12.31", "31.12.2023", "31.12.23", "31 Dec 2023", "31-Dec-2023",
                           "31-december-23", "Dec 31, 2023", "December 31 2023"})
    CHECK(iso(text) == "2023-12-31");
  for (const char* text : {"1985-02", "Feb 1985", "feb-85", "1985 Feb", "02/1985", "February 1985", "01.02.1985"})
    CHECK(iso(text) == "1985-02-01");
  for (const char* text : {"1960Q3", "1960-Q3", "1960 Q3", "Q3 1960", "q3-1960", "1960:Q3"})
    CHECK(iso(text) == "1960-07-01");
  CHECK(iso("2020-W07") == "2020-02-10");
  CHECK(iso("2020W07") == "2020-02-10");
  CHECK(iso("1985M01") == "1985-01-01");
  CHECK(iso("1985-M12") == "1985-12-01");
  CHECK(iso("1985M13").empty());
  CHECK(iso("2020-W53-5") == "2021-01-01");
  CHECK(iso("2021-W01-1") == "2021-01-04");
  CHECK(iso("2018-W01") == "2018-01-01");
  CHECK(iso("31.12.2023 23:30") == "2023-12-31 23:30:00");
  CHECK(iso("31 Dec 2023, 1:05 pm") == "2023-12-31 13:05:00");
  CHECK(iso("2023-12-31 12 AM") == "2023-12-31");
  CHECK(iso("2023-12-31 12:00:01PM") == "2023-12-31 12:00:01");
  CHECK(iso("01.01.69") == "1969-01-01");
  CHECK(iso("01.01.68") == "2068-01-01");
}

TEST_CASE("what is no date is not taken for one", "[series]") {
  for (const char* none : {"",
                           "1970",
                           "1970-1",
                           "1970-13-01",
                           "1970-01-01T25:00",
                           "1970-01-01x",
                           "-1970-01-01",
                           "12.5",
                           "1970-01/01",
                           "1970.12",
                           "12.1970",
                           "1.2.3",
                           "31.02.2023",
                           "32.01.2023",
                           "Dec",
                           "Mai 2020",
                           "Q5 1960",
                           "1960Q0",
                           "2020-W54",
                           "2020-W00",
                           "2020-W07-8",
                           "2023-12-31 13",
                           "2023-12-31 13 PM",
                           "2023-12-31 0 AM",
                           "31/12",
                           "1/1",
                           "5 mm",
                           "12 2020",
                           "2020 12",
                           "1-2-3",
                           "Jan",
                           "Jan-",
                           "1e5",
                           "2020-",
                           "01/02/2020",
                           "2023-12-31 10:60"})
    CHECK(iso(none) == "");
}

TEST_CASE("any bytes are a date or none", "[series]") {
  constexpr std::string_view kLetters = "0123456789-/.: QWTZJanDecPM,+";
  const Random random(5);
  for (std::uint64_t round = 0; round < 50000; ++round) {
    std::string text;
    for (auto place = random.below(14, round); place > 0; --place)
      text += kLetters[random.below(kLetters.size(), round, place)];
    for (const DayMonth order : {DayMonth::unknown, DayMonth::day_first, DayMonth::month_first}) {
      const auto days = date_of(text, order);
      if (days && !std::isfinite(*days)) FAIL("'" << text << "' is " << *days);
      if (days && *days > -719600 && *days < 2932900)  // years of four digits are written back as they were read
        CHECK(std::fabs(date_of(date_text(*days)).value_or(1e9) - *days) < 1.0 / 86400);
    }
  }
}

TEST_CASE("what comes first in 03/04/2020 is decided by the column or left open", "[series]") {
  CHECK(iso("03/04/2020", DayMonth::day_first) == "2020-04-03");
  CHECK(iso("03/04/2020", DayMonth::month_first) == "2020-03-04");
  CHECK(iso("03-04-20", DayMonth::day_first) == "2020-04-03");
  CHECK(iso("03/03/2020") == "2020-03-03");
  CHECK(evidence_of({"01/02/2020", "13/02/2020"}).order() == DayMonth::day_first);
  CHECK(evidence_of({"01/02/2020", "02/13/2020"}).order() == DayMonth::month_first);
  CHECK(evidence_of({"11/01/2020", "12/01/2020", "01/02/2020"}).order() == DayMonth::day_first);
  CHECK(evidence_of({"01/12/2020", "02/01/2020", "03/05/2020"}).order() == DayMonth::month_first);
  const DayMonthEvidence months = evidence_of({"10/01/2019", "11/01/2019", "12/01/2019", "01/01/2020", "02/01/2020"});
  CHECK(months.order() == DayMonth::month_first);
  CHECK(months.reason() == "only so are they evenly spaced");
  CHECK(evidence_of({"03/05/2020", "04/05/2020", "05/05/2020", "06/05/2020"}).order() == DayMonth::unknown);
  CHECK(evidence_of({"05/05/2020", "01/07/2020", "02/03/2020"}).order() == DayMonth::unknown);
  CHECK(evidence_of({"01/02/2020", "13/02/2020", "02/13/2020", "14/02/2020"}).order() == DayMonth::day_first);
}

}  // namespace fovea
