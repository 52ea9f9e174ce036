#include "fovea/domains/ehr/record/cases.hpp"

#include "fovea/datasets/events/read.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::ehr::record {
namespace {

datasets::events::Stays stays_of(const std::string& rows) {
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("events.csv")) << "stay_id,time_hours,variable,value\n" << rows;
  return datasets::events::read_stays({folder.file("events.csv")});
}

std::vector<std::string> names_of(const study::Cases& cases) {
  std::vector<std::string> names;
  for (const std::uint16_t kind : cases.kinds) names.push_back(cases.classes[kind]);
  return names;
}

TEST_CASE("events of a stay become tokens by variable, then time, then value", "[ehr][record]") {
  const study::Cases cases =
      cases_of(stays_of("a,5,lactate,2\na,3,lactate,4\na,3,lactate,1\na,4,heart rate,80\na,,age,70\nb,1,drug,\n"),
               {"f", 48, {}, {}});
  CHECK(cases.classes == std::vector<std::string>{"age", "drug", "heart rate", "lactate"});
  CHECK(names_of(cases) == std::vector<std::string>{"age", "heart rate", "lactate", "lactate", "lactate", "drug"});
  CHECK(cases.times == std::vector<double>{0, 4, 3, 3, 5, 1});
  CHECK(cases.offsets == std::vector<Index>{0, 5, 6});
  CHECK(cases.values.col(0).head(5) == Vector<float>{{70, 80, 1, 4, 2}});
  CHECK(std::isnan(cases.values(5, 0)));
  CHECK(cases.ends == std::vector<double>{48, 48});
  CHECK_NOTHROW(study::check_cases("f", cases));
}

TEST_CASE("events after the time of asking are not read, and a stay may have none", "[ehr][record]") {
  const study::Cases cases = cases_of(stays_of("a,5,lactate,2\na,7,lactate,9\nb,8,lactate,3\n"), {"f", 6, {}, {}});
  CHECK(cases.offsets == std::vector<Index>{0, 1, 1});
  CHECK(cases.ids == std::vector<std::string>{"a", "b"});
}

TEST_CASE("a static stands at the stay's first event where that is before 0", "[ehr][record]") {
  const study::Cases cases = cases_of(stays_of("a,-20,hdl,2\na,-3,hdl,3\na,,age,70\n"), {"f", 0, {}, {}});
  CHECK(cases.times == std::vector<double>{-20, -20, -3});
}

TEST_CASE("times of cases are in the unit that is asked for, and so is the time of asking", "[ehr][record]") {
  const std::string rows = "a,-17532,hdl,2\na,-24,hdl,3\na,24,hdl,4\na,,age,70\n";
  const study::Cases years = cases_of(stays_of(rows), {"f", -0.5, {}, {}, "years"});
  CHECK(years.time_unit == "yr");
  CHECK(years.times == std::vector<double>{-2, -2});
  CHECK(years.ends == std::vector<double>{-0.5});
  const study::Cases days = cases_of(stays_of(rows), {"f", 1, {}, {}, "days"});
  CHECK(days.time_unit == "d");
  CHECK(days.times == std::vector<double>{-730.5, -730.5, -1, 1});
}

TEST_CASE("each code is an event of its own besides the number", "[ehr][record]") {
  const study::Cases cases =
      cases_of(stays_of("a,,unit,3\nb,,unit,1\nc,2,unit,3\n"), {"f", 48, {"unit", "nobody has this"}, {}});
  CHECK(cases.classes == std::vector<std::string>{"unit", "unit = 1", "unit = 3"});
  CHECK(names_of(cases) == std::vector<std::string>{"unit", "unit = 3", "unit", "unit = 1", "unit", "unit = 3"});
  CHECK(std::isnan(cases.values(1, 0)));
  const std::string message = support::refusal_of<DataError>([] {
    cases_of(stays_of("a,,unit,1.5\n"), {"f.csv", 48, {"unit"}, {}});
  });
  CHECK(message ==
        "f.csv: 'unit' is 1.5, but data.codes calls it a code, which is a whole number; take it from "
        "data.codes.");
}

