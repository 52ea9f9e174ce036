#include "fovea/domains/ehr/alarms/alarms_page.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/ehr/record/interval_text.hpp"

namespace fovea::ehr::alarms {

namespace {

constexpr Index kDraws = 500;
constexpr double kReached = 0.85;  // of the wanted rate; below, the reader is told
constexpr double kUsual = 0.2;     // alarms per stay-day, of which the verdict speaks

/// A number of AlarmScores that has an interval.
struct Column {
  std::string name, title;
  double AlarmScores::*number;
};

const std::vector<Column>& columns() {
  static const std::vector<Column> all{
      {"alarm_rate", "alarms per stay-day", &AlarmScores::rate},
      {"alarm_sensitivity", "sensitivity", &AlarmScores::sensitivity},
      {"alarm_precision", "PPV by alarm", &AlarmScores::by_alarm},
      {"stay_precision", "PPV by stay", &AlarmScores::by_stay},
      {"alarm_lead", "lead time", &AlarmScores::lead},
  };
  return all;
}

/// The scores of one alarmer at one rate, and those of each draw.
struct Scored {
  AlarmScores scores;
  std::vector<AlarmScores> drawn;
};

struct Ends {
  double low = kNan, high = kNan;
};

/// NaN where half of the draws say nothing.
Ends ends_of(std::vector<double> drawn) {
  const std::size_t all = drawn.size();
  drawn.erase(std::remove_if(drawn.begin(), drawn.end(), [](double x) { return std::isnan(x); }), drawn.end());
  if (2 * drawn.size() <= all) return {};
  std::sort(drawn.begin(), drawn.end());
  return {sorted_quantile(drawn, 0.025), sorted_quantile(drawn, 0.975)};
}

std::vector<double> drawn_numbers(const Scored& one, double AlarmScores::*number) {
  std::vector<double> drawn;
  for (const AlarmScores& scores : one.drawn) drawn.push_back(scores.*number);
  return drawn;
}

std::vector<Scored> scored_alarms(const Watch& watch, const Alarmer& alarmer, const std::vector<double>& wanted,
                                  double least, const std::vector<std::vector<double>>& draws) {
  const std::vector<double> once(watch.count(), 1.0);
  std::vector<Scored> found;
  for (const std::vector<double>& thresholds : thresholds_for(watch, alarmer.risks, wanted)) {
    const std::vector<StayAlarms> alarms = alarms_of(watch, alarmer.risks, thresholds);
    Scored& one = found.emplace_back();
    one.scores = without_small_cells(alarm_scores(watch, alarms, once), least);
    for (const std::vector<double>& weights : draws) one.drawn.push_back(alarm_scores(watch, alarms, weights));
  }
  return found;
}

const std::vector<std::string> kOver{"alarmer", "alarms_wanted"};

/// Each number with its interval; and the first alarmer's precision less that of each, on the same draws.
void write_columns(const std::vector<Scored>& all, std::size_t rates, Results& results) {
  auto table = rows(kOver, all);
  const auto with_ends = [](double value, std::vector<double> drawn) -> ValueInterval {
    const Ends ends = std::isnan(value) ? Ends{} : ends_of(std::move(drawn));
    return {value, ends.low, ends.high};
  };
  for (const Column& column : columns()) {
    const bool lead = column.number == &AlarmScores::lead;
    const std::string unit = lead ? "h" : column.number == &AlarmScores::rate ? "1/d" : "1";
    const std::string end = lead ? "_ci" : "";
    table
        .interval(
            column.name,
            [&](const Scored& one) { return with_ends(one.scores.*column.number, drawn_numbers(one, column.number)); },
            column.title + (lead ? ", median" : ""), unit)
        .ends("95 % interval, lower end", "95 % interval, upper end")
        .end_names(column.name + end + "_low", column.name + end + "_high");
  }
  const auto difference = [&](const Scored& other, std::size_t k) {
    const Scored& first = all[k % rates];
    std::vector<double> drawn;
    for (std::size_t d = 0; d < first.drawn.size(); ++d)
      drawn.push_back(first.drawn[d].by_alarm - other.drawn[d].by_alarm);
    return with_ends(first.scores.by_alarm - other.scores.by_alarm, std::move(drawn));
  };
  table
      .range(
          "alarm_lead",
          [](const Scored& one) {
            return Ends{one.scores.lead_low, one.scores.lead_high};
          },
          "quartiles, lower", "quartiles, upper", "h")
      .interval("precision_over", difference, "PPV by alarm of the first less that of this")
      .ends("95 % interval, lower end", "95 % interval, upper end")
      .write(results);
}

/// One alarmer's entries of an array over kOver.
std::vector<double> entries_of(const std::string& name, std::size_t alarmer, const Results& results) {
  const std::vector<double>& all = results.data.at(name).reals();
  const auto rates = static_cast<std::ptrdiff_t>(results.data.at("alarms_wanted").size());
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(alarmer) * rates;
  return {begin, begin + rates};
}

/// Adds columns of a table over alarms_wanted.
class Columns {
 public:
  explicit Columns(Results& results) : results_(results) {}
  void number(const std::string& name, const std::string& from, std::size_t alarmer, const std::string& title) {
    results_.add(name, {"alarms_wanted"}, entries_of(from, alarmer, results_), results_.data.at(from).units, title);
    shown.push_back(name);
  }
  void interval(const std::string& name, const std::string& from, std::size_t alarmer, const std::string& title) {
    results_.add(name, {"alarms_wanted"},
                 record::interval_texts(entries_of(from + "_low", alarmer, results_),
                                        entries_of(from + "_high", alarmer, results_)),
                 "", title);
    shown.push_back(name);
  }
  std::vector<std::string> shown;

