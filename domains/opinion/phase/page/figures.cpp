#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/phase/outcome.hpp"

namespace fovea::opinion::phase {

namespace {

/// What the control is called in these results: the last dimension, after those of a sweep, sizes and directions.
std::string control_of_results(const Dataset& data) { return data.at("order").dimensions.back(); }

// The heading that figures of less interest are folded under.
constexpr const char* kMore = "More about the search";

/// Whether values are evenly spaced in their logarithm rather than in themselves.
bool is_logarithmic(const std::vector<double>& values) {
  const std::size_t n = values.size();
  return n > 2 && values.front() > 0 &&
         std::abs((values[n - 1] - values[n - 2]) - (values[1] - values[0])) > 1e-6 * (values[n - 1] - values[0]);
}

class PhaseFigures {
 public:
  explicit PhaseFigures(Results& merged) : merged_(merged), data_(merged.data), control_(control_of_results(data_)) {
    if (!data_.has(control_)) return;
    logarithmic_ = is_logarithmic(data_.at(control_).reals());
    axis_ = data_.at(control_).long_name;
    for (const Variable& variable : data_.variables())
      if (variable.name.starts_with("predicted_")) predictions_.push_back(variable.name);
  }

  void add() {
    if (!data_.has(control_)) return;  // a sweep whose grids differ has no common axis
    add_order();
    add_transition();
    add_map();
    add_histogram();
    add_sizes();
    add_lifetimes();
    add_fluctuations();
    add_state();
    add_jumps();
  }

 private:
  bool noisy() const { return data_.has("cumulant"); }
  bool two_ways() const { return data_.has("direction"); }

  /// Against the control, with its axis as the grid has it; and theory where there is some.
  void show(Figure figure) {
    if (!data_.has(figure.variables.front())) return;
    figure.x = control_;
    figure.log_x = logarithmic_;
    const bool of_order = figure.variables.front() == "order" || figure.variables.front() == "order_largest";
    if (of_order) mark_places(figure);
    if (of_order && data_.has("order_theory")) figure.references.emplace_back("order_theory");
    merged_.figure(figure);
  }

  void mark_places(Figure& figure) const {
    for (const char* name : {"crossing", "jump_down", "jump_up"})
      if (data_.has(name)) figure.marks.emplace_back(name);
    figure.marks.insert(figure.marks.end(), predictions_.begin(), predictions_.end());
  }

  /// Both branches of the largest crowds where they differ, else one curve for each size.
  void add_order() {
    const bool loop = data_.has("order_largest") && !data_.has("crossing");
    const std::string theory = data_.has("order_theory") ? " Dashed: mean field, for infinitely many agents." : "";
    if (loop)
      show({.name = "order_largest",
            .title = "The order parameter, up and down",
            .caption = "The largest crowds, carried up and down through the range. Where the two branches differ, the "
                       "crowd remembers where it came from (hysteresis)." +
                       theory,
            .variables = {"order_largest"},
            .hue = "direction"});
    show({.name = "order",
          .title = loop ? "The order parameter of each size" : "The order parameter",
          .caption = (two_ways() ? "One curve for each number of agents; the buttons choose the direction of the walk."
                                 : "At rest, each value from the start; one curve for each number of agents.") +
                     theory,
          .variables = {"order"},
          .hue = "agents",
          .fold = loop ? kMore : ""});
  }

  void add_transition() {
    const std::string near = control_ + "_near";
    if (data_.has("cumulant_near") && data_.has(near)) {
      Figure figure{.name = "cumulant_near",
                    .title = "The Binder cumulants cross",
                    .caption =
                        "U4 of each size near the transition, with standard errors. Curves of larger crowds are "
                        "steeper and cross closer to the transition.",
                    .variables = {"cumulant_near"},
                    .x = near,
                    .hue = "agents"};
      mark_places(figure);
      merged_.figure(figure);
    }
    if (!data_.has("scaled_order")) return;
    merged_.figure(
        {.name = "scaled_order",
         .title = "Finite-size scaling",
         .caption = "Order parameter scaled with the mean-field exponents (m ~ N^(-1/4) at the transition, width "
                    "N^(-1/2)) and the crossing found above; no parameter is fitted. Linear between measured points.",
         .variables = {"scaled_order"},
         .x = "scaled_distance",
         .hue = "agents"});
  }

