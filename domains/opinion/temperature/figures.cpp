#include <algorithm>

#include "fovea/core/data/view.hpp"
#include "fovea/domains/opinion/temperature/outcome.hpp"

namespace fovea::opinion::temperature {

namespace {

bool has_dimension(const Dataset& data, const std::string& variable, const std::string& dimension) {
  const auto& all = data.at(variable).dimensions;
  return std::find(all.begin(), all.end(), dimension) != all.end();
}

Figure lines(const Results& merged, const std::string& variable, const std::string& title, const std::string& caption) {
  return {.kind = "lines",
          .name = variable + "_against_temperature",
          .title = title,
          .caption = caption,
          .variables = {variable},
          .x = "temperature",
          .hue = has_dimension(merged.data, variable, "branch") ? "branch" : "",
          .log_x = true};
}

void add_polarization_figure(Results& merged, bool predicted) {
  Figure figure = lines(merged, "sd", "Polarization against temperature",
                        "Standard deviation of the opinions at rest. Where the branches differ there is hysteresis.");
  if (view(merged.data, "predicted_sd").mean().count > 0) {
    figure.references = {"predicted_sd"};
    figure.caption +=
        " Dashed: the Gaussian state, exact for infinitely many agents; it ends at the predicted "
        "transition.";
  }
  if (predicted) figure.marks = {"predicted_cooling_transition"};
  for (const char* measured : {"cooling_transition", "heating_transition"}) {
    if (merged.data.has(measured)) figure.marks.push_back(measured);
  }
  merged.figure(figure);
}

void add_share_figure(Results& merged) {
  if (!merged.data.has("share_on_real_side")) return;
  Figure figure = lines(merged, "share_on_real_side", "Agents on their observed side",
                        "Share of the agents with unknown side that end on their observed side. Dashed: label "
                        "propagation from the same known agents.");
  figure.references = {"label_propagation_share"};
  merged.figure(figure);
}

void fold_in(Results& merged, Figure figure) {
  figure.fold = "More measures against temperature";
  merged.figure(std::move(figure));
}

void add_opinions(Results& merged) {
  if (!has_dimension(merged.data, "opinion_density", "opinion")) return;  // of a sweep whose points have their own bins
  merged.figure({.kind = "histogram",
                 .name = "opinions",
                 .title = "Opinions",
                 .caption = "Density of opinions at the temperature of the slider.",
                 .variables = {"opinion_density"},
                 .x = "opinion"});
}

Figure attention_map() {
  return {.kind = "heatmap",
          .name = "attention",
          .title = "Attention between agents",
          .caption = "Agents sorted by opinion. A block on the diagonal is a group that attends only to itself.",
          .variables = {"attention"},
          .x = "to",
          .y = "from"};
}

void add_network_figure(Results& merged) {
  if (!merged.data.has("node_x") || !merged.data.has("edge_source")) return;
  Figure figure;
  figure.kind = "network";
  figure.name = "network";
  figure.title = "The network";
  figure.caption = "Each agent's opinion at the temperature of the slider.";
  figure.variables = {"opinions"};
  if (merged.data.has("real_group")) {
    figure.variables.push_back("real_group");
    figure.caption += " Shape: its observed group.";
    if (merged.data.has("known")) {
      figure.variables.push_back("known");
      figure.caption += " Ring: its side is known.";
    }
  }
  figure.x = "agent";
  figure.position_x = "node_x";
  figure.position_y = "node_y";
  figure.edge_source = "edge_source";
  figure.edge_target = "edge_target";
  merged.figure(figure);
}

void add_member_table(Results& merged) {
  constexpr std::size_t kReadable = 100;
  if (!merged.data.has("real_group") || !merged.data.has("label_propagation")) return;
  if (merged.data.size_of("agent") > kReadable) return;
  merged.figure(
      {.kind = "table",
       .name = "members",
       .title = "Final opinion of each agent",
       .caption = "Final opinion at the temperature of the slider, observed group, and value by label propagation.",
       .variables = {"real_group", "opinions", "label_propagation"},
       .x = "agent",
       .fold = "More measures against temperature"});
}

}  // namespace

void add_figures(Results& merged, bool predicted) {
  add_share_figure(merged);  // first where there is one: then it is the question
  add_network_figure(merged);
  add_polarization_figure(merged, predicted);
  merged.figure(lines(merged, "camps", "Number of camps",
                      "Groups without a gap wider than camps.gap, of at least camps.least_share of the agents."));
  add_opinions(merged);
  fold_in(merged, lines(merged, "echo_chamber", "Echo chambers",
                        "How much of the attention stays in one's own camp, beyond what random mixing would give: 0 "
                        "when camps do not matter or there is one, 1 when nobody attends to another camp."));
  fold_in(merged, attention_map());
  fold_in(merged, lines(merged, "bimodality", "Bimodality coefficient",
                        "1/3 for a normal distribution, 5/9 for a uniform one, 1 for two points."));
  fold_in(merged, lines(merged, "esteban_ray", "Esteban-Ray polarization", "Largest for two large camps far apart."));
  if (merged.data.has("modularity"))
    fold_in(merged, lines(merged, "modularity", "Modularity of the two sides", "Sides by the sign of the opinion."));
  Figure steps =
      lines(merged, "steps", "Steps until at rest", "Relaxation slows near a transition (critical slowing down).");
  steps.log_y = true;
  fold_in(merged, steps);
  add_member_table(merged);
}

}  // namespace fovea::opinion::temperature
