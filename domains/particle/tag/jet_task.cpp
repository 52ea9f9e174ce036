#include "fovea/domains/particle/tag/jet_task.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/particle/model/jet_inputs.hpp"
#include "fovea/domains/particle/model/tagger_model.hpp"

namespace fovea::particle::tag {

namespace {

using datasets::particles::ParticleReader;
using datasets::particles::ParticleSets;
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

model::InputOptions inputs_of(const Config& config) {
  const std::string& set = config.text("inputs.set");
  return {set == "standard"     ? model::InputSet::standard
          : set == "directions" ? model::InputSet::directions
                                : model::InputSet::boost_invariant,
          config.flag("inputs.ids")};
}

/// The jets of several files, one after the other.
class FilesOfJets final : public study::CaseReader {
 public:
  FilesOfJets(std::vector<JetFile> files, const Config& config)
      : files_(std::move(files)),
        inputs_(inputs_of(config)),
        options_{config.text("data.unit"), config.text("data.axis"), ""},
        validation_(config.real("split.validation")) {
    for (const JetFile& file : files_) parted_ = parted_ || file.tests;
  }

  study::Cases read(Index most) override {
    while (place_ < files_.size()) {
      const JetFile& file = files_[place_];
      if (!reader_) open_file(file);
      const ParticleSets jets = reader_->read(most);
      if (jets.count() > 0) return cases_of_file(file, jets);
      reader_.reset();
      ++place_;
    }
    study::Cases none;
    none.features = model::features_of(inputs_);
    none.values.resize(0, static_cast<Index>(none.features.size()));
    return none;
  }

 private:
  void open_file(const JetFile& file) {
    ReadOptions options = options_;
    options.label = file.label;
    reader_ = datasets::particles::open_particles(file.path, options);
    if (reader_->facts().kind != datasets::particles::SetKind::jets)
      throw DataError(concat(file.path, ": is a file of ", reader_->facts().format,
                             ", which holds events and no jets; find jets in it with `fovea jets`."));
    of_file_ = 0;
  }

  study::Cases cases_of_file(const JetFile& file, const ParticleSets& jets) {
    study::Cases cases = model::cases_of(file.path, jets, inputs_, of_file_);
    for (Index b = 0; b < jets.count(); ++b) {
      if (jets.size(b) == 0)
        throw DataError(concat(file.path, ": jet ", of_file_ + b + 1,
                               " has no constituents, so it cannot be scored; leave it out."));
      if (!parted_) continue;
      const bool validates =
          Random(0).stream("validation").uniform(static_cast<std::uint64_t>(count_ + b)) < validation_;
      cases.parts.emplace_back(file.tests ? "test" : validates ? "validation" : "training");
      cases.ids[static_cast<std::size_t>(b)] = concat(file.tests ? "test " : "train ", count_ + b + 1);
    }
    if (cases.targets.empty() && parted_) cases.targets.assign(static_cast<std::size_t>(jets.count()), std::nan(""));
    count_ += jets.count(), of_file_ += jets.count();
    return cases;
  }

  std::vector<JetFile> files_;
  model::InputOptions inputs_;
  ReadOptions options_;
  double validation_;
  bool parted_ = false;  ///< there are files of the test part
  std::size_t place_ = 0;
  std::unique_ptr<ParticleReader> reader_;
  Index count_ = 0, of_file_ = 0;
};

}  // namespace

void JetTask::keys(Schema& schema) const {
  schema.files("data.train", "files of jets to learn from, as `fovea inspect` knows them; none: jets are simulated");
  schema.files("data.test", "files of jets to examine on; none: a part of the others");
  schema.texts("data.labels", {},
               "of each file of data.train the class of all its jets, 0, 1, ...; none: in the files");
  schema.choice("data.unit", "", {"", "GeV", "MeV"}, "energies of the files; empty: as each file or its format says");
  schema.choice("data.axis", "", {"", "eta", "rapidity"}, "direction along the beam; empty: as each file says");
  schema.integer("data.jets", 6000, Range::between(100, 1e7), "", "simulated jets, where no file is given");
  schema.choice("inputs.set", "standard", {"standard", "boost invariant", "directions"},
                "numbers of a constituent: the seven of the Particle Transformer, those of them that boosts along the "
                "beam leave alone, or directions");
  schema.flag("inputs.ids", false, "whether the kinds of particles are inputs, too");
  model::declare_tagger(schema);
}

void JetTask::check(const Config& config, Complaints& complaints) const { model::check_tagger(config, complaints); }

std::unique_ptr<study::CaseReader> JetTask::open(const Config& config, const Random& random) const {
  if (!config.texts("data.train").empty()) return std::make_unique<FilesOfJets>(files_of(config), config);
  return study::reader_of(model::cases_of("the simulated jets", made_jets(config, random), inputs_of(config)));
}

std::unique_ptr<study::StudyModel> JetTask::model(const Config& config, const study::ModelShape& shape,
                                                  learning::Parameters<float>& parameters, const Random& random) const {
  return model::make_tagger(config, shape, parameters, random);
}

study::Target JetTask::target(const Config&) const { return {.name = "label", .classes = {"background", "signal"}}; }

}  // namespace fovea::particle::tag
