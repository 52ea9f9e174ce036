#include "fovea/domains/ehr/risk/risk_task.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/domains/ehr/model/heads_model.hpp"
#include "fovea/domains/ehr/record/keys.hpp"

namespace fovea::ehr::risk {

void RiskTask::keys(Schema& schema) const {
  record::add_event_keys(schema);
  record::add_simulated_key(schema);
  model::add_model_keys(schema);
}

std::unique_ptr<study::CaseReader> RiskTask::open(const Config& config, const Random& random) const {
  if (record::has_files(config)) return record::open_cases(config);
  return study::reader_of(simulated(config, random));
}

std::unique_ptr<study::StudyModel> RiskTask::model(const Config& config, const study::ModelShape& shape,
                                                   learning::Parameters<float>& parameters,
                                                   const Random& random) const {
  return model::make_heads_model(model::heads_settings(config), shape, parameters, random);
}

study::Cases RiskTask::simulated(const Config& config, const Random& random) const {
  return record::simulated_cases(config, random);
}

void refuse_without_folds(const Config& config, Complaints& complaints, std::string_view experiment) {
  if (config.integer("split.folds") >= 2 || !config.text("data.folds").empty()) return;
  complaints.add(config.source("split.folds"),
                 concat("split.folds = ", config.integer("split.folds"), ", but ", experiment,
                        " asks of every case what models say that did not learn from "
                        "it; set it to 5, or name data.folds."));
}

Random random_of(const study::StudyOutcome& outcome, std::string_view what) {
  return Random(static_cast<std::uint64_t>(outcome.config.seed.value_or(1))).stream(what);
}

}  // namespace fovea::ehr::risk
