#include "fovea/domains/opinion/temperature/outcome.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/opinion/findings.hpp"
#include "fovea/domains/opinion/society/graph.hpp"
#include "fovea/domains/opinion/temperature/findings.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::temperature {

namespace {

constexpr const char* kDerived = "derived in domains/opinion/theory.md (E5)";

using Rows = std::vector<std::vector<double>>;

/// One part of each record, one after the other.
template <typename Part>
std::vector<double> gather(const Observer& observer, const Rows& records, const Part& part) {
  std::vector<double> all;
  for (const std::vector<double>& record : records) {
    const std::span<const double> values = part(observer.view(record));
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

std::vector<float> single(const std::vector<double>& values) { return {values.begin(), values.end()}; }

std::vector<double> number_over_temperature(const Observer& observer, const Rows& records, std::string_view name) {
  std::vector<double> values;
  for (const std::vector<double>& record : records) values.push_back(observer.view(record)[name]);
  return values;
}

bool is_kept(std::string_view name, const society::Population& population) {
  if (name == "modularity" || name == "assortativity") return population.graph != nullptr;
  if (name == "share_on_real_side" || name == "share_undecided") return !population.known.empty();
  return name != "camp_lifetime" && name != "at_rest";  // said in a note; written as flags
}

void write_numbers(const society::Population& population, const Observer& observer, const Rows& records,
                   Results& results) {
  for (const RecordedNumber& number : recorded_numbers())
    if (is_kept(number.name, population))
      results.add(std::string(number.name), {"temperature"}, number_over_temperature(observer, records, number.name),
                  std::string(number.unit), std::string(number.meaning));
  std::vector<std::uint8_t> flags;
  for (const double value : number_over_temperature(observer, records, "at_rest")) flags.push_back(value > 0 ? 1 : 0);
  const RecordedNumber& at_rest = recorded_numbers()[place_of("at_rest")];
  results.data.add({std::string(at_rest.name),
                    {"temperature"},
                    flags,
                    std::string(at_rest.unit),
                    std::string(at_rest.meaning),
                    {{"flag_values", "0, 1"}, {"flag_meanings", "moving at_rest"}}});
}

void write_density(const Observer& observer, const Rows& records, Results& results) {
  const ObserverSettings& settings = observer.settings();
  std::vector<double> centres;
  const double width = 2 * settings.opinion_limit / static_cast<double>(settings.bins);
  for (Index bin = 0; bin < settings.bins; ++bin)
    centres.push_back((static_cast<double>(bin) + 0.5) * width - settings.opinion_limit);
  results.coordinate("opinion", centres, "opinion", "opinion: its first component, at the centre of the bin");
  const auto density = gather(observer, records, [](const RecordView& record) { return record.density; });
  results.add("opinion_density", {"temperature", "opinion"}, single(density), "1/opinion", "density of opinions");
}

void write_attention(const Observer& observer, const Rows& records, Results& results) {
  const Index groups = observer.settings().attention_groups;
  std::vector<double> ranks;
  for (Index group = 0; group < groups; ++group)
    ranks.push_back((static_cast<double>(group) + 0.5) / static_cast<double>(groups));
  results.coordinate("from", ranks, "1", "rank of the attending agent by opinion: 0 lowest, 1 highest");
  results.coordinate("to", ranks, "1", "rank of the attended agent by opinion: 0 lowest, 1 highest");
  const auto attention = gather(observer, records, [](const RecordView& record) { return record.attention; });
  results.add("attention", {"temperature", "from", "to"}, single(attention), "1",
              "share of attention, given by agents of one rank to those of another");
}

void write_opinions(const society::Population& population, const Observer& observer, const Rows& records,
                    Results& results) {
  const std::vector<double> opinions =
      gather(observer, records, [](const RecordView& record) { return record.opinions; });
  if (!observer.keeps_agents()) {
    std::vector<double> quantile;
    for (Index q = 0; q < Observer::kQuantiles; ++q)
      quantile.push_back(static_cast<double>(q) / (Observer::kQuantiles - 1));
    results.coordinate("quantile", quantile, "1", "share of the agents below");
    results.add("opinion_quantile", {"temperature", "quantile"}, opinions, "opinion", "quantiles of the opinions");
    return;
  }
  std::vector<std::int64_t> agent;
  for (Index i = 0; i < population.agents(); ++i) agent.push_back(i);
  const Values names = society::agent_names(population.names, agent);
  results.coordinate("agent", names, "1",
                     std::holds_alternative<std::vector<std::string>>(names) ? "agent" : "agent number");
  std::vector<std::string> dimensions{"temperature", "agent"};
  if (population.anchors.cols() > 1) {
    std::vector<std::int64_t> component;
    for (Index c = 0; c < population.anchors.cols(); ++c) component.push_back(c);
    results.coordinate("component", component, "1", "component of the opinion");
    dimensions.push_back("component");
  }
  results.add("opinions", dimensions, opinions, "opinion", "final opinion of each agent");
}

void write_network(const TemperatureSettings& settings, const society::Population& population, const Observer& observer,
                   Results& results) {
  if (!population.graph || !observer.keeps_agents()) return;
  if (!population.side.empty()) {
    std::vector<std::string> group;
    for (const Index side : population.side) group.push_back(side < 0 ? "unknown" : population.labels[side]);
    results.add("real_group", {"agent"}, group, "", "observed group, by its label");
  }
  if (!settings.draw_network) return;
  society::write_places(*population.graph, "agent", results);
  if (!population.graph->edges.empty()) society::write_edges(*population.graph, "agent", results);
}

/// The shares at the top of the grid: a number for the headline that was not picked by looking at the truth.
void write_share_at_top(const society::Population& population, const Observer& observer, const Rows& records,
                        Results& results) {
  if (population.known.empty()) return;
  results.scalar("share_at_highest_temperature", observer.view(records.back())["share_on_real_side"], "1",
                 "share of the agents with unknown side on their observed side, at the highest temperature");
}

/// Plain label propagation from the same known members, the yardstick for attention.
void write_label_propagation(const society::Population& population, const Observer& observer, Results& results) {
  if (population.known.empty()) return;
  const std::vector<double> start(population.anchors.data(), population.anchors.data() + population.agents());
  const std::vector<double> value = society::label_propagation(*population.graph, start, population.known);
  const std::vector<std::uint8_t> reached = society::reachable(*population.graph, population.known);
  double judged = 0, right = 0, known = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    known += population.known[i];
    if (population.known[i] || population.side[i] < 0 || !reached[i]) continue;
    ++judged;
    const bool decided = std::abs(value[i]) > observer.settings().tolerance;
    if (decided && (value[i] > 0 ? 1 : 0) == population.side[i]) ++right;
  }
  results.scalar("label_propagation_share", judged > 0 ? right / judged : kNan, "1",
                 "share of the agents with unknown side on their observed side, by label propagation");
  results.scalar("judged_agents", judged, "1", "agents with unknown side that can be reached from a known one");
  if (observer.keeps_agents()) {
    results.add("label_propagation", {"agent"}, value, "1", "label propagation, from -1 to 1");
    results.add("known", {"agent"}, population.known, "1", "known side: 1 where the agent's side is given");
  }
  const auto rest = static_cast<double>(population.agents()) - known - judged;
  results.note(
      concat("Shares are over the ", judged, " labelled agents that are not among the ", known,
             " known ones and that can be reached from a known one",
             rest > 0 ? concat("; the other ", rest, " are left out") : "", ". An agent within ",
             observer.settings().tolerance,
             " of 0 is undecided, and not on its observed side. Label propagation is judged in the same way."));
}

void check_gaussian_state(const std::vector<double>& measured, const std::vector<double>& predicted, double end,
                          const std::vector<double>& temperatures, Results& results) {
  constexpr double kQuantileCrowd = 0.01;  // the sd of 4000 Gaussian quantiles is 0.04 % low; near the fold x 20
  std::size_t worst = measured.size();
  double largest = -1;
  for (std::size_t k = 0; k < measured.size(); ++k) {
    // Below the transition the state is left; just above it small causes have large effects.
    if (std::isnan(predicted[k]) || temperatures[k] < 1.01 * end) continue;
    const double deviation = std::abs(measured[k] / predicted[k] - 1);
    if (deviation <= largest) continue;
    largest = deviation;
    worst = k;
  }
  if (worst == measured.size()) return;
  results.check(
      {"gaussian_state_sd",
       concat("standard deviation of the consensus on cooling, at the temperature of the largest deviation, T = ",
              plain_text(temperatures[worst])),
       kDerived, predicted[worst], measured[worst], relative(kQuantileCrowd)});
}

void write_prediction(const Observer& observer, const TemperatureSettings& settings, const WalkResult& found,
                      Results& results) {
  constexpr double kTransition = 0.005;  // 4000 quantile anchors stand for the continuum to half a percent
  const double s = settings.model.stubbornness, spread = settings.population.start.spread;
  const WalkSettings& walk = settings.walk;
  const bool in_range = walk.temperatures.front() / (spread * spread) > 0;  // not so small that it rounds to 0
  const bool applies = settings.gaussian_state && in_range;
  const bool cooling = walk.branch == Branch::cooling;
  const double end = applies ? theory::consensus_ends(s).tau * spread * spread : kNan;
  std::vector<double> predicted;
  for (const double temperature : walk.temperatures)
    predicted.push_back(applies ? spread * theory::gaussian_state_u(temperature / (spread * spread), s) : kNan);
  results.add("predicted_sd", {"temperature"}, predicted, "opinion",
              "standard deviation of the Gaussian state of infinitely many agents");
  results.scalar("two_camps_end", applies && !cooling ? theory::two_camps_end(s) * spread * spread : kNan,
                 settings.unit(), "highest temperature at which two equal camps, taken as points, have an equilibrium");
  results.scalar("predicted_transition", cooling ? end : kNan, settings.unit(),
                 "predicted transition: temperature where the Gaussian state loses stability");
  results.scalar("transition_temperature", 0.5 * (found.cold + found.hot), settings.unit(),
                 "temperature where one camp becomes several (cooling) or several become one (heating)");
  results.scalar("transition_half_width", 0.5 * (found.hot - found.cold), settings.unit(),
                 "half width of the bracket around the transition");
  if (!applies || !cooling || !settings.continuum) return;
  check_gaussian_state(number_over_temperature(observer, found.records, "sd"), predicted, end, walk.temperatures,
                       results);
  if (!walk.find_transition || std::isnan(found.hot) || std::isnan(end)) return;
  const double tolerance = kTransition + 0.5 * (found.hot - found.cold) / end;
  results.check({"transition", "temperature where consensus loses stability on cooling", kDerived, end,
                 0.5 * (found.cold + found.hot), relative(tolerance)});
}

/// Attention averages: no opinion leaves the interval of the starting opinions, to which the anchors pull.
void check_hull(const TemperatureSettings& settings, const society::Population& population, const Observer& observer,
                const WalkResult& found, Results& results) {
  constexpr double kRounding = 1e-9;  // of the interval: rounding, and sums in O(N)
  if (settings.model.noise > 0 || population.anchors.cols() > 1) return;
  const double low = population.anchors.minCoeff(), high = population.anchors.maxCoeff();
  double outside = 0;
  for (const double opinion : gather(observer, found.records, [](const RecordView& record) { return record.opinions; }))
    outside = std::max({outside, low - opinion, opinion - high});
  results.check({"hull", "how far opinions left the range of the start: who averages cannot leave it",
                 "Hegselmann & Krause 2002: weights >= 0 that sum to 1", 0, outside,
                 absolute(kRounding * (high - low))});
}

void note_not_at_rest(const Observer& observer, const WalkSettings& settings, const WalkResult& found,
                      Results& results) {
  const auto at_rest = number_over_temperature(observer, found.records, "at_rest");
  const auto steps = number_over_temperature(observer, found.records, "steps");
  const auto lifetime = number_over_temperature(observer, found.records, "camp_lifetime");
  std::string list;
  std::size_t moving = 0;
  for (std::size_t k = 0; k < at_rest.size(); ++k) {
    if (at_rest[k] > 0) continue;
    ++moving;
    list += concat(list.empty() ? "" : "; ", "T = ", plain_text(settings.temperatures[k]), ": not at rest after ",
                   steps[k], " steps");
    if (settings.plain_averaging && !std::isnan(lifetime[k]))
      list += concat(", expected lifetime ", plain_text(lifetime[k]), " steps");
  }
  results.finding(PlainAveragingMoves{settings.plain_averaging, moving, at_rest.size()});
  results.finding(TemperaturesNotAtRest{moving, at_rest.size(), list});
}

void write_notes(const Observer& observer, double noise, const WalkSettings& settings, const WalkResult& found,
                 Results& results) {
  const auto whole = [](std::int64_t steps) { return static_cast<std::size_t>(steps); };
  if (!results.finding(MeansOverTime{noise, whole(settings.average_steps), whole(settings.burn_in)}))
    note_not_at_rest(observer, settings, found, results);
  results.finding(BisectionNotAtRest{whole(found.bisections_not_at_rest), whole(settings.steps_max)});
}

}  // namespace

void write_outcome(const TemperatureSettings& settings, const society::Population& population, const Observer& observer,
                   const WalkResult& found, Results& results) {
  results.coordinate("temperature", settings.walk.temperatures, settings.unit(), "temperature T of the attention");
  write_numbers(population, observer, found.records, results);
  write_density(observer, found.records, results);
  write_attention(observer, found.records, results);
  write_opinions(population, observer, found.records, results);
  write_network(settings, population, observer, results);
  write_share_at_top(population, observer, found.records, results);
  write_label_propagation(population, observer, results);
  write_prediction(observer, settings, found, results);
  write_notes(observer, settings.model.noise, settings.walk, found, results);
  check_hull(settings, population, observer, found, results);
  for (const Finding& finding : population.findings) results.record(finding);
  for (const std::string& note : population.notes) results.note(note);
}

}  // namespace fovea::opinion::temperature
