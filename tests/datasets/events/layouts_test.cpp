/// Wide tables, folders whose files have roles, limits, units and words.

#include "fovea/datasets/events/read.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::events;

namespace {

struct LayoutFiles {
  TemporaryFolder folder;
  std::string put(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(folder.file(name)).parent_path());
    std::ofstream(folder.file(name), std::ios::binary) << text;
    return folder.file(name);
  }
  Stays read(const std::string& text, const EventOptions& options = {}) const {
    return read_stays({put("e.csv", text)}, options);
  }
};

bool notes(const Stays& stays, const std::string& text) {
  return std::any_of(stays.facts.notes.begin(), stays.facts.notes.end(),
                     [&](const std::string& note) { return note.find(text) != note.npos; });
}

const std::string kLongHead = "stay_id,time_hours,variable,value\n";

}  // namespace

TEST_CASE("a wide table is read as the long one of its cells", "[events][layout]") {
  const LayoutFiles files;
  const Stays wide =
      files.read("stay_id,time,hr,temp,ward,age,ventilated\n1,0,80,,A,63,False\n1,1,NaN,37.5,A,63,True\n2,0,,,B,70,\n",
                 {.time_unit = "hours"});
  const Stays rows =
      files.read(kLongHead + "1,0,hr,80\n1,,age,63\n1,0,ventilated,0\n1,1,temp,37.5\n1,1,ventilated,1\n2,,age,70\n");
  CHECK(same_events(wide, rows));
  CHECK(wide.facts.unread.at("no numbers").contains("ward"));
  CHECK(notes(wide, "1 wide table: a column is a variable, a value is an event."));
  CHECK_FALSE(notes(rows, "wide table"));
  CHECK(support::refusal_of<DataError>([&] {
          files.read("stay_id,hours,hr\n1,0,80\n1,1,high\n");
        }).find(":row 3, column 'hr': 'high' is not a number") != std::string::npos);
  const Stays whole = files.read("stay_id,hours,temp,hr\n1,0,37,80\n1,1,38,high\n2,0,36,70\n", {.leave_out_bad = true});
  CHECK(whole.values == std::vector<float>{80, 37, 70, 36});  // of a row that is left out nothing is read
}

TEST_CASE("a file a stay, with bars, is called by its name, and its outcome is no variable", "[events][layout]") {
  const LayoutFiles files;
  const std::string head = "HR|Temp|Gender|ICULOS|SepsisLabel\n";
  const std::string one = files.put("set/p1.psv", head + "NaN|36|1|1|0\n80|NaN|1|2|1\n");
  files.put("set/p2.psv", head + "NaN|NaN|NaN|1|0\n");
  const Stays stays = read_stays({files.folder.file("set")});
  CHECK(stays.ids == std::vector<std::string>{"p1", "p2"});
  CHECK(stays.variables == std::vector<std::string>{"Gender", "HR", "Temp"});
  CHECK(stays.hours == std::vector<float>{1, 2});
  CHECK(stays.static_values == std::vector<float>{1});
  CHECK(stays.facts.unread.at("an outcome by its name").contains("SepsisLabel"));
  CHECK(stays.facts.unread.size() == 1);
  CHECK(read_stays({one}).ids == std::vector<std::string>{"p1"});
}

TEST_CASE("tables of a folder have the roles that their names say", "[events][layout]") {
  const LayoutFiles files;
  files.put("f/dyn.csv", "stay_id,hours,hr\n1,0,80\n2,1,90\n");
  files.put("f/sta.csv", "stay_id,sex,height\n1,1,170\n2,0,\n");
  files.put("f/outc.csv", "stay_id,label\n1,1\n2,0\n");
  files.put("f/folds.csv", "stay_id,fold\n1,1\n2,0\n");
  const Stays stays = read_stays({files.folder.file("f")});
  CHECK(stays.variables == std::vector<std::string>{"height", "hr", "sex"});
  CHECK(stays.static_values == std::vector<float>{170, 1, 0});
  CHECK(stays.outcomes.front().values == std::vector<double>{1, 0});
  CHECK(stays.folds == std::vector<std::int32_t>{1, 0});
  CHECK(notes(stays, "outc.csv: outcomes, by its name."));
  const std::string other = files.put("other.csv", "stay_id,died\n1,0\n2,1\n");
  CHECK(read_stays({files.folder.file("f")}, {.outcomes = {other}}).outcomes.front().values ==
        std::vector<double>{0, 1});
}

TEST_CASE("a value given as a limit is half of the lower or the upper limit, and counted", "[events][layout]") {
  const LayoutFiles files;
  const Stays stays =
      files.read(kLongHead + "1,0,crp,<0.1\n1,1,crp,< 5\n1,2,crp,>=200\n1,3,crp,\xE2\x89\xA4 2\n1,4,hr,80\n");
  CHECK(stays.values == std::vector<float>{0.05F, 2.5F, 200, 1, 80});
  CHECK((stays.facts.below_limits == 3 && stays.facts.above_limits == 1));
  CHECK(notes(stays, "Fewer than 10 values are below a limit, such as <0.1, and read as half of it."));
  CHECK(notes(stays, "Fewer than 10 values are above a limit, such as >200, and read as the limit."));
  std::string ten = kLongHead;
  for (int s = 0; s < 10; ++s) ten += concat(s, ",0,tnt,<5\n");
  CHECK(notes(files.read(ten), "10 values are below a limit"));
  CHECK_FALSE(notes(files.read(ten), "above a limit"));
  CHECK_FALSE(notes(files.read(kLongHead + "1,0,crp,0.1\n"), "limit"));
}

