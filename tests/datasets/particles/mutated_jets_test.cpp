/// Damaged files of jets: whatever stands in them, they are read as something sound or refused in one line.
///
/// FOVEA_MUTANTS=N takes N damaged copies of each format instead of the few of every day (each HDF5 file costs a child
/// process, some ms), from FOVEA_MUTANT_SEED on; run it after a change to a reader.

#include <cstdlib>

#include "fovea/datasets/particles/particles.hpp"
#include "fovea/tests/datasets/particles/made_files.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::particles;
using namespace std::string_view_literals;

namespace {

constexpr double kLongestJetSeconds = 60;  // on a busy machine; a child that hangs is ended after some seconds

constexpr std::string_view kJetTokens[] = {"\0\0\0\0\0\0\0\0"sv,
                                           "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"sv,
                                           "\0\0\xC0\x7F"sv,
                                           "\0\0\x80\xFF"sv,
                                           "\1"sv,
                                           "\x10"sv,
                                           "TREE"sv,
                                           "SNOD"sv,
                                           "HEAP"sv,
                                           "OHDR"sv,
                                           "\x89HDF\r\n\x1A\n"sv,
                                           "\0\0\0\0\0\0\0\x80"sv,
                                           "\xFF\xFF\xFF\x7F"sv,
                                           "PK\1\2"sv,
                                           "PK\3\4"sv,
                                           "PK\5\6"sv,
                                           "\x93NUMPY"sv,
                                           "'descr'"sv,
                                           "'<f4'"sv,
                                           "(9999999999, "sv,
                                           "X.npy"sv,
                                           "offsets"sv,
                                           "particles"sv,
                                           "columns"sv,
                                           "(lp0\nVE_0\n"sv};

bool is_one_jet_line(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\0'; });
}

/// What particles.hpp promises.
void check_sound_jets(const ParticleSets& sets) {
  REQUIRE(sets.offsets.front() == 0);
  CHECK(std::is_sorted(sets.offsets.begin(), sets.offsets.end()));
  REQUIRE(sets.momenta.rows() == sets.particles());
  CHECK(sets.momenta.allFinite());
  for (Index i = 0; i < sets.particles(); ++i)
    CHECK(mass_squared(momentum_of(sets.momenta, i)) >= -1e-6 * sets.momenta.row(i).squaredNorm());
  const std::size_t count = sets.count();
  CHECK((sets.labels.empty() || sets.labels.size() == count));
  CHECK((sets.ids.empty() || sets.ids.size() == static_cast<std::size_t>(sets.particles())));
  CHECK((sets.parts.empty() || sets.parts.size() == count));
  CHECK((sets.truth.rows() == 0 || sets.truth.rows() == sets.count()));
  CHECK(sets.jet_momenta.allFinite());
  CHECK(sets.numbers.size() == count);
}

/// Whether it was read.
bool check_jet_mutant(const std::string& path) {
  const auto start = std::chrono::steady_clock::now();
  bool read = false;
  try {
    const auto reader = open_particles(path);
    for (ParticleSets sets = reader->read(1000); sets.count() > 0; sets = reader->read(1000)) check_sound_jets(sets);
    read = true;
  } catch (const DataError& error) {
    INFO(error.what());
    CHECK(std::string_view(error.what()).starts_with(path));
    CHECK(is_one_jet_line(error.what()));
  }
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < kLongestJetSeconds);
  return read;
}

void check_jet_mutants(const std::string& bytes, const std::string& other, std::uint64_t few) {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("jets");
  const std::uint64_t first = support::mutant_setting("FOVEA_MUTANT_SEED", 1);
  const std::uint64_t count = support::mutant_setting("FOVEA_MUTANTS", few);
  std::uint64_t read = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    std::ofstream(path, std::ios::binary) << support::mutated(bytes, other, kJetTokens, seed);
    read += check_jet_mutant(path) ? 1 : 0;
  }
  CHECK(read > count / 200);  // the damage leaves enough whole for the checks of what is read
  CHECK(read < count);
}

std::string jet_layout(const char* name) { return support::text_of(support::golden(std::string("particles/") + name)); }

}  // namespace

TEST_CASE("damaged ragged files of jets are read as something sound or refused in one line", "[particles][fault]") {
  const support::TemporaryFolder folder;
  support::write_made_ragged(folder.file("made.h5"), {});
  check_jet_mutants(support::text_of(folder.file("made.h5")), jet_layout("atlas.h5"), 300);
}

TEST_CASE("damaged HDF5 files of other layouts are read as something sound or refused in one line",
          "[particles][fault]") {
  for (const char* name : {"top_table.h5", "atlas.h5", "jetnet.h5", "olympics.h5"}) DYNAMIC_SECTION(name) {
      check_jet_mutants(jet_layout(name), jet_layout("group.h5"), 200);
    }
}

TEST_CASE("damaged .npz files of jets are read as something sound or refused in one line", "[particles][fault]") {
  check_jet_mutants(support::made_energyflow(), "", 2000);
}
