#include "fovea/domains/ehr/risk/risk_task.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/cases/split_settings.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/domains/ehr/model/heads_model.hpp"
#include "fovea/domains/ehr/record/keys.hpp"

namespace fovea::ehr::risk {

void RiskTask::keys(Schema& schema) const {
  record::event_keys().declare(schema);
  model::heads_model_keys().declare(schema);
}

Config RiskTask::resolved(Config config) const {
  record::EventSettings events = record::event_keys().read(config);
  if (events.files.empty()) return config;
  const datasets::events::EventOptions given = events;
  datasets::events::resolve_by_content(events.files, events);
  if (events.origin != given.origin) config.set("data.origin", events.origin, config.source("data.events"));
  if (events.at_column != given.at_column) config.set("data.at_column", events.at_column, config.source("data.events"));
  return config;
}

std::unique_ptr<study::CaseReader> RiskTask::open(const Config& config, const Random& random) const {
  const record::EventSettings events = record::event_keys().read(config);
  if (!events.files.empty()) return record::open_cases(events);
  return study::reader_of(record::simulated_cases(events, random));
}

std::unique_ptr<study::StudyModel> RiskTask::model(const Config& config, const study::ModelShape& shape,
                                                   learning::Parameters<float>& parameters,
                                                   const Random& random) const {
  return model::make_heads_model(model::heads_model_keys().read(config), shape, parameters, random);
}

void FoldedTask::adjust(study::StudySettings& defaults) const { defaults.split.folds = 5; }

void FoldedStudy::check(const Config& config, Complaints& complaints) const {
  Study::check(config, complaints);
  const Index folds = study::split_keys().read(config).folds;
  if (folds >= 2 || !record::event_keys().read(config).folds.empty()) return;
  complaints.add(config.source("split.folds"), concat("split.folds = ", folds, ", but ", name(),
                                                      " asks of every case what models say that did not learn from "
                                                      "it; set it to 5, or name data.folds."));
}

Random random_of_run(const Config& config) { return Random(config.seed.value_or(1)); }

Random random_of(const study::StudyOutcome& outcome, std::string_view what) {
  return random_of_run(outcome.config).stream(what);
}

}  // namespace fovea::ehr::risk
