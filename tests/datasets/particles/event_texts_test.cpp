#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/datasets/particles/particles.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

namespace particles = fovea::datasets::particles;
using particles::ParticleSets;

namespace {

/// A whole file and what its reader says of it.
struct ReadEvents {
  particles::FileFacts facts;
  particles::Repairs repairs;
  ParticleSets sets;
};

ReadEvents read_events(const std::string& path, Index block = 7) {
  const auto reader = particles::open_particles(path);
  ReadEvents all;
  for (ParticleSets more = reader->read(block); more.count() > 0; more = reader->read(block))
    particles::append(all.sets, more);
  all.facts = reader->facts();
  all.repairs = reader->repairs();
  return all;
}

double energy_of(const ParticleSets& sets) { return sets.momenta.col(3).sum(); }

constexpr const char* kTwoEvents =
    "HepMC::Version 3.02.05\nHepMC::Asciiv3-START_EVENT_LISTING\nW unit\nT tool\\|1\\|\n"
    "E 4 1 4\nU MEV MM\nW 1.0\nA 0 x 1\nP 1 0 2212 0 0 7000 7000 0 4\nP 2 0 2212 0 0 -7000 7000 0 4\nV -1 0 [1,2] @ 0 "
    "0 0 0\n"
    "P 3 -1 211 3000 0 4000 5000.001 0.1 1\nP 4 -1 12 -3000 0 4000 5000 0 1\n"
    "E 9 0 0\nHepMC::Asciiv3-END_EVENT_LISTING\n";

}  // namespace

TEST_CASE("HepMC 3: energies of MeV become GeV, neutrinos and what is not final are counted", "[event_texts]") {
  const support::TemporaryFolder folder;
  const std::string crlf = [] {
    std::string text;
    for (const char* letter = kTwoEvents; *letter != 0; ++letter)
      text += *letter == '\n' ? "\r\n" : std::string(1, *letter);
    return text;
  }();
  for (const std::string& text : {std::string(kTwoEvents), crlf, support::gzip_packed(kTwoEvents)}) {
    const std::string path = folder.file("events");  // the name says nothing
    write_file(path, text);
    CHECK(particles::looks_like_particles(path));
    const ReadEvents all = read_events(path, 1);
    CHECK(all.facts.format == "HepMC 3 ASCII");
    CHECK(all.facts.unit == "MeV");
    CHECK(all.facts.kind == particles::SetKind::events);
    REQUIRE(all.sets.count() == 2);
    CHECK(all.sets.numbers == std::vector<std::int64_t>{4, 9});
    CHECK(all.sets.offsets == std::vector<Index>{0, 1, 1});
    CHECK(all.sets.ids == std::vector<std::int32_t>{211});
    CHECK(all.sets.momenta(0, 3) == 1e-3 * 5000.001);
    CHECK(all.repairs.invisible == 1);
    CHECK(all.repairs.not_final == 2);
    CHECK(all.repairs.empty_sets == 1);
  }
  const auto given = particles::open_particles(folder.file("events"), {.unit = "GeV"});
  CHECK(given->facts().notes == std::vector<std::string>{"energies are read in GeV as was asked for, not in MeV"});
  CHECK(given->read(1).momenta(0, 3) == 5000.001);
  CHECK(particles::open_particles(folder.file("events"), {.unit = "MeV"})->facts().notes.empty());
}

TEST_CASE("neutrinos of every kind are left out, what looks like one is not", "[event_texts]") {
  const support::TemporaryFolder folder;
  std::string lines;
  int count = 0;
  for (const char* id : {"12", "-14", "16", "-16", "11", "-13", "15", "1000014", "22"})
    lines += concat("P ", ++count, " 0 ", id, " 3 0 4 5 0 1\n");
  write_file(folder.file("e"), concat("HepMC::Version 3\nHepMC::Asciiv3-START_EVENT_LISTING\nE 0 0 ", count,
                                      "\nU GEV MM\n", lines, "HepMC::Asciiv3-END_EVENT_LISTING\n"));
  const ReadEvents all = read_events(folder.file("e"));
  CHECK(all.sets.ids == std::vector<std::int32_t>{11, -13, 15, 1000014, 22});
  CHECK(all.repairs.invisible == 4);
}

