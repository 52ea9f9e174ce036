/// Damaged files of series: whatever stands in them, they are read as something sound or refused in one line.
///
/// FOVEA_MUTANTS=N takes N damaged copies of each kind instead of the few of every day, from FOVEA_MUTANT_SEED on; run
/// it with the sanitizers after a change to a reader.

#include <cstdlib>

#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/datasets/series/file.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/processor_time.hpp"
#include "fovea/tests/support/test.hpp"

using namespace std::string_view_literals;

namespace {

constexpr double kLongestSeconds = 20;  // of a processor, for a file of a few kB with sanitizers

constexpr std::string_view kTextTokens[] = {","sv,
                                            ";"sv,
                                            "\t"sv,
                                            "\n"sv,
                                            "\r"sv,
                                            "\r\n"sv,
                                            "\n\n"sv,
                                            "\0"sv,
                                            "\""sv,
                                            "\"\""sv,
                                            "\"a\nb\""sv,
                                            "#"sv,
                                            " "sv,
                                            "."sv,
                                            "-"sv,
                                            "+"sv,
                                            "\xEF\xBB\xBF"sv,
                                            "\xFF\xFE"sv,
                                            "\xC3"sv,
                                            "\xE2\x82\xAC"sv,
                                            "nan"sv,
                                            "NA"sv,
                                            "inf"sv,
                                            "-Infinity"sv,
                                            "1e308"sv,
                                            "-1e308"sv,
                                            "1e999"sv,
                                            "1e-320"sv,
                                            "99999999999999999999"sv,
                                            "0x1p3"sv,
                                            "1,5"sv,
                                            "1.234,5"sv,
                                            "none"sv,
                                            "2000-01-01"sv,
                                            "9999-12-31T24:59:60"sv,
                                            "0000-01-01"sv,
                                            "2000-02-30"sv,
                                            "2001-01-01 00:00:00.999999999+14:00"sv,
                                            "time"sv,
                                            "t"sv,
                                            "series"sv,
                                            "y"sv,
                                            "dy"sv,
                                            "recording"sv,
                                            "a"sv,
                                            "1\n2\n3\n4\n5\n6\n"sv};
constexpr std::string_view kBinaryTokens[] = {"\0"sv,
                                              "\xFF"sv,
                                              "\xFF\xFF\xFF\xFF"sv,
                                              "\0\0\0\0\0\0\0\0"sv,
                                              "\x01\0\0\0"sv,
                                              "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"sv,
                                              "OHDR"sv,
                                              "TREE"sv,
                                              "SNOD"sv};

const std::string kWide =
    "date,level,rain,recording\n2000-01-01,1.5,2,x\n2000-01-02,NA,3.25e1,x\n2000-01-03,4,-2,x\n2000-01-04,8,1,x\n"
    "2000-01-05,7,0.125,y\n2000-01-06,,4,y\n2000-01-07,5,6,y\n2000-01-08,1,3,y\n";
const std::string kSemicolons =
    "# made\r\nt [s];a;\"b;c\"\r\n0;1,5;2\r\n0,5;2;1,25\r\n1;4;\"3\"\r\n1,5;.;5\r\n2,5;7;1\r\n";
const std::string kBare = "5\t3\n4\t1\n3.5\t2\n7\t9\n8\t2\n";
const std::string kLong = "series,t,y\na,1,2\nb,1,5\na,2,3\nb,2,4\na,3,7\nb,3,1\na,4,3\nb,4,2\na,6,9\nb,6,8\n";
const std::string kCurves =
    "pair,series,mjd,flux,dy\n1,driver,1.5,2,0.1\n1,echo,2.5,3,0.2\n1,driver,3.1,5,0.1\n2,echo,8,1,\n2,driver,9.5,4,"
    "1\n";
const std::string* const kTexts[] = {&kWide, &kSemicolons, &kBare, &kLong, &kCurves};

/// What series_file.hpp and series.hpp promise of a table. bytes: of the file, as text.
void check_table(const datasets::series::SeriesTable& table, std::size_t bytes) {
  REQUIRE(table.series() > 0);
  REQUIRE(table.steps() >= static_cast<Index>(datasets::series::kFewestRows));
  CHECK(table.names.size() == static_cast<std::size_t>(table.series()));
  CHECK(std::set(table.names.begin(), table.names.end()).size() == table.names.size());
  CHECK(std::none_of(table.names.begin(), table.names.end(), [](const std::string& name) { return name.empty(); }));
  CHECK_FALSE(table.values.array().isInf().any());
  CHECK((table.step > 0 && std::isfinite(table.step)));
  REQUIRE(!table.recording_starts.empty());
  CHECK(table.recording_starts.front() == 0);
  CHECK(table.recording_starts.back() < table.steps());
  CHECK(std::is_sorted(table.recording_starts.begin(), table.recording_starts.end(), std::less_equal<>{}));
  // A cell takes a byte with what separates it; half of the grid, and of a long file's table, may be missing.
  CHECK(static_cast<std::size_t>(table.values.size()) <= 4 * bytes);
}

void check_curve(const datasets::series::Curve& curve) {
  CHECK(!curve.name.empty());
  CHECK(!curve.time.empty());
  CHECK(curve.value.size() == curve.time.size());
  CHECK(curve.error.size() == curve.time.size());
  CHECK(std::is_sorted(curve.time.begin(), curve.time.end()));
  const auto is_finite = [](double value) { return std::isfinite(value); };
  CHECK(std::all_of(curve.time.begin(), curve.time.end(), is_finite));
  CHECK(std::all_of(curve.value.begin(), curve.value.end(), is_finite));
  CHECK(std::all_of(curve.error.begin(), curve.error.end(), [](double e) { return e >= 0 && std::isfinite(e); }));
}

/// No control characters, and not a page long.
bool is_one_line(const std::string& text) {
  const bool controls =
      std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
  return !controls && text.size() < 1000 && (text.ends_with('.') || text.ends_with('?'));
}

void check_sound(const datasets::series::SeriesFile& file, std::size_t bytes) {
  if (!file.irregular()) check_table(file.table, bytes);
  for (const datasets::series::CurveGroup& group : file.groups) {
    CHECK(!group.curves.empty());
    std::set<std::string> names;
    for (const datasets::series::Curve& curve : group.curves) {
      check_curve(curve);
      CHECK(names.insert(curve.name).second);
    }
  }
  CHECK(!file.notes.empty());
  for (const std::string& note : file.notes) {
    INFO(note);
    CHECK(is_one_line(note));
  }
}

/// Reads it; true where it was read and not refused.
bool check_file(const std::string& path, std::string_view content, std::size_t bytes,
                const datasets::series::SeriesFileOptions& options) {
  std::ofstream(path, std::ios::binary) << content;
  const double start = support::processor_seconds();
  bool sound = false;
  try {
    check_sound(datasets::series::read_series(path, options), bytes);
    sound = true;
  } catch (const DataError& error) {
    INFO(error.what());
    CHECK(std::string_view(error.what()).starts_with(path + ":"));
    CHECK(is_one_line(error.what()));
  }
  CHECK(support::processor_seconds() - start < kLongestSeconds);
  return sound;
}

/// The seeds of a test: a few, or as many as were asked for.
struct MutantSeeds {
  explicit MutantSeeds(std::uint64_t few)
      : first(support::mutant_setting("FOVEA_MUTANT_SEED", 1)),
        last(first + support::mutant_setting("FOVEA_MUTANTS", few)) {}
  std::uint64_t first, last;
};

datasets::series::SeriesFileOptions options_for(std::uint64_t seed) {
  switch (seed % 16) {
    case 0:
      return {"none", "", {}};
    case 1:
      return {"", "none", {}};
    case 2:
      return {"", "", {"a"}};
    case 3:
      return {"t", "", {}};
    default:
      return {};
  }
}

}  // namespace