TEST_CASE("units of values are counted by variable, in whatever case", "[events][layout]") {
  const LayoutFiles files;
  std::string rows = "stay_id,time_hours,variable,value,valueuom\n";
  for (int s = 0; s < 60; ++s) {
    const bool other = s % 3 == 0;
    for (int k = 0; k < 50; ++k)
      rows += concat(s, ',', k, ",creatinine,", other ? 100 + k : 1 + k, ',',
                     other        ? "umol/L"
                     : k % 2 == 0 ? "mg/dL"
                                  : "MG/DL",
                     '\n');
    rows += concat(s, ",1,hr,80,/min\n");
  }
  const Stays stays = files.read(rows);
  const std::vector<UnitFacts>& units = stays.facts.units.at("creatinine");
  REQUIRE(units.size() == 2);
  CHECK((units[0].unit == "mg/dL" && units[0].values == 2000 && units[0].is_common));
  CHECK((units[1].unit == "umol/L" && units[1].values == 1000 && units[1].is_common));
  CHECK(units[1].median == 124.5);
  CHECK(std::abs(units[0].median - 25.5) < 1);
  CHECK(stays.facts.units.at("hr").size() == 1);
  CHECK(stays.facts.unread.empty());
}

TEST_CASE("rows that cannot be read are left out and counted where that is asked for", "[events][layout]") {
  const LayoutFiles files;
  const std::string rows = kLongHead + "1,0,hr,80\n,1,hr,81\n2,soon,hr,1\n2,1,hr\n1,2,hr,high\n3,1,,5\n1,3,hr,90\n";
  const Stays stays = files.read(rows, {.leave_out_bad = true});
  CHECK(stays.ids == std::vector<std::string>{"1"});
  CHECK(stays.values == std::vector<float>{80, 90});
  const std::string file = files.folder.file("e.csv");
  std::vector<std::string> said;
  for (const LeftOut& one : stays.facts.left_out)
    said.push_back(concat(one.count, ' ', one.what, ": ", one.reason, " (", one.places.front(), ')'));
  CHECK(said == std::vector<std::string>{concat("1 row: nothing in the column 'stay_id' (", file, ":row 3)"),
                                         concat("1 row: not to be read in the column 'time_hours' (", file, ":row 4)"),
                                         concat("1 row: more or fewer fields than the first row (", file, ":row 5)"),
                                         concat("1 row: not to be read in the column 'value' (", file, ":row 6)"),
                                         concat("1 row: an empty id or name (", file, ":row 7)")});
  CHECK(support::refusal_of<DataError>([&] {
          files.read(rows);
        }).ends_with("To leave out such rows: --bad 'leave out'."));
  CHECK(support::refusal_of<DataError>([&] {
          files.read(rows, {.from_config = true});
        }).ends_with("To leave out such rows: --set data.bad='leave out'."));
}

TEST_CASE("files of which each row would be left out are refused", "[events][layout]") {
  const LayoutFiles files;
  CHECK(support::refusal_of<DataError>([&] {
          files.read(kLongHead + "1,0,hr,x\n2,0,hr,y\n", {.leave_out_bad = true});
        }).find("e.csv:row 2: not to be read in the column 'value'") != std::string::npos);
  CHECK(files.read(kLongHead + "1,0,hr,x\n2,0,hr,1\n", {.leave_out_bad = true}).ids.size() == 1);
}

TEST_CASE("numbers of no known unit are the fault of their column, but among dates that of their row",
          "[events][layout]") {
  const LayoutFiles files;
  const std::string head = "stay_id,time,variable,value\n";
  for (const bool leave_out : {false, true})
    CHECK(support::refusal_of<DataError>([&] {
            files.read(head + "1,0,hr,80\n", {.leave_out_bad = leave_out});
          }).ends_with("or call the column time_minutes, time_hours or time_days."));
  CHECK(files.read(head + "1,2020-01-01,hr,80\n1,0,hr,81\n", {.leave_out_bad = true}).values == std::vector<float>{80});
}

TEST_CASE("outcomes in words, and of 1 and 2", "[events][layout]") {
  const LayoutFiles files;
  const auto outcomes = [&](const std::string& text, const std::string& positive) {
    const Stays stays = files.read(kLongHead + "1,0,hr,1\n2,0,hr,1\n3,0,hr,1\n",
                                   {.outcomes = {files.put("o.csv", text)}, .positive = positive});
    CHECK(notes(stays, "counts as 1, all else as 0.") == !positive.empty());
    return stays.outcomes.front().values;
  };
  CHECK(outcomes("id,died\n1,yes\n2,No\n3,TRUE\n", "") == std::vector<double>{1, 0, 1});
  CHECK(outcomes("id,age,status\n1,60,Alive\n2,70,expired\n3,80,Expired\n", "Expired") == std::vector<double>{0, 1, 1});
  CHECK(outcomes("id,status\n1,1\n2,2\n3,2.0\n", "2") == std::vector<double>{0, 1, 1});
  CHECK(support::refusal_of<DataError>([&] {
          outcomes("id,status\n1,1\n2,2\n3,2\n", "");
        }).ends_with("the outcome is '1' or '2'; say which of them counts as 1, such as --positive '2'."));
  CHECK(support::refusal_of<DataError>([&] {
          outcomes("id,status\n1,Alive\n2,Dead\n3,Moved\n", "");
        }).ends_with("To count one word as 1: --positive WORD."));
}
