/// The experiment "ehr.survival": when and how a record ends, with censoring and competing ends.
///
/// The model of ehr.mortality gives a hazard for each interval and end (core/study/hazards). Of simulated records the
/// hazards are known (simulated/made_ends.hpp): over (risk_group, time) group_known, and truth_error, truth_bias,
/// truth_concordance compare what was learned with them.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/study/hazards/hazard_scores.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"
#include "fovea/core/study/study.hpp"
#include "fovea/datasets/simulated/clinical_events.hpp"
#include "fovea/datasets/simulated/made_ends.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/domains/ehr/findings.hpp"
#include "fovea/domains/ehr/record/cases.hpp"
#include "fovea/domains/ehr/record/keys.hpp"
#include "fovea/domains/ehr/record/units.hpp"
#include "fovea/domains/ehr/risk/half_lives.hpp"
#include "fovea/domains/ehr/risk/risk_task.hpp"

namespace fovea::ehr::survival {

namespace {

/// When and how records end, from the columns of the outcomes.
enum class EndRule { columns, hospital };

/// What the keys survival.* and half_lives.* say.
struct SurvivalSettings {
  std::string unit = "years";
  std::vector<double> times{1, 2, 3, 4, 5};  ///< in `unit`
  std::vector<std::string> ends{"died", "moved"};
  EndRule rule = EndRule::columns;
  std::string days = "futime_days", end = "status";  ///< columns
  double half_life_level = risk::kUsualHalfLifeLevel;
};

const Keys<SurvivalSettings>& survival_keys() {
  using S = SurvivalSettings;
  static const auto keys =
      Keys<S>()
          .choice("survival.unit", &S::unit, {"days", "years"}, "unit of survival.times")
          .key("survival.times", &S::times, Range::positive(), "survival.unit",
               "ends of the intervals that have a hazard each, counted as the outcomes are; the last is the horizon")
          .key("survival.ends", &S::ends, "names of the ends 1, 2, ...; the first is the one that is scored")
          .choice("survival.rule", &S::rule, {{"columns", EndRule::columns}, {"hospital", EndRule::hospital}},
                  "columns: the next two keys; hospital: died or discharged, from the challenge's outcomes")
          .key("survival.days", &S::days, "column of data.outcomes: days until the end or the last observation")
          .key("survival.end", &S::end, "column of data.outcomes: 0 where censored, else the number of the end")
          .key(risk::kHalfLifeLevel, &S::half_life_level);
  return keys;
}

/// A cohort and its known ends, of the run's seed, so that it can be made again when it is asked for.
struct KnownCohort {
  datasets::simulated::MadeStays records;
  datasets::simulated::MadeEnds ends;
};

KnownCohort known_cohort(Index count, const Random& run, const study::Target& target) {
  const Random random = run.stream("cohort");
  datasets::simulated::EventPlan records = datasets::simulated::cohort_plan(count);
  records.severity = 0;  // what no record shows cannot be learned
  KnownCohort cohort{made_stays(records, random.stream("records")), {}};
  datasets::simulated::EndsPlan plan;
  plan.edges = target.edges;
  plan.rates.resize(target.classes.size(), -3.6);
  plan.slopes.resize(target.classes.size(), 0.3);
  cohort.ends = made_ends(cohort.records.risks, plan, random.stream("ends"));
  return cohort;
}

/// The numbers of a column beside the records, in the units of survival.times where they are times.
const std::vector<double>& column_of(const datasets::events::Stays& stays, const std::string& name,
                                     const std::string& key) {
  if (const std::vector<double>* const values = record::find_column(stays, name)) return *values;
  std::string there;
  for (const auto& column : stays.outcomes) there += (there.empty() ? "" : ", ") + column.name;
  throw DataError(concat("data.outcomes: has no column '", name, "', which ", key, " names; there are: ", there, "."));
}

struct Seen {
  std::vector<double> times, ends;
};

/// Died in hospital at survival_days, discharged alive at length_of_stay_days (PhysioNet challenge 2012; -1: unknown).
Seen hospital_ends(const datasets::events::Stays& stays, const std::string& source) {
  const auto& died = column_of(stays, "in_hospital_death", source);
  const auto& stay = column_of(stays, "length_of_stay_days", source);
  const auto& survived = column_of(stays, "survival_days", source);
  Seen seen;
  for (std::size_t i = 0; i < died.size(); ++i) {
    const double day = died[i] == 1 && survived[i] >= 0 ? survived[i] : stay[i];
    seen.times.push_back(day >= 0 ? day : kNan);
    seen.ends.push_back(died[i] == 1 ? 1 : died[i] == 0 ? 2 : kNan);
  }
  return seen;
}

Seen seen_ends(const datasets::events::Stays& stays, const SurvivalSettings& settings) {
  const double days_of_unit = record::record_unit(settings.unit).hours / 24;
  Seen seen;
  if (settings.rule == EndRule::hospital) {
    seen = hospital_ends(stays, "survival.rule = \"hospital\"");
  } else {
    seen.times = column_of(stays, settings.days, "survival.days");
    seen.ends = column_of(stays, settings.end, "survival.end");
  }
  for (double& time : seen.times) time /= days_of_unit;
  return seen;
}

class Survival final : public risk::RiskTask {
 public:
  std::string_view name() const override { return "ehr.survival"; }
  std::string_view summary() const override { return "when and how records end, with censoring and competing ends"; }
  void keys(Schema& schema) const override {
    RiskTask::keys(schema);
    survival_keys().declare(schema);
  }
  study::Target target(const Config& config) const override {
    const SurvivalSettings settings = survival_keys().read(config);
    study::Target target{.kind = study::TargetKind::hazards,
                         .name = "end",
                         .unit = record::record_unit(settings.unit).symbol,
                         .classes = settings.ends,
                         .edges = {0}};
    target.edges.insert(target.edges.end(), settings.times.begin(), settings.times.end());
    return target;
  }

