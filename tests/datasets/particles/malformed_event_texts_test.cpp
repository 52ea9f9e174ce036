#include "fovea/core/base/storage.hpp"
#include "fovea/datasets/particles/particles.hpp"
#include "fovea/tests/support/mutation.hpp"
#include "fovea/tests/support/test.hpp"

namespace particles = fovea::datasets::particles;

namespace {

/// A text and what is said of it behind "FILE:" or "FILE: ".
struct BadEventText {
  const char* what;
  std::string text, message;
};

std::string hepmc3_text(const std::string& events) {
  return "HepMC::Version 3.02.05\nHepMC::Asciiv3-START_EVENT_LISTING\n" + events + "HepMC::Asciiv3-END_EVENT_LISTING\n";
}
std::string hepmc2_text(const std::string& events) {
  return "HepMC::Version 2.06.09\nHepMC::IO_GenEvent-START_EVENT_LISTING\n" + events +
         "HepMC::IO_GenEvent-END_EVENT_LISTING\n";
}
std::string lhe_text(const std::string& event) {
  return "<LesHouchesEvents version=\"1.0\">\n<event>\n" + event + "</event>\n</LesHouchesEvents>\n";
}
const std::string kP1 = "P 1 0 211 3 0 4 5 0 1\n", kE2 = "E 1 0 0 0 0 0 0 1 0 0 0 0\n", kV2 = "V -1 0 0 0 0 0 0 1 0\n",
                  kP2 = "P 10001 211 3 0 4 5 0 1 0 0 0 0\n", kLeptons = "Run,Event,E1,px1,py1,pz1,E2,px2,py2,pz2,M\n";

std::vector<BadEventText> bad_hepmc3() {
  return {
      {"too few particles", hepmc3_text("E 1 0 2\nU GEV MM\n" + kP1),
       "line 6: event 1 ends here with 1 particles, but its first line says 2; a part is missing or doubled."},
      {"10^9 particles", hepmc3_text("E 1 0 1000000000\nU GEV MM\n" + kP1),
       "line 6: event 1 ends here with 1 particles, but its first line says 1000000000; a part is missing or doubled."},
      {"a negative count", hepmc3_text("E 1 -1 2\n"),
       "line 3: event 1 is to have -1 vertices and 2 particles; neither can be negative."},
      {"a strange unit", hepmc3_text("E 1 0 1\nU TEV MM\n" + kP1),
       "line 4: the unit of momenta is 'TEV', but must be GEV or MEV."},
      {"an unknown parent particle", hepmc3_text("E 1 1 1\nU GEV MM\nP 1 7 211 3 0 4 5 0 1\n"),
       "line 6: event 1 has a particle 1 with parent 7, which is not there."},
      {"an unknown parent vertex", hepmc3_text("E 1 1 1\nU GEV MM\nP 1 -1 211 3 0 4 5 0 1\n"),
       "line 6: event 1 has a particle 1 with parent -1, which is not there."},
      {"a circle", hepmc3_text("E 1 2 2\nU GEV MM\nP 1 2 211 3 0 4 5 0 1\nP 2 1 211 3 0 4 5 0 1\n"),
       "line 7: event 1 has a particle 1 that is its own ancestor; vertices form a circle."},
      {"a vertex of later particles", hepmc3_text("E 1 1 1\nU GEV MM\nV -1 0 [4]\n" + kP1),
       "line 7: event 1 has a vertex -1 with incoming particle 4, but the particles are 1 to 1."},
      {"a vertex twice", hepmc3_text("E 1 1 1\nU GEV MM\n" + kP1 + "V -1 0 [1]\nV -1 0 [1]\n"),
       "line 7: vertex -1 has two lines; it must have one."},
      {"too many vertices", hepmc3_text("E 1 0 2\nU GEV MM\n" + kP1 + "P 2 1 211 3 0 4 5 0 1\n"),
       "line 7: event 1 ends here with 1 vertices, but its first line says 0."},
      {"a vertex beyond the count", hepmc3_text("E 1 1 1\nU GEV MM\n" + kP1 + "V -2 0 [1]\n"),
       "line 6: vertex -2 is unknown: event 1 has -1 to -1."},
      {"a list without brackets", hepmc3_text("E 1 1 1\nU GEV MM\n" + kP1 + "V -1 0 1,2\n"),
       "line 6: the incoming particles of vertex -1 are '1,2', but must be a list such as [1,2]."},
      {"nan", hepmc3_text("E 1 0 1\nU GEV MM\nP 1 0 211 nan 0 4 5 0 1\n"),
       "line 5: px of particle 1 is nan, but must be finite; leave this event out."},
      {"words in a number", hepmc3_text("E 1 0 1\nU GEV MM\nP 1 0 211 3 zero 4 5 0 1\n"),
       "line 5: py of particle 1 is 'zero', but must be a number."},
      {"a cut line", hepmc3_text("E 1 0 1\nU GEV MM\nP 1 0 211 3 0\n"),
       "line 5: particle 1 has no pz; the line ends before it. It may be cut."},
      {"E below p", hepmc3_text("E 1 0 1\nU GEV MM\nP 1 0 211 3 0 4 4 0 1\n"),
       "line 5: particle 1 has E = 4 below |p| = 5, by more than rounding; leave this event out."},
      {"a negative energy", hepmc3_text("E 1 0 1\nU GEV MM\nP 1 0 211 3 0 4 -5 0 1\n"),
       "line 5: particle 1 has E = -5, but energies are not negative; leave this event out."},
      {"ids with a hole", hepmc3_text("E 1 0 2\nU GEV MM\n" + kP1 + "P 3 0 211 3 0 4 5 0 1\n"),
       "line 6: particle 3 stands where particle 2 is expected; ids count from 1."},
      {"units behind particles", hepmc3_text("E 1 0 1\n" + kP1 + "U GEV MM\n"),
       "line 5: is a line U behind particles; units must stand before them."},
      {"no end", "HepMC::Version 3\nHepMC::Asciiv3-START_EVENT_LISTING\nE 1 0 1\nU GEV MM\n" + kP1,
       " ends behind line 5 without HepMC::Asciiv3-END_EVENT_LISTING; it was cut, get it again."},
      {"no event", hepmc3_text(""), " has no event; it needs one at least."},
      {"a number of 40 digits", hepmc3_text("E 1 0 1\nU GEV MM\nP 1 0 9999999999999999999999 3 0 4 5 0 1\n"),
       "line 5: PDG number of particle 1 is '9999999999999999999999', but must be a whole number."},
      {"an old layout", "HepMC::Version 1.0\nHepMC::IO_Ascii-START_EVENT_LISTING\n",
       " is HepMC, but neither ASCII 3 nor IO_GenEvent (2); write it as one of them."},
      {"a NUL byte", hepmc3_text("E 1 0 1\nU GEV MM\nP 1 0 211 3" + std::string(1, '\0') + " 0 4 5 0 1\n"),
       "line 5: holds a NUL byte; is this a text file?"},
  };
}

std::vector<BadEventText> bad_hepmc2() {
  return {
      {"too few vertices", hepmc2_text("E 1 0 0 0 0 0 0 2 0 0 0 0\nU GEV MM\n" + kV2 + kP2),
       "line 7: event 1 ends here with 1 vertices, but its first line says 2; a part is missing or doubled."},
      {"a particle too few", hepmc2_text(kE2 + "U GEV MM\nV -1 0 0 0 0 0 0 1000000000 0\n" + kP2),
       "line 7: vertex -1 ends here, but 999999999 of its particles are missing."},
      {"a particle too many", hepmc2_text(kE2 + "U GEV MM\n" + kV2 + kP2 + kP2),
       "line 7: is one particle more than vertex -1 is to have."},
      {"a particle without vertex", hepmc2_text(kE2 + "U GEV MM\n" + kP2 + kV2),
       "line 5: is a particle before any vertex; each belongs to one."},
      {"an unknown end", hepmc2_text(kE2 + "U GEV MM\n" + kV2 + "P 10001 211 3 0 4 5 0 2 0 0 -5 0\n"),
       "line 7: event 1 has a particle that ends in vertex -5, which is not there."},
      {"a circle", hepmc2_text(kE2 + "U GEV MM\n" + kV2 + "P 10001 211 3 0 4 5 0 2 0 0 -1 0\n"),
       "line 7: event 1 has a vertex -1 on or behind a circle of vertices; a particle cannot be its own ancestor."},
      {"10^9 weights", hepmc2_text("E 1 0 0 0 0 0 0 1 0 0 0 1000000000 1\n"),
       "line 3: the event has no weight; the line ends before it. It may be cut."},
      {"a vertex twice", hepmc2_text("E 1 0 0 0 0 0 0 2 0 0 0 0\nU GEV MM\n" + kV2 + kP2 + kV2 + kP2),
       "line 7: vertex -1 comes a second time in event 1."},
      {"infinite", hepmc2_text(kE2 + "U GEV MM\n" + kV2 + "P 10001 211 3 0 inf 5 0 1 0 0 0 0\n"),
       "line 6: pz of the particle is inf, but must be finite; leave this event out."},
  };
}

std::vector<BadEventText> bad_other_events() {
  return {
      {"LHE: too few", lhe_text("2 1 1 1 1 1\n13 1 0 0 0 0 3 0 4 5 0 0 9\n"),
       "line 5: particle 2 of 2 is missing; a tag stands in its place."},
      {"LHE: too many", lhe_text("0 1 1 1 1 1\n13 1 0 0 0 0 3 0 4 5 0 0 9\n"),
       "line 4: is a line behind the 0 particles that the event's first line (NUP) says."},
      {"LHE: an unknown mother", lhe_text("1 1 1 1 1 1\n13 1 2 2 0 0 3 0 4 5 0 0 9\n"),
       "line 4: particle 1 of 1 has mother 2, but the particles are 1 to 1."},
      {"LHE: its own mother", lhe_text("1 1 1 1 1 1\n13 1 1 1 0 0 3 0 4 5 0 0 9\n"),
       "line 4: particle 1 of 1 is on or behind a circle of mothers; none can be its own ancestor."},
      {"LHE: 10^9", lhe_text("1000000000 1 1 1 1 1\n"),
       "line 4: particle 1 of 1000000000 is missing; a tag stands in its place."},
      {"LHE: cut", "<LesHouchesEvents version=\"1.0\">\n<event>\n1 1 1 1 1 1\n",
       " ends behind line 3 without </LesHouchesEvents>; it was cut, get it again."},
      {"LHE: words", lhe_text("1 1 1 1 1 1\n13 final 0 0 0 0 3 0 4 5 0 0 9\n"),
       "line 4: status of particle 1 of 1 is 'final', but must be a whole number."},
      {"FastJet: three numbers", "1 0 0 1\n1 0 0\n",
       "line 2: the particle has no E; the line ends before it. It may be cut."},
      {"FastJet: columns", "1 0 0 1\n1 0 0 1 1\n",
       "line 2: has 5 columns, but the lines before have 4; all need as many."},
      {"FastJet: words", "1 0 0 1\n1 0 0 one\n", "line 2: E of the particle is 'one', but must be a number."},
      {"FastJet: nan", "1 0 0 1\nnan 0 0 1\n",
       "line 2: px of the particle is nan, but must be finite; leave this event out."},
      {"FastJet: E below p", "1 0 0 1\n1 0 0 0.5\n",
       "line 2: the particle has E = 0.5 below |p| = 1, by more than rounding; leave this event out."},
      {"FastJet: parts", "1 0 0 1\n#END\n#SUBSTART\n1 0 0 1\n",
       "line 3: #SUBSTART: the first event has no parts, but this one has; all must have them, or none."},
      {"FastJet: too large", "1 0 0 1\n1e200 0 0 1e200\n",
       "line 2: the particle has an energy or momentum that is too large to be squared; leave this event out."},
      {"leptons: no row", kLeptons, " has a header, but no row; it needs one at least."},
      {"leptons: words", kLeptons + "1,1,5,3,0,4,5,3,0,x,10\n",
       "row 2, column 'pz2': 'x' is not a number; use digits and a decimal point."},
      {"leptons: nan", kLeptons + "1,1,5,3,0,4,5,3,nan,4,10\n",
       "row 2, column 'py2': is nan, but must be finite; leave this row out."},
      {"leptons: E below p", kLeptons + "1,1,5,3,0,4,4,3,0,4,10\n",
       "row 2, column 'E2': the particle has E = 4 below |p| = 5, by more than rounding; leave this row out."},
      {"leptons: a negative mass", kLeptons + "1,1,5,3,0,4,5,3,0,4,-1\n",
       "row 2, column 'M': is -1, but must not be negative."},
      {"leptons: a short row", kLeptons + "1,1,5,3,0,4,5,3,0,4\n",
       "row 2: has 10 fields, but the first row has 11; each row needs as many."},
      {"leptons: half a lepton", "Run,Event,E1,px1,py1,pz1,E2,px2,py2,pz2,E3\n1,1,5,3,0,4,5,3,0,4,1\n",
       " has no column 'px3'; there are: 'Run', 'Event', 'E1', 'px1', 'py1', 'pz1', 'E2', 'px2', 'py2', 'pz2', 'E3'."},
      {"display: rows apart", "run,event,et,eta,phi\n1,1,9,0,0\n1,2,9,0,0\n1,1,9,0,0\n",
       "row 4, column 'event': event 1 of run 1 comes again; its rows must be neighbours."},
      {"display: pt below 0", "run,event,et,eta,phi\n1,1,-9,0,0\n",
       "row 2, column 'et': is -9, but must not be negative."},
      {"TrackML: an id of letters", "particle_id,px,py,pz,q\nx,1,0,0,1\n",
       "row 2, column 'particle_id': 'x' is not a whole number; use digits only."},
      {"TrackML: an id twice", "particle_id,px,py,pz,q\n4503668346847233,1,0,0,1\n4503668346847233,1,0,0,1\n",
       "row 3, column 'particle_id': particle 4503668346847233 comes a second time; ids are unique."},
      {"a header and decimal commas", "\xEF\xBB\xBFpx;py;pz;E\r\n1,5;2,25;3,0;4,1\r\n",
       " is no file of particles that is known here: its numbers have decimal commas; FastJet's event files have "
       "points, and blanks between the numbers: tr ',;' '. ' < FILE | tail -n +2 > EVENTS.dat (a line of names must "
       "begin with #)."},
      {"names above", "px\tpy\tpz\tE\n1.5\t2.25\t3\t4.1\n",
       " is no file of particles that is known here: its first line has names; those of FastJet's event files begin "
       "with #: tail -n +2 FILE > EVENTS.dat."},
      {"Fortran's exponents", "1.5D+00 2.25D+00 3D+00 4.1D+00\n",
       " is no file of particles that is known here: its numbers have Fortran's exponents (1.5D+01); write them with "
       "E: tr 'Dd' 'EE' < FILE > EVENTS.dat."},
      {"a NumPy array", std::string("\x93NUMPY\x01", 7),
       " is a NumPy array without names, which is not read; write EnergyFlow's .npz, with arrays X and y, or HDF5."},
      {"a cut gzip file", support::gzip_packed(hepmc3_text("E 1 0 1\nU GEV MM\n" + kP1)).substr(0, 90),
       " ends in the middle; it was cut, get it again."},
  };
}

}  // namespace

