#include "fovea/domains/opinion/simulate/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/tests/critical_bandwidth.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/simulate/coevolution_keys.hpp"
#include "fovea/domains/opinion/society/block_sums.hpp"
#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::simulate {

namespace {

void write_measures_over_time(const Recorder& recorder, Results& results) {
  results.data.add({"step", {"step"}, recorder.settings().grid, "step", "step, 0 is the start", {{"axis", "T"}}});
  for (const RecordedMeasure& measure : recorder.recorded()) {
    const measures::MeasureEntry& entry = *measure.entry;
    const std::vector<double> values = recorder.over_time(entry.name);
    if (std::all_of(values.begin(), values.end(), [](double v) { return std::isnan(v); })) continue;
    results.add(std::string(entry.name), {"step"}, values, std::string(entry.unit), std::string(measure.meaning));
  }
}

void write_opinions_over_time(const std::vector<std::string>& names, const Recorder& recorder, Index components,
                              Results& results) {
  results.coordinate("opinion", recorder.bin_centres(), "opinion",
                     "opinion: first component, at the centre of the bin");
  results.add("opinion_density", {"step", "opinion"}, recorder.density(), "1/opinion", "density of opinions over time");
  const std::size_t states = recorder.states(), bins = recorder.settings().bins;
  const auto last = recorder.density().begin() + static_cast<std::ptrdiff_t>((states - 1) * bins);
  results.add("final_density", {"opinion"}, std::vector<float>(last, last + static_cast<std::ptrdiff_t>(bins)),
              "1/opinion", "density of opinions at the end");
  if (recorder.kept().empty()) return;
  results.coordinate("agent", society::agent_names(names, {recorder.kept().begin(), recorder.kept().end()}), "1",
                     "agent number");
  std::vector<std::string> dimensions{"step", "agent"};
  if (components > 1) {
    std::vector<std::int64_t> numbers(components);
    std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
    results.coordinate("component", numbers, "1", "component of the opinion");
    dimensions.emplace_back("component");
  }
  results.add("opinions", dimensions, recorder.trajectories(), "opinion",
              concat("opinion of each agent, rounded to multiples of ", recorder.settings().resolution));
}

/// The first component of some agents, spread evenly over those kept.
void write_lines(const std::vector<std::string>& names, const Recorder& recorder, Index components, Results& results) {
  const std::size_t kept = recorder.kept().size();
  const std::size_t lines = std::min(kept, static_cast<std::size_t>(recorder.settings().lines));
  if (lines == 0) return;
  std::vector<std::int64_t> agents;
  std::vector<float> values(recorder.states() * lines);
  for (std::size_t l = 0; l < lines; ++l) {
    const std::size_t k = l * kept / lines;
    agents.push_back(recorder.kept()[k]);
    for (std::size_t s = 0; s < recorder.states(); ++s)
      values[s * lines + l] = recorder.trajectories()[(s * kept + k) * components];
  }
  results.coordinate("shown_agent", society::agent_names(names, agents), "1", "agent: one of those drawn");
  results.add("trajectories", {"step", "shown_agent"}, values, "opinion", "opinion, first component");
}

/// The edges of everybody's network at the start and after every event, ascending.
std::vector<society::Edge> all_edges(const society::Graph& graph, const std::vector<Event>& events) {
  std::set<society::Edge> edges(graph.edges.begin(), graph.edges.end());
  for (const Event& event : events)
    if (event.kind == EventKind::edge)
      edges.insert(graph.directed
                       ? society::Edge{event.agent, event.other}
                       : society::Edge{std::min(event.agent, event.other), std::max(event.agent, event.other)});
  return {edges.begin(), edges.end()};
}

/// 1 where an edge is there at a recorded step, both of its ends too; else NaN. Edge after edge for each step.
std::vector<float> edges_over_time(const Crowd& crowd, const society::Graph& graph,
                                   const std::vector<society::Edge>& edges, const std::vector<std::int64_t>& steps) {
  const std::vector<Event>& events = crowd.events();
  std::vector<std::uint8_t> there = there_at_start(events, graph.nodes);
  std::set<society::Edge> tied(graph.edges.begin(), graph.edges.end());
  std::vector<float> present;
  std::size_t next = 0;
  for (const std::int64_t step : steps) {
    // A state is that after the steps before it: events before its own step are yet to come.
    for (; next < events.size() && events[next].step < step; ++next) {
      const Event& event = events[next];
      if (event.kind == EventKind::join || event.kind == EventKind::leave)
        there[event.agent] = event.kind == EventKind::join ? 1 : 0;
      if (event.other < 0) continue;
      society::Edge edge{event.agent, event.other};
      if (!graph.directed && edge[0] > edge[1]) std::swap(edge[0], edge[1]);
      if (event.kind == EventKind::edge)
        tied.insert(edge);
      else
        tied.erase(edge);
    }
    for (const society::Edge& edge : edges) {
      const bool both = there[edge[0]] != 0 && there[edge[1]] != 0;
      present.push_back(both && tied.count(edge) > 0 ? 1.0F : std::numeric_limits<float>::quiet_NaN());
    }
  }
  return present;
}

void write_network_picture(const society::Population& population, const Crowd& crowd, const Recorder& recorder,
                           const Matrix<double>& opinions, Results& results) {
  const Index n = opinions.rows();
  if (!population.graph || n > recorder.settings().network_max || static_cast<Index>(recorder.kept().size()) != n)
    return;
  society::Graph graph = *population.graph;
  const bool by_events = !crowd.events().empty() && crowd.dynamics().changed_network() == nullptr;
  if (by_events) {
    graph.edges = all_edges(graph, crowd.events());
    graph.weights.clear();
  }
  society::write_places(society::undirected(graph), "agent", results);
  results.add("final_opinion", {"agent"}, std::vector<double>(opinions.col(0).begin(), opinions.col(0).end()),
              "opinion", "opinion at the end, first component");
  results.add("final_camp", {"agent"}, camp_of_agents(recorder, crowd), "1",
              "camp at the end, from the lowest opinion to the highest; -1: in none of a reported size");
  if (graph.edges.empty()) return;
  society::write_edges(graph, "agent", results);
  if (population.graph->directed) results.data.at("edge_source").attributes["directed"] = "true";
  if (!graph.weights.empty()) results.add("edge_weight", {"edge"}, graph.weights, "1", "weight of the edge");
  if (by_events)
    results.add("edge_there", {"step", "edge"},
                edges_over_time(crowd, *population.graph, graph.edges, recorder.settings().grid), "1",
                "1 where the edge and both of its ends are there");
}

/// What happened when; the steps are marks of the figures.
void write_events(const EventTable* table, const Crowd& crowd, const Recorder& recorder, Results& results) {
  if (table == nullptr) return;
  constexpr std::size_t kMostMarks = 12;
  for (const std::string& note : table->notes) results.note(note);
  const std::int64_t steps = recorder.settings().steps;
  std::vector<Event> happened;
  std::vector<std::int64_t> when;
  for (const Event& event : crowd.events()) {
    if (event.step >= steps) continue;
    happened.push_back(event);
    if (when.empty() || when.back() != event.step) when.push_back(event.step);
  }
  if (const std::size_t late = crowd.events().size() - happened.size(); late > 0)
    results.note(concat(counted(static_cast<std::int64_t>(late), "event"), " of events.file ", late == 1 ? "is" : "are",
                        " at run.steps = ", steps, " or later and did not happen."));
  results.scalar("events", static_cast<double>(happened.size()), "1", "number of events");
  results.add("agents_there", {"step"}, recorder.sizes(), "1", "agents that are there and count");
  if (happened.empty()) return;
  results.note(concat("Events of events.file: ", listed_events(happened), ", before ",
                      when.size() == 1 ? concat("step ", when[0])
                                       : concat(when.size(), " steps from ", when.front(), " to ", when.back()),
                      ". Who is not there is neither heard nor counted."));
  const Crowd::EdgeCounts counts = crowd.edge_counts();
  if (counts.gone > 0)
    results.note(
        concat(counted(counts.gone, "cut"), " of events.file found no edge: agents had moved it away before."));
  if (counts.there > 0)
    results.note(concat(counted(counts.there, "edge"), " of events.file ", counts.there == 1 ? "was" : "were",
                        " there already with the same weight: nothing changed."));
  for (std::size_t k = 0; k < std::min(when.size(), kMostMarks); ++k) {
    std::vector<Event> then;
    for (const Event& event : happened)
      if (event.step == when[k]) then.push_back(event);
    results.scalar(concat("event_", k + 1), static_cast<double>(when[k]), "step", listed_events(then));
  }
}

void write_shocks(const Recorder& recorder, Results& results) {
  const std::vector<Shock>& shocks = recorder.settings().shocks;
  for (std::size_t k = 0; k < shocks.size(); ++k) {
    results.scalar(concat("shock_", k + 1), static_cast<double>(shocks[k].step), "step",
                   concat("shock: ", shocks[k].kind, " ", shocks[k].value));
    const bool opinions = shocks[k].kind == "shift" || shocks[k].kind == "set";
    results.note(concat("Shock before step ", shocks[k].step, ": ",
                        opinions ? concat(shocks[k].kind == "set" ? "opinions set to " : "opinions shifted by ",
                                          shocks[k].value, " for ", 100 * shocks[k].share, " % of the agents")
                                 : concat(shocks[k].kind, " set to ", shocks[k].value),
                        "."));
  }
}

void write_end(const Recorder& recorder, const SimulateEnd& end, Results& results) {
  results.scalar("steps_taken", static_cast<double>(end.steps), "step", "steps until at rest, or run.steps");
  results.scalar("at_rest", end.at_rest ? 1 : 0, "1", "1: at rest within run.steps");
  results.scalar("shocks", static_cast<double>(recorder.settings().shocks.size()), "1", "number of shocks");
  recorder.network().write(recorder.settings().grid, results);
  const std::size_t standard = standard_measures().size();
  for (std::size_t k = 0; k < recorder.recorded().size(); ++k) {
    const auto& [entry, meaning] = recorder.recorded()[k];
    const bool said_elsewhere =
        entry->name == "variance" || entry->name == "bimodality" || entry->name == "esteban_ray";
    if (k < standard && said_elsewhere) continue;
    std::string label = concat("final ", entry->name);
    std::replace(label.begin(), label.end(), '_', ' ');
    results.scalar(concat("final_", entry->name), recorder.last(entry->name), std::string(entry->unit),
                   concat(label, ": ", meaning));
  }
}

/// As many opinions as the test for modes takes, evenly spread over the agents of all ranks.
std::vector<double> spread_out(const Matrix<double>& counted, const Recorder& recorder, const Crowd& crowd) {
  const Index agents = recorder.count(counted), first = crowd.part().first;
  const Index kept = std::min(agents, static_cast<Index>(kModeSample));
  std::vector<double> own;
  for (Index k = 0; k < kept; ++k)
    if (const Index i = k * agents / kept - first; i >= 0 && i < counted.rows()) own.push_back(counted(i, 0));
  return crowd.ranks().collect(own);
}

/// Camps as peaks of the density, and who is more extreme than anybody was.
void write_groups(const Recorder& recorder, const Crowd& crowd, const Matrix<double>& opinions, const Random& random,
                  Results& results) {
  if (opinions.cols() != 1) return;
  const Matrix<double>& last = recorder.counted(opinions);
  const auto ends = society::range_of(crowd.ranks(), last, 0);
  ModeSettings settings;
  settings.least_share = recorder.settings().least_share;
  // What is left of differences within one camp's gap is the way to consensus, or rounding.
  const bool together = ends.second - ends.first <= recorder.settings().camp_gap;
  const std::size_t peaks = together ? 1 : count_modes(spread_out(last, recorder, crowd), random, settings).count;
  results.scalar("final_modes", static_cast<double>(peaks), "1",
                 "peaks of the density at the end, by the test of critical bandwidths (Silverman 1981)");
  if (dynamics::find_model(crowd.dynamics().settings().model).rule.update.space == dynamics::Space::circle) return;
  // Of all that were there at any time: those who have left may have been the most extreme.
  const auto [low, high] = crowd.anchor_range();
  std::int64_t beyond[] = {(last.array() < low).count(), (last.array() > high).count()};
  crowd.ranks().sum(beyond);
  const auto agents = static_cast<double>(recorder.count(last));
  results.scalar("final_pole_low", static_cast<double>(beyond[0]) / agents, "1",
                 "share of the agents at the end whose opinion is below every opinion of the start");
  results.scalar("final_pole_high", static_cast<double>(beyond[1]) / agents, "1",
                 "share of the agents at the end whose opinion is above every opinion of the start");
}

/// How extreme the agents are, in ten equal parts by how often they are active.
void write_activities(const Recorder& recorder, const Crowd& crowd, const Matrix<double>& opinions, Results& results) {
  constexpr std::size_t kParts = 10;
  const std::vector<double> activities = crowd.activities();
  if (activities.empty()) return;
  if (results.data.has("agent")) {
    std::vector<double> kept;
    for (const Index agent : recorder.kept()) kept.push_back(activities[agent]);
    results.add("activity", {"agent"}, kept, "1/step", "activity: probability that the agent is active in a step");
  }
  std::vector<std::size_t> order;
  const std::vector<std::uint8_t>& counted = crowd.agents().counted;
  for (std::size_t i = 0; i < activities.size(); ++i)
    if ((counted.empty() || counted[i] != 0) && !std::isnan(opinions(static_cast<Index>(i), 0))) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return activities[a] < activities[b]; });
  if (order.size() < kParts) return;
  struct Tenth {
    double rank = 0, extremity = 0, activity = 0;
  };
  std::vector<Tenth> tenths(kParts);
  for (std::size_t part = 0; part < kParts; ++part) {
    const std::size_t from = part * order.size() / kParts, to = (part + 1) * order.size() / kParts;
    for (std::size_t k = from; k < to; ++k) {
      tenths[part].extremity += std::abs(opinions(static_cast<Index>(order[k]), 0)) / static_cast<double>(to - from);
      tenths[part].activity += activities[order[k]] / static_cast<double>(to - from);
    }
    tenths[part].rank = (static_cast<double>(part) + 0.5) / kParts;
  }
  rows("activity_rank", tenths, &Tenth::rank, "rank by activity, 0: least active, 1: most active")
      .number("extremity", &Tenth::extremity, "mean |opinion| at the end", "opinion")
      .number("part_activity", &Tenth::activity, "mean activity of a tenth of the agents", "1/step")
      .write(results);
}

}  // namespace

