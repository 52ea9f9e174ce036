/// The experiment "ehr.trajectory": the risk of an outcome hour by hour from one model, and alarms of it.
///
/// One model is asked at the hours of a stay; risks are out of fold. Over hour: AUROC and observed over expected
/// (risk/examined.hpp). Over (alarmer, alarms_wanted): what alarms are worth (alarms.hpp), by attention, by a ridge
/// model of the last values, and at random.

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/study/report/study_report.hpp"
#include "fovea/domains/ehr/alarms/alarms_page.hpp"
#include "fovea/domains/ehr/alarms/last_value_risks.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/domains/ehr/findings.hpp"
#include "fovea/domains/ehr/record/keys.hpp"
#include "fovea/domains/ehr/risk/examined.hpp"
#include "fovea/domains/ehr/risk/risk_task.hpp"

namespace fovea::ehr::alarms {

namespace {

constexpr double kHoursOfDay = 24;

/// What the keys alarms.* and trajectory.* say.
struct AlarmSettings {
  risk::TrajectorySettings trajectory;
  double every = 1, refractory = 6;  ///< hours
  std::vector<double> rates{0.05, 0.1, 0.2, 0.5, 1};
  std::string death_days = "survival_days";  ///< a column
};

const Keys<AlarmSettings>& alarm_keys() {
  using S = AlarmSettings;
  static const auto keys =
      Keys<S>()
          .group(risk::trajectory_keys(), &S::trajectory)
          .key("alarms.every", &S::every, Range::positive(), "h", "interval between predictions of a stay's risk")
          .key("alarms.refractory", &S::refractory, Range::at_least(0), "h",
               "time after an alarm without another alarm of the same stay")
          .key("alarms.rates", &S::rates, Range::positive(), "1/d",
               "alarms per stay-day that thresholds are chosen for, on other folds")
          .key("alarms.death_days", &S::death_days,
               "column of data.outcomes: days from the start of the stay to death, -1 or none without; without such a "
               "column there are no lead times");
  return keys;
}

/// every, 2 every, ..., up to the end of the stay.
std::vector<double> hours_asked(double every, double end) {
  std::vector<double> hours;
  for (Index k = 1; static_cast<double>(k) * every <= end; ++k) hours.push_back(static_cast<double>(k) * every);
  return hours;
}

/// Calibrated risks of the items: one row each, one column an hour.
Matrix<double> risks_of(const study::StudyOutcome& outcome, const std::vector<Index>& items,
                        const std::vector<double>& hours) {
  const Matrix<double> all = outcome.predicted(outcome.outputs(hours)).mean;
  const auto each = static_cast<Index>(hours.size());
  Matrix<double> risks(static_cast<Index>(items.size()), each);
  for (std::size_t k = 0; k < items.size(); ++k)
    for (Index t = 0; t < each; ++t) risks(static_cast<Index>(k), t) = all(items[k] * each + t, 0);
  return risks;
}

/// The same number at every hour of every stay would be no alarm; noise is one at random.
Matrix<double> noise(Index rows, Index columns, const Random& random) {
  Matrix<double> risks(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index t = 0; t < columns; ++t)
      risks(i, t) = random.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t));
  return risks;
}

/// Hours from the start of each stay to its death, NaN without one; empty: deaths are not dated.
std::vector<double> death_hours(const record::EventSettings& events, const std::string& name, const Random& random) {
  const datasets::events::Stays stays =
      events.files.empty() ? record::simulated_stays(events, random) : record::open_stays(events).index();
  const std::vector<double>* const days = name.empty() ? nullptr : record::find_column(stays, name);
  if (days == nullptr) return {};
  std::vector<double> hours;
  for (const double day : *days) hours.push_back(day >= 0 ? kHoursOfDay * day : kNan);  // the challenge's -1: alive
  return hours;
}

/// The patients of the items, from 0 without a gap.
std::vector<Index> patients_of(const std::vector<Index>& groups) {
  std::vector<Index> numbers(groups), places;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const Index group : groups)
    places.push_back(std::lower_bound(numbers.begin(), numbers.end(), group) - numbers.begin());
  return places;
}

