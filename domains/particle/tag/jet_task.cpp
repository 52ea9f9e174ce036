#include "fovea/domains/particle/tag/jet_task.hpp"

#include "fovea/domains/particle/model/tagger_model.hpp"
#include "fovea/domains/particle/tag/jet_files.hpp"

namespace fovea::particle::tag {

namespace {

/// The jets of files as cases.
class CasesOfFiles final : public study::CaseReader {
 public:
  explicit CasesOfFiles(const Config& config) : files_(config), inputs_(inputs_of(config)) {}

  study::Cases read(Index most) override {
    const JetBlock block = files_.read(most);
    study::Cases cases = model::cases_of(block.source, block.jets, inputs_, block.first);
    cases.parts = block.parts;
    cases.ids = block.ids;
    return cases;
  }

 private:
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

study::Target JetTask::target(const Config&) const { return {.name = "label", .classes = {"background", "signal"}}; }

}  // namespace fovea::particle::tag
