#include <algorithm>
#include <cctype>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/domains/opinion/simulate/outcome.hpp"

namespace fovea::opinion::simulate {

namespace {

std::vector<std::string> shock_marks(const Results& merged) {
  std::vector<std::string> marks;
  for (std::size_t k = 1; merged.data.has(concat("shock_", k)); ++k) marks.push_back(concat("shock_", k));
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
                 const std::string& caption) {
  return {.kind = "lines",
          .name = variable + "_over_time",
          .title = title,
          .caption = caption,
          .variables = {variable},
          .x = "step",
          .marks = shock_marks(merged)};
}

void add_density_figure(Results& merged) {
  if (!has_axes(merged, "opinion_density", {"step", "opinion"})) return;
  merged.figure({.kind = "heatmap",
                 .name = "opinions_over_time",
                 .title = "Opinions over time",
                 .caption = "Density of the opinions at each step; camps appear as bright lines.",
                 .variables = {"opinion_density"},
                 .x = "step",
                 .y = "opinion"});
}

void add_trajectories(Results& merged) {
  if (!has_axes(merged, "trajectories", {"step", "shown_agent"})) return;
  Figure figure =
      over_time(merged, "trajectories", "Trajectories", "Opinions of single agents, sampled evenly from the crowd.");
  if (!figure.marks.empty()) figure.caption += " Vertical lines: shocks.";
  figure.hue = "shown_agent";
  merged.figure(figure);
}

void add_final_histogram(Results& merged) {
  if (!has_axes(merged, "final_density", {"opinion"})) return;
  merged.figure({.kind = "histogram",
                 .name = "final_opinions",
                 .title = "Opinions at the end",
                 .caption = "Density of the final opinions.",
                 .variables = {"final_density"},
                 .x = "opinion"});
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

void add_final_network(Results& merged) {
  if (!has_axes(merged, "final_opinion", {"agent"}) || !merged.data.has("edge_source")) return;
  merged.figure({.kind = "network",
                 .name = "network",
                 .title = "The network at the end",
                 .caption = "Colour: each agent's final opinion.",
                 .variables = {"final_opinion"},
                 .x = "agent",
                 .position_x = "node_x",
                 .position_y = "node_y",
                 .edge_source = "edge_source",
                 .edge_target = "edge_target"});
}

/// "Least distance from a distribution with one hump (Hartigan & Hartigan 1985)."
std::string caption_of(const measures::MeasureEntry& entry) {
  std::string text = concat(entry.definition, " (", entry.source, ").");
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// Those that record.measures added.
void add_chosen_measures(Results& merged) {
  for (const measures::MeasureEntry& entry : measures::measures()) {
    const std::string name(entry.name);
    const auto standard = standard_measures();
    const bool chosen = std::none_of(standard.begin(), standard.end(),
                                     [&](const RecordedMeasure& measure) { return measure.entry == &entry; });
    if (chosen && has_axes(merged, name, {"step"}))
      merged.figure(over_time(merged, name, concat("Measure ", name), caption_of(entry)));
  }
}

std::string between(const std::pair<double, double>& ends) {
  if (ends.first == ends.second) return plain_text(ends.first);
  return plain_text(ends.first) + " to " + plain_text(ends.second);
}

/// "3 camps at rest after 14 steps; ..."
std::string sentence_of_run(const Results& merged) {
  const auto range = [&](const char* name) { return view(merged.data, name).range(); };
  const auto camps = range("final_camps"), steps = range("steps_taken");
  const auto rest = range("at_rest"), shocks = range("shocks");
  std::string text;
  const bool known = camps.first <= camps.second;
  if (known) text = camps.second == 0 ? "No camp" : between(camps) + (camps.second == 1 ? " camp" : " camps");
  if (!known) text = "The crowd is";
  text += rest.first == 1 ? " at rest after " : rest.second == 0 ? " still moving after " : " after ";
  text += between(steps) + " steps";
  if (shocks.second > 0) text += shocks.second == 1 ? " and a shock" : " and " + between(shocks) + " shocks";
  if (camps.first >= 1) {
    const auto share = range("final_largest_camp_share");
    text += ". The largest holds " + between({100 * share.first, 100 * share.second}) + " % of the agents";
  }
  if (camps.first >= 2) text += ", and the two largest are " + between(range("final_camp_distance")) + " apart";
  return text + ". The standard deviation of the opinions is " + between(range("final_sd")) + ".";
}

}  // namespace

void conclude_simulation(Results& merged) {
  add_density_figure(merged);
  add_trajectories(merged);
  add_final_network(merged);
  add_final_histogram(merged);
  add_camp_figure(merged);
  if (has_axes(merged, "sd", {"step"}))
    merged.figure(
        over_time(merged, "sd", "Spread", "Standard deviation of the opinions of the agents, without bots and media."));
  if (has_axes(merged, "camps", {"step"}))
    merged.figure(
        over_time(merged, "camps", "Number of camps", "Clusters that hold at least camps.least_share of the agents."));
  if (has_axes(merged, "order", {"step"}))
    merged.figure(
        over_time(merged, "order", "Order", "Length of the mean direction: 1 when all directions are equal."));
  if (has_axes(merged, "bimodality", {"step"}))
    merged.figure(over_time(merged, "bimodality", "Bimodality coefficient",
                            "1/3 for a normal distribution, 5/9 for a uniform one, 1 for two equal points."));
  add_chosen_measures(merged);
  if (view(merged.data, "final_camps").range().second >= 0)
    merged.headline({.variable = "final_camps",
                     .label = "Camps at the end",
                     .meaning = "Clusters that hold at least camps.least_share of the agents."});
  merged.headline(
      {.variable = "final_sd", .label = "Spread at the end", .meaning = "Standard deviation of the opinions."});
  merged.headline({.variable = "steps_taken", .label = "Steps", .meaning = "Until at rest, or run.steps."});
  merged.verdict(sentence_of_run(merged));
}

}  // namespace fovea::opinion::simulate
