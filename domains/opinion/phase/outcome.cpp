#include "fovea/domains/opinion/phase/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/opinion/phase/sizes/size_limit.hpp"

namespace fovea::opinion::phase {

namespace {

using PhaseValue = std::function<double(const PhasePoint&)>;

/// Hands in arrays that carry their standard errors beside them.
class PhaseWriter {
 public:
  PhaseWriter(const PhaseQuestion& question, const PhaseFindings& findings, Results& results)
      : findings_(findings),
        results_(results),
        question_(question),
        control_(question.control.dimension),
        unit_(question.control.unit),
        axis_(question.control.name),
        sizes_(sizes_of(findings)),
        controls_(controls_of_round(0)),
        two_ways_(is_carried(findings)) {
    if (question.control.symbol != axis_) axis_ += " " + question.control.symbol;
  }

  void write_grid() {
    std::vector<double> sizes(sizes_.begin(), sizes_.end());
    results_.coordinate("agents", sizes, "1", "agents");
    results_.coordinate(control_, controls_, unit_, axis_);
    if (two_ways_) results_.coordinate("direction", std::vector<std::string>{"up", "down"}, "", "direction");
    const bool noisy = question_.search.noisy;
    const PhaseValue order = [](const auto& p) { return p.order; };
    const PhaseValue order_error =
        noisy || question_.search.drawn ? [](const auto& p) { return p.order_error; } : PhaseValue();
    add("order", order_name(), "1", order, order_error);
    if (two_ways_) write_largest();
    write_known_order();
    add("camps", "camps", "1", [](const auto& p) { return p.camps; });
    if (!noisy) add("steps", "steps until at rest", "step", [](const auto& p) { return p.steps; });
    if (!noisy) return;
    add(
        "susceptibility", "susceptibility N (<m^2> - <m>^2)", "1", [](const auto& p) { return p.susceptibility; },
        [](const auto& p) { return p.susceptibility_error; });
    add(
        "cumulant", "Binder cumulant U4", "1", [](const auto& p) { return p.binder; },
        [](const auto& p) { return p.binder_error; });
    add("correlation_time", "correlation time of m^2", "step", [](const auto& p) { return p.correlation_time; });
  }

  /// The last refined window, with the most steps: all sizes at the same controls, both directions averaged.
  void write_window() {
    int last = 0;
    for (const PhasePoint& point : findings_.points) last = std::max(last, point.round);
    if (std::isnan(findings_.crossing.control) || last == 0) return;
    const std::vector<double> window = controls_of_round(last);
    const std::string near = control_ + "_near";
    results_.coordinate(near, window, unit_, axis_ + " near the crossing");
    std::vector<double> cumulant, error;
    for (const Index size : sizes_)
      for (const double control : window) {
        const auto [value, sigma] = averaged_over_directions(size, control);
        cumulant.push_back(value);
        error.push_back(sigma);
      }
    add_with_error("cumulant_near", {"agents", near}, cumulant, error, "Binder cumulant U4", "1");
  }

  /// m N^(1/4) over (x - x_c) / x_c N^(1/2): one curve for all sizes in mean field.
  void write_collapse() {
    const FoundCrossing& crossing = findings_.crossing;
    if (std::isnan(crossing.control)) return;
    std::vector<double> places;
    // To so many widths N^(-1/2) on both sides of the transition.
    constexpr int kPlaces = 33;
    constexpr double kWidest = 4;
    for (int k = 0; k < kPlaces; ++k) places.push_back(kWidest * (2.0 * k / (kPlaces - 1) - 1));
    results_.coordinate("scaled_distance", places, "1", "(x - x_c) / x_c N^(1/2)");
    std::vector<double> values;
    for (const Index size : sizes_) {
      const auto n = static_cast<double>(size);
      for (const double place : places)
        values.push_back(std::pow(n, 0.25) * order_at(size, crossing.control * (1 + place / std::sqrt(n))));
    }
    results_.add("scaled_order", {"agents", "scaled_distance"}, values, "1", "m N^(1/4)");
  }

