#include "fovea/datasets/simulated/clinical_events.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/datasets/simulated/light_curves.hpp"

namespace fovea::datasets::simulated {

namespace {

constexpr Index kFirstId = 100001;  ///< ids of one length, as in a hospital

double sigmoid(double x) { return 1 / (1 + exponential(-x)); }
double log_odds(double p) { return logarithm(p / (1 - p)); }

void check_event_plan(const EventPlan& plan) {
  const char* who = "made_stays";
  require(plan.stays >= 2, who, ": there are ", plan.stays, " stays, but must be at least 2.");
  require(plan.hours > 0 && std::isfinite(plan.hours), who, ": hours = ", plan.hours, ", but must be > 0.");
  require(plan.fewest >= 1 && plan.fewest <= plan.most, who, ": a stay has ", plan.fewest, " to ", plan.most,
          " events; it must have at least 1, and the second number must not be less than the first.");
  require(plan.prevalence > 0 && plan.prevalence < 1, who, ": prevalence = ", plan.prevalence,
          ", but must be in (0, 1).");
  require(plan.death_delay >= 0 && std::isfinite(plan.death_delay), who, ": death_delay = ", plan.death_delay,
          ", but must be >= 0.");
  require(!plan.variables.empty(), who, ": there is no variable; add one to the plan.");
  std::set<std::string> names;
  const auto check_name = [&](const std::string& name) {
    require(!name.empty() && names.insert(name).second, who, ": '", name,
            "' names two variables or none; each needs a name of its own.");
  };
  for (const EventVariable& v : plan.variables) {
    check_name(v.name);
    require(v.half_life > 0 && v.frequency > 0 && v.memory >= 0, who, ": ", v.name, " has half-life ", v.half_life,
            ", frequency ", v.frequency, " and memory ", v.memory, "; the first two must be > 0, the last >= 0.");
    require(v.valued || v.effect == 0, who, ": ", v.name, " has no values, but effect = ", v.effect, "; it must be 0.");
    require(v.ordered > 0 && v.ordered <= 1, who, ": ", v.name, " is ordered in a share of ", v.ordered,
            " of the stays, but must be in (0, 1].");
  }
  for (const EventStatic& s : plan.statics) {
    check_name(s.name);
    require(s.low < s.high, who, ": ", s.name, " is between ", s.low, " and ", s.high, "; the first must be less.");
  }
}

/// One stay before its outcome is known. Times ascend; `of` says which variable of the plan.
struct MadeStay {
  std::vector<double> hours, z;
  std::vector<std::size_t> of;
  std::vector<double> statics;
  double severity = 0;
};

class StayMaker {
 public:
  StayMaker(const EventPlan& plan, const Random& random) : plan_(plan), random_(random) {}

  MadeStay operator()(Index number) const {
    const auto entity = static_cast<std::uint64_t>(number);
    const Random mine = Random(random_.bits(entity));
    MadeStay stay;
    stay.severity = mine.stream("severity").normal(0);
    const std::vector<double> shares = ordered_shares(stay.severity, mine.stream("ordered"));
    const auto spread = static_cast<std::uint64_t>(plan_.most - plan_.fewest + 1);
    const std::size_t count = plan_.fewest + mine.stream("count").below(spread, 0);
    const Random times = mine.stream("times"), kinds = mine.stream("kinds");
    for (std::size_t i = 0; i < count; ++i) stay.hours.push_back(plan_.start + plan_.hours * times.uniform(i));
    std::sort(stay.hours.begin(), stay.hours.end());
    for (std::size_t i = 0; i < count; ++i) {
      const double drawn = shares.back() * kinds.uniform(i);
      const auto found = std::upper_bound(shares.begin(), shares.end() - 1, drawn);
      stay.of.push_back(found - shares.begin());
    }
    stay.z = values_of(stay, mine.stream("values"));
    draw_statics(stay, mine.stream("statics"));
    return stay;
  }

 private:
  /// Running sums of the frequencies of the variables that are measured in this stay; one always is.
  std::vector<double> ordered_shares(double severity, const Random& random) const {
    std::vector<double> shares;
    double sum = 0;
    for (std::size_t v = 0; v < plan_.variables.size(); ++v) {
      const EventVariable& variable = plan_.variables[v];
      const double chance =
          variable.ordered < 1 ? sigmoid(log_odds(variable.ordered) + variable.by_severity * severity) : 1;
      const bool last_hope = sum == 0 && v + 1 == plan_.variables.size();
      if (random.uniform(v) < chance || last_hope) sum += variable.frequency;
      shares.push_back(sum);
    }
    return shares;
  }

