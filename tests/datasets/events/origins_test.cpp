/// Where the hours of stays begin, and when they are asked.

#include "fovea/datasets/events/read.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::events;

namespace {

struct OriginFiles {
  TemporaryFolder folder;
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(folder.file(name), std::ios::binary) << text;
    return folder.file(name);
  }
  Stays read(const std::string& events, EventOptions options = {}, const std::string& outcomes = "") const {
    if (!outcomes.empty()) options.outcomes = {put("o.csv", outcomes)};
    return read_stays({put("e.csv", events)}, options);
  }
  std::string refusal(const std::string& events, const EventOptions& options = {},
                      const std::string& outcomes = "") const {
    return support::refusal_in<DataError>(folder, [&] { read(events, options, outcomes); });
  }
};

const std::string kMeds =
    "subject_id,time,code,numeric_value\n1,1950-06-15,MEDS_BIRTH,\n1,2020-03-01 23:00:00,ADMISSION//ED,\n"
    "1,2020-03-02 01:30:00,lactate,2\n2,1990-03-01,MEDS_BIRTH,\n2,2020-02-29 12:00:00,lactate,1\n"
    "2,2020-03-01,ADMISSION//WARD,\n";
const std::string kAdmitted =
    "hadm_id,charttime,admittime,code,value\n1,2020-01-02 00:30:00,2020-01-01 23:00:00,hr,80\n"
    "1,2020-01-01 22:00:00,2020-01-01 23:00:00,hr,70\n2,2020-05-01,2020-04-30,hr,90\n";

bool has_note_with(const Stays& stays, const std::string& text) {
  return std::any_of(stays.facts.notes.begin(), stays.facts.notes.end(),
                     [&](const std::string& note) { return note.find(text) != note.npos; });
}

}  // namespace

TEST_CASE("hours of dates count from the first event, which no birth is", "[events][origin]") {
  const OriginFiles files;
  const Stays stays = files.read(kMeds);
  CHECK(stays.facts.origin == "first event");
  CHECK(stays.hours == std::vector<float>{0, 2.5F, 0, 12});
  CHECK(stays.variables.back() == "lactate");
  REQUIRE(stays.static_values.size() == 2);
  CHECK(std::abs(stays.static_values[0] - 69.71F) < 0.02F);
  CHECK(std::abs(stays.static_values[1] - 30.0F) < 0.02F);
  CHECK(stays.facts.births == 2);
  CHECK(has_note_with(stays, "Births are read as the static 'age at origin (years)'."));
  CHECK_FALSE(has_note_with(files.read(kAdmitted), "birth"));
}

TEST_CASE("hours count from a birth, an event or a column where that is asked for or clear", "[events][origin]") {
  const OriginFiles files;
  const Stays life = files.read(kMeds, {.origin = "birth"});
  CHECK(std::abs(life.hours[0] / (24 * 365.25F) - 69.71F) < 0.02F);
  CHECK(files.read(kMeds, {.origin = "ADMISSION"}).hours == std::vector<float>{0, 2.5F, -12, 0});
  const Stays admitted = files.read(kAdmitted);
  CHECK(admitted.facts.origin == "admittime");
  CHECK(admitted.hours == std::vector<float>{-1, 1.5F, 24});
  CHECK(has_note_with(admitted, "Hours count from the 'admittime' of each stay."));
  CHECK(files.read(kAdmitted, {.origin = "first event"}).hours == std::vector<float>{0, 2.5F, 0});
  CHECK(files.read(kAdmitted, {.origin = "index"}, "hadm_id,died,index\n1,0,2020-01-01\n2,1,2020-05-01 12:00:00\n")
            .hours == std::vector<float>{22, 24.5F, -12});
  const Stays unfilled = files.read("id,time,admittime,code\na,2020-01-01 05:00:00,,x\na,2020-01-01 07:00:00,,x\n");
  CHECK(unfilled.facts.origin == "first event");
  CHECK(unfilled.hours == std::vector<float>{0, 2});
  const std::string days = "id,days,code,value\na,100,hr,1\na,102,hr,1\nb,7,hr,1\n";
  CHECK(files.read(days).hours == std::vector<float>{2400, 2448, 168});
  CHECK(files.read(days, {.origin = "first event"}).hours == std::vector<float>{0, 48, 0});
}

