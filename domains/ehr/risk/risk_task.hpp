#pragma once
/// What the learned questions about dated events have in common: the keys of the events, an outcome of 0 and 1, the
/// reader, and attention heads as the model. An experiment says what it asks beyond that.

#include <string_view>

#include "fovea/core/study/study.hpp"

namespace fovea::ehr::risk {

class RiskTask : public study::LearnedTask {
 public:
  int result_version() const override { return 1; }
  /// Those of the events, of simulated stays and of the model; an experiment adds its own behind them.
  void keys(Schema& schema) const override;
  std::string data_key() const override { return "data.events"; }
  std::string id_column() const override { return "stay_id"; }
  std::string targets_key() const override { return "data.outcomes"; }
  study::Target target(const Config&) const override { return {.name = "outcome", .classes = {"no", "yes"}}; }
  bool has_own_model() const override { return true; }
  /// The files of data.events, else what simulated() gives.
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override;
  std::unique_ptr<study::StudyModel> model(const Config& config, const study::ModelShape& shape,
                                           learning::Parameters<float>& parameters,
                                           const Random& random) const override;

 protected:
  /// Stays of a ward or records of a cohort, by data.unit (record/keys.hpp).
  virtual study::Cases simulated(const Config& config, const Random& random) const;
};

/// Complains where an experiment that needs every case tested has no folds.
void refuse_without_folds(const Config& config, Complaints& complaints, std::string_view experiment);

/// The examination's own random numbers, of the config's seed.
Random random_of(const study::StudyOutcome& outcome, std::string_view what);

}  // namespace fovea::ehr::risk