  std::vector<double> values_of(const MadeStay& stay, const Random& random) const {
    std::vector<double> z(stay.of.size());
    for (std::size_t v = 0; v < plan_.variables.size(); ++v) {
      std::vector<std::size_t> mine;
      std::vector<double> times;
      for (std::size_t i = 0; i < z.size(); ++i)
        if (stay.of[i] == v) mine.push_back(i), times.push_back(stay.hours[i]);
      if (mine.empty()) continue;
      std::vector<double> values(mine.size());
      const Random stream(random.bits(v));
      if (plan_.variables[v].memory > 0)
        values = damped_random_walk(times, plan_.variables[v].memory / logarithm(2.0), stream);
      else
        stream.normals(0, 0, values);
      for (std::size_t k = 0; k < mine.size(); ++k) z[mine[k]] = values[k];
    }
    return z;
  }

  void draw_statics(MadeStay& stay, const Random& random) const {
    for (std::size_t k = 0; k < plan_.statics.size(); ++k) {
      const EventStatic& s = plan_.statics[k];
      stay.statics.push_back(s.yes_or_no ? (random.uniform(k) < s.centre ? 1.0 : 0.0)
                                         : std::clamp(s.centre + s.scale * random.normal(k), s.low, s.high));
    }
  }

  const EventPlan& plan_;
  Random random_;
};

/// The mean of z with weights 2^(-age / half-life); NaN without an event.
double weighted_mean(const MadeStay& stay, std::size_t variable, double half_life, double end) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < stay.of.size(); ++i) {
    if (stay.of[i] != variable) continue;
    const double weight = exponential(-logarithm(2.0) * (end - stay.hours[i]) / half_life);
    sum += weight * stay.z[i], total += weight;
  }
  return total > 0 ? sum / total : kNan;
}

/// Adds effect * std(x) to the logits, std over the numbers that are there.
void add_effect(std::vector<double>& logits, const std::vector<double>& x, double effect) {
  double count = 0, sum = 0, squares = 0;
  for (const double value : x)
    if (!std::isnan(value)) count += 1, sum += value;
  for (const double value : x)
    if (!std::isnan(value)) squares += (value - sum / count) * (value - sum / count);
  if (!(squares > 0)) return;
  const double deviation = std::sqrt(squares / count);
  for (std::size_t s = 0; s < x.size(); ++s)
    if (!std::isnan(x[s])) logits[s] += effect * (x[s] - sum / count) / deviation;
}

std::vector<double> risks_of(const EventPlan& plan, const std::vector<MadeStay>& made) {
  std::vector<double> logits(made.size()), x(made.size());
  for (std::size_t v = 0; v < plan.variables.size(); ++v) {
    const EventVariable& variable = plan.variables[v];
    if (variable.effect == 0) continue;
    for (std::size_t s = 0; s < made.size(); ++s)
      x[s] = weighted_mean(made[s], v, variable.half_life, plan.start + plan.hours);
    add_effect(logits, x, variable.effect);
  }
  for (std::size_t k = 0; k < plan.statics.size(); ++k) {
    for (std::size_t s = 0; s < made.size(); ++s) x[s] = made[s].statics[k];
    add_effect(logits, x, plan.statics[k].effect);
  }
  for (std::size_t s = 0; s < made.size(); ++s) logits[s] += plan.severity * made[s].severity;
  // The mean risk rises with the constant: halving.
  double low = -50, high = 50;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (const double logit : logits) sum += sigmoid(logit + middle);
    (sum < plan.prevalence * static_cast<double>(logits.size()) ? low : high) = middle;
  }
  for (double& logit : logits) logit = sigmoid(logit + low);
  return logits;
}

/// Where each variable, then each static of the plan stands among all names in ascending order.
struct NamePlaces {
  std::vector<std::string> names;
  std::vector<std::uint16_t> variables, statics;
};