Watch watch_of(const std::vector<Index>& fold_of_case, const risk::Examined& examined,
               const std::vector<double>& deaths, std::vector<double> hours, double refractory) {
  Watch watch;
  watch.hours = std::move(hours);
  watch.refractory = refractory;
  watch.outcomes = examined.outcomes;
  watch.groups = patients_of(examined.groups);
  for (std::size_t k = 0; k < examined.items.size(); ++k) {
    const std::size_t item = examined.items[k];
    const double death = deaths.empty() || examined.outcomes[k] == 0 ? kNan : deaths[item];
    watch.death.push_back(death);
    watch.watched.push_back(watched_hours(watch.hours, death));
    watch.folds.push_back(fold_of_case[item]);
  }
  return watch;
}

class Trajectory final : public risk::FoldedTask {
 public:
  std::string_view name() const override { return "ehr.trajectory"; }
  std::string_view summary() const override {
    return "risk hour by hour from one model, and what its alarms are worth";
  }
  void keys(Schema& schema) const override {
    RiskTask::keys(schema);
    alarm_keys().declare(schema);
  }
  bool examines_first() const override { return true; }
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random&) const override {
    return RiskTask::open(config, stays_random(risk::random_of_run(config)));
  }

  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    results.note("Research software, no medical device: alarms of one hospital are wrong in another.");
    if (outcome.folds == nullptr) return;
    const Random random = risk::random_of(outcome, "trajectory");
    const risk::Examined examined = risk::examined_of(outcome);
    const AlarmSettings settings = alarm_keys().read(outcome.config);
    const record::EventSettings events = record::event_keys().read(outcome.config);
    const std::vector<double> deaths =
        death_hours(events, settings.death_days, stays_random(risk::random_of_run(outcome.config)));
    const Watch watch = watch_of(outcome.folds->fold_of_case, examined, deaths, hours_asked(settings.every, events.at),
                                 settings.refractory);
    if (deaths.empty()) results.note("No column of the outcomes dates deaths (alarms.death_days): no lead times.");
    const Matrix<double> last = last_value_risks(outcome, watch.hours);
    const auto each = static_cast<Index>(watch.hours.size());
    const std::vector<Alarmer> alarmers{{"attention", risks_of(outcome, examined.items, watch.hours)},
                                        {"ridge of last values", last(examined.items, Eigen::all)},
                                        {"noise", noise(watch.count(), each, random.stream("noise"))}};
    const auto least = static_cast<double>(std::max<Index>(1, outcome.cases.smallest_cell));
    write_alarms(watch, alarmers, settings.rates, least, random.stream("bootstrap"), results);
    write_risks_by_hour(watch, alarmers.front().risks, least, results);
    risk::write_trajectory(examined, settings.trajectory.in(outcome.cases.time_unit), random.stream("trajectory"),
                           results);
  }

 private:
  /// Of the seed alone, so that the stays can be made again when their deaths are asked for.
  static Random stays_random(const Random& run) { return run.stream("stays"); }
};

/// Its verdict speaks of the alarms, too.
class TrajectoryStudy final : public risk::FoldedStudy {
 public:
  TrajectoryStudy() : FoldedStudy(std::make_unique<Trajectory>()) {}
  void check(const Config& config, Complaints& complaints) const override {
    FoldedStudy::check(config, complaints);
    const record::EventSettings events = record::event_keys().read(config);
    const AlarmSettings settings = alarm_keys().read(config);
    if (!events.in_hours())
      complaints.add(config.source("data.unit"),
                     "ehr.trajectory watches stays hour by hour; set data.unit = \"hours\".");
    if (settings.every > events.at)
      complaints.add(config.source("alarms.every"),
                     concat("alarms.every = ", settings.every, " is later than data.at = ", events.at,
                            "; a stay must be asked at least once."));
    if (settings.rates.empty())
      complaints.add(config.source("alarms.rates"), "alarms.rates is empty, but must have one number or more.");
  }
  void conclude(Results& merged) const override {
    study::Study::conclude(merged);
    if (const auto model = study::not_better(merged))
      merged.finding(AlarmsMeanNothing{model->low, model->high, model->chance});
    else
      merged.finding(alarms_compared(merged.data));
  }
};

}  // namespace

std::unique_ptr<Experiment> make_trajectory() { return std::make_unique<TrajectoryStudy>(); }

}  // namespace fovea::ehr::alarms
