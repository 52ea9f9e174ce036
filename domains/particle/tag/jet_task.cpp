#include "fovea/domains/particle/tag/jet_task.hpp"

#include "fovea/domains/particle/model/part_weights.hpp"
#include "fovea/domains/particle/model/tagger_model.hpp"
#include "fovea/domains/particle/tag/jet_files.hpp"

namespace fovea::particle::tag {

namespace {

/// The jets of files as cases.
class CasesOfFiles final : public study::CaseReader {
 public:
  CasesOfFiles(Config config, const std::vector<std::string>& classes)
      : config_(std::move(config)),
        files_(jet_keys().read(config_), config_.real("split.validation"), true, classes),
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
}

void JetTask::check(const Config& config, Complaints& complaints) const {
  const Complain complain = complain_about(config, complaints);
  model::check_tagger(model::tagger_keys().read(config), model::input_keys().read(config), complain);
  check_jet_files(jet_keys().read(config), complain);
}

std::string JetTask::refuses_trees(const Config& config) const {
  const model::TaggerSettings settings = model::tagger_keys().read(config);
  if (settings.decorrelation > 0) return "trees would see the mass that training.decorrelation hides";
  if (settings.weighted_keys) return "trees see single soft constituents, which model.weighted_keys keeps out";
  return "";
}

std::unique_ptr<study::CaseReader> JetTask::open(const Config& config, const Random& random) const {
  if (!jet_keys().read(config).train.empty()) return std::make_unique<CasesOfFiles>(config, classes_);
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