TEST_CASE("an origin that is not there, or twice, is refused with the way out", "[events][origin][fault]") {
  const OriginFiles files;
  CHECK(files.refusal(kAdmitted, {.origin = "nowhere"}).find("no column or event 'nowhere'") != std::string::npos);
  CHECK(files.refusal(kAdmitted, {.origin = "nowhere"}, "hadm_id,died\n1,0\n2,1\n").find("'nowhere'") !=
        std::string::npos);
  CHECK(files.refusal(kMeds + "3,2020-01-01,lactate,1\n", {.origin = "birth"}) ==
        "the events: of 3 stays 1 has no 'birth' from which hours could count, the first is '3'; give it to "
        "all, or count from another: --origin 'first event'.");
  CHECK(files.refusal(kAdmitted + "2,2020-05-02,2020-05-02,hr,90\n").find("begins at another 'admittime' than above") !=
        std::string::npos);
  CHECK(files.refusal("id,time,code,value\na,2020-01-01 10:00:00+02:00,hr,1\na,2020-01-01 11:00:00,hr,1\n")
            .find("the time has no time zone, but earlier ones have one") != std::string::npos);
  const Stays zoned = files.read(
      "id,time,code,value\na,2020-03-29 01:30:00+01:00,hr,1\na,2020-03-29 03:30:00+02:00,hr,1\n");  // the clock was put
                                                                                                    // on
  CHECK(zoned.hours == std::vector<float>{0, 1});
}

TEST_CASE("each stay is asked at its own time, several times too", "[events][origin]") {
  const OriginFiles files;
  const std::string labels =
      "subject_id,prediction_time,boolean_value\n2,2020-03-01 12:00:00,false\n"
      "1,2020-03-02 02:30:00,true\n1,2020-03-02,no\n9,2020-01-01,true\n1,,true\n";
  const Stays stays = files.read(kMeds, {}, labels);
  CHECK(stays.ids == std::vector<std::string>{"1@2020-03-02", "1@2020-03-02 02:30:00", "2"});
  CHECK(stays.patients == std::vector<std::string>{"1", "1", "2"});
  CHECK(stays.facts.asks_at_origin);
  CHECK(stays.hours == std::vector<float>{-1, 1.5F, -3.5F, -1, -24, -12});
  CHECK(stays.outcomes.front().values == std::vector<double>{0, 1, 0});
  CHECK(stays.static_values.size() == 3);
  CHECK(has_note_with(stays, "Each is asked at its 'prediction_time', from which hours count."));
  REQUIRE(stays.facts.left_out.size() == 2);
  CHECK((stays.facts.left_out[0].count == 1 && stays.facts.left_out[0].reason.starts_with("without events, in ")));
  CHECK((stays.facts.left_out[1].count == 1 &&
         stays.facts.left_out[1].reason == "without a 'prediction_time', in the outcomes"));
  EventOptions options;
  options.outcomes = {files.put("o.csv", labels)};
  StaysReader reader({files.put("e.csv", kMeds)}, options);
  std::vector<float> hours;
  for (Stays block = reader.read(1); block.count() > 0; block = reader.read(1))
    hours.insert(hours.end(), block.hours.begin(), block.hours.end());
  CHECK(hours == stays.hours);
  const std::string asked = "id,asked,died\na,3,0\nb,4,1\n", numbers = "id,hours,code\na,1,x\nb,1,x\n";
  CHECK(has_note_with(files.read(numbers, {.at_column = "asked"}, asked), "the numbers in 'asked' are read as hours."));
  CHECK_FALSE(
      has_note_with(files.read(numbers, {.time_unit = "hours", .at_column = "asked"}, asked), "are read as hours"));
  const std::string once = "subject_id,prediction_time,boolean_value\n1,2020-03-02,1\n2,2020-03-02,0\n";
  CHECK_FALSE(files.read(kMeds, {.at_column = "none"}, once).facts.asks_at_origin);
  CHECK(files.refusal(kMeds, {.at_column = "x"}, once).find("'x', which says when each stay is asked") !=
        std::string::npos);
  CHECK(files.refusal(kMeds, {.at_column = "x"}).find("--at-column none") != std::string::npos);
}

TEST_CASE("what files say of their times is known before they are read", "[events][origin]") {
  const OriginFiles files;
  const auto resolved = [&](const std::string& events, const std::string& outcomes) {
    EventOptions options;
    options.outcomes = {files.put("o.csv", outcomes)};
    resolve_by_content({files.put("e.csv", events)}, options);
    return options.origin + '|' + options.at_column;
  };
  const std::string labels = "id,prediction_time,died\n1,2020-01-01,0\n";
  CHECK(resolved(kMeds, labels) == "as given|prediction_time");
  CHECK(resolved(kAdmitted, "id,died\n1,0\n") == "admittime|none");
  CHECK(resolved("id,hours,code\n1,2,a\n", labels) == "|");
  CHECK(resolved("", labels) == "|");
}