TEST_CASE("variables that tell the outcome are refused unless they are allowed", "[ehr][record][error]") {
  for (const char* name : {"Length_of_stay", "SAPS-I", "SOFA", "In-hospital_death", "survival days", "MEDS_DEATH"}) {
    const auto stays = stays_of(std::string("a,1,") + name + ",1\n");
    CHECK(support::refusal_of<DataError>([&] {
            cases_of(stays, {"f.csv", 48, {}, {}});
          }) == std::string("f.csv: the variable '") + name +
                    "' tells the outcome or is known only afterwards; leave it out of the events, or name it in "
                    "data.allowed.");
    CHECK(cases_of(stays, {"f.csv", 48, {}, {name}}).tokens() == 1);
  }
}

TEST_CASE("the order of a file's rows changes no bit of a case", "[ehr][record][twin]") {
  const study::Cases one = cases_of(stays_of("a,5,x,2\na,3,x,4\na,3,x,1\na,3,y,\na,,z,7\n"), {"f", 48, {}, {}});
  const study::Cases other = cases_of(stays_of("a,,z,7\na,3,y,\na,3,x,1\na,5,x,2\na,3,x,4\n"), {"f", 48, {}, {}});
  CHECK(one.kinds == other.kinds);
  CHECK(one.times == other.times);
  for (Index i = 0; i < one.tokens(); ++i)
    CHECK((one.values(i, 0) == other.values(i, 0) || (std::isnan(one.values(i, 0)) && std::isnan(other.values(i, 0)))));
}

/// 60 stays whose rows stand apart: statics, codes, repeated times, stays without series, and one that is early.
std::string scattered_rows() {
  const Random random(3);
  std::string rows;
  for (std::uint64_t k = 0; k < 1500; ++k) {
    const std::string stay = "s" + std::to_string(random.below(60, k, 1));
    const auto what = random.below(8, k, 2), value = random.below(9, k, 3), hour = random.below(40, k, 4);
    if (what == 0)
      rows += stay + ",,unit," + std::to_string(value % 4) + '\n';
    else if (what == 1)
      rows += stay + ',' + std::to_string(hour) + ",drug,\n";
    else
      rows += stay + ',' + std::to_string(hour) + ".25,x" + std::to_string(what) + ',' + std::to_string(value) + '\n';
  }
  return rows + "late,60,x2,5\nstatic,,unit,2\n";
}

bool same_bits(const Matrix<float>& a, const Matrix<float>& b) {
  return a.size() == b.size() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0);
}

TEST_CASE("cases come in blocks of any size, by way of memory or of a file, with the bits of all at once",
          "[ehr][record][twin]") {
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("events.csv")) << "stay_id,time_hours,variable,value\n" << scattered_rows();
  std::ofstream(folder.file("outcomes.csv")) << "stay_id,death\ns1,1\ns2,0\nlate,1\n";
  datasets::events::EventOptions options;
  options.outcomes = {folder.file("outcomes.csv")};
  options.distinct = {"unit"};
  const CaseOptions asked{"f", 48, {"unit"}, {}};
  const study::Cases wanted = cases_of(datasets::events::read_stays({folder.file("events.csv")}, options), asked);
  REQUIRE(wanted.count() == 62);
  REQUIRE(wanted.size(60) == 0);
  for (const std::size_t rows_in_memory : {1U, 50U, 400U, 100'000U})
    for (const Index block : {1, 7, 62, 100}) {
      INFO(rows_in_memory << " rows in memory, blocks of " << block);
      const auto reader =
          read_stay_cases(datasets::events::StaysReader({folder.file("events.csv")}, options, rows_in_memory), asked);
      study::Cases cases = reader->read(block);
      for (study::Cases more = reader->read(block); more.count() > 0; more = reader->read(block)) append(cases, more);
      CHECK(cases.ids == wanted.ids);
      CHECK(cases.classes == wanted.classes);
      CHECK(cases.offsets == wanted.offsets);
      CHECK(cases.times == wanted.times);
      CHECK(cases.kinds == wanted.kinds);
      CHECK(cases.ends == wanted.ends);
      CHECK(same_bits(cases.values, wanted.values));
      REQUIRE(cases.targets.size() == wanted.targets.size());
      CHECK(cases.targets[60] == wanted.targets[60]);
      CHECK(std::count(cases.targets.begin(), cases.targets.end(), 1) == 2);
    }
}

}  // namespace
}  // namespace fovea::ehr::record