 private:
  Results& results_;
};

void write_tables(const std::vector<Alarmer>& alarmers, Results& results) {
  Columns own(results);
  own.number("own_rate", "alarm_rate", 0, "alarms per stay-day");
  own.number("own_precision", "alarm_precision", 0, "PPV by alarm");
  own.interval("own_precision_interval", "alarm_precision", 0, "95 % interval");
  own.number("own_by_stay", "stay_precision", 0, "PPV by stay");
  own.interval("own_by_stay_interval", "stay_precision", 0, "95 % interval");
  own.number("own_sensitivity", "alarm_sensitivity", 0, "sensitivity");
  own.interval("own_sensitivity_interval", "alarm_sensitivity", 0, "95 % interval");
  own.number("own_lead", "alarm_lead", 0, "lead time");
  own.interval("own_lead_quartiles", "alarm_lead", 0, "its quartiles");
  results.figure({.kind = "table",
                  .name = "alarms",
                  .title = "What the alarms are worth",
                  .caption =
                      "An alarm: the risk crosses its threshold upwards, and the stay's last alarm is long enough ago. "
                      "Thresholds are those of the other folds. PPV by alarm: share of the alarms whose stay has the "
                      "outcome; by stay: share of the stays with an alarm. Sensitivity: share of the stays with the "
                      "outcome that had an alarm. Lead time: from the first alarm to death, where it is dated; its "
                      "median. What rests on too few stays is not shown.",
                  .variables = own.shown,
                  .x = "alarms_wanted",
                  .digits = 3});
  Columns compared(results);
  for (std::size_t a = 0; a < alarmers.size(); ++a) {
    const std::string number = std::to_string(a + 1);
    compared.number("precision_of_" + number, "alarm_precision", a, "PPV by " + alarmers[a].name);
    if (a == 0) continue;
    compared.number("gain_over_" + number, "precision_over", a, "gain over " + alarmers[a].name);
    compared.interval("gain_over_" + number + "_interval", "precision_over", a, "95 % interval");
  }
  results.figure({.kind = "table",
                  .name = "alarms_compared",
                  .title = "The same number of alarms from simpler sources",
                  .caption = "PPV by alarm, each with thresholds of its own for the same number of alarms. The gain is "
                             "paired: the same draws of patients.",
                  .variables = compared.shown,
                  .x = "alarms_wanted",
                  .digits = 3});
}

void write_alarm_figures(Results& results) {
  results.figure({.kind = "lines",
                  .name = "precision_by_rate",
                  .title = "How many alarms are right, by how many there are",
                  .caption =
                      "Share of the alarms whose stay has the outcome, against alarms per stay-day. Shaded: 95 % "
                      "intervals over patients. Noise: alarms at random.",
                  .variables = {"alarm_precision"},
                  .x = "alarms_wanted",
                  .hue = "alarmer",
                  .log_x = true,
                  .band_low = "alarm_precision_low",
                  .band_high = "alarm_precision_high"});
}

void write_lead_figure(Results& results) {
  const std::vector<double>& leads = results.data.at("own_lead").reals();
  if (std::all_of(leads.begin(), leads.end(), [](double x) { return std::isnan(x); })) return;
  std::vector<std::string> names;
  for (const double rate : results.data.at("alarms_wanted").reals())
    names.push_back(concat(plain_text(rate, 3), " alarms per stay-day"));
  results.coordinate("alarm_plan", names, "", "alarms wanted");
  for (const auto& [to, from] : {std::pair{"plan_lead", "alarm_lead"},
                                 {"plan_lead_low", "alarm_lead_low"},
                                 {"plan_lead_high", "alarm_lead_high"}})
    results.add(to, {"alarm_plan"}, entries_of(from, 0, results), "h",
                std::string(to) == "plan_lead" ? "median lead time" : "quartiles");
  results.figure({.kind = "intervals",
                  .name = "lead_times",
                  .title = "How long before death the first alarm goes off",
                  .caption = "Of the stays with the outcome, a dated death and an alarm: median and quartiles.",
                  .variables = {"plan_lead"},
                  .x = "alarm_plan",
                  .band_low = "plan_lead_low",
                  .band_high = "plan_lead_high",
                  .value_label = "hours from the first alarm to death"});
}

}  // namespace

void write_alarms(const Watch& watch, const std::vector<Alarmer>& alarmers, const std::vector<double>& wanted,
                  double least, const Random& random, Results& results) {
  std::vector<std::vector<double>> draws;
  for (Index d = 0; d < kDraws; ++d) draws.push_back(drawn_weights(watch.groups, random, d));
  std::vector<Scored> all;
  std::vector<std::string> names;
  for (const Alarmer& alarmer : alarmers) {
    names.push_back(alarmer.name);
    for (Scored& one : scored_alarms(watch, alarmer, wanted, least, draws)) all.push_back(std::move(one));
  }
  results.coordinate("alarmer", names, "", "alarms by");
  results.coordinate("alarms_wanted", wanted, "1/d", "alarms wanted per stay-day");
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (all[k].scores.rate < kReached * wanted[k])
      results.note(concat("No threshold raises ", plain_text(wanted[k]),
                          " alarms per stay-day: one that raises most was "
                          "taken, ",
                          plain_text(all[k].scores.rate, 2), "."));
  write_columns(all, wanted.size(), results);
  write_alarm_figures(results);
  write_tables(alarmers, results);
  write_lead_figure(results);
}

void write_risks_by_hour(const Watch& watch, const Matrix<double>& risks, double least, Results& results) {
  std::vector<ValueInterval> risk;
  for (const double outcome : {0.0, 1.0})
    for (std::size_t k = 0; k < watch.hours.size(); ++k) {
      std::vector<double> here;
      for (Index stay = 0; stay < watch.count(); ++stay)
        if (watch.outcomes[stay] == outcome && watch.watched[stay] > static_cast<Index>(k))
          here.push_back(risks(stay, static_cast<Index>(k)));
      std::sort(here.begin(), here.end());
      const bool enough = static_cast<double>(here.size()) >= 4 * least;
      risk.push_back(
          enough ? ValueInterval{sorted_quantile(here, 0.5), sorted_quantile(here, 0.25), sorted_quantile(here, 0.75)}
                 : ValueInterval{});
    }
  results.coordinate("outcome_seen", std::vector<std::string>{"without the outcome", "with the outcome"}, "", "stays");
  results.coordinate("watched_hour", watch.hours, "h", "hour of the stay");
  rows({"outcome_seen", "watched_hour"}, risk)
      .interval("risk_by_hour", std::identity(), "risk, median")
      .ends("quartiles, of the risks")
      .write(results)
      .lines(results, "risk_by_hour",
             {.title = "Risk hour by hour",
              .caption = "Median and quartiles of the risks of the stays with and without the outcome, as models that "
                         "did not learn from them see them hour by hour.",
              .hue = "outcome_seen"});
}

AlarmsCompared alarms_compared(const Dataset& data) {
  if (!data.has("alarms_wanted")) return AlarmsCompared::counterexample();
  const std::vector<double>& wanted = data.at("alarms_wanted").reals();
  const auto distance = [](double rate) { return std::abs(std::log(rate / kUsual)); };
  const auto place = static_cast<std::size_t>(
      std::min_element(wanted.begin(), wanted.end(), [&](double a, double b) { return distance(a) < distance(b); }) -
      wanted.begin());
  const auto& names = std::get<std::vector<std::string>>(data.at("alarmer").values);
  const std::size_t rates = wanted.size(), alarmers = names.size();
  const auto number = [&](const std::string& name, std::size_t alarmer) {  // the mean over seeds
    const std::vector<double>& values = data.at(name).reals();
    double sum = 0, count = 0;
    for (std::size_t i = alarmer * rates + place; i < values.size(); i += rates * alarmers) sum += values[i], ++count;
    return sum / count;
  };
  AlarmsCompared found{number("alarm_rate", 0),
                       number("alarm_precision", 0),
                       number("alarm_precision_low", 0),
                       number("alarm_precision_high", 0),
                       {},
                       number("alarm_sensitivity", 0),
                       number("alarm_lead", 0)};
  for (std::size_t a = 1; a < alarmers; ++a) found.others.emplace_back(names[a], number("alarm_precision", a));
  return found;
}

}  // namespace fovea::ehr::alarms