  std::unique_ptr<study::CaseReader> open(const Config& config, const Random&) const override {
    const study::Target what = target(config);
    const record::EventSettings events = record::event_keys().read(config);
    if (events.files.empty()) {
      const KnownCohort cohort = known_cohort(events.simulated, risk::random_of_run(config), what);
      study::Cases cases = record::cases_of(cohort.records.stays, {"the simulated records", 0, {}, {}, "years"});
      cases.targets = hazard_codes(what, cohort.ends.times, cohort.ends.ends);
      return study::reader_of(std::move(cases));
    }
    const SurvivalSettings settings = survival_keys().read(config);
    return record::open_cases(events, [settings, what](const datasets::events::Stays& stays, study::Cases& cases) {
      if (stays.outcomes.empty()) return;
      const Seen seen = seen_ends(stays, settings);
      cases.targets = hazard_codes(what, seen.times, seen.ends);
    });
  }
  void examine(const study::StudyOutcome& outcome, Results& results) const override;
};

/// What was learned compared with what is known of simulated records.
void write_truth(const study::StudyOutcome& outcome, Index simulated, Results& results) {
  const study::Target& target = outcome.target;
  const Matrix<double> known = known_cohort(simulated, risk::random_of_run(outcome.config), target).ends.incidence;
  const Matrix<double>& learned = outcome.predictions.mean;
  const Index horizon = incidence_column(target, intervals_of(target) - 1, 1);
  std::vector<Index> order(outcome.split.test);
  const auto rows = static_cast<Index>(order.size());
  Matrix<double> truth(rows, known.cols());
  double error = 0, bias = 0;
  for (Index i = 0; i < rows; ++i) {
    truth.row(i) = known.row(outcome.split.test[i]);
    error += std::abs(learned(i, horizon) - truth(i, horizon)) / static_cast<double>(rows);
    bias += (learned(i, horizon) - truth(i, horizon)) / static_cast<double>(rows);
  }
  const std::vector<double> once(rows, 1.0);
  results.scalar("truth_error", error, "1", "mean distance of the learned from the known incidence by the horizon");
  results.scalar("truth_bias", bias, "1", "mean learned less mean known incidence by the horizon");
  results.scalar("truth_concordance", hazard_concordance_score(target, truth, outcome.test_targets)(once), "1",
                 "concordance of the known incidence");
  for (Index i = 0; i < rows; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return learned(a, horizon) < learned(b, horizon); });
  struct Incidence {
    double learned, known;
  };
  std::vector<Incidence> incidences;
  for (Index part = 0; part < 3; ++part)
    for (Index t = 0; t < intervals_of(target); ++t) {
      const Index column = incidence_column(target, t, 1), first = part * rows / 3, end = (part + 1) * rows / 3;
      Incidence sum{0, 0};
      for (Index i = first; i < end; ++i)
        sum.learned += learned(order[i], column), sum.known += truth(order[i], column);
      const auto members = static_cast<double>(end - first);
      incidences.push_back({sum.learned / members, sum.known / members});
    }
  fovea::rows({"risk_group", "time"}, incidences)
      .number("group_learned", &Incidence::learned, "mean learned incidence")
      .number("group_known", &Incidence::known, "mean known incidence")
      .write(results);
  results.figure({.kind = "lines",
                  .name = "known_incidence",
                  .title = "What was learned, and what is known",
                  .caption =
                      "Mean learned incidence in thirds of the records by their predicted risk. Dashed: the known "
                      "one of the same records.",
                  .variables = {"group_learned"},
                  .references = {"group_known"},
                  .x = "time",
                  .hue = "risk_group"});
}

void Survival::examine(const study::StudyOutcome& outcome, Results& results) const {
  results.note("Research software, no medical device: risks of one hospital are wrong in another until recalibrated.");
  const record::EventSettings events = record::event_keys().read(outcome.config);
  if (events.files.empty() && outcome.split.test.size() >= 50) write_truth(outcome, events.simulated, results);
  risk::write_half_lives(outcome, survival_keys().read(outcome.config).half_life_level, results);
}

double mean_over_points(const Dataset& data, const std::string& name) {
  const std::vector<double>& values = data.at(name).reals();
  double sum = 0;
  for (const double value : values) sum += value / static_cast<double>(values.size());
  return sum;
}

/// Its verdict on simulated records is the comparison with what is known.
class SurvivalStudy final : public study::Study {
 public:
  SurvivalStudy() : study::Study(std::make_unique<Survival>()) {}
  void check(const Config& config, Complaints& complaints) const override {
    study::Study::check(config, complaints);
    const SurvivalSettings settings = survival_keys().read(config);
    const std::vector<double>& times = settings.times;
    if (times.empty() || !std::is_sorted(times.begin(), times.end()) ||
        std::adjacent_find(times.begin(), times.end()) != times.end())
      complaints.add(config.source("survival.times"), "survival.times must be one or more numbers that rise.");
    if (settings.ends.empty())
      complaints.add(config.source("survival.ends"), "survival.ends is empty, but must name one end or more.");
    if (settings.rule == EndRule::hospital && settings.ends.size() != 2)
      complaints.add(config.source("survival.ends"),
                     "survival.rule = \"hospital\" has two ends, died and discharged; name both in survival.ends.");
  }
  void conclude(Results& merged) const override {
    study::Study::conclude(merged);
    if (!merged.data.has("truth_error")) return;
    const auto mean = [&](const char* name) { return mean_over_points(merged.data, name); };
    merged.finding(KnownIncidence{mean("truth_concordance"), mean("truth_error"), mean("truth_bias")});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_survival() { return std::make_unique<SurvivalStudy>(); }

}  // namespace fovea::ehr::survival
