/// The experiment "ehr.control": does the history add anything to what was measured last?
///
/// The model of ehr.mortality learns twice on the same folds: of whole records, and of records of which the latest
/// events alone are left (record/last_values.hpp). Over `measure`: with_history, latest_alone, history_adds with
/// history_adds_low and history_adds_high, the 95 % interval of a paired bootstrap over patients (Efron 1979). An
/// interval that holds 0 says that no gain can be shown; its upper end, how large a gain is ruled out.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/bootstrap.hpp"
#include "fovea/core/study/cases/split_settings.hpp"
#include "fovea/core/study/ensemble/fitting_settings.hpp"
#include "fovea/core/study/ensemble/rows.hpp"
#include "fovea/datasets/simulated/clinical_events.hpp"
#include "fovea/domains/ehr/experiments.hpp"
#include "fovea/domains/ehr/findings.hpp"
#include "fovea/domains/ehr/record/cases.hpp"
#include "fovea/domains/ehr/record/interval_text.hpp"
#include "fovea/domains/ehr/record/keys.hpp"
#include "fovea/domains/ehr/record/last_values.hpp"
#include "fovea/domains/ehr/risk/risk_task.hpp"
#include "fovea/domains/ehr/risk/variants.hpp"

namespace fovea::ehr::risk {

namespace {

/// Risks of the cases whose outcome is known, of both models.
struct Compared {
  std::vector<double> with_history, latest;
  KnownCases known;
};

/// Batches of as many cases as before, though they have fewer tokens: both models learn in as many steps.
Changes for_as_many_steps(const study::FittingSettings& fitting, const study::Cases& all, const study::Cases& some) {
  if (fitting.batch_cases > 0) return {};
  const double share = static_cast<double>(some.tokens()) / static_cast<double>(std::max<Index>(1, all.tokens()));
  const double tokens = std::round(share * static_cast<double>(fitting.batch_tokens));
  return {{"training.batch_tokens", static_cast<std::int64_t>(std::max(1.0, tokens))}};
}

Compared compared(const study::StudyOutcome& outcome, const study::Predictions& latest) {
  Compared both{{}, {}, known_cases(outcome)};
  for (const Index item : both.known.items) {
    both.with_history.push_back(outcome.predictions.mean(item, 0));
    both.latest.push_back(latest.mean(item, 0));
  }
  return both;
}

void write_comparison(const Compared& both, const std::string& left, const Random& random, Results& results) {
  struct Gain {
    double whole, latest;
    BootstrapInterval adds;
    std::string interval() const { return record::interval_text(adds.low, adds.high); }
  };
  std::vector<Gain> list;
  const std::vector<Index> all = study::first_numbers(both.known.count());
  for (std::size_t k = 0; k < kMeasures.size(); ++k) {
    const Measure first = measure_of(k, both.with_history, both.known.outcomes),
                  second = measure_of(k, both.latest, both.known.outcomes);
    list.push_back({first(all), second(all),
                    bootstrap_difference(both.known.count(), first, second, random.stream(kMeasures[k]),
                                         {2000, 0.95, BootstrapKind::percentile}, both.known.groups)});
  }
  rows(
      "measure", list, [](const Gain&, std::size_t k) { return kMeasures[k]; }, "measure")
      .number("with_history", &Gain::whole, "whole record")
      .number("latest_alone", &Gain::latest, left + " alone")
      .interval("history_adds", &Gain::adds, "difference")
      .ends("95 % interval, lower end", "95 % interval, upper end")
      .text("history_adds_interval", &Gain::interval, "95 % interval")
      .write(results)
      .table(results,
             {.name = "history",
              .title = "Does the history add anything?",
              .caption = concat("The same model on the same folds, of whole records and of ", left,
                                " alone. The interval is of a paired bootstrap over patients. Of the Brier score "
                                "less is better."),
              .digits = 3})
      .intervals(
          results, "history_adds",
          {.title = "What the history adds",
           .caption = "Whole record less the latest alone, with 95 % intervals. One that holds 0: no gain can be "
                      "shown, and none above its upper end is likely."});
}

struct ControlSettings {
  record::Latest keeps = record::Latest::of_each_variable;
  double half_life = 0.1;  ///< years
};

const Keys<ControlSettings>& control_keys() {
  using S = ControlSettings;
  static const auto keys =
      Keys<S>()
          .choice("control.keeps", &S::keeps,
                  {{"last of each variable", record::Latest::of_each_variable}, {"last visit", record::Latest::visit}},
                  "input of the second model; last visit: the events at the latest time, and "
                  "statics")
          .key("control.half_life", &S::half_life, Range::positive(), "years",
               "half-life in simulated records: with 0.1 the outcome depends on the last values "
               "alone, with 5 on the history");
  return keys;
}

/// A cohort whose outcome depends on its values with one half-life, in years, and not on what was measured.
study::Cases simulated_control(Index count, double half_life, const Random& random) {
  auto plan = datasets::simulated::cohort_plan(count);
  plan.severity = 0;
  for (auto& variable : plan.variables) {
    variable.by_severity = 0;
    variable.half_life = half_life * datasets::simulated::kHoursOfYear;
  }
  const auto made = datasets::simulated::made_stays(plan, random);
  return record::cases_of(made.stays, {"the simulated records", 0, {}, {}, "years"});
}

class Control final : public FoldedTask {
 public:
  std::string_view name() const override { return "ehr.control"; }
  std::string_view summary() const override { return "does the history of a record add to what was measured last?"; }
  void keys(Schema& schema) const override {
    RiskTask::keys(schema);
    control_keys().declare(schema);
  }
  bool examines_first() const override { return true; }
  Index further_trainings(const Config& config) const override {
    return trainings_of_variant(study::split_keys().read(config).folds, study::fitting_keys().read(config).members);
  }
  std::unique_ptr<study::CaseReader> open(const Config& config, const Random& random) const override {
    const record::EventSettings events = record::event_keys().read(config);
    if (!events.files.empty()) return record::open_cases(events);
    return study::reader_of(simulated_control(events.simulated, control_keys().read(config).half_life, random));
  }

  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    if (outcome.folds == nullptr) return;
    const Random random = random_of(outcome, "control");
    const record::Latest keeps = control_keys().read(outcome.config).keeps;
    const study::Cases latest = record::latest_alone(outcome.cases, keeps);
    const Changes changes = for_as_many_steps(study::fitting_keys().read(outcome.config), outcome.cases, latest);
    const Compared both = compared(
        outcome,
        cross_validated_variant("latest", *this, outcome, latest, changes, random.stream("latest")).predictions);
    const std::string left = keeps == record::Latest::visit ? "the last visit" : "the last value of each variable";
    write_comparison(both, left, random.stream("bootstrap"), results);
  }
};

/// Its verdict is the comparison.
class ControlStudy final : public FoldedStudy {
 public:
  ControlStudy() : FoldedStudy(std::make_unique<Control>()) {}
  void conclude(Results& merged) const override;
};

/// Mean over the points of a sweep of the first of the measures.
double first_measure(const Dataset& data, const std::string& name) {
  const std::vector<double>& values = data.at(name).reals();
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < values.size(); i += kMeasures.size()) sum += values[i], ++count;
  return sum / count;
}

void ControlStudy::conclude(Results& merged) const {
  study::Study::conclude(merged);
  if (!merged.data.has("history_adds")) return;
  const auto first = [&](const char* name) { return first_measure(merged.data, name); };
  const HistoryCompared both{first("with_history"),      first("latest_alone"),
                             first("history_adds"),      first("history_adds_low"),
                             first("history_adds_high"), merged.data.at("latest_alone").long_name};
  const auto say = [&](const auto& found) {
    if (merged.finding(found)) merged.verdict(found.sentence());
  };
  say(HistoryAdds{both}), say(HistoryHarms{both}), say(NoGainFromHistory{both});
}

}  // namespace

std::unique_ptr<Experiment> make_control() { return std::make_unique<ControlStudy>(); }

}  // namespace fovea::ehr::risk
