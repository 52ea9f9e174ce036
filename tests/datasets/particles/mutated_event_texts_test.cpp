#include <cstdlib>

#include "fovea/core/base/storage.hpp"
#include "fovea/datasets/particles/particles.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

namespace particles = fovea::datasets::particles;

namespace {

constexpr std::array<std::string_view, 22> kEventTextTokens{
    "E ",  "P ",  "V ", "U MEV MM\n", "#END\n", "#SUBSTART\n", "<event>\n", "</event>\n",
    "nan", "inf", "-1", "[1]",        "1e9 ",   "1000000000 ", "0",         "\r\n",
    "\t",  ",",   "\"", "#",          "1e308",  "\n"};

const std::array<std::string, 7>& sound_texts() {
  static const std::array<std::string, 7> sound{
      "HepMC::Version 3.02.05\nHepMC::Asciiv3-START_EVENT_LISTING\nE 4 1 4\nU MEV MM\nP 1 0 2212 0 0 7000 7000 0 4\n"
      "P 2 0 2212 0 0 -7000 7000 0 4\nV -1 0 [1,2] @ 0 0 0 0\nP 3 -1 211 3000 0 4000 5000.001 0.1 1\n"
      "P 4 -1 12 -3000 0 4000 5000 0 1\nE 9 0 0\nHepMC::Asciiv3-END_EVENT_LISTING\n",
      "HepMC::Version 2.06.09\nHepMC::IO_GenEvent-START_EVENT_LISTING\nE 1 0 0 0 0 0 0 2 0 0 0 1 1.0\nU GEV MM\n"
      "V -1 0 0 0 0 0 1 1 0\nP 1 2212 0 0 7 7 0 4 0 0 -1 0\nP 2 23 3 0 4 5 0 2 0 0 -2 0\nV -2 0 0 0 0 0 0 1 0\n"
      "P 3 211 3 0 4 5 0 1 0 0 0 1 1 501\nHepMC::IO_GenEvent-END_EVENT_LISTING\n",
      "<LesHouchesEvents version=\"1.0\">\n<init>\n</init>\n<event>\n2 1 1 1 1 1\n23 2 0 0 0 0 0 0 0 91 91 0 9\n"
      "13 1 1 1 0 0 3 0 4 5 0 0 9\n#x\n</event>\n</LesHouchesEvents>\n",
      "# words\n#SUBSTART\n1 0 0 1\n0 2 0 2\n#SUBSTART\n0 0 3 3\n#END\n3 0 4 5\n#END\n",
      "Run,Event,E1,px1,py1,pz1,Q1,E2,px2,py2,pz2,Q2,M\n1,1,5,3,0,4,1,5,-3,0,4,-1,6\n1,2,5,3,0,4,1,5,3,0,4,-1,0.1\n",
      "run,event,pt,eta,phi,charge\n1,7,2,0,3.1416016,1\n1,7,2,0,3,-1\n1,8,2,0,3,-1\n",
      "particle_id,vx,vy,vz,px,py,pz,q,nhits\n9007199254740993,0,0,0,1,0,0,1,8\n9007199254740992,0,0,0,1,0,0,1,9\n"};
  return sound;
}

/// Reads a text to its end; whether it was sound. Anything but a DataError of one line is a mistake.
bool reads(const std::string& path) {
  try {
    const auto reader = particles::open_particles(path);
    for (particles::ParticleSets sets = reader->read(2); sets.count() > 0; sets = reader->read(2)) {
      REQUIRE(sets.momenta.rows() == sets.particles());
      REQUIRE(sets.momenta.allFinite());
      REQUIRE((!reader->facts().ids || static_cast<Index>(sets.ids.size()) == sets.particles()));
      REQUIRE((!reader->facts().sub_events || static_cast<Index>(sets.sub_events.size()) == sets.particles()));
    }
    return true;
  } catch (const DataError& error) {
    REQUIRE(std::string(error.what()).find('\n') == std::string::npos);
    return false;
  }
}

}  // namespace

// FOVEA_MUTANTS: how many of each format.
TEST_CASE("damaged texts of events are refused or read, never crash", "[mutated_event_texts][long]") {
  const char* asked = std::getenv("FOVEA_MUTANTS");
  const std::uint64_t count = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 10000;
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("events");
  for (std::size_t t = 0; t < sound_texts().size(); ++t) {
    CAPTURE(t);
    write_file(path, sound_texts()[t]);
    REQUIRE(reads(path));
    Index sound = 0;
    for (std::uint64_t seed = 0; seed < count; ++seed) {
      CAPTURE(seed);
      const std::string text =
          support::mutated(sound_texts()[t], sound_texts()[(t + 1) % sound_texts().size()], kEventTextTokens, seed);
      std::ofstream(path, std::ios::binary | std::ios::trunc) << (seed % 5 == 0 ? support::gzip_packed(text) : text);
      sound += reads(path) ? 1 : 0;
    }
    CHECK(sound > static_cast<Index>(count / 100));  // some changes do no harm
    CHECK(sound < static_cast<Index>(count));
  }
}
