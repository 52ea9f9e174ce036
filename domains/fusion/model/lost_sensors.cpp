#include "fovea/domains/fusion/model/lost_sensors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/learning/training/ensemble.hpp"
#include "fovea/core/statistics/agreement/confusion.hpp"
#include "fovea/core/statistics/calibration.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::model {

namespace {

using study::Cases;
using study::StudyOutcome;

constexpr Index kTokensAtATime = 8192;
constexpr Index kBins = 15;

/// What the ensemble of one model says of some cases.
void answer(const StudyOutcome& outcome, const study::Preparation& preparation,
            const std::vector<study::Member>& members, const study::Calibration& calibration, const Cases& cases,
            const std::vector<Index>& items, SensorAnswers& answers) {
  const Matrix<float> inputs = study::prepared(preparation, cases);
  std::vector<Matrix<double>> outputs;
  for (const study::Member& member : members)
    outputs.push_back(study::outputs_of(member, outcome.target, cases, inputs, items, kTokensAtATime));
  const study::Predictions said =
      study::combined(outcome.target, outputs, calibration, preparation.target_mean, preparation.target_deviation);
  const Matrix<double> trust = study::sides_of(members, cases, inputs, items, kTokensAtATime);
  for (std::size_t k = 0; k < items.size(); ++k) {
    answers.probabilities.row(items[k]) = said.mean.row(static_cast<Index>(k));
    answers.trust.row(items[k]) = trust.row(static_cast<Index>(k));
  }
}

/// Tested cases whose class is known, and which have a token left.
std::vector<Index> known_items(const StudyOutcome& outcome, const Cases& cases) {
  std::vector<Index> items;
  for (const Index item : outcome.split.test)
    if (!std::isnan(cases.targets[item]) && cases.size(item) > 0) items.push_back(item);
  return items;
}

struct Quality {
  std::vector<double> accuracy, low, high, mean_iou, macro_f1, calibration_error;
  void add_nothing() {
    for (std::vector<double>* all : {&accuracy, &low, &high, &mean_iou, &macro_f1, &calibration_error})
      all->push_back(kNan);
  }
  /// groups: of each case, drawn together by the bootstrap.
  void add(const Matrix<double>& probabilities, const std::vector<Index>& truth, const std::vector<Index>& groups,
           const Random& random) {
    std::vector<Index> predicted(truth.size());
    for (Index i = 0; i < probabilities.rows(); ++i) probabilities.row(i).maxCoeff(&predicted[i]);
    const Confusion found = confusion(truth, predicted, probabilities.cols());
    accuracy.push_back(found.accuracy());
    const BootstrapInterval interval = confusion_interval(
        confusions_of_groups(truth, predicted, probabilities.cols(), groups), &Confusion::accuracy, random);
    low.push_back(interval.low), high.push_back(interval.high);
    mean_iou.push_back(found.mean_intersection());
    macro_f1.push_back(found.macro_f1());
    calibration_error.push_back(model::calibration_error(probabilities, truth));
  }
};

/// Mean, and the range of nine tenths of the cases, of the trust in S2 by true class.
void add_trust(const StudyOutcome& outcome, const Matrix<double>& trust, const std::vector<Index>& items,
               Results& results) {
  std::vector<std::vector<double>> of_class(outcome.target.classes.size());
  double all = 0;
  for (const Index item : items) {
    of_class[static_cast<std::size_t>(outcome.cases.targets[static_cast<std::size_t>(item)])].push_back(trust(item, 1));
    all += trust(item, 1);
  }
  std::vector<double> mean, low, high;
  for (std::vector<double>& values : of_class) {
    std::sort(values.begin(), values.end());
    mean.push_back(values.empty()
                       ? kNan
                       : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()));
    low.push_back(values.empty() ? kNan : sorted_quantile(values, 0.05));
    high.push_back(values.empty() ? kNan : sorted_quantile(values, 0.95));
  }
  results.coordinate("class", outcome.target.classes, "", "true class");
  results.add("trust_by_class", {"class"}, mean, "1", "mean trust in S2; the rest is trust in S1");
  results.add("trust_by_class_low", {"class"}, low, "1", "nine tenths of the cases");
  results.add("trust_by_class_high", {"class"}, high, "1", "upper end of nine tenths");
  results.scalar("trust_s2", all / static_cast<double>(items.size()), "1", "mean trust in S2");
  results.figure(
      {.kind = "intervals",
       .name = "trust_by_class",
       .title = "Whom the arbiter trusts",
       .caption = "Trust in S2 over the tested cases of each class: mean, and the range of nine tenths of the cases. "
                  "It is 0 where S2 shows nothing, and 1 where S1 does not. The rest is trust in S1.",
       .variables = {"trust_by_class"},
       .x = "class",
       .band_low = "trust_by_class_low",
       .band_high = "trust_by_class_high",
       .value_label = "trust in S2"});
}

}  // namespace

