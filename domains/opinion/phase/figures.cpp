#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/phase/outcome.hpp"

namespace fovea::opinion::phase {

namespace {

/// What the control is called in these results: the last dimension, after those of a sweep, sizes and directions.
std::string control_of_results(const Dataset& data) { return data.at("order").dimensions.back(); }

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
  }

  void add() {
    if (!data_.has(control_)) return;  // a sweep whose grids differ has no common axis
    add_order();
    add_crossing();
    add_collapse();
    add_map();
    add_histogram();
    add_sizes();
    add_lifetimes();
    add_susceptibility();
    add_camps();
    add_slow();
    add_jumps();
  }

 private:
  bool noisy() const { return data_.has("cumulant"); }

  Figure lines(const std::string& variable, const std::string& x, const std::string& title,
               const std::string& caption) const {
    Figure figure;
    figure.kind = "lines";
    figure.name = variable;
    figure.title = title;
    figure.caption = caption;
    figure.variables = {variable};
    figure.x = x;
    return figure;
  }

  std::vector<std::string> predictions() const {
    std::vector<std::string> names;
    for (const Variable& variable : data_.variables())
      if (variable.name.starts_with("predicted_")) names.push_back(variable.name);
    return names;
  }

  void mark_places(Figure& figure) const {
    for (const char* name : {"crossing", "jump_down", "jump_up"})
      if (data_.has(name)) figure.marks.emplace_back(name);
    for (const std::string& name : predictions()) figure.marks.push_back(name);
  }

  /// Both branches of the largest crowds where they differ, else one curve for each size.
  void add_order() {
    const bool loop = data_.has("order_largest") && !data_.has("crossing");
    const std::string theory = data_.has("order_theory") ? " Dashed: mean field, for infinitely many agents." : "";
    if (loop) {
      Figure figure = lines("order_largest", control_, "The order parameter, up and down",
                            "The largest crowds, carried up and down through the range. Where the two branches differ, "
                            "the crowd remembers where it came from (hysteresis)." +
                                theory);
      figure.hue = "direction";
      mark_places(figure);
      show(figure);
    }
    Figure figure = lines("order", control_, loop ? "The order parameter of each size" : "The order parameter",
                          concat(data_.has("direction") ? "One curve for each number of agents; the buttons choose the "
                                                          "direction of the walk."
                                                        : "At rest, each value from the start; one curve for each "
                                                          "number of agents.",
                                 theory));
    figure.hue = "agents";
    mark_places(figure);
    if (loop) figure.fold = kMore;
    show(figure);
  }

  /// With the axis of the control as the grid has it, and theory where there is some.
  void show(Figure& figure) {
    figure.log_x = logarithmic_;
    const bool of_order = figure.variables.front() == "order" || figure.variables.front() == "order_largest";
    if (of_order && data_.has("order_theory")) figure.references.emplace_back("order_theory");
    merged_.figure(figure);
  }

  void add_crossing() {
    const std::string near = control_ + "_near";
    if (!data_.has("cumulant_near") || !data_.has(near)) return;
    Figure figure =
        lines("cumulant_near", near, "The Binder cumulants cross",
              "U4 of each size near the transition, with standard errors. Curves of larger crowds are steeper and "
              "cross closer to the transition.");
    figure.hue = "agents";
    mark_places(figure);
    merged_.figure(figure);
  }

  void add_collapse() {
    if (!data_.has("scaled_order")) return;
    Figure figure =
        lines("scaled_order", "scaled_distance", "Finite-size scaling",
              "Order parameter scaled with the mean-field exponents (m ~ N^(-1/4) at the transition, width N^(-1/2)) "
              "and the crossing found above; no parameter is fitted. Linear between measured points.");
    figure.hue = "agents";
    merged_.figure(figure);
  }

