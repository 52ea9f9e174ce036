/// One record that cannot be read does not stop a file where it may be left out.

#include "fovea/core/base/storage.hpp"
#include "fovea/datasets/particles/particles.hpp"
#include "fovea/tests/datasets/particles/made_files.hpp"
#include "fovea/tests/support/test.hpp"

namespace particles = fovea::datasets::particles;

namespace {

struct EventsWithFaults {
  const char* what;
  std::string text;
  Index good, bad;
  const char* place;  ///< what the message of the first bad one begins with, behind the file
};

const std::string kGoodLhe = "<event>\n1 1 1 1 1 1\n13 1 0 0 0 0 3 0 4 5 0 0 9\n</event>\n",
                  kBadLhe = "<event>\n1 1 1 1 1 1\n13 1 0 0 0 0 3 0 4 -5 0 0 9\n</event>\n";

std::string lhe_of(const std::string& events) {
  return "<LesHouchesEvents version=\"1.0\">\n" + events + "</LesHouchesEvents>\n";
}

std::vector<EventsWithFaults> events_with_faults() {
  const std::string hepmc = "HepMC::Version 3.02.05\nHepMC::Asciiv3-START_EVENT_LISTING\n",
                    hepmc_end = "HepMC::Asciiv3-END_EVENT_LISTING\n",
                    good = "E 1 0 1\nU GEV MM\nP 1 0 211 3 0 4 5 0 1\n",
                    wrong = "E 2 0 1\nU GEV MM\nP 1 0 211 3 0 4 nan 0 1\n",
                    lacking = "E 3 0 2\nU GEV MM\nP 1 0 211 3 0 4 5 0 1\n";
  return {{"LHE", lhe_of(kGoodLhe + kBadLhe + kGoodLhe), 2, 1, ":line 8: particle 1 of 1 has E = -5"},
          {"LHE, the first and the last", lhe_of(kBadLhe + kGoodLhe + kBadLhe), 1, 2, ":line 4: "},
          {"LHE, a word", lhe_of("<event>\none\n</event>\n" + kGoodLhe), 1, 1, ":line 3: "},
          {"HepMC 3", hepmc + good + wrong + lacking + good + hepmc_end, 2, 2, ":line 8: "},
          {"HepMC 3, the last", hepmc + good + lacking + hepmc_end, 1, 1, ":line 9: "},
          {"FastJet", "1 0 0 1\n#END\n1 0 0 one\n1 0 0 2\n#END\n2 0 0 2\n#END\n", 2, 1, ":line 3: "}};
}

}  // namespace

TEST_CASE("events that cannot be read are left out, counted and named, where that is asked for", "[bad_sets]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("events");
  for (const EventsWithFaults& one : events_with_faults()) {
    CAPTURE(one.what);
    write_file(path, one.text);
    const auto read = [&](bool leave_out) {
      auto reader = particles::open_particles(path, {.unit = {}, .axis = {}, .label = {}, .leave_out_bad = leave_out});
      const Index sets = particles::read_all(*reader).count();
      return std::pair(sets, reader->repairs());
    };
    const auto [sets, repairs] = read(true);
    CHECK(sets == one.good);
    CHECK(repairs.bad_sets == one.bad);
    REQUIRE_FALSE(repairs.bad_places.empty());
    CHECK(repairs.bad_places.front().find(path + one.place) == 0);
    const std::string refused = support::refusal_of<DataError>(
        [&] { particles::with_way_out("--bad 'leave out'", [&] { return read(false); }); });
    CHECK(refused.find(path + one.place) == 0);
    CHECK(refused.find("To leave out what cannot be read, and count it: --bad 'leave out'.") != std::string::npos);
  }
  write_file(path, "<LesHouchesEvents version=\"1.0\">\n" + kGoodLhe + "<event>\n1 1 1 1 1 1\n");  // cut
  auto reader = particles::open_particles(path, {.unit = {}, .axis = {}, .label = {}, .leave_out_bad = true});
  CHECK(support::refusal_of<DataError>([&] { particles::read_all(*reader); }).find("it was cut") != std::string::npos);
}