TEST_CASE("damaged text files of series are read as something sound or refused in one line", "[series][fault]") {
  const TemporaryFolder folder(support::memory_disk());
  const MutantSeeds seeds(3000);
  std::size_t read = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    const std::string text = support::mutated(*kTexts[seed % 5], *kTexts[seed / 5 % 5], kTextTokens, seed);
    INFO("seed " << seed << ", the file:\n" << text);
    read += check_file(folder.file("s.csv"), text, text.size(), options_for(seed / 25)) ? 1 : 0;
  }
  CHECK(read > (seeds.last - seeds.first) / 20);  // the damage leaves enough whole for the checks of what is read
  CHECK(read < (seeds.last - seeds.first) * 19 / 20);
}

TEST_CASE("damaged packed files of series are read as something sound or refused in one line", "[series][fault]") {
  const TemporaryFolder folder(support::memory_disk());
  const MutantSeeds seeds(800);
  for (std::uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    const std::string text = support::mutated(*kTexts[seed % 5], kWide, kTextTokens, seed);
    const std::string packed = support::gzip_packed(seed % 2 == 0 ? text : *kTexts[seed / 2 % 5]);
    const std::string file = seed % 2 == 0 ? packed : support::mutated(packed, packed, kBinaryTokens, seed);
    INFO("seed " << seed);
    check_file(folder.file("s.csv.gz"), file, 1000 * file.size(), options_for(seed / 10));
  }
}

TEST_CASE("damaged HDF5 files of series are read as something sound or refused in one line", "[series][fault]") {
  const TemporaryFolder folder(support::memory_disk());
  Dataset data;
  data.add({"time", {"time"}, std::vector<double>{0, 2, 4, 6, 8}, "days since 1970-01-01", "", {}});
  data.dimension("unit", 2);
  data.add({"unit", {"unit"}, std::vector<std::string>{"a", "b"}, "", "", {}});
  data.add({"values", {"time", "unit"}, std::vector<double>{1, 2, 3, 5, 8, 1, NAN, 4, 2, 6}, "1", "", {}});
  data.add({"recording", {"time"}, std::vector<std::string>{"x", "x", "x", "x", "x"}, "", "", {}});
  data.add({"other", {"time"}, std::vector<std::int64_t>{4, 3, 2, 6, 1}, "1", "", {}});
  write_dataset(folder.file("whole.h5"), data);
  const std::string whole = support::text_of(folder.file("whole.h5"));
  const MutantSeeds seeds(40);
  for (std::uint64_t seed = seeds.first; seed < seeds.last; ++seed) {
    const std::string file = support::mutated(whole, whole, kBinaryTokens, seed);
    INFO("seed " << seed);
    check_file(folder.file("s.h5"), file, std::size_t{1} << 31, options_for(seed));
  }
}