  void add_fluctuations() {
    if (!noisy()) return;
    show({.name = "susceptibility",
          .title = "Susceptibility",
          .caption = "N (<m^2> - <m>^2): fluctuations of the order parameter. They peak at the transition.",
          .variables = {"susceptibility"},
          .hue = "agents",
          .log_y = true,
          .fold = kMore});
    show({.name = "cumulant",
          .title = "Binder cumulant over the whole range",
          .caption = "U4 = 1 - <m^4> / (3 <m^2>^2): 2/3 in order; 0 for one component and 1/3 for two in disorder. "
                     "Negative values indicate a first-order transition.",
          .variables = {"cumulant"},
          .hue = "agents",
          .fold = kMore});
  }

  void add_histogram() {
    if (!data_.has("order_density")) return;
    merged_.figure(
        {.kind = "histogram",
         .name = "order_density",
         .title = "Histogram of the order parameter at the transition",
         .caption = "Largest crowds, all replicas, both directions. Two peaks indicate coexisting phases "
                    "and a first-order transition, one peak a continuous transition; not where walks take different "
                    "networks, whose critical places differ.",
         .variables = {"order_density"},
         .x = "order_bin"});
  }

  void add_map() {
    show({.kind = "heatmap",
          .name = "camps_map",
          .title = "Distribution of the opinions",
          .caption = concat("Share of the agents of the largest crowd at each opinion, against ", axis_,
                            two_ways() ? " as it rises." : "."),
          .variables = {"opinion_share"},
          .y = "opinion"});
  }

  void add_sizes() {
    for (const std::string name : {"jump_down_of_size", "jump_up_of_size"}) {
      if (!data_.has(name) || data_.size_of("agents") < 2) continue;
      const bool up = name == "jump_up_of_size";
      Figure figure{
          .name = name,
          .title = concat("The transition with ", up ? "rising " : "falling ", axis_, ", by size"),
          .caption = two_ways() ? "Where each number of agents has it, with the 95 % interval or the bracket of each."
                                : "The largest change of the largest crowd, and where other numbers of agents show "
                                  "it, with the 95 % interval or the bracket of each.",
          .variables = {name},
          .x = "agents",
          .log_x = true,
          .band_low = name + "_low",
          .band_high = name + "_high"};
      for (const std::string& known : predictions_)
        if (!known.ends_with("_flip") && rises(known) == up) figure.references.push_back(known);
      if (!figure.references.empty()) figure.caption += " Dashed: known for infinitely many agents.";
      merged_.figure(figure);
    }
  }

  /// Whether a prediction is of the walk up.
  static bool rises(const std::string& known) {
    return known == "predicted_order_ends" || known == "predicted_camps_merge" || known == "predicted_radicalization" ||
           known == "predicted_neutrality_ends";
  }

  void add_jumps() {
    if (!data_.has("jump_at")) return;
    merged_.figure({.kind = "table",
                    .name = "jumps",
                    .title = "All jumps found",
                    .caption = "For each size and direction, in the order of the search.",
                    .variables = {"jump_agents", "jump_direction", "jump_at", "jump_half_width", "jump_camps_before",
                                  "jump_camps_after", "jump_order_before", "jump_order_after"},
                    .x = "jump",
                    .fold = kMore});
  }

  void add_state() {
    show({.name = "camps",
          .title = "Camps",
          .caption = "Number of camps, one curve for each number of agents.",
          .variables = {"camps"},
          .hue = "agents",
          .fold = kMore});
    const std::string slow = noisy() ? "correlation_time" : "steps";
    show({.name = slow,
          .title = noisy() ? "Correlation time" : "Steps until at rest",
          .caption = "Relaxation slows near a transition (critical slowing down).",
          .variables = {slow},
          .hue = "agents",
          .log_y = true,
          .fold = kMore});
  }

  void add_lifetimes() {
    if (!data_.has("lifetime")) return;
    merged_.figure({.name = "lifetime",
                    .title = "Lifetime of two camps",
                    .caption = "Steps until two camps of one half each have merged. Dashed: the recursion of their "
                               "gap, and its asymptote (T / 2d^2) exp(d^2 / 2T). The lifetime varies smoothly with "
                               "temperature, without a transition.",
                    .variables = {"lifetime"},
                    .references = {"lifetime_mapped", "lifetime_asymptotic"},
                    .x = "camp_temperature",
                    .log_x = true,
                    .log_y = true});
  }

  Results& merged_;
  const Dataset& data_;
  std::string control_, axis_;
  std::vector<std::string> predictions_;
  bool logarithmic_ = true;
};

}  // namespace

void add_phase_figures(Results& merged) { PhaseFigures(merged).add(); }

}  // namespace fovea::opinion::phase
