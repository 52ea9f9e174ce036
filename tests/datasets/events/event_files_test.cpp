/// Dated events from all formats: the same rows give the same stays, bit for bit.

#include <sstream>

#include "fovea/datasets/events/read.hpp"
#include "fovea/tests/datasets/events/tar_files.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::events;

namespace {

const std::string kWholeRecord =
    "Time,Parameter,Value\n00:00,RecordID,11\n00:00,Age,54\n00:00,Gender,1\n00:00,Height,-1\n00:00,ICUType,4\n"
    "00:00,Weight,80.5\n00:07,HR,73\n00:07,Temp,-1\n01:37,HR,77\n01:37,HR,75\n48:00,Weight,81\n";
const std::string kEmptyRecord =
    "Time,Parameter,Value\r\n00:00,RecordID,7\r\n00:00,Age,90\r\n00:00,Gender,-1\r\n00:00,Height,170\r\n"
    "00:00,ICUType,2\r\n00:00,Weight,-1\r\n";
const std::string kLongEventRows =
    "11,0,Age,54\n11,0,Gender,1\n11,0,Height,-1\n11,0,ICUType,4\n11,0,Weight,80.5\n11,7,HR,73\n11,7,Temp,-1\n"
    "11,97,HR,77\n11,97,HR,75\n11,2880,Weight,81\n7,0,Age,90\n7,0,Gender,-1\n7,0,Height,170\n7,0,ICUType,2\n"
    "7,0,Weight,-1\n";

class EventFolder {
 public:
  std::string put(const std::string& name, const std::string& bytes) const {
    const std::string path = folder_.file(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  std::string path(const std::string& name) const { return folder_.file(name); }
  Stays read(const std::string& text, const EventOptions& options = {}) const {
    return read_stays({put("events.csv", text)}, options);
  }

 private:
  TemporaryFolder folder_;
};

std::string shuffled_event_rows(const std::string& text, std::uint64_t seed) {
  std::istringstream in(text);
  std::string header, line;
  std::getline(in, header);
  std::vector<std::pair<double, std::string>> rows;
  const Random random(seed);
  while (std::getline(in, line)) rows.emplace_back(random.uniform(rows.size()), line);
  std::sort(rows.begin(), rows.end());
  std::string out = header + '\n';
  for (const auto& row : rows) out += row.second + '\n';
  return out;
}

/// "11: HR 73 @ 0.12 h, ..." of what lies in a stay.
std::string shown_stay(const Stays& stays, std::size_t s) {
  std::ostringstream out;
  out << stays.ids[s] << ":";
  for (Index e = stays.static_offsets[s]; e < stays.static_offsets[s + 1]; ++e) {
    const std::size_t at = e;
    out << ' ' << stays.variables[stays.static_kinds[at]] << '=' << stays.static_values[at];
  }
  for (Index e = stays.offsets[s]; e < stays.offsets[s + 1]; ++e) {
    const std::size_t at = e;
    out << ' ' << stays.variables[stays.kinds[at]] << '@' << stays.hours[at] << '=' << stays.values[at];
  }
  return out.str();
}

/// How many moments of a stay have two or more different values of a variable.
Index conflicts(const std::vector<Index>& offsets, const std::vector<float>& hours,
                const std::vector<std::uint16_t>& kinds, const std::vector<float>& values) {
  Index count = 0;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const std::size_t last = offsets[s + 1];
    for (std::size_t e = offsets[s]; e < last;) {
      std::size_t end = e + 1;
      while (end < last && hours[end] == hours[e] && kinds[end] == kinds[e]) ++end;
      count += values[e] != values[end - 1] ? 1 : 0;
      e = end;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("a record of the challenge has statics, events in order, and no -1 where it means missing", "[events]") {
  const EventFolder folder;
  folder.put("set/11.txt", kWholeRecord);
  folder.put("set/7.txt", kEmptyRecord);
  const Stays stays = read_stays({folder.path("set")});
  REQUIRE(stays.count() == 2);
  CHECK(shown_stay(stays, 0) ==
        "11: Age=54 Gender=1 ICUType=4 Weight=80.5 HR@0.116667=73 Temp@0.116667=-1 "
        "HR@1.61667=75 HR@1.61667=77 Weight@48=81");
  CHECK(shown_stay(stays, 1) == "7: Age=90 Height=170 ICUType=2");
  CHECK(stays.facts.rows == 15);
  CHECK(stays.facts.missing_codes == 3);
  CHECK(stays.facts.is_challenge);
  CHECK(stays.facts.unsorted.empty());
}

TEST_CASE("folder, archive and long CSV of the same records give the same stays, bit for bit", "[events]") {
  const EventFolder folder;
  folder.put("set/11.txt", kWholeRecord);
  folder.put("set/7.txt", kEmptyRecord);
  const Stays wanted = read_stays({folder.path("set")});
  const std::string tar = support::tar_packed(
      {{"set/", "", '5'}, {"set/7.txt", kEmptyRecord}, {"set/11.txt", kWholeRecord}, {"set/._7.txt", "a desktop's"}});
  CHECK(same_events(wanted, read_stays({folder.put("set.tar", tar)})));
  CHECK(same_events(wanted, read_stays({folder.put("unnamed", support::gzip_packed(tar))})));
  CHECK(same_events(wanted, read_stays({folder.path("set/7.txt"), folder.path("set/11.txt")})));
  const std::string rows = "stay_id,time_minutes,variable,value\n" + kLongEventRows;
  CHECK(same_events(wanted, folder.read(rows)));
  CHECK(same_events(wanted, read_stays({folder.put("e.csv.gz", support::gzip_packed(rows))})));
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Stays mixed = folder.read(shuffled_event_rows(rows, seed));
    CHECK(same_events(wanted, mixed));
    CHECK(mixed.facts.unsorted.starts_with(folder.path("events.csv") + ":row "));
  }
  std::string other = rows;
  other.replace(other.find("7,HR,73"), 7, "7,HR,74");
  CHECK_FALSE(same_events(wanted, folder.read(other)));
}

TEST_CASE("minutes, hours, days and dates of the same moments are the same hours", "[events]") {
  const EventFolder folder;
  const Stays minutes = folder.read("id,time_minutes,code,value\na,,sex,1\na,7,hr,70\na,90,hr,80\nb,1440,hr,60\n");
  CHECK(minutes.hours == std::vector<float>{7.0F / 60, 1.5F, 24});
  CHECK(minutes.static_values == std::vector<float>{1});
  CHECK(minutes.static_offsets == std::vector<Index>{0, 1, 1});
  CHECK(same_events(minutes, folder.read("id,t [min],code,value\na,NA,sex,1\na,7,hr,70\na,90,hr,80\nb,1440,hr,60\n")));
  const Stays days = folder.read("hadm_id,time_days,item,result\nb,1,hr,60\na,,sex,1\na,0.0625,hr,80\n");
  CHECK(days.hours == std::vector<float>{24, 1.5F});
  CHECK(days.ids == std::vector<std::string>{"b", "a"});
  const Stays dates = folder.read(
      "subject_id,time,code,numeric_value\na,,sex,1\na,2100-02-03 00:07:00,hr,70\na,2100-02-03T01:30:00,hr,80\n"
      "b,2099-12-31T23:59:00,hr,1\nb,2100-01-01 00:00:00.000000,hr,60\n");
  CHECK(dates.hours == std::vector<float>{0, 83.0F / 60, 0, 1.0F / 60});
  CHECK(dates.facts.has_dates);
  const std::string bare = "id,time,code,value\na,3,hr,70\n";
  CHECK(folder.read(bare, {.time_unit = "days"}).hours == std::vector<float>{72});
  CHECK_THROWS_AS(folder.read(bare, {.time_unit = "weeks"}), ArgumentError);
  CHECK_THROWS_AS(read_stays({}), ArgumentError);
}

TEST_CASE("events without a value happened; repeated values are all kept", "[events]") {
  const EventFolder folder;
  const Stays stays = folder.read("id,days,event\n1,-3,stroke\n1,5,afib\n1,-3,stroke\n");
  CHECK(shown_stay(stays, 0) == "1: stroke@-72=nan stroke@-72=nan afib@120=nan");
  const Stays repeated = folder.read("id,hours,test,value\n1,2,k,4.5\n1,2,k,\n1,2,k,4.5\n1,2,k,-0\n1,2,k,null\n");
  CHECK(shown_stay(repeated, 0) == "1: k@2=nan k@2=nan k@2=0 k@2=4.5 k@2=4.5");
}

TEST_CASE("semicolons, decimal commas, a byte order mark, CRLF and quotes are read", "[events]") {
  const EventFolder folder;
  const Stays wanted = folder.read("stay_id,time_hours,variable,value\n1,0.5,temp,37.5\n1,1,\"K, serum\",4\n");
  CHECK(same_events(wanted, folder.read("\xEF\xBB\xBFstay_id;time_hours;variable;value\r\n1;0,5;temp;37,5\r\n"
                                        "1;1;K, serum;4\r\n")));
  CHECK(same_events(wanted, folder.read("\xEF\xBB\xBF\"stay_id\";\"time [h]\";\"variable\";\"value\"\r\n"
                                        "\"1\";\"0,5\";\"temp\";\"37,5\"\r\n\"1\";\"1\";\"K, serum\";\"4\"\r\n")));
  CHECK(same_events(wanted, folder.read("stay_id\ttime_hours\tvariable\tvalue\n 1\t0.50\ttemp \t+37.5\n1\t1e0\tK, "
                                        "serum\t4.000\n\n")));
}

TEST_CASE("several files are put together; stays know their patients", "[events]") {
  const EventFolder folder;
  const std::string labs =
      folder.put("both/labs.csv", "subject_id,hadm_id,time_hours,code,valuenum\np,1,2,k,4\nq,2,1,k,5\n");
  const std::string drugs =
      folder.put("both/drugs.csv.gz", support::gzip_packed("hadm_id,time_hours,code\n1,1,heparin\n"));
  const Stays stays = read_stays({labs, drugs});
  CHECK(shown_stay(stays, 0) == "1: heparin@1=nan k@2=4");
  CHECK(stays.patients == std::vector<std::string>{"p", "q"});
  CHECK(stays.facts.unsorted.empty());
  CHECK(same_events(stays, read_stays({folder.path("both")})));
}

TEST_CASE("outcomes and folds are put beside their stays", "[events]") {
  const EventFolder folder;
  const std::string events =
      "patient_id,stay_id,time_hours,variable,value\np,1,0,a,1\np,2,0,a,1\nq,3,0,a,1\nr,4,0,a,1\n";
  const std::string outcomes =
      folder.put("o.csv", "RecordID,SAPS-I,In-hospital_death,set\n2,13,1,a\n1,-1,0,a\n9,3,1,b\n3,,,\n");
  const Stays stays = folder.read(
      events, {.outcomes = {outcomes}, .folds = folder.put("f.csv", "fold,stay_id\n1,1\n1,2\n0,3\n4,4\n0,8\n")});
  CHECK(stays.outcome == "In-hospital_death");
  REQUIRE(stays.outcomes.size() == 2);
  const std::vector<double>& deaths = stays.outcomes[0].values;
  CHECK((deaths[0] == 0 && deaths[1] == 1 && std::isnan(deaths[2]) && std::isnan(deaths[3])));
  CHECK(stays.outcomes[1].values[1] == 13);
  CHECK(stays.folds == std::vector<std::int32_t>{1, 1, 0, 4});
  REQUIRE(stays.facts.left_out.size() == 2);
  CHECK(stays.facts.left_out[0].reason == "without events, in " + folder.path("f.csv"));
  CHECK((stays.facts.left_out[1].count == 1 && stays.facts.left_out[1].reason == "without events, in " + outcomes));
  const std::string labels =
      folder.put("l.csv", "subject_id,prediction_time,boolean_value\n1,2000-01-03,true\n2,,False\n");
  const Stays labelled = folder.read(events, {.outcomes = {labels}});
  CHECK((labelled.outcomes[0].values[0] == 1 && labelled.outcomes[0].values[1] == 0));
  CHECK(folder.read(events, {.outcomes = {folder.put("x.csv", "stay_id,sex,gone\n1,1,0\n2,0,1\n")}, .outcome = "gone"})
            .outcomes[0]
            .values[1] == 1);
}

TEST_CASE("outcomes may lie in several files, and beside the records of several archives", "[events]") {
  const EventFolder folder;
  const std::string head = "RecordID,SAPS-I,In-hospital_death\n";
  const std::string first = folder.put("a.csv", head + "11,6,1\n"), second = folder.put("b.csv", head + "7,,0\n");
  const std::string a =
      folder.put("a.tar", support::tar_packed({{"a/11.txt", kWholeRecord}, {"Outcomes-a.txt", head + "11,6,1\n"}}));
  const std::string b =
      folder.put("b.tar", support::tar_packed({{"b/7.txt", kEmptyRecord}, {"Outcomes-b.txt", head + "7,,0\n"}}));
  for (const Stays& stays : {read_stays({a, b}, {.outcomes = {first, second}}), read_stays({a, b})}) {
    REQUIRE(stays.outcomes.size() == 2);
    CHECK(stays.outcomes[0].values == std::vector<double>{1, 0});
    CHECK(stays.outcomes[1].values[0] == 6);
    CHECK(std::isnan(stays.outcomes[1].values[1]));
  }
  const auto refusal = [&](const std::string& bytes) {
    const std::string other = folder.put("c.csv", bytes);
    return support::refusal_of<DataError>([&] { read_stays({a, b}, {.outcomes = {first, other}}); });
  };
  CHECK(refusal(head + "11,6,1\n") ==
        folder.path("c.csv") + ":row 2, column 'RecordID': stay '11' has two outcomes, the first in " + first +
            ":row 2; keep one, or name the column of the times at which each is asked: "
            "--at-column.");
  CHECK(refusal("RecordID,death\n7,1\n") == folder.path("c.csv") +
                                                ": its outcome is 'death', but that of the file before is "
                                                "'In-hospital_death'; call both alike.");
}

TEST_CASE("the 100 raw stays are the same from archive, folder and long CSV, shuffled too", "[events][long]") {
  const auto archive = support::shared_data("ehr/physionet2012_raw_100.tar.gz");
  const auto set_a = support::shared_data("ehr/physionet2012_set-a.csv.gz");
  if (!archive || !set_a) return;
  const Stays wanted = read_stays({archive->string()});
  CHECK(wanted.count() == 100);
  CHECK(wanted.outcome == "In-hospital_death");
  const Stays all = read_stays({set_a->string()});
  std::ostringstream records, rows;
  const EventFolder folder;
  rows << "stay_id,time_minutes,variable,value\n";
  for (std::size_t s = 0; s < all.ids.size(); ++s) {
    if (std::find(wanted.ids.begin(), wanted.ids.end(), all.ids[s]) == wanted.ids.end()) continue;
    rows.precision(9);
    std::ostringstream record;
    record.precision(9);
    record << "Time,Parameter,Value\n00:00,RecordID," << all.ids[s] << '\n';
    for (Index e = all.static_offsets[s]; e < all.static_offsets[s + 1]; ++e) {
      const std::size_t at = e;
      rows << all.ids[s] << ",0," << all.variables[all.static_kinds[at]] << ',' << all.static_values[at] << '\n';
      record << "00:00," << all.variables[all.static_kinds[at]] << ',' << all.static_values[at] << '\n';
    }
    for (Index e = all.offsets[s]; e < all.offsets[s + 1]; ++e) {
      const std::size_t at = e;
      const long minutes = std::lround(60.0 * all.hours[at]);
      rows << all.ids[s] << ',' << minutes << ',' << all.variables[all.kinds[at]] << ',' << all.values[at] << '\n';
      record << minutes / 60 / 10 << minutes / 60 % 10 << ':' << minutes % 60 / 10 << minutes % 10 << ','
             << all.variables[all.kinds[at]] << ',' << all.values[at] << '\n';
    }
    folder.put("set/" + all.ids[s] + ".txt", record.str());
  }
  CHECK(same_events(wanted, read_stays({folder.path("set")})));
  CHECK(same_events(wanted, folder.read(rows.str())));
  CHECK(same_events(wanted, folder.read(shuffled_event_rows(rows.str(), 5))));
}

TEST_CASE("sets A and B hold what their description says", "[events][long]") {
  const auto set_a = support::shared_data("ehr/physionet2012_set-a.csv.gz");
  const auto set_b = support::shared_data("ehr/physionet2012_set-b.csv.gz");
  const auto outcomes = support::shared_data("ehr/outcomes.csv"), folds = support::shared_data("ehr/split.csv");
  if (!set_a || !set_b || !outcomes || !folds) return;
  const Stays stays =
      read_stays({set_a->string(), set_b->string()}, {.outcomes = {outcomes->string()}, .folds = folds->string()});
  CHECK(stays.facts.rows == 1753980 + 1758535);
  CHECK(stays.count() == 8000);
  CHECK(stays.variables.size() == 41);
  CHECK(stays.facts.missing_codes == 3824 + 673 + 8);
  const Index kept = stays.events() + static_cast<Index>(stays.static_values.size());
  CHECK(kept == stays.facts.rows - stays.facts.missing_codes);
  Index empty = 0;
  for (std::size_t s = 0; s < 8000; ++s) empty += stays.offsets[s] == stays.offsets[s + 1] ? 1 : 0;
  CHECK(empty == 10);
  const std::vector<float> no_time(stays.static_values.size(), 0.0F);
  CHECK(conflicts(stays.offsets, stays.hours, stays.kinds, stays.values) +
            conflicts(stays.static_offsets, no_time, stays.static_kinds, stays.static_values) ==
        7660);
  CHECK(std::count(stays.outcomes[0].values.begin(), stays.outcomes[0].values.end(), 1.0) == 554 + 568);
  CHECK(std::count(stays.folds.begin(), stays.folds.end(), 0) == 1602);
  CHECK(*std::max_element(stays.hours.begin(), stays.hours.end()) == 48);
}