  void write_maps() {
    const bool two_opinions = question_.update().imitates;
    if (!findings_.densities.empty() && !two_opinions) {
      std::vector<std::size_t> order(findings_.density_control.size());
      for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return findings_.density_control[a] < findings_.density_control[b];
      });
      std::vector<double> shares;
      for (std::size_t bin = 0; bin < findings_.density_opinion.size(); ++bin)
        for (const std::size_t k : order) shares.push_back(findings_.densities[k][bin]);
      results_.coordinate("opinion", findings_.density_opinion, "opinion", "opinion");
      results_.add("opinion_share", {"opinion", control_}, shares, "1", "share of the agents");
    }
    if (findings_.histogram.empty()) return;
    results_.coordinate("order_bin", findings_.histogram_order, "1", order_name());
    results_.add("order_density", {"order_bin"}, findings_.histogram, "1", "density of m at the transition");
  }

  void write_jumps() {
    const auto& jumps = findings_.jumps;
    if (jumps.empty()) return;
    results_.data.dimension("jump", jumps.size());
    const auto half_width = [](const FoundJump& jump) { return 0.5 * (jump.high - jump.low); };
    const auto direction = [](const FoundJump& jump) { return jump.direction == Direction::up ? "up" : "down"; };
    rows("jump", jumps)
        .prefix("jump_")
        .text("direction", direction, "direction")
        .number("agents", &FoundJump::size, "agents")
        .number("at", &FoundJump::at, axis_, unit_)
        .number("half_width", half_width, "half width", unit_)
        .number("camps_before", &FoundJump::camps_before, "camps before")
        .number("camps_after", &FoundJump::camps_after, "camps after")
        .number("order_before", &FoundJump::order_before, "m before")
        .number("order_after", &FoundJump::order_after, "m after")
        .write(results_);
  }

  /// How the main jump of each direction moves with the size, and the area of the loop.
  void write_sizes() {
    results_.scalar("largest_crowd", static_cast<double>(sizes_.back()), "1", "largest crowd");
    for (const Direction direction : {Direction::down, Direction::up}) {
      std::vector<double> places, half_widths;
      for (const auto& [size, jump] : over_sizes(findings_, direction)) {
        places.push_back(jump == nullptr ? kNan : jump->at());
        half_widths.push_back(jump == nullptr ? kNan : 0.5 * (jump->high - jump->low));
      }
      if (std::all_of(places.begin(), places.end(), [](double place) { return std::isnan(place); })) continue;
      const bool up = direction == Direction::up;
      results_.add(up ? "jump_up_of_size" : "jump_down_of_size", {"agents"}, places, unit_,
                   concat(axis_, " of the largest jump, ", up ? "rising" : "falling"));
      for (const int sign : {-1, 1}) {
        std::vector<double> ends;
        for (std::size_t k = 0; k < places.size(); ++k) ends.push_back(places[k] + sign * half_widths[k]);
        results_.add(concat(up ? "jump_up" : "jump_down", "_of_size_", sign < 0 ? "low" : "high"), {"agents"}, ends,
                     unit_, "95 % interval or bracket of that size");
      }
    }
    if (!two_ways_) return;
    add_with_error("loop_area", {"agents"}, findings_.loop_area, findings_.loop_error,
                   "area of the loop in m against the control", "1");
    if (question_.search.noisy)
      results_.add("least_cumulant", {"agents"}, findings_.least_binder, "1", "least Binder cumulant");
  }

  std::string order_name() const {
    constexpr const char* kNames[] = {"dispersion m",
                                      "dispersion m",
                                      "resultant m = |mean exp(i theta)|",
                                      "mean opinion m",
                                      "share outside the largest camp m",
                                      "root mean square opinion m",
                                      "share of positive opinions m"};
    return kNames[static_cast<int>(findings_.order)];  // automatic: chosen by now
  }

 private:
  std::vector<double> controls_of_round(int round) const {
    std::set<double> controls;
    for (const PhasePoint& point : findings_.points)
      if (point.round == round) controls.insert(point.control);
    return {controls.begin(), controls.end()};
  }

  const PhasePoint* point_at(Index size, Direction direction, double control) const {
    for (const PhasePoint& point : findings_.points)
      if (point.round == 0 && point.size == size && point.direction == direction && point.control == control)
        return &point;
    return nullptr;
  }

