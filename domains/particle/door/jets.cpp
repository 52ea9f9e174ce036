#include "fovea/domains/particle/door/jets.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/particles/ragged_file.hpp"
#include "fovea/domains/particle/clustering/clustering.hpp"
#include "fovea/domains/particle/file_keys.hpp"

namespace fovea::particle::door {

namespace {

namespace particles = datasets::particles;
using clustering::Algorithm;
using clustering::Jet;
using particles::Momentum;
using particles::ParticleSets;

constexpr Index kEventsAtOnce = 16;

/// What the options ask for.
struct JetQuestion {
  std::string file, output;
  clustering::JetDefinition definition;
  double least_pt = 5, most_eta = std::numeric_limits<double>::infinity();
  particles::ReadOptions reading;
};

Algorithm algorithm_of(const std::string& name) {
  if (name == "antikt") return Algorithm::antikt;
  if (name == "kt") return Algorithm::kt;
  if (name == "cambridge") return Algorithm::cambridge;
  throw UsageError(concat("--algorithm ", name, ": must be antikt, kt or cambridge."));
}

JetQuestion question_of(const Arguments& arguments) {
  JetQuestion question;
  question.file = arguments.positional[0];
  question.output = arguments.text("output", "");
  question.definition = {algorithm_of(arguments.text("algorithm", "antikt")), arguments.real("radius", 0, 0.4)};
  if (!(question.definition.radius > 0) || question.definition.radius > 1.5)
    throw UsageError(concat("--radius ", arguments.text("radius", ""), ": must be above 0 and at most 1.5."));
  question.least_pt = arguments.real("pt-min", 0, question.least_pt);
  question.most_eta = arguments.real("eta-max", 0, question.most_eta);
  question.reading.unit = arguments.text("unit", "");
  if (!question.reading.unit.empty() && question.reading.unit != "GeV" && question.reading.unit != "MeV")
    throw UsageError(concat("--unit ", question.reading.unit, ": must be GeV or MeV."));
  question.reading.leave_out_bad = leaves_out_bad(arguments);
  return question;
}

/// In single precision, which has more digits than any detector: the fewest that give it back.
std::string shortest(double value) { return exact_text(static_cast<float>(value)); }

std::string jet_row(std::int64_t event, std::size_t rank, const Jet& jet) {
  return concat(event, ',', rank, ',', shortest(particles::pt(jet.momentum)), ',',
                shortest(particles::rapidity(jet.momentum)), ',', shortest(particles::phi(jet.momentum)), ',',
                shortest(particles::mass(jet.momentum)), ',', jet.constituents.size(), '\n');
}

/// What came of a file, for the last sentence.
struct JetCounts {
  std::int64_t events = 0, jets = 0, without = 0;
};

/// Calls take(event, jets) for each event, whose number counts from 0.
template <typename Take>
JetCounts for_each_event(particles::ParticleReader& reader, const JetQuestion& question, const Take& take) {
  JetCounts counts;
  for (ParticleSets block = reader.read(kEventsAtOnce); block.count() > 0; block = reader.read(kEventsAtOnce))
    for (Index set = 0; set < block.count(); ++set) {
      if (process_stop_flag().load() != 0)
        throw Interrupted(concat("stopped before the last event",
                                 question.output.empty() ? "." : "; " + question.output + " was not written."));
      std::vector<Jet> jets = clustering::find_jets(block.momenta, block.offsets[set], block.offsets[set + 1],
                                                    question.definition, question.least_pt);
      std::erase_if(jets, [&](const Jet& jet) {
        return !(std::abs(particles::pseudorapidity(jet.momentum)) <= question.most_eta);
      });
      take(block, set, counts.events, jets);
      ++counts.events;
      counts.jets += static_cast<std::int64_t>(jets.size());
      counts.without += jets.empty() ? 1 : 0;
    }
  return counts;
}

/// The jets of events as sets of their own, each by falling pT of its constituents.
class JetSets {
 public:
  void add(const ParticleSets& events, Index set, std::int64_t event, const std::vector<Jet>& jets) {
    for (const Jet& jet : jets) {
      std::vector<Index> rows = jet.constituents;
      const auto pt_of = [&](Index row) { return particles::pt(particles::momentum_of(events.momenta, row)); };
      std::stable_sort(rows.begin(), rows.end(), [&](Index a, Index b) { return pt_of(a) > pt_of(b); });
      for (const Index row : rows) {
        for (Index k = 0; k < 4; ++k) momenta_.push_back(events.momenta(row, k));
        if (!events.ids.empty()) sets_.ids.push_back(events.ids[row]);
        if (!events.sub_events.empty()) sets_.sub_events.push_back(events.sub_events[row]);
      }
      sets_.offsets.push_back(static_cast<Index>(momenta_.size() / 4));
      sets_.numbers.push_back(event);
      if (!events.labels.empty()) sets_.labels.push_back(events.labels[set]);
      const Momentum& p = jet.momentum;
      jet_momenta_.insert(jet_momenta_.end(), {p.px, p.py, p.pz, p.energy});
    }
  }
  Index count() const { return sets_.count(); }
  /// What was added since.
  ParticleSets take() {
    const auto rows = [](const std::vector<double>& values) -> Matrix<double> {
      return Eigen::Map<const Matrix<double>>(values.data(), static_cast<Index>(values.size() / 4), 4);
    };
    ParticleSets taken = std::move(sets_);
    taken.momenta = rows(momenta_);
    taken.jet_momenta = rows(jet_momenta_);
    *this = JetSets();
    return taken;
  }

