#include "fovea/domains/fusion/model/lost_sensors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/learning/training/ensemble.hpp"
#include "fovea/core/statistics/agreement/confusion.hpp"
#include "fovea/core/statistics/calibration.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/domains/fusion/model/sensor_findings.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::model {

namespace {

using study::Cases;
using study::StudyOutcome;

constexpr Index kTokensAtATime = 8192;
constexpr Index kBins = 15;

/// What the ensemble of one model says of some cases.
void answer(const StudyOutcome& outcome, const study::Preparation& preparation,
            const std::vector<study::Member>& members, const std::optional<study::Companion>& trees,
            const study::Calibration& calibration, const Cases& cases, const std::vector<Index>& items,
            SensorAnswers& answers) {
  const Matrix<float> inputs = study::prepared(preparation, cases);
  std::vector<Matrix<double>> outputs;
  for (const study::Member& member : members)
    outputs.push_back(study::outputs_of(member, outcome.target, cases, inputs, items, kTokensAtATime));
  if (trees) study::mix(outputs, study::outputs_of(*trees, outcome.target, cases, items), *trees);
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

/// Of the tested cases that have a token left; NaN where there is none.
struct Quality {
  const char* given;
  Index lost;  ///< sensor; -1: none
  ValueInterval accuracy = {};
  double mean_iou = kNan, macro_f1 = kNan, calibration_error = kNan;

  /// groups: of each case, drawn together by the bootstrap.
  void measure(const Matrix<double>& probabilities, const std::vector<Index>& truth, const std::vector<Index>& groups,
               const Random& random) {
    std::vector<Index> predicted(truth.size());
    for (Index i = 0; i < probabilities.rows(); ++i) probabilities.row(i).maxCoeff(&predicted[i]);
    const Confusion found = confusion(truth, predicted, probabilities.cols());
    const BootstrapInterval interval = confusion_interval(
        confusions_of_groups(truth, predicted, probabilities.cols(), groups), &Confusion::accuracy, random);
    accuracy = {found.accuracy(), interval.low, interval.high};
    mean_iou = found.mean_intersection(), macro_f1 = found.macro_f1();
    calibration_error = model::calibration_error(probabilities, truth);
  }
};

void add_trust(const StudyOutcome& outcome, const Matrix<double>& trust, const std::vector<Index>& items,
               Results& results) {
  std::vector<std::vector<double>> of_class(outcome.target.classes.size());
  double all = 0;
  for (const Index item : items) {
    of_class[static_cast<Index>(outcome.cases.targets[item])].push_back(trust(item, 1));
    all += trust(item, 1);
  }
  results.scalar("trust_s2", all / static_cast<double>(items.size()), "1", "mean trust in S2");
  results.coordinate("class", outcome.target.classes, "", "true class");
  rows("class", of_class)
      .interval("trust_by_class", &trust_range, "mean trust in S2; the rest is trust in S1")
      .ends("nine tenths of the cases", "upper end of nine tenths")
      .write(results)
      .intervals(results, "trust_by_class",
                 {.title = "Whom the arbiter trusts",
                  .caption = "Trust in S2 over the tested cases of each class: mean, and the range of nine tenths of "
                             "the cases. It is 0 where S2 shows nothing, and 1 where S1 does not. The rest is trust "
                             "in S1.",
                  .value_label = "trust in S2"});
}

}  // namespace

SensorAnswers answers_of(const StudyOutcome& outcome, const Cases& cases) {
  SensorAnswers answers{Matrix<double>::Zero(cases.count(), outcome.target.outputs()),
                        Matrix<double>::Zero(cases.count(), kSensors)};
  if (outcome.folds == nullptr)
    answer(outcome, outcome.model.preparation, outcome.model.members, outcome.model.trees, outcome.model.calibration,
           cases, outcome.split.test, answers);
  else
    for (const study::FoldModel& fold : outcome.folds->models)
      answer(outcome, fold.preparation, fold.members, fold.trees, fold.calibration, cases, fold.split.test, answers);
  return answers;
}

double calibration_error(const Matrix<double>& probabilities, const std::vector<Index>& truth) {
  std::vector<double> confidence(kBins, 0), hits(kBins, 0);
  for (Index i = 0; i < probabilities.rows(); ++i) {
    Index best = 0;
    const double sure = probabilities.row(i).maxCoeff(&best);
    const auto bin = std::min(kBins - 1, static_cast<Index>(sure * kBins));
    confidence[bin] += sure, hits[bin] += best == truth[i] ? 1 : 0;
  }
  double sum = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) sum += std::abs(hits[bin] - confidence[bin]);
  return sum / static_cast<double>(truth.size());
}

