/// The experiment "nowcast.made": are known causes of recessions, their delays and their half-lives found again?
///
/// In a simulated economy (datasets/simulated/economies/made_economy.hpp) recessions follow events of three kinds by a
/// known law. The model of nowcast.recession learns from events and labels alone. What it writes: made_report.hpp.

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/cases/preparation.hpp"
#include "fovea/core/study/ensemble/fitting.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/domains/nowcast/experiments.hpp"
#include "fovea/domains/nowcast/made/made_report.hpp"
#include "fovea/domains/nowcast/model/nowcast_model.hpp"

namespace fovea::nowcast::made {

namespace {

/// Of the seed alone, so that the examination sees the economy that taught.
MadeCases cases_of_config(const Config& config, const std::string& hidden = "") {
  return made_cases(made_keys().read(config), Random(config.seed.value_or(1)).stream("economy"), hidden);
}

class MadeTask final : public study::LearnedTask {
 public:
  std::string_view name() const override { return "nowcast.made"; }
  std::string_view summary() const override {
    return "simulated recessions with known causes: delays, half-lives and causes are found again";
  }
  int result_version() const override { return 1; }
  void keys(Schema& schema) const override {
    made_keys().declare(schema);
    nowcast_model_keys().declare(schema, {.penalty = 2, .half_life = 6, .delays = {0, 4, 9}});
  }
  void adjust(study::StudySettings& defaults) const override {
    defaults.fitting.epochs = 300;
    defaults.fitting.patience = 0;
    defaults.fitting.learning_rate = 0.05;
    defaults.fitting.weight_decay = 0;  // the model has a penalty of its own
    defaults.fitting.batch_tokens = 10'000'000;
    defaults.fitting.members = 2;
    defaults.calibration = study::CalibrationMethod::line;
    defaults.explained_cases = 1000;  // months follow each other: few see few events
  }
  void check(const Config& config, Complaints& complaints) const override {
    if (nowcast_model_keys().read(config).delays.empty())
      complaints.add(config.source("model.delays"), "model.delays is empty, but needs one delay or more.");
    if (study::split_keys().read(config).folds > 0)
      complaints.add(config.source("split.folds"),
                     "nowcast.made tests months that taught nothing, so it has one test part; leave split.folds out.");
  }
  std::string refuses_trees(const Config&) const override { return "nowcast.made is about attention alone"; }
  study::Target target(const Config&) const override { return {.name = "recession", .classes = {"no", "yes"}}; }
  bool has_own_model() const override { return true; }
  std::string id_column() const override { return "month"; }
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random&) const override {
    if (const std::string file = made_keys().read(config).file; !file.empty())
      throw DataError(concat(file,
                             ": nowcast.made has simulated months alone, whose causes are known; for months of "
                             "your own use nowcast.recession."));
    return study::reader_of(cases_of_config(config).cases);
  }
  std::unique_ptr<study::StudyModel> model(const Config& config, const study::ModelShape& shape,
                                           learning::Parameters<float>& parameters,
                                           const Random& random) const override {
    return make_nowcast_model(nowcast_model_keys().read(config), shape, parameters, random);
  }
  bool examines_first() const override { return true; }
  Index further_trainings(const Config& config) const override { return study::fitting_keys().read(config).members; }
  /// The same members learn once more where the cause is hidden that another kind follows.
  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    const Config& config = outcome.config;
    const NowcastModelSettings model = nowcast_model_keys().read(config);
    const MadeCases made = cases_of_config(config);
    const std::vector<MadeKind>& kinds = made.economy.settings.kinds;
    const auto follower =
        std::find_if(kinds.begin(), kinds.end(), [](const MadeKind& kind) { return !kind.follows.empty(); });
    const MadeCases hidden = cases_of_config(config, follower->follows);
    const study::Preparation preparation = study::prepare(hidden.cases, outcome.split.training, outcome.target);
    const Matrix<float> inputs = study::prepared(preparation, hidden.cases);
    const Random random = Random(config.seed.value_or(1)).stream("hidden");
    std::vector<study::Member> members =
        study::make_members(*this, config, study::shape_of(preparation, outcome.target), random.stream("members"));
    study::fit_members(members, "hidden: member", outcome.target, preparation, hidden.cases, inputs, outcome.split,
                       study::fitting_keys().read(config), random.stream("training"), outcome.trainings);
    const Asked of_hidden{members, hidden, inputs, model};
    report_made({outcome.model.members, made, outcome.inputs, model}, {follower->follows, follower->name, of_hidden},
                made_keys().read(config).window, outcome, results);
  }
};

}  // namespace

std::unique_ptr<Experiment> make_made() { return study::make_study(std::make_unique<MadeTask>()); }

}  // namespace fovea::nowcast::made
