
#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/study/scores/observed_over_expected.hpp"
#include "fovea/domains/ehr/record/units.hpp"
#include "fovea/domains/ehr/risk/examined.hpp"

namespace fovea::ehr::risk {

namespace {

/// The scores of the model asked at a time.
struct Asked {
  double time;
  study::ScoreValue auroc, precision, observed;
};

std::size_t place_of(const std::vector<study::Score>& scores, const std::string& name) {
  for (std::size_t k = 0; k < scores.size(); ++k)
    if (scores[k].name == name) return k;
  throw ArgumentError("trajectory: there is no score '" + name + "'.");
}

}  // namespace

void write_trajectory(const Examined& examined, const std::vector<double>& times, const Random& random,
                      Results& results) {
  if (times.empty()) return;
  const record::RecordUnit& unit = record::record_unit(examined.cases.time_unit);
  const std::vector<study::Score> scores = study::scores_of(examined.target);
  const std::size_t auroc = place_of(scores, "auroc"), precision = place_of(scores, "average_precision");
  std::vector<Asked> list;
  for (const double time : times) {
    const study::Predictions risks = examined.risks_at(time);
    const auto values =
        study::scored(examined.target, risks, examined.outcomes, examined.groups, kExaminationDraws, random);
    double sum = 0, happened = 0;
    for (Index i = 0; i < risks.mean.rows(); ++i) sum += risks.mean(i, 0);
    for (const double y : examined.outcomes) happened += y;
    list.push_back({time, values[auroc], values[precision], study::observed_over_expected_interval(happened, sum)});
  }
  rows(unit.singular, list, &Asked::time, unit.singular + " of the record at which the model is asked", unit.symbol)
      .interval("auroc_at", &Asked::auroc, "AUROC")
      .interval("average_precision_at", &Asked::precision, "average precision")
      .interval("observed_over_expected_at", &Asked::observed, "observed over expected")
      .write(results)
      .lines(results, "auroc_at",
             {.title = "One model, asked earlier",
              .caption = concat("AUROC of the same outcome when only the events up to that ", unit.singular,
                                " are seen. Shaded: 95 % interval.")})
      .lines(results, "observed_over_expected_at",
             {.title = "Calibration in the large by " + unit.singular,
              .caption = "Outcomes observed over the sum of the risks; 1 is right on average."});
}

const Keys<TrajectorySettings>& trajectory_keys() {
  using S = TrajectorySettings;
  static const auto keys = Keys<S>()
                               .key("trajectory.hours", &S::hours, Range::any(), "h",
                                    "further times of prediction, where data.unit is hours; none: data.at alone")
                               .key("trajectory.times", &S::times, Range::any(), "data.unit",
                                    "the same where data.unit is days or years, such as -5 for five years before")
                               .added_later();
  return keys;
}

}  // namespace fovea::ehr::risk