NamePlaces places_of(const EventPlan& plan) {
  NamePlaces places;
  for (const EventVariable& v : plan.variables) places.names.push_back(v.name);
  for (const EventStatic& s : plan.statics) places.names.push_back(s.name);
  std::sort(places.names.begin(), places.names.end());
  const auto place = [&](const std::string& name) {
    return static_cast<std::uint16_t>(std::lower_bound(places.names.begin(), places.names.end(), name) -
                                      places.names.begin());
  };
  for (const EventVariable& v : plan.variables) places.variables.push_back(place(v.name));
  for (const EventStatic& s : plan.statics) places.statics.push_back(place(s.name));
  return places;
}

double value_of(const EventVariable& variable, double z) {
  constexpr double kSafe = 4;  // deviations above 0, below which a normal number lies once in 30,000
  if (!variable.valued) return kNan;
  const bool amount = variable.centre > 0 && variable.centre < kSafe * variable.scale;
  if (!amount) return std::min(variable.centre + variable.scale * z, variable.most);
  const double ratio = variable.scale / variable.centre, variance = logarithm(1 + ratio * ratio);
  return std::min(variable.centre * exponential(std::sqrt(variance) * z - variance / 2), variable.most);
}

void append_stay(events::Stays& stays, const EventPlan& plan, const NamePlaces& places, const MadeStay& made) {
  stays.ids.push_back(std::to_string(kFirstId + stays.count()));
  const auto first = stays.hours.size();
  for (std::size_t i = 0; i < made.of.size(); ++i) {
    const EventVariable& variable = plan.variables[made.of[i]];
    stays.hours.push_back(static_cast<float>(made.hours[i]));
    stays.values.push_back(static_cast<float>(value_of(variable, made.z[i])));
    stays.kinds.push_back(places.variables[made.of[i]]);
  }
  // Moments that a float cannot tell apart stand in the order of their variables and values, as from a file.
  for (std::size_t i = first + 1; i < stays.hours.size(); ++i) {
    const auto before = [&](std::size_t a, std::size_t b) {
      return std::tie(stays.hours[a], stays.kinds[a], stays.values[a]) <
             std::tie(stays.hours[b], stays.kinds[b], stays.values[b]);
    };
    for (std::size_t k = i; k > first && before(k, k - 1); --k) {
      std::swap(stays.hours[k], stays.hours[k - 1]);
      std::swap(stays.kinds[k], stays.kinds[k - 1]);
      std::swap(stays.values[k], stays.values[k - 1]);
    }
  }
  stays.offsets.push_back(static_cast<Index>(stays.hours.size()));
  std::vector<std::pair<std::uint16_t, float>> statics;
  for (std::size_t k = 0; k < made.statics.size(); ++k)
    statics.emplace_back(places.statics[k], static_cast<float>(made.statics[k]));
  std::sort(statics.begin(), statics.end());
  for (const auto& [kind, value] : statics) stays.static_kinds.push_back(kind), stays.static_values.push_back(value);
  stays.static_offsets.push_back(static_cast<Index>(stays.static_values.size()));
}

/// Days from the start to the death of those who died.
events::OutcomeColumn dated_deaths(const EventPlan& plan, const MadeStays& made, const Random& random) {
  events::OutcomeColumn days{"survival_days", {}};
  for (std::size_t s = 0; s < made.risks.size(); ++s) {
    const double mean = 2 * (1 - made.risks[s]) * plan.death_delay;
    const double delay = -mean * logarithm(1 - random.uniform(s));
    days.values.push_back(made.stays.outcomes.front().values[s] == 1 ? (plan.hours + delay) / 24 : kNan);
  }
  return days;
}

}  // namespace

MadeStays made_stays(const EventPlan& plan, const Random& random) {
  check_event_plan(plan);
  const StayMaker maker(plan, random.stream("stays"));
  std::vector<MadeStay> made;
  for (Index s = 0; s < plan.stays; ++s) made.push_back(maker(s));
  MadeStays out;
  out.risks = risks_of(plan, made);
  const NamePlaces places = places_of(plan);
  out.stays.variables = places.names;
  for (const MadeStay& stay : made) append_stay(out.stays, plan, places, stay);
  const Random luck = random.stream("outcomes");
  events::OutcomeColumn died{"died", {}};
  for (std::size_t s = 0; s < made.size(); ++s) died.values.push_back(luck.uniform(s) < out.risks[s] ? 1.0 : 0.0);
  out.stays.outcome = died.name;
  out.stays.outcomes.push_back(std::move(died));
  if (plan.death_delay > 0) out.stays.outcomes.push_back(dated_deaths(plan, out, random.stream("deaths")));
  out.stays.facts.rows = out.stays.events() + static_cast<Index>(out.stays.static_values.size());
  out.stays.facts.missing_by_variable.assign(places.names.size(), 0);
  for (const EventVariable& v : plan.variables)
    if (v.effect != 0) out.informative.push_back(v.name);
  return out;
}

