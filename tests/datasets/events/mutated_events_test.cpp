/// Damaged files of events: whatever stands in them, they are read as something sound or refused in one line.
///
/// FOVEA_MUTANTS=N takes N damaged copies of each format instead of the few of every day, from FOVEA_MUTANT_SEED on;
/// run it with the sanitizers after a change to the reader.

#include <cstdlib>

#include "fovea/datasets/events/read.hpp"
#include "fovea/tests/datasets/events/tar_files.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/processor_time.hpp"
#include "fovea/tests/support/test.hpp"

using namespace std::string_view_literals;
using datasets::events::EventOptions;
using datasets::events::Stays;

namespace {

constexpr double kLongestEventSeconds = 20;  // of a processor, for a file of a few kB with sanitizers

constexpr std::string_view kEventTokens[] = {","sv,
                                             ";"sv,
                                             "\t"sv,
                                             "\n"sv,
                                             "\r"sv,
                                             "\r\n"sv,
                                             "\0"sv,
                                             "\""sv,
                                             "\"a\nb\""sv,
                                             " "sv,
                                             "."sv,
                                             "-"sv,
                                             "-0"sv,
                                             "+"sv,
                                             "\xEF\xBB\xBF"sv,
                                             "\xFF\xFE"sv,
                                             "\xC3"sv,
                                             "nan"sv,
                                             "NA"sv,
                                             "inf"sv,
                                             "1e38"sv,
                                             "-1e39"sv,
                                             "1e999"sv,
                                             "1e-320"sv,
                                             "99999999999999999999"sv,
                                             "0x1p3"sv,
                                             "1,5"sv,
                                             "-1"sv,
                                             "2000-01-01"sv,
                                             "9999-12-31T24:59:60"sv,
                                             "0000-01-01"sv,
                                             "2000-02-30"sv,
                                             "2001-01-01 00:00:00.999999999+14:00"sv,
                                             "99:59"sv,
                                             "00:60"sv,
                                             "RecordID"sv,
                                             "Age"sv,
                                             "ICUType"sv,
                                             "stay_id"sv,
                                             "patient_id"sv,
                                             "time_minutes"sv,
                                             "code"sv,
                                             "value"sv,
                                             "fold"sv,
                                             "../"sv,
                                             "/"sv,
                                             "PAR1"sv,
                                             "1,0,hr,1\n1,0,hr,2\n"sv,
                                             "\xFF\xFF\xFF\xFF"sv,
                                             "0000000"sv,
                                             "7777777"sv,
                                             "ustar"sv};

const std::string kLongEvents =
    "stay_id,time_minutes,variable,value\n11,0,Age,54\n11,0,Gender,1\n11,0,Height,-1\n11,0,ICUType,4\n11,7,HR,73\n"
    "11,97,HR,77.25\n11,97,HR,\n12,5,HR,80\n12,2880,Temp,36.6\n";
const std::string kDatedEvents =
    "subject_id,hadm_id,time,code,numeric_value\np,1,,sex,1\np,1,2100-02-03 00:07:00,hr,70\n"
    "p,1,2100-02-03T01:30:00Z,\"K, serum\",3.5\nq,2,2099-12-31,hr,60\n";
const std::string kFirstRecord =
    "Time,Parameter,Value\n00:00,RecordID,11\n00:00,Age,54\n00:00,Gender,0\n00:00,Height,-1\n00:00,ICUType,4\n"
    "00:00,Weight,-1\n00:07,GCS,15\n00:07,HR,73\n47:59,HR,77\n";
const std::string kSecondRecord = "Time,Parameter,Value\r\n00:00,RecordID,12\r\n00:00,Age,90\r\n01:00,HR,60\r\n";
const std::string kOutcomeRows = "RecordID,SAPS-I,In-hospital_death\n11,6,0\n12,16,1\n";
const std::string kFoldRows = "stay_id,fold\n11,0\n12,1\n";

bool is_one_sentence(const std::string& text) {
  const bool controls =
      std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
  return !controls && text.size() < 1000;
}

/// What stays.hpp promises.
void check_sound_stays(const Stays& stays) {
  const std::size_t count = stays.count();
  REQUIRE(stays.offsets.size() == count + 1);
  REQUIRE(stays.static_offsets.size() == count + 1);
  CHECK(stays.offsets.back() == stays.events());
  CHECK(stays.values.size() == stays.hours.size());
  CHECK(stays.kinds.size() == stays.hours.size());
  CHECK(stays.static_offsets.back() == static_cast<Index>(stays.static_values.size()));
  CHECK(std::set(stays.ids.begin(), stays.ids.end()).size() == count);
  CHECK(std::is_sorted(stays.variables.begin(), stays.variables.end(), std::less_equal<>()));
  CHECK((stays.patients.empty() || stays.patients.size() == count));
  CHECK((stays.folds.empty() || stays.folds.size() == count));
  for (const auto& column : stays.outcomes) CHECK(column.values.size() == count);
  for (std::size_t s = 0; s < count; ++s)
    CHECK(std::is_sorted(stays.hours.begin() + stays.offsets[s], stays.hours.begin() + stays.offsets[s + 1]));
  const auto is_finite = [](float x) { return std::isfinite(x); };
  CHECK(std::all_of(stays.hours.begin(), stays.hours.end(), is_finite));
  CHECK(std::none_of(stays.values.begin(), stays.values.end(), [](float x) { return std::isinf(x); }));
  CHECK(std::all_of(stays.kinds.begin(), stays.kinds.end(), [&](auto k) { return k < stays.variables.size(); }));
  for (const std::string& note : stays.facts.notes) CHECK(is_one_sentence(note));
}

/// Damaged copies of one format, each read, and refused in one line that names a file or read as something sound.
class EventMutants {
 public:
  explicit EventMutants(std::string name) : name_(std::move(name)) {}