TEST_CASE("bad texts of events are refused in one line with file, line and rule", "[malformed_event_texts]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("events");
  for (const auto& table : {bad_hepmc3(), bad_hepmc2(), bad_other_events()})
    for (const BadEventText& bad : table) {
      CAPTURE(bad.what);
      write_file(path, bad.text);
      const std::string message = support::refusal_of<DataError>([&] {
        const auto reader = particles::open_particles(path);
        particles::read_all(*reader);
      });
      CHECK(message == path + ":" + bad.message);
    }
}

TEST_CASE("HDF5 that is packed by gzip is told apart from text, with the way out", "[malformed_event_texts]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("jets.h5.gz");
  write_file(path, support::gzip_packed("\x89HDF\r\n\x1A\n and so on"));
  CHECK(particles::looks_like_particles(path));
  CHECK(support::refusal_of<DataError>([&] { particles::open_particles(path); }) ==
        path + ": is HDF5 packed by gzip, which must be unpacked to be read in blocks: gunzip -k " + path);
}

TEST_CASE("a table of four columns is no file of particles, one with decimal commas or with px, py, pz is",
          "[malformed_event_texts]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("table.csv");
  const auto looks = [&](const char* text) {
    write_file(path, text);
    return particles::looks_like_particles(path);
  };
  CHECK_FALSE(looks("a,b,c,d\n1,2,3,4\n"));
  CHECK_FALSE(looks("1,2,3,4\n"));
  CHECK_FALSE(looks("id,time,value,unit\n1,2,3,4\n"));
  CHECK(looks("px,py,pz,E\n1,2,3,4\n"));
  CHECK(looks("1,5;2,25;3,0;4,1\n"));
}