TEST_CASE("LHE: further tags and comments may follow, partons keep their ids", "[event_texts]") {
  const support::TemporaryFolder folder;
  write_file(
      folder.file("e.lhe"),
      "<?xml version=\"1.0\"?>\n<LesHouchesEvents version=\"3.0\">\n<!-- <event>\n-->\n<init>\n</init>\n<event>\n"
      " 3 1 1. 91 0.007 0.1\n# a comment\n 2 -1 0 0 501 0 0 0 45.6 45.6 0 0 9\n 23 2 1 1 0 0 0 0 0 91.2 91.2 0 9\n"
      " 13 1 2 2 0 0 3 4 0 5 0 0 9\n# more\n<rwgt>\n1 2 3\n</rwgt>\n</event>\n</LesHouchesEvents>\n");
  const ReadEvents all = read_events(folder.file("e.lhe"));
  REQUIRE(all.sets.count() == 1);
  CHECK(all.sets.ids == std::vector<std::int32_t>{13});
  CHECK(all.sets.momenta.row(0) == Eigen::RowVector4d(3, 4, 0, 5));
  CHECK(all.repairs.not_final == 2);
}

TEST_CASE("FastJet events: comments, parts and an end that may be missing", "[event_texts]") {
  const support::TemporaryFolder folder;
  write_file(folder.file("e"),
             "# words 1 2 3\n1 0 0 1 7\n#SUBSTART\n# more\n\n0 2 0 2 7\n#SUBSTART\n0 0 3 3 7\n#END\n#END\n"
             "#SUBSTART\n1 0 0 1 0\n#SUBSTART\n2 0 0 2 0\n");
  const ReadEvents all = read_events(folder.file("e"), 1);
  CHECK(all.sets.offsets == std::vector<Index>{0, 3, 3, 5});
  CHECK(all.sets.sub_events == std::vector<std::int32_t>{0, 1, 2, 0, 1});
  CHECK(all.sets.numbers == std::vector<std::int64_t>{0, 1, 2});
  CHECK(all.repairs.empty_sets == 1);
  CHECK(std::find(all.facts.notes.begin(), all.facts.notes.end(), "1 further column is not read") !=
        all.facts.notes.end());
}

TEST_CASE("FastJet events with parts may stand behind events without particles, not behind others", "[event_texts]") {
  const support::TemporaryFolder folder;
  write_file(folder.file("e"), "#END\n#SUBSTART\n1 0 0 1\n#SUBSTART\n2 0 0 2\n#END\n");
  CHECK(read_events(folder.file("e")).sets.sub_events == std::vector<std::int32_t>{0, 1});
  write_file(folder.file("e"), "3 0 4 5\n#END\n#SUBSTART\n1 0 0 1\n");
  CHECK_THROWS_WITH(read_events(folder.file("e")), Catch::Contains("all must have them, or none"));
}

TEST_CASE("a byte order mark before events changes nothing", "[event_texts]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("events");
  for (const std::string text : {"30 0 4 40\n-3 0.1 4 5.1\n#END\n", "#SUBSTART\n30 0 4 40\n#END\n", kTwoEvents}) {
    write_file(path, text);
    const ReadEvents plain = read_events(path);
    write_file(path, "\xEF\xBB\xBF" + text);
    const ReadEvents marked = read_events(path);
    CHECK(marked.facts.format == plain.facts.format);
    CHECK(marked.sets.momenta == plain.sets.momenta);
    CHECK(marked.sets.offsets == plain.sets.offsets);
  }
}

TEST_CASE("lines of numbers with commas or semicolons are refused with their cause and the way out", "[event_texts]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("numbers.dat");
  const auto refusal_of = [&](const std::string& text) {
    write_file(path, text);
    return support::refusal_of<DataError>([&] { particles::open_particles(path); });
  };
  const std::string start = path + ": is no file of particles that is known here: its ";
  const std::string separated = start +
                                "lines are four numbers with commas or semicolons between them; FastJet's event files "
                                "have blanks: tr ',;' '  ' < FILE > EVENTS.dat.",
                    decimal = start +
                              "numbers have decimal commas; FastJet's event files have points, and blanks between the "
                              "numbers: tr ',;' '. ' < FILE > EVENTS.dat.";
  for (const char* text : {"30;0;4;40\n", "30,0,4,40\n", "30, 0, 4, 40\n", "# px py\n\n30; 0; 4; 40; 7\n"})
    CHECK(refusal_of(text) == separated);
  for (const char* text : {"30,5 0,1 4,0 40,5\n", "30,5;0,1;4,0;40,5\r\n",
                           "\xEF\xBB\xBF"
                           "30,5\t0\t4\t40,5\n"})
    CHECK(refusal_of(text) == decimal);
  for (const char* text : {"30;0;4;1\n", "30;0;4\n", "a,b,c,d\n30,0,4,40\n"})
    CHECK(refusal_of(text).find("these are: HDF5") != std::string::npos);
}