void write_simulation(const SimulateAsked& asked, const society::Population& population, const Crowd& crowd,
                      const Recorder& recorder, const EventTable* events, const SimulateEnd& end,
                      const std::vector<std::string>& idle, const Random& random, Results& results) {
  const Matrix<double>& opinions = crowd.everybody();
  const Index components = opinions.cols();
  const dynamics::ModelEntry& entry = dynamics::find_model(crowd.dynamics().settings().model);
  results.data.attributes["model"] = std::string(entry.name);
  // Numbers stay numbers, whatever bots and media are called.
  const bool named = std::holds_alternative<std::vector<std::string>>(society::agent_names(population.names, {0}));
  const std::vector<std::string> names =
      named ? simulated_names(asked, population, crowd.agents().count()) : std::vector<std::string>{};
  write_measures_over_time(recorder, results);
  write_opinions_over_time(names, recorder, components, results);
  write_lines(names, recorder, components, results);
  if (crowd.dynamics().settings().feed.size == 0) write_camp_attention(crowd, recorder, results);
  write_network_picture(population, crowd, recorder, opinions, results);
  write_shocks(recorder, results);
  write_events(events, crowd, recorder, results);
  write_end(recorder, end, results);
  write_groups(recorder, crowd, opinions, random, results);
  write_activities(recorder, crowd, opinions, results);
  recorder.invariants().write(results);
  recorder.held().write(results);
  const bool written = entry.rule.is_written();
  results.note(written ? concat("Model of the config: ", dynamics::formula_text(crowd.dynamics().settings()), ".")
                       : concat("Model ", entry.name, ": ", entry.equation, " (", entry.source, ")."));
  for (const std::string& note : dynamics::coevolution_notes(entry, crowd.dynamics().settings())) results.note(note);
  for (const std::string& note : idle) results.note(note);
  if (asked.population.network.use_weights && population.graph &&
      !dynamics::reads_edge_weights(asked.model, asked.population))
    results.note(concat("In model.name = \"", entry.name,
                        "\" all edges are alike: network.use_weights counts for "
                        "measures of the network alone."));
  const Index silent = crowd.opinions().rows() - recorder.counted(opinions).rows();
  if (silent > 0)
    results.note(concat(counted(silent, "bot or medium", "bots and media"),
                        silent == 1 ? " influences the agents, and is" : " influence the agents, and are",
                        " excluded from all measures."));
  for (const Finding& finding : population.findings) results.record(finding);
  for (const std::string& note : population.notes) results.note(note);
  if (crowd.events().empty()) write_influence(population, crowd.dynamics(), recorder, opinions, results);
}

}  // namespace fovea::opinion::simulate
