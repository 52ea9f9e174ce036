#pragma once
/// What the learned questions about dated events have in common: the keys of the events, an outcome of 0 and 1, the
/// reader, and attention heads as the model. An experiment says what it asks beyond that.

#include <string>
#include <string_view>

#include "fovea/core/study/study.hpp"

namespace fovea::ehr::risk {

class RiskTask : public study::LearnedTask {
 public:
  int result_version() const override { return 1; }
  /// Those of the events and of the model; an experiment adds its own behind them.
  void keys(Schema& schema) const override;
  /// With what the files say of their times (datasets::events::resolve_by_content()).
  Config resolved(Config config) const override;
  std::string data_key() const override { return "data.events"; }
  std::string id_column() const override { return "stay_id"; }
  std::string targets_key() const override { return "data.outcomes"; }
  study::Target target(const Config&) const override { return {.name = "outcome", .classes = {"no", "yes"}}; }
  bool has_own_model() const override { return true; }
  /// The files of data.events, else simulated stays: of a ward or of a cohort, by data.unit (record/keys.hpp).
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override;
  std::unique_ptr<study::StudyModel> model(const Config& config, const study::ModelShape& shape,
                                           learning::Parameters<float>& parameters,
                                           const Random& random) const override;
};

/// The task of a study of which every case must be tested: five folds unless a config says another number.
class FoldedTask : public RiskTask {
 public:
  void adjust(study::StudySettings& defaults) const override;
};
/// That study: it refuses a config without folds.
class FoldedStudy : public study::Study {
 public:
  using Study::Study;
  void check(const Config& config, Complaints& complaints) const override;
};

/// The random numbers of the config's seed, for what must come out the same wherever a run makes it.
Random random_of_run(const Config& config);
/// The examination's own of them.
Random random_of(const study::StudyOutcome& outcome, std::string_view what);

}  // namespace fovea::ehr::risk