TEST_CASE("a unit that a file does not state is assumed, unless it is asked for", "[bad_sets]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("events"), listing = "HepMC::Asciiv3-";
  const auto facts = [&](const std::string& text, const std::string& unit) {
    write_file(path, text);
    return particles::open_particles(path, {.unit = unit, .axis = {}, .label = {}})->facts();
  };
  const std::string bare = "1 0 0 1\n#END\n", hepmc = "HepMC::Version 3.02.05\n" + listing +
                                                      "START_EVENT_LISTING\nE 1 0 1\nP 1 0 211 3 0 4 5 0 1\n" +
                                                      listing + "END_EVENT_LISTING\n";
  CHECK(facts(bare, "").unit_known_by == "assumed");
  CHECK(facts(bare, "MeV").unit_known_by == "as asked for");
  CHECK(facts(hepmc, "").unit_known_by == "assumed where an event has no line U");
  CHECK(facts(hepmc, "MeV").unit_known_by == "as asked for");
  CHECK(facts(lhe_of(kGoodLhe), "").unit_known_by == "by its format");
}

TEST_CASE("jets of arrays that cannot be read are left out, whatever the blocks", "[bad_sets]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("jets.h5");
  support::MadeRagged made;
  made.offsets = {0, 1, 2, 3}, made.particles[4] = -50.5;  // pT of the second jet
  support::write_made_ragged(path, made);
  for (const Index most : {1, 2, 1000}) {
    auto reader = particles::open_particles(path, {.unit = {}, .axis = {}, .label = {}, .leave_out_bad = true});
    particles::ParticleSets all;
    for (particles::ParticleSets block = reader->read(most); block.count() > 0; block = reader->read(most))
      append(all, block);
    CHECK(all.count() == 2);
    CHECK(all.numbers == std::vector<std::int64_t>{0, 2});
    CHECK(all.rows == std::vector<Index>{0, 2});
    CHECK(reader->repairs().bad_sets == 1);
    CHECK(reader->repairs().bad_places.front().find("jet 1, particle 0: pt is -50.5") != std::string::npos);
  }
}

TEST_CASE("jets without particles are read, or bad, as is asked for", "[bad_sets]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("jets.h5");
  support::MadeRagged made;
  made.offsets = {0, 1, 1, 3};
  support::write_made_ragged(path, made);
  const auto read = [&](bool empty_is_bad, bool leave_out) {
    particles::ReadOptions options;
    options.leave_out_bad = leave_out, options.empty_is_bad = empty_is_bad;
    return particles::read_all(*particles::open_particles(path, options)).rows;
  };
  CHECK(read(false, false) == std::vector<Index>{0, 1, 2});
  CHECK(read(true, true) == std::vector<Index>{0, 2});
  CHECK(support::refusal_of<DataError>([&] { read(true, false); }) ==
        path + ": jet 1 has no constituents, so it cannot be scored.");
}

TEST_CASE("a file that is packed otherwise than by gzip is named with the way out", "[bad_sets]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("events.lhe.xz");
  const std::pair<std::string, std::string> packings[] = {
      {std::string("\xFD"
                   "7zXZ\0",
                   6),
       "is packed by xz, which is not read here; unpack it: xz -dk "},
      {"\x28\xB5\x2F\xFD", "is packed by zstd, which is not read here; unpack it: zstd -dk "},
      {"BZh91AY&SY", "is packed by bzip2, which is not read here; unpack it: bunzip2 -k "}};
  for (const auto& [front, way] : packings) {
    write_file(path, front + "and so on");
    CHECK(support::refusal_of<DataError>([&] { particles::open_particles(path); }) == concat(path, ": ", way, path));
  }
}