  std::vector<Direction> directions() const {
    if (two_ways_) return {Direction::up, Direction::down};
    return {Direction::up};
  }

  /// Both branches of the largest crowds, for the page's first figure.
  void write_largest() {
    std::vector<double> values, errors;
    for (const Direction direction : directions())
      for (const double control : controls_) {
        const PhasePoint* point = point_at(sizes_.back(), direction, control);
        values.push_back(point ? point->order : kNan);
        errors.push_back(point ? point->order_error : kNan);
      }
    const std::string meaning = concat(order_name(), ", of ", sizes_.back(), " agents");
    add_with_error("order_largest", {"direction", control_}, std::move(values), std::move(errors), meaning, "1");
  }

  /// What theory says of infinitely many agents.
  void write_known_order() {
    const std::vector<double> values = known_order(question_, controls_);
    if (std::all_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) return;
    results_.add("order_theory", {control_}, values, "1", "mean field, infinitely many agents");
  }

  /// error: none without it.
  void add(const std::string& name, const std::string& meaning, const std::string& unit, const PhaseValue& value,
           const PhaseValue& error = nullptr) {
    std::vector<double> values, errors;
    for (const Index size : sizes_)
      for (const Direction direction : directions())
        for (const double control : controls_) {
          const PhasePoint* point = point_at(size, direction, control);
          values.push_back(point ? value(*point) : kNan);
          errors.push_back(point && error ? error(*point) : kNan);
        }
    std::vector<std::string> dimensions{"agents", control_};
    if (two_ways_) dimensions.insert(dimensions.begin() + 1, "direction");
    if (error)
      add_with_error(name, dimensions, values, errors, meaning, unit);
    else
      results_.add(name, dimensions, values, unit, meaning);
  }

  void add_with_error(const std::string& name, const std::vector<std::string>& dimensions, std::vector<double> values,
                      std::vector<double> errors, const std::string& meaning, const std::string& unit) {
    results_.data.add({name, dimensions, std::move(values), unit, meaning, {{"ancillary_variables", name + "_error"}}});
    results_.add(name + "_error", dimensions, std::move(errors), unit, "standard error of " + meaning);
  }

  std::pair<double, double> averaged_over_directions(Index size, double control) const {
    double sum = 0, squares = 0, count = 0;
    for (const PhasePoint& point : findings_.points) {
      if (point.round == 0 || point.size != size || point.control != control) continue;
      sum += point.binder;
      squares += point.binder_error * point.binder_error;
      count += 1;
    }
    return count > 0 ? std::pair{sum / count, std::sqrt(squares) / count} : std::pair{kNan, kNan};
  }

  /// <m> between the measured controls, linear, both directions and all rounds; NaN outside them.
  double order_at(Index size, double control) const {
    double below = kNan, above = kNan;
    for (const PhasePoint& point : findings_.points) {
      if (point.size != size) continue;
      if (point.control <= control) below = std::fmax(below, point.control);
      if (point.control >= control) above = std::fmin(above, point.control);
    }
    if (std::isnan(below) || std::isnan(above)) return kNan;
    const double left = mean_order(size, below), right = mean_order(size, above);
    return below == above ? left : left + (right - left) * (control - below) / (above - below);
  }

  double mean_order(Index size, double control) const {
    double sum = 0, count = 0;
    for (const PhasePoint& point : findings_.points)
      if (point.size == size && point.control == control) sum += point.order, count += 1;
    return sum / count;
  }

  const PhaseFindings& findings_;
  Results& results_;
  const PhaseQuestion& question_;
  std::string control_, unit_;
  std::string axis_;  ///< "temperature T"
  std::vector<Index> sizes_;
  std::vector<double> controls_;
  bool two_ways_;
};

}  // namespace

void write_phase(const PhaseQuestion& question, const PhaseFindings& findings, Results& results) {
  const std::vector<KnownTransition> known = known_transitions(question);
  PhaseWriter writer(question, findings, results);
  writer.write_grid();
  writer.write_window();
  writer.write_collapse();
  writer.write_maps();
  writer.write_jumps();
  writer.write_sizes();
  write_transitions(question, known, findings, results);
  check_known(question, known, findings, results);
  write_phase_verdict(question, known, findings, results);
}

}  // namespace fovea::opinion::phase