 private:
  ParticleSets sets_;
  std::vector<double> momenta_, jet_momenta_;
};

/// The facts of the jets of a file of events.
particles::FileFacts facts_of_jets(const particles::FileFacts& events) {
  particles::FileFacts facts;
  facts.kind = particles::SetKind::jets;
  facts.axis = particles::AxisKind::rapidity;
  facts.classes = events.classes;
  facts.ids = events.ids;
  facts.sub_events = events.sub_events;
  facts.jet_momenta = true;
  return facts;
}

JetCounts write_jets_file(particles::ParticleReader& reader, const JetQuestion& question, const std::string& command) {
  constexpr Index kJetsAtOnce = 512;
  particles::RaggedWriter writer(question.output, facts_of_jets(reader.facts()), command);
  JetSets jets;
  const JetCounts counts = for_each_event(
      reader, question, [&](const ParticleSets& events, Index set, std::int64_t event, const std::vector<Jet>& found) {
        jets.add(events, set, event, found);
        if (jets.count() >= kJetsAtOnce) writer.append(jets.take());
      });
  if (counts.jets == 0)
    throw DataError(concat(question.file, ": has no jet of pT >= ", question.least_pt,
                           " GeV, so that there is nothing to write; lower --pt-min."));
  if (jets.count() > 0) writer.append(jets.take());
  writer.finish();
  return counts;
}

JetCounts write_jets_rows(particles::ParticleReader& reader, const JetQuestion& question, RowSink& rows) {
  std::string text = "event,rank,pt,rap,phi,mass,constituents\n";  // goes out with the first rows
  const JetCounts counts = for_each_event(
      reader, question, [&](const ParticleSets&, Index, std::int64_t event, const std::vector<Jet>& jets) {
        for (std::size_t rank = 0; rank < jets.size(); ++rank) text += jet_row(event, rank, jets[rank]);
        if (text.size() > 65536) rows.write(std::exchange(text, std::string()));
      });
  rows.write(text);
  return counts;
}

std::string repairs_sentence(const particles::Repairs& repairs) {
  std::string text;
  const auto add = [&](Index count, const char* what) {
    if (count > 0) text += concat(text.empty() ? "" : ", ", count, ' ', what);
  };
  add(repairs.not_final, "not final");
  add(repairs.invisible, "neutrinos");
  add(repairs.without_transverse, "without transverse momentum");
  return text.empty() ? "" : concat("particles left out: ", text);
}

void say_what_came(const particles::ParticleReader& reader, const JetCounts& counts, Narrator& narrator) {
  if (reader.facts().kind == particles::SetKind::jets)
    narrator.say(concat(reader.facts().path, ": holds jets already (", reader.facts().format,
                        "); the constituents of each were clustered as an event of its own"));
  for (const std::string& note : reader.facts().notes) narrator.say(concat(reader.facts().path, ": ", note));
  narrator.say(concat(counted(counts.jets, "jet"), " in ", counted(counts.events, "event"),
                      counts.without > 0 ? concat(", ", counts.without, " of them without a jet") : ""));
  if (const std::string left_out = repairs_sentence(reader.repairs()); !left_out.empty()) narrator.say(left_out);
  if (const particles::Repairs& repairs = reader.repairs(); repairs.bad_sets > 0) {
    narrator.say(concat(counted(repairs.bad_sets, "event"), " left out that could not be read:"));
    for (const std::string& place : repairs.bad_places) narrator.say("  " + place);
  }
}

void check_files(const JetQuestion& question) {
  std::error_code error;
  if (!std::filesystem::exists(question.file, error))
    throw DataError(concat(question.file, ": there is no such file; name a file of events."));
  if (!question.output.empty() && std::filesystem::equivalent(question.output, question.file, error))
    throw UsageError(concat("--output ", question.output, " is the file of events itself; give another name."));
}

bool stream(const Arguments& arguments, RowSink& rows, Narrator& narrator) {
  const JetQuestion question = question_of(arguments);
  check_files(question);
  if (!clustering::has_fastjet()) throw DataError("jets: " + clustering::missing_fastjet());
  std::unique_ptr<particles::ParticleReader> reader;
  const JetCounts counts = particles::with_way_out("--bad \"leave out\"", [&] {
    reader = particles::open_particles(question.file, question.reading);
    return question.output.ends_with(".h5") ? write_jets_file(*reader, question, arguments.command_line)
                                            : write_jets_rows(*reader, question, rows);
  });
  say_what_came(*reader, counts, narrator);
  return true;
}

}  // namespace

Door jets() {
  Door door;
  door.name = "jets";
  door.summary = "find the jets in the events of a file: anti-kt, kt, Cambridge/Aachen";
  door.operands = "FILE";
  door.fewest = door.most = 1;
  door.examples = {"fovea jets events.hepmc.gz --radius 0.8 -o jets.h5",
                   "fovea jets events.dat --algorithm cambridge --pt-min 20 --eta-max 2.5"};
  door.options = {{"algorithm", 0, "NAME", "antikt, kt or cambridge (default: antikt)", false},
                  {"radius", 'R', "R", "radius of a jet (default: 0.4)", false},
                  {"pt-min", 0, "GEV", "least pT of a jet (default: 5)", false},
                  {"eta-max", 0, "ETA", "largest |eta| of a jet (default: any)", false},
                  {"unit", 0, "UNIT", "GeV or MeV, where the file does not state it or states it wrongly", false},
                  kBadOption,
                  {"output", 'o', "FILE",
                   "a file of rows, or with .h5 of the jets and their constituents (default: stdout)", false}};
  door.details =
      "FILE has events: HepMC 2 or 3 ASCII, FastJet's px py pz E, LHE, CSV of an event display, HDF5; text also as "
      ".gz.\n"
      "Rows: event,rank,pt,rap,phi,mass,constituents. Events count from 0 as they stand in the file, jets from 0 by\n"
      "falling pT; phi is in [-pi, pi], energies are in GeV, numbers in single precision. Events are read one after "
      "the\n"
      "other: memory does not grow.\n"
      "FILE.h5 is ragged HDF5 of jets with their constituents, ready for 'fovea inspect' and 'fovea predict'; number "
      "is the\n"
      "event. A file is there only when it is whole.\n"
      "Jets are found by FastJet (Cacciari, Salam, Soyez 2012), which is GPL: see 'fovea doctor'.";
  door.stream = &stream;
  return door;
}

}  // namespace fovea::particle::door