TEST_CASE("the same events in HepMC 2 and 3 are the same particles", "[event_texts]") {
  const auto data = support::shared_data("particle");
  if (!data) return;
  for (const char* name : {"sibyll21", "pythia6"}) {
    CAPTURE(name);
    const ReadEvents three = read_events((*data / (std::string("hepmc_") + name + ".dat.gz")).string());
    const ReadEvents two = read_events((*data / "layouts" / (std::string("hepmc2_") + name + ".dat.gz")).string());
    CHECK(two.facts.format == "HepMC 2 ASCII");
    if (std::string(name) == "sibyll21") {  // HepMC 2 cannot hold the two final particles without a vertex
      CHECK(three.sets.particles() == two.sets.particles() + 2);
      continue;
    }
    REQUIRE(three.sets.particles() == two.sets.particles());
    CHECK(three.repairs.not_final == two.repairs.not_final);
    auto ids = three.sets.ids, others = two.sets.ids;
    std::sort(ids.begin(), ids.end());
    std::sort(others.begin(), others.end());
    CHECK(ids == others);
    CHECK(std::abs(energy_of(three.sets) - energy_of(two.sets)) < 1e-12 * energy_of(two.sets));
  }
  const ReadEvents large = read_events((*data / "hepmc_eposlhc_large.dat.gz").string());
  CHECK(large.sets.particles() + large.repairs.invisible == 1319);
  CHECK(large.sets.particles() + large.repairs.invisible + large.repairs.not_final == 2661);
  CHECK(large.sets.numbers == std::vector<std::int64_t>{127});
}

TEST_CASE("real FastJet files have their events, parts and particles", "[event_texts]") {
  const auto data = support::shared_data("particle");
  if (!data) return;
  const ReadEvents pile_up = read_events((*data / "fastjet_Pythia-Zp2jets-lhc-pileup-1ev.dat.gz").string());
  REQUIRE(pile_up.sets.count() == 1);
  CHECK(pile_up.sets.particles() == 3109);
  CHECK(std::count(pile_up.sets.sub_events.begin(), pile_up.sets.sub_events.end(), 0) == 309);
  CHECK(*std::max_element(pile_up.sets.sub_events.begin(), pile_up.sets.sub_events.end()) == 20);
  CHECK(read_events((*data / "fastjet_Pythia-PtMin1000-LHC-10ev.dat.gz").string()).sets.count() == 10);
  CHECK(read_events((*data / "fastjet_single-event.dat.gz").string()).sets.particles() == 354);
  CHECK(read_events((*data / "fastjet_cone-darktower.dat.gz").string()).sets.particles() == 3);
  CHECK(read_events((*data / "hepmc_pp.lhe.gz").string()).sets.count() == 1);
}

TEST_CASE("real CSV files have their candidates, masses and tracks", "[event_texts]") {
  const auto data = support::shared_data("particle");
  if (!data) return;
  const ReadEvents z = read_events((*data / "cms_Zmumu_Run2011A_masses.csv.gz").string(), 1000);
  REQUIRE(z.sets.count() == 10851);
  CHECK(z.facts.kind == particles::SetKind::leptons);
  std::vector<double> gaps;
  for (Index i = 0; i < z.sets.count(); ++i)
    gaps.push_back(std::abs(particles::mass(particles::sum_of(z.sets.momenta, 2 * i, 2 * i + 2)) -
                            particles::mass(particles::momentum_of(z.sets.jet_momenta, i))));
  std::sort(gaps.begin(), gaps.end());
  CHECK(sorted_quantile(gaps, 0.5) < 8e-5);
  CHECK(gaps.back() < 8e-3);
  const ReadEvents four = read_events((*data / "cms_2e2mu_2012.csv.gz").string());
  CHECK(four.sets.count() == 104);
  CHECK(four.sets.particles() == 4 * 104);
  CHECK(four.sets.ids[0] == 11);
  CHECK(read_events((*data / "cms_event_display_tracks.csv.gz").string()).sets.count() == 13);
  CHECK(read_events((*data / "cms_event_display_pfjets.csv.gz").string()).sets.particles() == 536);
  const ReadEvents tracks = read_events((*data / "trackml_event000001000-particles.csv.gz").string());
  CHECK(tracks.sets.count() == 1);
  CHECK(tracks.sets.particles() == 12263);
}
