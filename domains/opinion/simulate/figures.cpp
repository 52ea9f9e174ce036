#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
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
  Figure figure;
  figure.kind = FigureKind::lines;
  figure.name = variable + "_over_time";
  figure.title = title;
  figure.caption = caption;
  figure.variables = {variable};
  figure.x = "step";
  figure.marks = shock_marks(merged);
  return figure;
}

void add_density_figure(Results& merged) {
  if (!has_axes(merged, "opinion_density", {"step", "opinion"})) return;
  Figure figure;
  figure.kind = FigureKind::heatmap;
  figure.name = "opinions_over_time";
  figure.title = "Opinions over time";
  figure.caption = "How many agents hold which opinion, step by step: camps are bright lines.";
  figure.variables = {"opinion_density"};
  figure.x = "step";
  figure.y = "opinion";
  merged.figure(figure);
}

void add_trajectories(Results& merged) {
  if (!has_axes(merged, "trajectories", {"step", "shown_agent"})) return;
  Figure figure = over_time(merged, "trajectories", "Some agents", "Opinions of single agents, spread over the crowd.");
  if (!figure.marks.empty()) figure.caption += " Vertical lines: shocks.";
  figure.hue = "shown_agent";
  merged.figure(figure);
}

void add_final_histogram(Results& merged) {
  if (!has_axes(merged, "final_density", {"opinion"})) return;
  Figure figure;
  figure.kind = FigureKind::histogram;
  figure.name = "final_opinions";
  figure.title = "Opinions at the end";
  figure.caption = "Density of the final opinions.";
  figure.variables = {"final_density"};
  figure.x = "opinion";
  merged.figure(figure);
}

void add_camp_figure(Results& merged) {
  if (!has_axes(merged, "camp_attention", {"from_camp", "to_camp"})) return;
  Figure figure;
  figure.kind = FigureKind::heatmap;
  figure.name = "attention_between_camps";
  figure.title = "Attention between camps at the end";
  figure.caption = "Each row is a camp that listens, by its mean opinion and share; its attention adds up to 1.";
  figure.variables = {"camp_attention"};
  figure.x = "to_camp";
  figure.y = "from_camp";
  merged.figure(figure);
}

void add_final_network(Results& merged) {
  if (!has_axes(merged, "final_opinion", {"agent"}) || !merged.data.has("edge_source")) return;
  Figure figure;
  figure.kind = FigureKind::network;
  figure.name = "network";
  figure.title = "The network at the end";
  figure.caption = "Colour: each agent's final opinion.";
  figure.variables = {"final_opinion"};
  figure.x = "agent";
  figure.position_x = "node_x";
  figure.position_y = "node_y";
  figure.edge_source = "edge_source";
  figure.edge_target = "edge_target";
  merged.figure(figure);
}

/// The least and the largest of a scalar over all points.
std::pair<double, double> extremes(const Results& merged, const std::string& name) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : merged.data.at(name).reals())
    if (!std::isnan(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  return {low, high};
}

std::string between(const std::pair<double, double>& ends) {
  if (ends.first == ends.second) return plain_text(ends.first);
  return plain_text(ends.first) + " to " + plain_text(ends.second);
}

/// "3 camps at rest after 14 steps; ..."
std::string sentence_of_run(const Results& merged) {
  const auto camps = extremes(merged, "final_camps"), steps = extremes(merged, "steps_taken");
  const auto rest = extremes(merged, "at_rest"), shocks = extremes(merged, "shocks");
  std::string text;
  const bool known = camps.first <= camps.second;
  if (known) text = camps.second == 0 ? "No camp" : between(camps) + (camps.second == 1 ? " camp" : " camps");
  if (!known) text = "The crowd is";
  text += rest.first == 1 ? " at rest after " : rest.second == 0 ? " still moving after " : " after ";
  text += between(steps) + " steps";
  if (shocks.second > 0) text += shocks.second == 1 ? " and a shock" : " and " + between(shocks) + " shocks";
  if (camps.first >= 1) {
    const auto share = extremes(merged, "final_largest_camp_share");
    text += "; the largest holds " + between({100 * share.first, 100 * share.second}) + " % of the agents";
  }
  if (camps.first >= 2) text += ", the two largest are " + between(extremes(merged, "final_camp_distance")) + " apart";
  return text + "; the spread (sd) is " + between(extremes(merged, "final_sd")) + ".";
}

}  // namespace

void conclude_simulation(Results& merged) {
  add_density_figure(merged);
  add_trajectories(merged);
  add_final_network(merged);
  add_final_histogram(merged);
  add_camp_figure(merged);
  if (has_axes(merged, "sd", {"step"}))
    merged.figure(over_time(merged, "sd", "Spread", "Standard deviation of the opinions of those who count."));
  if (has_axes(merged, "camps", {"step"}))
    merged.figure(over_time(merged, "camps", "Number of camps", "Groups of like opinions that are not too small."));
  if (has_axes(merged, "order", {"step"}))
    merged.figure(over_time(merged, "order", "Order", "Length of the mean direction: 1 when all point the same way."));
  if (has_axes(merged, "bimodality", {"step"}))
    merged.figure(over_time(merged, "bimodality", "Bimodality coefficient", "1/3 normal, 5/9 uniform, 1 two points."));
  if (extremes(merged, "final_camps").second >= 0)
    merged.headline({"final_camps", "Camps at the end", "", "", "groups of like opinions that are not too small"});
  merged.headline({"final_sd", "Spread at the end", "", "", "standard deviation of the opinions"});
  merged.headline({"steps_taken", "Steps", "", "", "until at rest, or all that were asked for"});
  merged.verdict(sentence_of_run(merged));
}

}  // namespace fovea::opinion::simulate