SensorAnswers answers_of(const StudyOutcome& outcome, const Cases& cases) {
  SensorAnswers answers{Matrix<double>::Zero(cases.count(), outcome.target.outputs()),
                        Matrix<double>::Zero(cases.count(), kSensors)};
  if (outcome.folds == nullptr)
    answer(outcome, outcome.model.preparation, outcome.model.members, outcome.model.calibration, cases,
           outcome.split.test, answers);
  else
    for (const study::FoldModel& fold : outcome.folds->models)
      answer(outcome, fold.preparation, fold.members, fold.calibration, cases, fold.split.test, answers);
  return answers;
}

double calibration_error(const Matrix<double>& probabilities, const std::vector<Index>& truth) {
  std::vector<double> confidence(kBins, 0), hits(kBins, 0);
  for (Index i = 0; i < probabilities.rows(); ++i) {
    Index best = 0;
    const double sure = probabilities.row(i).maxCoeff(&best);
    const auto bin = std::min<std::size_t>(kBins - 1, static_cast<std::size_t>(sure * kBins));
    confidence[bin] += sure, hits[bin] += best == truth[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  double sum = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) sum += std::abs(hits[bin] - confidence[bin]);
  return sum / static_cast<double>(truth.size());
}

Cases without_sensor(const Cases& cases, Index sensor) {
  if (sensor < 0) return cases;
  Cases left = cases;
  left.kinds.clear(), left.times.clear(), left.offsets.assign(1, 0);
  std::vector<Index> rows;
  for (Index item = 0; item < cases.count(); ++item) {
    for (Index i = cases.offsets[item]; i < cases.offsets[item + 1]; ++i)
      if (cases.kinds[i] != sensor) rows.push_back(i);
    left.offsets.push_back(static_cast<Index>(rows.size()));
  }
  left.values.resize(static_cast<Index>(rows.size()), cases.values.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::size_t row = rows[k];
    left.values.row(static_cast<Index>(k)) = cases.values.row(rows[k]);
    left.kinds.push_back(cases.kinds[row]);
    if (!cases.times.empty()) left.times.push_back(cases.times[row]);
  }
  return left;
}

void examine_sensors(const StudyOutcome& outcome, Results& results) {
  require(outcome.target.rule().named(), "examine_sensors: targets must be classes.");
  const std::vector<std::string> names{"both", "s2 lost", "s1 lost"};
  const std::vector<Index> lost{-1, 1, 0};
  Quality quality;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Cases cases = without_sensor(outcome.cases, lost[k]);
    const std::vector<Index> items = known_items(outcome, cases);
    if (items.empty()) {
      results.note(concat("No tested case of a known class is left with ", names[k], "."));
      quality.add_nothing();
      continue;
    }
    const SensorAnswers said = answers_of(outcome, cases);
    Matrix<double> rows(static_cast<Index>(items.size()), outcome.target.outputs());
    std::vector<Index> truth, groups;
    const std::vector<Index> group_of_case = study::group_numbers(cases);
    for (std::size_t i = 0; i < items.size(); ++i) {
      groups.push_back(group_of_case[items[i]]);
      rows.row(static_cast<Index>(i)) = said.probabilities.row(items[i]);
      truth.push_back(static_cast<Index>(cases.targets[items[i]]));
    }
    quality.add(rows, truth, groups, Random(outcome.config.seed.value_or(1)).stream("bootstrap of accuracy"));
    if (k == 0) {
      results.scalar("cases_known", static_cast<double>(items.size()), "1", "tested cases whose class is known");
      add_trust(outcome, said.trust, items, results);
    }
    if (k > 0) {
      double worst = 0;
      for (const Index item : items) worst = std::max(worst, said.trust(item, lost[k]));
      results.check({concat("trust_in_lost_", kSensorNames[lost[k]]),
                     concat("largest trust in ", kSensorNames[lost[k]], " where it is lost"),
                     "a sensor without tokens is no key", 0, worst, absolute(0)});
    }
  }
  results.coordinate("sensors", names, "", "what the model is given");
  results.add("sensors_accuracy", {"sensors"}, quality.accuracy, "1", "overall accuracy");
  results.add("sensors_mean_iou", {"sensors"}, quality.mean_iou, "1", "mean intersection over union");
  results.add("sensors_macro_f1", {"sensors"}, quality.macro_f1, "1", "macro F1");
  results.add("sensors_calibration_error", {"sensors"}, quality.calibration_error, "1", "expected calibration error");
  results.add("sensors_accuracy_low", {"sensors"}, quality.low, "1", "95 % bootstrap interval");
  results.add("sensors_accuracy_high", {"sensors"}, quality.high, "1", "95 % bootstrap interval");
  results.figure({.kind = "intervals",
                  .name = "sensors_lost",
                  .title = "When a sensor is lost",
                  .caption = "Overall accuracy of one and the same model on the tested cases: with both sensors, and "
                             "with one of them taken away. Intervals: 95 %, bootstrap over cases, or over their groups "
                             "where they have some.",
                  .variables = {"sensors_accuracy"},
                  .x = "sensors",
                  .band_low = "sensors_accuracy_low",
                  .band_high = "sensors_accuracy_high",
                  .value_label = "overall accuracy"});
}

}  // namespace fovea::fusion::model
