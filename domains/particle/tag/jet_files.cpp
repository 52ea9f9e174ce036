#include "fovea/domains/particle/tag/jet_files.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::particle::tag {

namespace {

using datasets::particles::ParticleReader;
using datasets::particles::ReadOptions;

/// A file of jets, and what its cases are for.
struct JetFile {
  std::string path;
  std::string label;  ///< of all its jets; empty: as the file says
  bool tests = false;
};

std::vector<JetFile> files_of(const Config& config) {
  const std::vector<std::string>& train = config.texts("data.train");
  const std::vector<std::string>& labels = config.texts("data.labels");
  if (!labels.empty() && labels.size() != train.size()) {
    Complaints complaints;
    complaints.add(config.source("data.labels"),
                   concat("data.labels has ", labels.size(), " classes for the ", train.size(),
                          " files of data.train; give one for each, or none."));
    complaints.raise();
  }
  std::vector<JetFile> files;
  for (std::size_t k = 0; k < train.size(); ++k) files.push_back({train[k], labels.empty() ? "" : labels[k], false});
  for (const std::string& path : config.texts("data.test")) files.push_back({path, "", true});
  return files;
}

}  // namespace

struct JetFiles::State {
  std::vector<JetFile> files;
  ReadOptions options;
  double validation = 0;
  bool parted = false;  ///< there are files of the test part
  std::size_t place = 0;
  std::unique_ptr<ParticleReader> reader;
  Index count = 0, of_file = 0;
  std::vector<std::string> notes;  ///< of the files that are read to their ends

  std::vector<std::string> notes_of_reader() const {
    std::vector<std::string> said;
    if (reader)
      for (const std::string& note : reader->facts().notes) said.push_back(concat(reader->facts().path, ": ", note));
    return said;
  }

  void close_file() {
    const std::vector<std::string> said = notes_of_reader();
    notes.insert(notes.end(), said.begin(), said.end());
    reader.reset();
  }

  void open_file() {
    ReadOptions mine = options;
    mine.label = files[place].label;
    reader = datasets::particles::open_particles(files[place].path, mine);
    of_file = 0;
    if (reader->facts().kind != datasets::particles::SetKind::jets)
      throw DataError(concat(files[place].path, ": holds events (", reader->facts().format,
                             ") and no jets; find jets in it with `fovea jets`."));
  }

  JetBlock block_of(datasets::particles::ParticleSets jets) {
    const JetFile& file = files[place];
    JetBlock block{file.path, std::move(jets), of_file, {}, {}};
    for (Index b = 0; b < block.jets.count(); ++b) {
      if (block.jets.size(b) == 0)
        throw DataError(
            concat(file.path, ": jet ", of_file + b, " has no constituents, so it cannot be scored; leave it out."));
      block.ids.push_back(parted ? concat(file.tests ? "test " : "train ", count + b) : concat(count + b));
      if (!parted) continue;
      const bool validates = Random(0).stream("validation").uniform(static_cast<std::uint64_t>(count + b)) < validation;
      block.parts.emplace_back(file.tests ? "test" : validates ? "validation" : "training");
    }
    if (block.jets.labels.empty() && parted) block.jets.labels.assign(block.jets.count(), std::nan(""));
    count += block.jets.count(), of_file += block.jets.count();
    return block;
  }
};

JetFiles::JetFiles(const Config& config) : state_(std::make_unique<State>()) {
  state_->files = files_of(config);
  state_->options = {config.text("data.unit"), config.text("data.axis"), ""};
  state_->validation = config.real("split.validation");
  for (const JetFile& file : state_->files) state_->parted = state_->parted || file.tests;
}

JetFiles::~JetFiles() = default;

JetBlock JetFiles::read(Index most) {
  for (State& state = *state_; state.place < state.files.size(); ++state.place, state.close_file()) {
    if (!state.reader) state.open_file();
    datasets::particles::ParticleSets jets = state.reader->read(most);
    if (jets.count() > 0) return state.block_of(std::move(jets));
  }
  return {};
}

std::vector<std::string> JetFiles::notes() const {
  std::vector<std::string> all = state_->notes;
  const std::vector<std::string> said = state_->notes_of_reader();
  all.insert(all.end(), said.begin(), said.end());
  return all;
}

model::InputOptions inputs_of(const Config& config) {
  const std::string& set = config.text("inputs.set");
  return {set == "standard"     ? model::InputSet::standard
          : set == "directions" ? model::InputSet::directions
                                : model::InputSet::boost_invariant,
          config.flag("inputs.ids")};
}

void declare_jet_files(Schema& schema) {
  schema.files("data.train",
               "files of training jets, in any format that `fovea inspect` reads; none: jets are simulated");
  schema.files("data.test", "files of test jets; none: a part of the training files");
  schema.texts("data.labels", {},
               "class (0, 1, ...) of all jets of each file of data.train; none: labels are in the files");
  schema.choice("data.unit", "", {"", "GeV", "MeV"},
                "unit of energies in the files; empty: as each file or its format states");
  schema.choice("data.axis", "", {"", "eta", "rapidity"}, "coordinate along the beam; empty: as each file states");
  schema.integer("data.jets", 6000, Range::between(100, 1e7), "", "number of simulated jets, where no file is given");
}

void declare_inputs(Schema& schema) {
  schema.choice("inputs.set", "standard", {"standard", "boost invariant", "directions"},
                "inputs of a constituent: the seven of the Particle Transformer, those of them that are invariant "
                "under boosts along the beam, or directions alone");
  schema.flag("inputs.ids", false, "whether the kinds of particles are inputs, too");
}

}  // namespace fovea::particle::tag
