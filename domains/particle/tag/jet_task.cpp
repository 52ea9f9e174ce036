#include "fovea/domains/particle/tag/jet_task.hpp"

#include "fovea/domains/particle/model/part_weights.hpp"
#include "fovea/domains/particle/model/tagger_model.hpp"
#include "fovea/domains/particle/tag/jet_files.hpp"

namespace fovea::particle::tag {

namespace {

/// The jets of files as cases.
class CasesOfFiles final : public study::CaseReader {
 public:
  explicit CasesOfFiles(const Config& config) : config_(config), files_(config), inputs_(inputs_of(config)) {}

  study::Cases read(Index most) override {
    const JetBlock block = files_.read(most);
    for (Index b = 0; b < block.jets.count(); ++b)
      model::check_pairs_fit(config_, concat(block.source, ": jet ", block.first + b), block.jets.size(b));
    study::Cases cases = model::cases_of(block.source, block.jets, inputs_, block.first);
    cases.parts = block.parts;
    cases.ids = block.ids;
    return cases;
  }
  std::vector<std::string> notes() const override { return files_.notes(); }

 private:
  Config config_;
  JetFiles files_;
  model::InputOptions inputs_;
};

}  // namespace

void JetTask::keys(Schema& schema) const {
  declare_jet_files(schema);
  declare_inputs(schema);
  model::declare_tagger(schema);
}

void JetTask::check(const Config& config, Complaints& complaints) const { model::check_tagger(config, complaints); }

std::unique_ptr<study::CaseReader> JetTask::open(const Config& config, const Random& random) const {
  if (!config.texts("data.train").empty()) return std::make_unique<CasesOfFiles>(config);
  return study::reader_of(model::cases_of("the simulated jets", made_jets(config, random), inputs_of(config)));
}

std::unique_ptr<study::StudyModel> JetTask::model(const Config& config, const study::ModelShape& shape,
                                                  learning::Parameters<float>& parameters, const Random& random) const {
  return model::make_tagger(config, shape, parameters, random);
}

std::vector<std::string> JetTask::weight_names(const Config& config) const {
  return model::has_names_of_part(config) ? std::vector<std::string>{"part"} : std::vector<std::string>();
}

learning::TensorFile JetTask::named_weights(const std::string&, const Config& config,
                                            const learning::Parameters<float>& parameters) const {
  return model::part_weights(parameters, model::part_sizes(config));
}

study::Target JetTask::target(const Config&) const { return {.name = "label", .classes = {"background", "signal"}}; }

}  // namespace fovea::particle::tag
