#include "fovea/domains/particle/tag/jet_files.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/domains/particle/file_keys.hpp"

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

std::vector<JetFile> files_of(const JetSettings& settings) {
  check_jet_files(settings, [](std::string_view, const std::string& sentence) { throw ConfigError(sentence); });
  const auto& [train, labels] = std::tie(settings.train, settings.labels);
  std::vector<JetFile> files;
  for (std::size_t k = 0; k < train.size(); ++k) files.push_back({train[k], labels.empty() ? "" : labels[k], false});
  for (const std::string& path : settings.test) files.push_back({path, "", true});
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

JetFiles::JetFiles(const JetSettings& settings, double validation) : state_(std::make_unique<State>()) {
  state_->files = files_of(settings);
  state_->options = {settings.unit, settings.axis, ""};
  state_->validation = validation;
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

const Keys<JetSettings>& jet_keys() {
  using S = JetSettings;
  static const auto keys =
      Keys<S>()
          .files(kTrainingFiles, &S::train,
                 "files of training jets, in any format that `fovea inspect` reads; none: jets are simulated")
          .files(kTestFiles, &S::test, "files of test jets; none: a part of the training files")
          .key("data.labels", &S::labels,
               "class (0, 1, ...) of all jets of each file of data.train; none: labels are in the files")
          .choice(kEnergyUnit, &S::unit)
          .choice(kAxis, &S::axis)
          .key("data.jets", &S::simulated, Range::between(100, 1e7), "",
               "number of simulated jets, where no file is given");
  return keys;
}

void check_jet_files(const JetSettings& settings, const Complain& complain) {
  const std::size_t labels = settings.labels.size(), files = settings.train.size();
  if (labels > 0 && labels != files)
    complain("data.labels", concat("data.labels has ", labels, " classes for the ", files,
                                   " files of data.train; give one for each, or none."));
}

}  // namespace fovea::particle::tag