ValueInterval trust_range(std::vector<double> trust) {
  if (trust.empty()) return {};
  std::sort(trust.begin(), trust.end());
  return {std::accumulate(trust.begin(), trust.end(), 0.0) / static_cast<double>(trust.size()),
          sorted_quantile(trust, 0.05), sorted_quantile(trust, 0.95)};
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
  std::string left_out;
  std::vector<Quality> qualities{{"both", -1}, {"s2 lost", 1}, {"s1 lost", 0}};
  const Index as_are = std::ssize(known_items(outcome, outcome.cases));
  for (Quality& quality : qualities) {
    const Cases cases = without_sensor(outcome.cases, quality.lost);
    const std::vector<Index> items = known_items(outcome, cases);
    if (results.finding(NoCaseLeft{quality.given, std::ssize(items)})) continue;
    if (const Index missing = as_are - std::ssize(items); missing > 0)
      left_out += concat(" With ", quality.given, ", ", counted(missing, "case"), " of ", as_are,
                         missing == 1 ? " has" : " have", " nothing left and ", missing == 1 ? "is" : "are",
                         " left out: the others may be easier.");
    const SensorAnswers said = answers_of(outcome, cases);
    Matrix<double> probabilities(static_cast<Index>(items.size()), outcome.target.outputs());
    std::vector<Index> truth, groups;
    const std::vector<Index> group_of_case = study::group_numbers(cases);
    for (std::size_t i = 0; i < items.size(); ++i) {
      groups.push_back(group_of_case[items[i]]);
      probabilities.row(static_cast<Index>(i)) = said.probabilities.row(items[i]);
      truth.push_back(static_cast<Index>(cases.targets[items[i]]));
    }
    quality.measure(probabilities, truth, groups,
                    Random(outcome.config.seed.value_or(1)).stream("bootstrap of accuracy"));
    if (quality.lost < 0) {
      results.scalar("cases_known", static_cast<double>(items.size()), "1", "tested cases whose class is known");
      add_trust(outcome, said.trust, items, results);
      continue;
    }
    double worst = 0;
    for (const Index item : items) worst = std::max(worst, said.trust(item, quality.lost));
    const std::string& lost = kSensorNames[quality.lost];
    results.check({concat("trust_in_lost_", lost), concat("largest trust in ", lost, " where it is lost"),
                   "a sensor without tokens is no key", 0, worst, absolute(0)});
  }
  rows("sensors", qualities, &Quality::given, "what the model is given")
      .prefix("sensors_")
      .number("mean_iou", &Quality::mean_iou, "mean intersection over union")
      .number("macro_f1", &Quality::macro_f1, "macro F1")
      .number("calibration_error", &Quality::calibration_error, "expected calibration error")
      .interval("accuracy", &Quality::accuracy, "overall accuracy")
      .ends("95 % bootstrap interval")
      .write(results)
      .intervals(results, "accuracy",
                 {.name = "sensors_lost",
                  .title = "When a sensor is lost",
                  .caption = concat("Overall accuracy of one and the same model on the tested cases: as they are, and "
                                    "with one of them taken away. Intervals: 95 %, bootstrap over cases, or over their "
                                    "groups where they have some.",
                                    left_out)});
}

std::vector<double> SensorStudy::with_and_without(const Results& merged) const {
  return view(merged.data, array_).means({"sensors"});
}

void SensorStudy::conclude(Results& merged) const {
  study::Study::conclude(merged);
  if (!merged.data.has(array_)) return;
  const std::vector<double> values = with_and_without(merged);
  merged.finding(SensorsLost{measure_, values[0], values[1], values[2]});
  merged.finding(OneSensorAlone{measure_, values[0], values[1], values[2]});
}

}  // namespace fovea::fusion::model
