/// Stays in blocks, whose rows were kept in memory or in a temporary file.

#include <unistd.h>

#include <cstdlib>

#include "fovea/datasets/events/read.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::events;

namespace {

constexpr int kStays = 90;

/// Rows of dates, of 90 stays of 1 to 60 rows. scattered: in any order.
std::string dated_rows(bool scattered) {
  const Random random(21), order(22);
  std::multimap<double, std::string> rows;
  std::uint64_t lot = 0;
  for (int s = 0; s < kStays; ++s)
    for (int k = 0; k <= (s * 7) % 60; ++k) {
      const auto hour = random.below(24, ++lot), variable = random.below(5, ++lot);
      const std::string day = "2020-02-1" + std::to_string(random.below(10, ++lot));
      const std::string row = "s" + std::to_string(s) + ",p" + std::to_string(s / 2) + ',' +
                              (variable == 0 ? "" : day + "T" + (hour < 10 ? "0" : "") + std::to_string(hour) + ":00") +
                              ",v" + std::to_string(variable) + ',' + std::to_string(random.below(7, ++lot)) + '\n';
      rows.emplace(scattered ? order.uniform(lot) : s, row);
    }
  std::string text = "stay_id,patient_id,time,variable,value\n";
  for (const auto& [place, row] : rows) text += row;
  return text;
}

struct DatedFiles {
  support::TemporaryFolder folder;
  DatedFiles() {
    std::ofstream(folder.file("sorted.csv")) << dated_rows(false);
    std::ofstream(folder.file("scattered.csv")) << dated_rows(true);
    std::ofstream folds(folder.file("folds.csv"));
    folds << "stay_id,fold\n";
    for (int s = 0; s < kStays; ++s) folds << 's' << s << ',' << s / 2 % 3 << '\n';
  }
  EventOptions options() const {
    EventOptions options;
    options.folds = folder.file("folds.csv");
    options.distinct = {"v3", "v9"};
    return options;
  }
};

void put_behind(Stays& all, const Stays& block) {
  const auto add = [](auto& list, const auto& more) { list.insert(list.end(), more.begin(), more.end()); };
  const Index events = all.offsets.back(), statics = all.static_offsets.back();
  for (std::size_t s = 1; s < block.offsets.size(); ++s) {
    all.offsets.push_back(events + block.offsets[s]);
    all.static_offsets.push_back(statics + block.static_offsets[s]);
  }
  add(all.ids, block.ids), add(all.patients, block.patients), add(all.folds, block.folds);
  add(all.hours, block.hours), add(all.values, block.values), add(all.kinds, block.kinds);
  add(all.static_values, block.static_values), add(all.static_kinds, block.static_kinds);
}

/// TMPDIR for a while.
class TemporariesIn {
 public:
  explicit TemporariesIn(const std::string& folder) {
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    ::setenv("TMPDIR", folder.c_str(), 1);
  }
  ~TemporariesIn() { before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1); }
  TemporariesIn(const TemporariesIn&) = delete;
  TemporariesIn& operator=(const TemporariesIn&) = delete;

 private:
  std::string before_;
};

}  // namespace

TEST_CASE("blocks of any size are the stays in one piece, from memory or from a file, scattered rows too",
          "[events][twin]") {
  const DatedFiles files;
  for (const char* name : {"sorted.csv", "scattered.csv"}) {
    const Stays wanted = read_stays({files.folder.file(name)}, files.options());
    REQUIRE(wanted.count() == kStays);
    for (const std::size_t rows_in_memory : {1U, 64U, 1000U, 1'000'000U})
      for (const Index block : {1, 13, 1000}) {
        INFO(name << ", " << rows_in_memory << " rows in memory, blocks of " << block);
        StaysReader reader({files.folder.file(name)}, files.options(), rows_in_memory);
        CHECK(reader.index().ids == wanted.ids);
        CHECK(reader.index().facts.notes == wanted.facts.notes);
        Stays all;
        all.variables = wanted.variables;
        for (Stays some = reader.read(block); some.count() > 0; some = reader.read(block)) {
          CHECK(some.count() <= block);
          CHECK(some.variables == wanted.variables);
          put_behind(all, some);
        }
        CHECK(all.ids == wanted.ids);
        CHECK(all.folds == wanted.folds);
        CHECK(same_events(all, wanted));
        CHECK(same_events(StaysReader({files.folder.file(name)}, files.options(), rows_in_memory).all(), wanted));
      }
  }
  CHECK(same_events(read_stays({files.folder.file("sorted.csv")}), read_stays({files.folder.file("scattered.csv")})));
}

TEST_CASE("facts are known before the first block, missing codes and distinct values too", "[events]") {
  const support::TemporaryFolder folder;
  std::ofstream(folder.file("e.csv")) << "id,minutes,variable,value\n1,0,Age,-1\n1,0,Gender,1\n1,0,Height,-1\n"
                                         "1,0,ICUType,4\n1,5,HR,-1\n2,0,ICUType,2\n2,0,Weight,-1\n2,9,Weight,80\n"
                                         "3,0,ICUType,4\n3,0,ICUType,-1\n";
  EventOptions options;
  options.distinct = {"ICUType", "nobody has this"};
  StaysReader reader({folder.file("e.csv")}, options, 2);
  const ReadingFacts& facts = reader.index().facts;
  CHECK(facts.is_challenge);
  CHECK(facts.rows == 10);
  CHECK(facts.missing_codes == 4);
  CHECK(facts.missing_by_variable == std::vector<Index>{1, 0, 0, 1, 1, 1});
  CHECK(facts.distinct == std::map<std::string, std::vector<float>>{{"ICUType", {2, 4}}});
  const Stays all = reader.all();
  CHECK(all.values == std::vector<float>{-1, 80});
  CHECK(all.static_values == std::vector<float>{1, 4, 2, 4});
}

TEST_CASE("rows beyond the limit go to the folder that TMPDIR names, and nothing is left there", "[events][fault]") {
  const DatedFiles files;
  const support::TemporaryFolder folder;
  const std::vector<std::string> paths{files.folder.file("scattered.csv")};
  {
    const TemporariesIn there(folder.path());
    StaysReader reader(paths, {}, 10);
    CHECK(reader.read(5).count() == 5);
    CHECK(std::filesystem::is_empty(folder.path()));
  }
  const TemporariesIn nowhere(folder.file("missing"));
  CHECK_NOTHROW(read_stays(paths));  // few rows touch no disk
  CHECK(support::refusal_of<StorageError>([&] { StaysReader(paths, {}, 10); }) ==
        folder.file("missing") +
            ": the rows of a long file of events are kept there for a while, but cannot be opened (No such file or "
            "directory); set TMPDIR to a folder with room for 16 bytes a row, or 32.");
}