EventPlan known_decay_plan(double half_life_hours, Index stays) {
  constexpr double kEffect = 2.5;
  EventPlan plan;
  plan.stays = stays;
  for (const char* name : {"a", "b", "c", "d"}) plan.variables.push_back({.name = name});
  plan.variables[0].half_life = half_life_hours;
  plan.variables[0].effect = kEffect;
  return plan;
}

EventPlan ward_plan(Index stays) {
  EventPlan plan;
  plan.stays = stays, plan.fewest = 60, plan.most = 240;
  plan.prevalence = 1.0 / 7, plan.severity = 0.5, plan.death_delay = 72;
  // name, half-life, effect, frequency, ordered, by severity, memory, centre, scale
  plan.variables = {{"heart_rate", 2, 0.5, 48, 1, 0, 4, 87, 18},
                    {"systolic_pressure", 4, -0.6, 46, 1, 0, 6, 119, 22},
                    {"respiratory_rate", 3, 0.4, 30, 0.6, -0.6, 3, 19, 5},
                    {"temperature", 12, 0, 30, 1, 0, 12, 37, 0.8},
                    {"glasgow_coma_scale", 12, -0.9, 15, 1, 0, 24, 12, 3, true, 15},
                    {"urine_output", 8, -0.6, 36, 0.95, 0, 6, 115, 90},
                    {"lactate", 8, 0.7, 4, 0.45, 1.2, 12, 2.4, 1.6},
                    {"arterial_ph", 6, -0.4, 7, 0.7, 0.9, 8, 7.38, 0.07},
                    {"creatinine", 96, 0.5, 4, 0.98, 0, 80, 1.3, 0.9},
                    {"urea", 72, 0.6, 4, 0.98, 0, 90, 26, 18},
                    {"bilirubin", 48, 0.4, 2, 0.42, 0.8, 150, 1.8, 2.5},
                    {"sodium", 24, 0, 5, 0.98, 0, 40, 139, 5}};
  plan.statics = {{.name = "age", .effect = 0.5, .centre = 64, .scale = 17, .low = 18, .high = 90},
                  {.name = "male", .effect = 0, .centre = 0.56, .yes_or_no = true}};
  return plan;
}

EventPlan cohort_plan(Index subjects) {
  constexpr double kYear = kHoursOfYear;
  EventPlan plan;
  plan.stays = subjects, plan.fewest = 4, plan.most = 40;
  plan.hours = 20 * kYear, plan.start = -plan.hours;
  plan.prevalence = 1.0 / 14, plan.severity = 0.8;
  // name, half-life, effect, frequency, ordered, by severity, memory, centre, scale, valued
  plan.variables = {{"systolic_pressure", 3 * kYear, 0.5, 20, 1, 0, 2 * kYear, 136, 20},
                    {"hdl_cholesterol", 8 * kYear, -0.4, 12, 0.9, 0, 6 * kYear, 48, 14},
                    {"glucose", 2 * kYear, 0.6, 12, 0.95, 0.2, 3 * kYear, 105, 25},
                    {"creatinine", kYear, 0.6, 10, 0.8, 0.4, 2 * kYear, 1, 0.3},
                    {"body_mass_index", 15 * kYear, 0, 8, 1, 0, 10 * kYear, 28, 5},
                    {"hypertension", kYear, 0, 1, 0.4, 0.6, 0, 0, 1, false},
                    {"diabetes", kYear, 0, 1, 0.2, 1.2, 0, 0, 1, false},
                    {"heart_failure", kYear, 0, 1, 0.08, 1.8, 0, 0, 1, false}};
  plan.statics = {{.name = "age", .effect = 1.3, .centre = 55, .scale = 15, .low = 20, .high = 90},
                  {.name = "male", .effect = 0.3, .centre = 0.46, .yes_or_no = true}};
  return plan;
}

}  // namespace fovea::datasets::simulated
