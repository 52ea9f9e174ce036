#include "fovea/domains/particle/tag/jet_task.hpp"

#include <set>

#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/domains/particle/model/part_weights.hpp"
#include "fovea/domains/particle/model/tagger_model.hpp"
#include "fovea/domains/particle/tag/jet_files.hpp"

namespace fovea::particle::tag {

namespace {

constexpr const char* kClasses = "data.classes";

struct ClassNames {
  std::vector<std::string> names;
};

const Keys<ClassNames>& class_keys() {
  static const auto keys =
      Keys<ClassNames>()
          .key(kClasses, &ClassNames::names,
               "names of the labels 0, 1, ... of data.train; none: as the files say where they have more than two")
          .added_later();
  return keys;
}

/// What a file calls its labels, or their numbers where data.labels gives them.
std::vector<std::string> classes_in(const JetSettings& settings) {
  if (settings.labels.empty())
    return datasets::particles::open_particles(settings.train.front(), {settings.unit, settings.axis, ""})
        ->facts()
        .classes;
  const std::set<std::string> labels(settings.labels.begin(), settings.labels.end());
  std::vector<std::string> names;
  while (labels.contains(std::to_string(names.size()))) names.push_back(std::to_string(names.size()));
  return names;
}

/// Labels are of the files that were learned from, of which a model's config has none: a new file has its own.
JetSettings settings_of_files(const Config& config) {
  JetSettings settings = jet_keys().read(config);
  if (settings.labels.size() != settings.train.size()) settings.labels.clear();
  return settings;
}

/// The jets of files as cases.
class CasesOfFiles final : public study::CaseReader {
 public:
  CasesOfFiles(Config config, const std::vector<std::string>& classes)
      : config_(std::move(config)),
        files_(settings_of_files(config_), config_.real("split.validation"), true, classes),
        inputs_(model::input_keys().read(config_)) {}

  study::Cases read(Index most) override {
    const JetBlock block = files_.read(most);
    for (Index b = 0; b < block.jets.count(); ++b)
      if (block.jets.size(b) > model::kAlwaysFit)  // else the keys of the model are none of this reader's
        model::check_pairs_fit(model::tagger_keys().read(config_), concat(block.source, ": jet ", block.first + b),
                               block.jets.size(b));
    study::Cases cases = model::cases_of(block.source, block.jets, inputs_, block.first);
    cases.parts = block.parts;
    cases.ids = block.ids;
    return cases;
  }
  study::Reading reading() const override { return files_.reading(); }

 private:
  Config config_;
  JetFiles files_;
  model::InputOptions inputs_;
};

}  // namespace

void JetTask::keys(Schema& schema) const {
  jet_keys().declare(schema);
  model::input_keys().declare(schema);
  model::tagger_keys().declare(schema);
  if (several_) class_keys().declare(schema);
}

Config JetTask::resolved(Config config) const {
  const JetSettings settings = jet_keys().read(config);
  if (!several_ || settings.train.empty() || !class_keys().read(config).names.empty()) return config;
  if (std::vector<std::string> names = classes_in(settings); names.size() > 2)
    config.set(kClasses, std::move(names), {settings.train.front(), 0, 0});
  Complaints complaints;
  study::check_study(*this, config, complaints);
  complaints.raise();
  return config;
}

study::Target JetTask::target(const Config& config) const {
  const std::vector<std::string> names = several_ ? class_keys().read(config).names : std::vector<std::string>{};
  if (names.size() > 2) return {.kind = study::TargetKind::classes, .name = "label", .classes = names};
  return {.name = "label", .classes = names.size() == 2 ? names : classes_};
}

void JetTask::check(const Config& config, Complaints& complaints) const {
  const Complain complain = complain_about(config, complaints);
  model::check_tagger(model::tagger_keys().read(config), model::input_keys().read(config), complain);
  check_jet_files(jet_keys().read(config), complain);
  if (!several_) return;
  const std::vector<std::string> names = class_keys().read(config).names;
  if (names.size() == 1) complain(kClasses, "data.classes has one name; two or more are needed, or none.");
  if (names.size() > 2 && model::tagger_keys().read(config).decorrelation > 0)
    complain("training.decorrelation", "training.decorrelation is for two classes; use 0.");
}

std::string JetTask::refuses_trees(const Config& config) const {
  const model::TaggerSettings settings = model::tagger_keys().read(config);
  if (settings.decorrelation > 0) return "trees would see the mass that training.decorrelation hides";
  if (settings.weighted_keys) return "trees see single soft constituents, which model.weighted_keys keeps out";
  return "";
}

std::unique_ptr<study::CaseReader> JetTask::open(const Config& config, const Random& random) const {
  if (!jet_keys().read(config).train.empty()) return std::make_unique<CasesOfFiles>(config, target(config).classes);
  if (target(config).kind == study::TargetKind::classes || !jet_keys().read(config).labels.empty())
    throw ConfigError("data.classes and data.labels are of files, but data.train is empty.");
  study::Cases cases =
      model::cases_of("the simulated jets", made_jets(config, random), model::input_keys().read(config));
  cases.reading.noun = "jet", cases.reading.token = "particle";
  return study::reader_of(std::move(cases));
}

std::unique_ptr<study::StudyModel> JetTask::model(const Config& config, const study::ModelShape& shape,
                                                  learning::Parameters<float>& parameters, const Random& random) const {
  return model::make_tagger(model::tagger_keys().read(config), shape, parameters, random);
}

std::vector<std::string> JetTask::weight_names(const Config& config) const {
  return std::vector<std::string>(model::tagger_keys().read(config).has_names_of_part() ? 1 : 0, "part");
}

learning::TensorFile JetTask::named_weights(const std::string&, const Config& config,
                                            const learning::Parameters<float>& parameters) const {
  return model::part_weights(parameters, model::part_sizes(model::tagger_keys().read(config)));
}

}  // namespace fovea::particle::tag