  /// make: the bytes for a seed. options: what stands beside.
  template <typename Make>
  void check(std::uint64_t few, const Make& make, const EventOptions& options = {}) {
    const std::uint64_t first = support::mutant_setting("FOVEA_MUTANT_SEED", 1);
    const std::uint64_t count = support::mutant_setting("FOVEA_MUTANTS", few);
    std::size_t read = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      INFO("seed " << seed);
      read += check_one(make(seed), options) ? 1 : 0;
    }
    CHECK(read > count / 200);  // the damage leaves enough whole for the checks of what is read
    CHECK(read < count * 49 / 50);
  }
  std::string put(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_.file(name), std::ios::binary) << bytes;
    return folder_.file(name);
  }

 private:
  bool check_one(const std::string& bytes, EventOptions options) const {
    const std::string path = put(name_, bytes);
    std::string events = path;
    if (name_ == "outcomes.csv") options.outcomes = {path}, events = put("events.csv", kLongEvents);
    if (name_ == "folds.csv") options.folds = path, events = put("events.csv", kLongEvents);
    const double start = support::processor_seconds();
    bool sound = false;
    try {
      check_sound_stays(datasets::events::read_stays({events}, options));
      sound = true;
    } catch (const DataError& error) {
      INFO(error.what());
      CHECK(std::string_view(error.what()).starts_with(folder_.path() + '/'));
      CHECK(is_one_sentence(error.what()));
    }
    CHECK(support::processor_seconds() - start < kLongestEventSeconds);
    return sound;
  }

  support::TemporaryFolder folder_{support::memory_disk()};
  std::string name_;
};

}  // namespace

TEST_CASE("damaged long files of events are read as something sound or refused in one line", "[events][fault]") {
  EventMutants("e.csv").check(2000, [](std::uint64_t seed) {
    return support::mutated(seed % 2 == 0 ? kLongEvents : kDatedEvents, kFirstRecord, kEventTokens, seed);
  });
  EventMutants("e.csv.gz").check(400, [](std::uint64_t seed) {
    const std::string packed = support::gzip_packed(kLongEvents);
    return support::mutated(packed, packed, kEventTokens, seed);
  });
}

TEST_CASE("damaged records and archives are read as something sound or refused in one line", "[events][fault]") {
  EventMutants("11.txt").check(
      1000, [](std::uint64_t seed) { return support::mutated(kFirstRecord, kSecondRecord, kEventTokens, seed); });
  const std::string tar = support::tar_packed({{"set/", "", '5'},
                                               {"set/11.txt", kFirstRecord},
                                               {"set/12.txt", kSecondRecord},
                                               {"Outcomes-a.txt", kOutcomeRows}});
  EventMutants("e.tar").check(
      600, [&](std::uint64_t seed) { return support::mutated(tar, kLongEvents, kEventTokens, seed); });
  EventMutants("e.tar.gz").check(400, [&](std::uint64_t seed) {
    const std::string packed = support::gzip_packed(tar);
    return support::mutated(packed, packed, kEventTokens, seed);
  });
}

TEST_CASE("damaged outcomes and folds are read as something sound or refused in one line", "[events][fault]") {
  EventMutants("outcomes.csv").check(600, [](std::uint64_t seed) {
    return support::mutated(kOutcomeRows, kFoldRows, kEventTokens, seed);
  });
  EventMutants("folds.csv").check(600, [](std::uint64_t seed) {
    return support::mutated(kFoldRows, kOutcomeRows, kEventTokens, seed);
  });
}
