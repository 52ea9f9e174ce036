#include "fovea/domains/nowcast/examine/future_check.hpp"

#include <algorithm>
#include <bit>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/core/study/trained/study_keys.hpp"

namespace fovea::nowcast {

namespace {

constexpr Index kTokensAtATime = 8192;  // as in folds: sums of floats keep their order

/// What the members of a block say after all that is known later has become noise.
struct Relearned {
  std::vector<Index> tested;
  study::Predictions predictions;
};

Relearned relearned(const study::LearnedTask& task, const study::StudyOutcome& outcome,
                    const RecessionSettings& settings, Index after, Index block) {
  RecessionSettings noisy = settings;
  noisy.series.noise_after = after;
  const study::Cases cases = economy_cases(noisy, FoldsBy::time);
  require(cases.ids == outcome.cases.ids, "check_future: noise changed which months are cases.");
  const Random random(outcome.config.seed.value_or(1));
  const study::FoldPlan plan = study::plan_folds("noise", cases, outcome.target,
                                                 study::split_keys().read(outcome.config), random.stream("split"));
  const study::Split& split = plan.splits[block];
  const study::Preparation preparation = prepare(cases, split.training, outcome.target);
  const Matrix<float> inputs = prepared(preparation, cases);
  const std::string name = concat("fold_", block + 1);
  auto members =
      make_members(task, outcome.config, shape_of(preparation, outcome.target), random.stream("start of " + name));
  const auto bench = plain_workbench();  // nothing is kept of these trainings
  learning::TrainingSeries series(*bench, std::ssize(members));
  fit_members(members, name + "_member", outcome.target, preparation, cases, inputs, split,
              study::fitting_keys().read(outcome.config), random.stream("training"), series);
  std::vector<Matrix<double>> earlier, tested;
  for (std::size_t m = 0; m < members.size(); ++m) {
    Matrix<double> known = outcome.folds->outputs[m];
    for (Index item = 0; item < cases.count(); ++item)
      if (month_of(cases.ends[item]) > after) known(item, 0) = random.normal(static_cast<std::uint64_t>(item));
    earlier.push_back(study::rows_of(known, split.calibration));
    tested.push_back(outputs_of(members[m], outcome.target, cases, inputs, split.test, kTokensAtATime));
  }
  study::Calibration calibration;
  if (outcome.folds->models[block].fitted_on_others)
    calibration = calibrated(outcome.target, earlier, targets_of(cases, outcome.target, split.calibration),
                             study::study_keys().read(outcome.config).calibration, 0, 1);
  return {split.test, combined(outcome.target, tested, calibration, 0, 1)};
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

FutureCheck check_future(const study::LearnedTask& task, const study::StudyOutcome& outcome, const ScoredMonths& scored,
                         const RecessionSettings& settings, Index months) {
  const Random random = Random(settings.seed).stream("months drawn");
  FutureCheck found;
  for (Index k = 0; k < months && scored.count() > 0; ++k) {
    const auto at =
        static_cast<Index>(random.uniform(static_cast<std::uint64_t>(k)) * static_cast<double>(scored.count()));
    const Index after = scored.months[at];
    const Relearned again = relearned(task, outcome, settings, after, outcome.folds->fold_of_case[scored.items[at]]);
    ++found.drawn;
    for (std::size_t r = 0; r < again.tested.size(); ++r) {
      const Index item = again.tested[r];
      if (month_of(outcome.cases.ends[item]) > after) continue;
      ++found.compared;
      if (!same_bits(again.predictions.mean(static_cast<Index>(r), 0), outcome.predictions.mean(item, 0)))
        ++found.changed;
    }
  }
  return found;
}

}  // namespace fovea::nowcast
