#include <algorithm>
#include <cctype>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/simulate/outcome.hpp"
#include "fovea/domains/opinion/simulate/rest.hpp"

namespace fovea::opinion::simulate {

namespace {

/// Shocks and events.
std::vector<std::string> happening_marks(const Results& merged) {
  std::vector<std::string> marks;
  for (const char* kind : {"shock_", "event_"})
    for (std::size_t k = 1; merged.data.has(concat(kind, k)); ++k) marks.push_back(concat(kind, k));
  return marks;
}

/// In a sweep points may have no common axis: camps, or bins, of their own.
bool has_axes(const Results& merged, const std::string& variable, const std::vector<std::string>& axes) {
  if (!merged.data.has(variable)) return false;
  const std::vector<std::string>& all = merged.data.at(variable).dimensions;
  return std::all_of(axes.begin(), axes.end(),
                     [&](const std::string& axis) { return std::find(all.begin(), all.end(), axis) != all.end(); });
}

Figure over_time(const Results& merged, const std::string& variable, const std::string& title,
                 const std::string& caption, const std::string& fold = "") {
  return {.name = variable + "_over_time",
          .title = title,
          .caption = caption,
          .variables = {variable},
          .x = "step",
          .marks = happening_marks(merged),
          .fold = fold};
}

/// Of opinions that are taken over as they are: who holds which. The other pictures then say little more.
bool add_shares(Results& merged) {
  if (!has_axes(merged, "opinion_share", {"step", "held_opinion"})) return false;
  Figure shares = over_time(merged, "opinion_share", "Who holds which opinion",
                            "Share of the agents that hold each of the start's opinions.");
  shares.hue = "held_opinion";
  merged.figure(std::move(shares));
  if (!has_axes(merged, "active_edges", {"step"})) return true;
  merged.figure(over_time(merged, "active_edges", "Active edges",
                          "Share of the edges whose ends hold different opinions: only along these can an opinion be "
                          "taken over."));
  return true;
}

void add_density_figure(Results& merged, const std::string& fold) {
  if (!has_axes(merged, "opinion_density", {"step", "opinion"})) return;
  merged.figure({.kind = "heatmap",
                 .name = "opinions_over_time",
                 .title = "Opinions over time",
                 .caption =
                     "How the opinions of all agents are spread at each step. A camp is a bright line; where lines "
                     "meet, camps merge.",
                 .variables = {"opinion_density"},
                 .x = "step",
                 .y = "opinion",
                 .fold = fold});
}

void add_trajectories(Results& merged, const std::string& fold) {
  if (!has_axes(merged, "trajectories", {"step", "shown_agent"})) return;
  Figure figure = over_time(merged, "trajectories", "Trajectories",
                            "A few agents, spread evenly over the crowd, on their way.", fold);
  if (!figure.marks.empty())
    figure.caption += merged.data.has("events") ? " Vertical lines: events; a line ends where its agent leaves."
                                                : " Vertical lines: shocks.";
  figure.hue = "shown_agent";
  merged.figure(figure);
}

void add_histogram(Results& merged, const std::string& fold) {
  if (!has_axes(merged, "opinion_density", {"step", "opinion"})) return;
  merged.figure({.kind = "histogram",
                 .name = "opinions_step_by_step",
                 .title = "Opinions, step by step",
                 .caption =
                     "Density of the opinions at the step of the slider, at first the last one; the button beside "
                     "it plays the run.",
                 .variables = {"opinion_density"},
                 .x = "opinion",
                 .fold = fold});
}

void add_camp_figure(Results& merged) {
  if (!has_axes(merged, "camp_attention", {"from_camp", "to_camp"})) return;
  merged.figure({.kind = "heatmap",
                 .name = "attention_between_camps",
                 .title = "Attention between camps at the end",
                 .caption = "Each row is a camp, given by its mean opinion and its share of the agents. It shows how "
                            "the attention of the camp is distributed; a row sums to 1.",
                 .variables = {"camp_attention"},
                 .x = "to_camp",
                 .y = "from_camp"});
}

void add_network(Results& merged) {
  if (!has_axes(merged, "opinions", {"step", "agent"}) || !merged.data.has("edge_source")) return;
  const bool come_and_go = has_axes(merged, "edge_there", {"step", "edge"});
  merged.figure({.kind = "network",
                 .name = "network",
                 .title = "The network, step by step",
                 .caption = "Colour: each agent's opinion at the step of the slider, at first the last one; the button "
                            "beside it plays the run." +
                            std::string(merged.data.has("agents_there") ? " Grey: not there." : "") +
                            std::string(merged.data.has("network_parts") ? " The edges are those at the end." : ""),
                 .variables = {"opinions"},
                 .x = "agent",
                 .position_x = "node_x",
                 .position_y = "node_y",
                 .edge_source = "edge_source",
                 .edge_target = "edge_target",
                 .edge_weight = come_and_go ? "edge_there" : ""});
}

/// Of a network that changes.
void add_network_over_time(Results& merged) {
  if (!has_axes(merged, "network_parts", {"step"})) return;
  if (has_axes(merged, "edges_between_camps", {"step"}))
    merged.figure(
        over_time(merged, "edges_between_camps", "Edges between camps",
                  "Share of the edges that join agents of different camps. At 0 the camps no longer know each "
                  "other."));
  constexpr const char* kFold = "The network over time";
  merged.figure(over_time(merged, "largest_part_share", "The largest part of the network",
                          "Share of the agents in the largest part of the network.", kFold));
  merged.figure(
      over_time(merged, "network_parts", "Parts of the network", "Parts without an edge between them.", kFold));
  merged.figure(
      over_time(merged, "edges_moved", "Edges moved", "Edges that agents have moved since the start.", kFold));
}

/// How large the largest camp is, and whether camps still know each other.
void add_network_headlines(Results& merged) {
  merged.headline({.variable = "final_largest_camp_share",
                   .label = "Share of the largest camp",
                   .meaning = "Of the agents, at the end."});
  const auto crossing = view(merged.data, "final_edges_between_camps").range();
  if (crossing.second > 0)
    merged.headline({.variable = "final_edges_between_camps",
                     .label = "Edges between camps at the end",
                     .meaning = "Share of the edges that join agents of different camps."});
}

/// "Least distance from a distribution with one hump (Hartigan & Hartigan 1985)."
std::string caption_of(const measures::MeasureEntry& entry) {
  std::string text = concat(entry.definition, " (", entry.source, ").");
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

void add_measure(Results& merged, const std::string& name, const std::string& title, const std::string& caption) {
  if (!has_axes(merged, name, {"step"})) return;
  merged.figure(over_time(merged, name, title, caption, "Measures over time"));
}

void add_activity_figure(Results& merged) {
  if (!has_axes(merged, "extremity", {"activity_rank"})) return;
  merged.figure({.kind = "lines",
                 .name = "extremity_by_activity",
                 .title = "Who becomes extreme?",
                 .caption =
                     "Mean distance of the final opinion from 0, in ten equal parts of the agents from the least "
                     "to the most active.",
                 .variables = {"extremity"},
                 .x = "activity_rank"});
}

/// Those that record.measures added.
void add_chosen_measures(Results& merged) {
  for (const measures::MeasureEntry& entry : measures::measures()) {
    const std::string name(entry.name);
    const auto standard = standard_measures();
    const bool chosen = std::none_of(standard.begin(), standard.end(),
                                     [&](const RecordedMeasure& measure) { return measure.entry == &entry; });
    if (chosen && has_axes(merged, name, {"step"}))
      add_measure(merged, name, concat("Measure ", name), caption_of(entry));
  }
}

}  // namespace

bool takes_over(const Results& merged) {
  const auto model = merged.data.attributes.find("model");
  return model != merged.data.attributes.end() && dynamics::find_model(model->second).rule.update.imitates;
}

void conclude_simulation(Results& merged) {
  end_at_rest(merged);
  const std::string fold = add_shares(merged) ? "Single opinions" : "";
  add_density_figure(merged, fold);
  add_activity_figure(merged);
  add_network_over_time(merged);
  add_network(merged);
  add_trajectories(merged, fold);
  add_histogram(merged, fold);
  add_camp_figure(merged);
  add_measure(merged, "sd", "Spread", "Standard deviation of the opinions of the agents, without bots and media.");
  if (merged.data.has("events"))
    add_measure(merged, "agents_there", "Agents there", "Agents that are there and count, without bots and media.");
  add_measure(merged, "camps", "Number of camps", "Clusters that hold at least camps.least_share of the agents.");
  add_measure(merged, "order", "Order", "Length of the mean direction: 1 when all directions are equal.");
  add_measure(merged, "bimodality", "Bimodality coefficient",
              "1/3 for a normal distribution, 5/9 for a uniform one, 1 for two equal points.");
  add_chosen_measures(merged);
  if (merged.data.has("final_network_parts")) add_network_headlines(merged);
  if (view(merged.data, "final_camps").range().second >= 0)
    merged.headline(
        {.variable = "final_camps",
         .label = "Camps at the end",
         .meaning = "Groups without a gap wider than camps.gap, of at least camps.least_share of the agents."});
  if (merged.data.has("final_modes") && !takes_over(merged))
    merged.headline({.variable = "final_modes",
                     .label = "Peaks of the density at the end",
                     .meaning =
                         "Peaks that the dip test and the test of critical bandwidths (Silverman 1981) tell from "
                         "chance; agents between two peaks do not join them."});
  merged.headline(
      {.variable = "final_sd", .label = "Spread at the end", .meaning = "Standard deviation of the opinions."});
  merged.headline({.variable = "steps_taken", .label = "Steps", .meaning = "Until at rest, or run.steps."});
  merged.verdict(simulation_verdict(merged));
}

}  // namespace fovea::opinion::simulate