TEST_CASE("ids beyond 2^53 that differ in the last place are two particles", "[malformed_event_texts]") {
  const support::TemporaryFolder folder;
  write_file(folder.file("p.csv"), "particle_id,px,py,pz,q\n9007199254740993,1,0,0,1\n9007199254740992,1,0,0,1\n");
  const auto reader = particles::open_particles(folder.file("p.csv"));
  CHECK(particles::read_all(*reader).particles() == 2);
}

TEST_CASE("angles beyond pi are wrapped and masses negative by rounding are counted", "[malformed_event_texts]") {
  const support::TemporaryFolder folder;
  write_file(folder.file("t.csv"), "run,event,pt,eta,phi,charge\n1,7,2,0,3.1416016,1\n1,7,2,0,3,-1\n");
  const auto tracks = particles::open_particles(folder.file("t.csv"));
  const particles::ParticleSets sets = particles::read_all(*tracks);
  CHECK(tracks->repairs().wrapped_angles == 1);
  CHECK(sets.ids == std::vector<std::int32_t>{211, -211});
  CHECK(particles::phi(particles::momentum_of(sets.momenta, 0)) < 0);
  write_file(folder.file("f.dat"), "3 0 4 4.99999\n3 0 4 5\n");
  const auto event = particles::open_particles(folder.file("f.dat"));
  particles::read_all(*event);
  CHECK(event->repairs().negative_masses == 1);
}
