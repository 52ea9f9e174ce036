#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/study/scores/scores.hpp"
#include "fovea/domains/ehr/record/units.hpp"
#include "fovea/domains/ehr/risk/examined.hpp"
#include "fovea/domains/ehr/risk/observed.hpp"

namespace fovea::ehr::risk {

namespace {

/// A score with its interval, asked at each of several times.
struct Course {
  std::string over;  ///< name of the coordinate
  std::vector<double> value = {}, low = {}, high = {};
  void add(const study::ScoreValue& score) {
    value.push_back(score.value);
    low.push_back(score.low);
    high.push_back(score.high);
  }
  void write(const std::string& name, const std::string& title, Results& results) const {
    results.add(name, {over}, value, "1", title);
    results.add(name + "_low", {over}, low, "1", "95 % interval, of the " + title);
    results.add(name + "_high", {over}, high, "1", "95 % interval, of the " + title);
  }
};

std::size_t place_of(const std::vector<study::Score>& scores, const std::string& name) {
  for (std::size_t k = 0; k < scores.size(); ++k)
    if (scores[k].name == name) return k;
  throw ArgumentError("trajectory: there is no score '" + name + "'.");
}

void add_figure(const std::string& name, const std::string& title, const std::string& caption, const std::string& over,
                Results& results) {
  results.figure({.kind = "lines",
                  .name = name,
                  .title = title,
                  .caption = caption,
                  .variables = {name},
                  .x = over,
                  .band_low = name + "_low",
                  .band_high = name + "_high"});
}

}  // namespace

void write_trajectory(const Examined& examined, const std::vector<double>& times, const Random& random,
                      Results& results) {
  if (times.empty()) return;
  const record::RecordUnit& unit = record::record_unit(examined.cases.time_unit);
  const std::vector<study::Score> scores = study::scores_of(examined.target);
  const std::size_t auroc = place_of(scores, "auroc"), precision = place_of(scores, "average_precision");
  Course of_auroc{unit.singular}, of_precision{unit.singular}, of_observed{unit.singular};
  for (const double time : times) {
    const study::Predictions risks = examined.risks_at(time);
    const auto values =
        study::scored(examined.target, risks, examined.outcomes, examined.groups, kExaminationDraws, random);
    of_auroc.add(values[auroc]);
    of_precision.add(values[precision]);
    double sum = 0, happened = 0;
    for (Index i = 0; i < risks.mean.rows(); ++i) sum += risks.mean(i, 0);
    for (const double y : examined.outcomes) happened += y;
    of_observed.add(observed_over_expected_interval(happened, sum));
  }
  results.coordinate(unit.singular, times, unit.symbol, unit.singular + " of the record at which the model is asked");
  of_auroc.write("auroc_at", "AUROC", results);
  of_precision.write("average_precision_at", "average precision", results);
  of_observed.write("observed_over_expected_at", "observed over expected", results);
  add_figure("auroc_at", "One model, asked earlier",
             concat("AUROC of the same outcome when only the events up to that ", unit.singular,
                    " are seen. Shaded: 95 % interval."),
             unit.singular, results);
  add_figure("observed_over_expected_at", "Calibration in the large by " + unit.singular,
             "Outcomes observed over the sum of the risks; 1 is right on average.", unit.singular, results);
}

std::vector<double> trajectory_times(const Config& config) {
  return config.reals(config.text("data.unit") == "hours" ? "trajectory.hours" : "trajectory.times");
}

void add_trajectory_keys(Schema& schema) {
  schema.reals("trajectory.hours", {6, 12, 24, 36, 48}, Range::any(), "h",
               "further times of prediction, where data.unit is hours; none: data.at alone");
  schema
      .reals("trajectory.times", {}, Range::any(), "data.unit",
             "the same where data.unit is days or years, such as -5 for five years before")
      .added_later();
}

}  // namespace fovea::ehr::risk