  void add_susceptibility() {
    if (!noisy()) return;
    Figure figure = lines("susceptibility", control_, "Susceptibility",
                          "N (<m^2> - <m>^2): fluctuations of the order parameter. They peak at the transition.");
    figure.hue = "agents";
    figure.log_y = true;
    figure.fold = kMore;
    show(figure);
    figure =
        lines("cumulant", control_, "Binder cumulant over the whole range",
              "U4 = 1 - <m^4> / (3 <m^2>^2): 2/3 in order; 0 for one component and 1/3 for two in disorder. Negative "
              "values indicate a first-order transition.");
    figure.hue = "agents";
    figure.fold = kMore;
    show(figure);
  }

  void add_histogram() {
    if (!data_.has("order_density")) return;
    Figure figure = lines("order_density", "order_bin", "Histogram of the order parameter at the transition",
                          "Largest crowds, all replicas, both directions. Two peaks indicate coexisting phases and a "
                          "first-order transition, one peak a continuous transition.");
    figure.kind = "histogram";
    merged_.figure(figure);
  }

  void add_map() {
    if (!data_.has("opinion_share")) return;
    Figure figure;
    figure.kind = "heatmap";
    figure.name = "camps_map";
    figure.title = "Distribution of the opinions";
    figure.caption = concat("Share of the agents of the largest crowd at each opinion, against ", axis_,
                            data_.has("direction") ? " as it rises." : ".");
    figure.variables = {"opinion_share"};
    figure.x = control_;
    figure.y = "opinion";
    show(figure);
  }

  void add_camps() {
    Figure camps = lines("camps", control_, "Camps", "Number of camps, one curve for each number of agents.");
    camps.hue = "agents";
    camps.fold = kMore;
    show(camps);
  }

  void add_sizes() {
    for (const char* name : {"jump_down_of_size", "jump_up_of_size"}) {
      if (!data_.has(name) || data_.size_of("agents") < 2) continue;
      const bool down = std::string(name) == "jump_down_of_size";
      Figure figure = lines(
          name, "agents", concat("The transition with ", down ? "falling " : "rising ", axis_, ", by size"),
          data_.has("direction")
              ? "Where each number of agents has it, with the 95 % interval or the bracket of each."
              : "The largest change of the largest crowd, and where other numbers of agents show it, with the 95 % "
                "interval or the bracket of each.");
      figure.band_low = concat(name, "_low");
      figure.band_high = concat(name, "_high");
      for (const std::string& known : predictions())
        if (!known.ends_with("_flip") && rises(known) == !down) figure.references.push_back(known);
      if (!figure.references.empty()) figure.caption += " Dashed: known for infinitely many agents.";
      figure.log_x = true;
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
    Figure figure;
    figure.kind = "table";
    figure.name = "jumps";
    figure.title = "All jumps found";
    figure.caption = "For each size and direction, in the order of the search.";
    figure.variables = {"jump_agents",       "jump_direction",   "jump_at",           "jump_half_width",
                        "jump_camps_before", "jump_camps_after", "jump_order_before", "jump_order_after"};
    figure.x = "jump";
    figure.fold = kMore;
    merged_.figure(figure);
  }

  void add_slow() {
    const std::string name = noisy() ? "correlation_time" : "steps";
    if (!data_.has(name)) return;
    Figure figure = lines(name, control_, noisy() ? "Correlation time" : "Steps until at rest",
                          "Relaxation slows near a transition (critical slowing down).");
    figure.hue = "agents";
    figure.log_y = true;
    figure.fold = kMore;
    show(figure);
  }

  void add_lifetimes() {
    if (!data_.has("lifetime")) return;
    Figure figure = lines(
        "lifetime", "camp_temperature", "Lifetime of two camps",
        "Steps until two camps of one half each have merged. Dashed: the recursion of their gap, and its asymptote (T "
        "/ 2d^2) exp(d^2 / 2T). The lifetime varies smoothly with temperature, without a transition.");
    figure.references = {"lifetime_mapped", "lifetime_asymptotic"};
    figure.log_x = figure.log_y = true;
    merged_.figure(figure);
  }

  Results& merged_;
  const Dataset& data_;
  std::string control_, axis_;
  bool logarithmic_ = true;
};

}  // namespace

void add_phase_figures(Results& merged) { PhaseFigures(merged).add(); }

}  // namespace fovea::opinion::phase
