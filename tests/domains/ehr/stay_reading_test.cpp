/// What is said of stays that were read, and what lies behind the time of asking.

#include "fovea/domains/ehr/record/stay_reading.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::ehr::record {
namespace {

/// The reading once all stays are read. at: hours.
study::Reading read_until(double at, const std::string& rows, datasets::events::EventOptions options = {}) {
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("e.csv")) << "stay_id,time_hours,variable,value,nurse\n" << rows;
  options.distinct = {"ICUType"};
  const auto reader =
      read_stay_cases(datasets::events::StaysReader({folder.file("e.csv")}, options), {"e.csv", at, {}, {}});
  while (reader->read(1).count() > 0) {
  }
  return reader->reading();
}

std::vector<std::string> left_out(const study::Reading& reading) {
  std::vector<std::string> all;
  for (const study::LeftOut& one : reading.left_out) all.push_back(study::left_out_text(reading, one));
  return all;
}

const std::string kRows = "1,0,hr,80,x\n1,50,lactate,2,x\n2,1,hr,90,x\n2,60,hr,90,x\n";

TEST_CASE("what lies behind the time of asking is counted, and the variables that are there alone", "[ehr][record]") {
  const study::Reading reading = read_until(48, kRows);
  CHECK(left_out(reading) ==
        std::vector<std::string>{"2 events: later than hour 48 (data.at), when each stay is asked",
                                 "1 column: no column of the id, time, variable, value or unit (nurse)"});
  CHECK(reading.late == std::vector<std::string>{"lactate"});
  const study::Reading all = read_until(60, kRows);
  CHECK(left_out(all).size() == 1);
  CHECK(all.late.empty());
  CHECK(read_until(48, kRows, {.origin = "first event"})
            .left_out.front()
            .reason.find("counted from its first event (data.origin)") != std::string::npos);
}

TEST_CASE("files of which nothing lies before the time of asking are refused, but for statics",
          "[ehr][record][error]") {
  CHECK(support::refusal_of<DataError>([] {
          read_until(-1, kRows);
        }).starts_with("e.csv: all of 4 events are later than hour "));
  const std::string since_1970 = "1,447130,hr,80,x\n1,447131,hr,80,x\n";
  CHECK(
      support::refusal_of<DataError>([&] { read_until(48, since_1970); })
          .ends_with("The first event is at 2021-01-03 if times count from 1970; to count from the first event of each "
                     "stay: data.origin='first event' (--origin 'first event')."));
  CHECK(support::refusal_of<DataError>([] { read_until(-1, kRows); }).find("1970") == std::string::npos);
  CHECK(read_until(48, since_1970 + "1,,sex,1,x\n").notes.back().starts_with("The first event is at 2021-01-03 if "));
  CHECK(read_until(48, since_1970, {.origin = "first event"}).notes.back() ==
        "Hours count from the first event of each stay.");
  CHECK(left_out(read_until(-1, kRows + "1,,sex,1,x\n")).front().starts_with("4 events: later than hour "));
}

TEST_CASE("what was left out has its file once, and no count of few stays", "[ehr][record]") {
  study::Reading reading{.noun = "stay"};
  reading.smallest_cell = 10;
  const auto text = [&](const study::LeftOut& one) { return study::left_out_text(reading, one); };
  CHECK(text({"row", 3, "x", {"a.csv:row 1", "a.csv:row 2", "b.csv:row 3"}}) ==
        "3 rows: x (a.csv:row 1; row 2; b.csv:row 3)");
  CHECK(text({"column", 2, "x", {"nurse", "ward"}}) == "2 columns: x (nurse; ward)");
  CHECK(text({"stay", 3, "x"}) == "fewer than 10 stays: x");
  CHECK(text({"stay", 12, "x"}) == "12 stays: x");
}

}  // namespace
}  // namespace fovea::ehr::record
