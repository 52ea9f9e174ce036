#include "fovea/domains/opinion/phase/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/domains/opinion/phase/control.hpp"
#include "fovea/domains/opinion/phase/known.hpp"
#include "fovea/domains/opinion/phase/settings.hpp"
#include "fovea/domains/opinion/phase/size_limit.hpp"

namespace fovea::opinion::phase {

namespace {

using PhaseValue = std::function<double(const PhasePoint&)>;

/// Hands in arrays that carry their standard errors beside them.
class PhaseWriter {
 public:
  PhaseWriter(const Config& config, const PhaseFindings& findings, Results& results)
      : findings_(findings),
        results_(results),
        control_(phase_control_name(config)),
        unit_(phase_control_unit(config)) {
    for (const PhasePoint& point : findings.points) {
      if (std::find(sizes_.begin(), sizes_.end(), point.size) == sizes_.end()) sizes_.push_back(point.size);
      if (point.round == 0) controls_.push_back(point.control);
      if (point.direction == Direction::down) two_ways_ = true;
    }
    for (std::vector<double>* values : {&controls_}) {
      std::sort(values->begin(), values->end());
      values->erase(std::unique(values->begin(), values->end()), values->end());
    }
    std::sort(sizes_.begin(), sizes_.end());
  }

  void write_grid(bool noisy) {
    std::vector<double> sizes(sizes_.begin(), sizes_.end());
    results_.coordinate("agents", sizes, "1", "agents");
    results_.coordinate(control_, controls_, unit_, control_);
    if (two_ways_) results_.coordinate("direction", std::vector<std::string>{"up", "down"}, "", "direction");
    const std::string order = order_name();
    add(
        "order", order, "1", [](const auto& p) { return p.order; }, [](const auto& p) { return p.order_error; }, noisy);
    add(
        "camps", "camps", "1", [](const auto& p) { return p.camps; }, nullptr, noisy);
    if (!noisy)
      add(
          "steps", "steps until at rest", "step", [](const auto& p) { return p.steps; }, nullptr, false);
    if (!noisy) return;
    add(
        "susceptibility", "susceptibility N (<m^2> - <m>^2)", "1", [](const auto& p) { return p.susceptibility; },
        [](const auto& p) { return p.susceptibility_error; }, true);
    add(
        "cumulant", "Binder cumulant U4", "1", [](const auto& p) { return p.binder; },
        [](const auto& p) { return p.binder_error; }, true);
    add(
        "correlation_time", "correlation time of m^2", "step", [](const auto& p) { return p.correlation_time; },
        nullptr, true);
  }

  /// The refined window: all sizes at the same controls, both directions averaged.
  void write_window() {
    const FoundCrossing& crossing = findings_.crossing;
    int last = 0;
    for (const PhasePoint& point : findings_.points) last = std::max(last, point.round);
    if (std::isnan(crossing.control) || last == 0) return;
    std::vector<double> window;
    double low = kNan, high = kNan;
    for (const PhasePoint& point : findings_.points)
      if (point.round == last) low = std::fmin(low, point.control), high = std::fmax(high, point.control);
    for (const PhasePoint& point : findings_.points)
      if (point.round > 0 && point.control >= low && point.control <= high) window.push_back(point.control);
    std::sort(window.begin(), window.end());
    window.erase(std::unique(window.begin(), window.end()), window.end());
    const std::string near = control_ + "_near";
    results_.coordinate(near, window, unit_, control_ + " near the crossing");
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
    if (!findings_.densities.empty()) {
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
    const auto column = [&](const char* name, const std::string& unit, const char* meaning, auto value) {
      std::vector<double> values;
      for (const FoundJump& jump : jumps) values.push_back(value(jump));
      results_.add(name, {"jump"}, values, unit, meaning);
    };
    std::vector<std::string> directions;
    for (const FoundJump& jump : jumps) directions.emplace_back(jump.direction == Direction::up ? "up" : "down");
    results_.add("jump_direction", {"jump"}, directions, "", "direction");
    column("jump_agents", "1", "agents", [](const FoundJump& j) { return static_cast<double>(j.size); });
    column("jump_at", unit_, control_.c_str(), [](const FoundJump& j) { return j.at(); });
    column("jump_half_width", unit_, "half width", [](const FoundJump& j) { return 0.5 * (j.high - j.low); });
    column("jump_camps_before", "1", "camps before", [](const FoundJump& j) { return j.camps_before; });
    column("jump_camps_after", "1", "camps after", [](const FoundJump& j) { return j.camps_after; });
    column("jump_order_before", "1", "m before", [](const FoundJump& j) { return j.order_before; });
    column("jump_order_after", "1", "m after", [](const FoundJump& j) { return j.order_after; });
  }

  /// How the main jump of each direction moves with the size, and the area of the loop.
  void write_sizes(bool noisy) {
    results_.scalar("largest_crowd", static_cast<double>(sizes_.back()), "1", "largest crowd");
    for (const Direction direction : {Direction::down, Direction::up}) {
      std::vector<double> places;
      for (const Index size : sizes_) {
        const FoundJump* jump = main_jump(findings_, direction, size);
        places.push_back(jump == nullptr ? kNan : jump->at());
      }
      if (std::all_of(places.begin(), places.end(), [](double place) { return std::isnan(place); })) continue;
      const bool up = direction == Direction::up;
      results_.add(up ? "jump_up_of_size" : "jump_down_of_size", {"agents"}, places, unit_,
                   concat(control_, " of the largest jump, ", up ? "rising" : "falling"));
    }
    if (!two_ways_) return;
    add_with_error("loop_area", {"agents"}, findings_.loop_area, findings_.loop_error,
                   "area of the loop in m against the control", "1");
    if (noisy) results_.add("least_cumulant", {"agents"}, findings_.least_binder, "1", "least Binder cumulant");
  }

  std::string order_name() const {
    switch (findings_.order) {
      case Order::resultant:
        return "resultant m = |mean exp(i theta)|";
      case Order::mean:
        return "mean opinion m";
      case Order::camps:
        return "share outside the largest camp m";
      case Order::strength:
        return "root mean square opinion m";
      case Order::positive:
        return "share of positive opinions m";
      default:
        return "dispersion m";
    }
  }

 private:
  const PhasePoint* point_at(Index size, Direction direction, double control) const {
    for (const PhasePoint& point : findings_.points)
      if (point.round == 0 && point.size == size && point.direction == direction && point.control == control)
        return &point;
    return nullptr;
  }

  void add(const std::string& name, const std::string& meaning, const std::string& unit, const PhaseValue& value,
           const PhaseValue& error, bool noisy) {
    std::vector<double> values, errors;
    std::vector<Direction> directions{Direction::up};
    if (two_ways_) directions.push_back(Direction::down);
    for (const Index size : sizes_)
      for (const Direction direction : directions)
        for (const double control : controls_) {
          const PhasePoint* point = point_at(size, direction, control);
          values.push_back(point ? value(*point) : kNan);
          errors.push_back(point && error ? error(*point) : kNan);
        }
    std::vector<std::string> dimensions{"agents", control_};
    if (two_ways_) dimensions.insert(dimensions.begin() + 1, "direction");
    if (noisy && error)
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
  std::string control_, unit_;
  std::vector<Index> sizes_;
  std::vector<double> controls_;
  bool two_ways_ = false;
};

/// The scalar with the prediction of a crossing, or of the end of a branch in one direction; "" for none.
std::string prediction_name(const Config& config, bool crossing, Direction direction) {
  for (const KnownTransition& known : known_transitions(config))
    if (known.crossing == crossing && (crossing || known.direction == direction) && !known.name.ends_with("_flip"))
      return "predicted_" + known.name;
  return "";
}

void write_crossing(const Config& config, const PhaseFindings& findings, Results& results) {
  const FoundCrossing& crossing = findings.crossing;
  if (std::isnan(crossing.control)) return;
  const std::string unit = phase_control_unit(config);
  results.scalar("crossing", crossing.control, unit, "crossing");
  results.scalar("crossing_half_width", 0.5 * (crossing.high - crossing.low), unit, "half width of its 95 % interval");
  results.scalar("crossing_cumulant", crossing.binder, "1", "U4 at the crossing");
  results.scalar("crossing_cumulant_half_width", 0.5 * (crossing.binder_high - crossing.binder_low), "1",
                 "half width of its 95 % interval");
  results.scalar("crossing_correction", crossing.correction, "1",
                 "g: U4 of N agents at the crossing is higher by g N^(-1/2)");
  results.scalar("crossing_chi_square", crossing.chi_square / crossing.degrees, "1",
                 "chi^2 of the fit per degree of freedom");
  results.headline({.variable = "crossing",
                    .label = "Transition",
                    .predicted = prediction_name(config, true, Direction::down),
                    .half_width = "crossing_half_width",
                    .meaning = "Crossing of the Binder cumulants of all sizes, with its 95 % bootstrap interval."});
  results.headline({.variable = "crossing_cumulant",
                    .label = "U4 at the crossing",
                    .half_width = "crossing_cumulant_half_width",
                    .meaning = crossing.correction != 0
                                   ? "For infinitely many agents. The value identifies the universality class."
                                   : "The value identifies the universality class."});
  const std::vector<double>& pairs = crossing.pair_control;
  if (pairs.empty()) return;
  results.data.dimension("pair", pairs.size());
  results.add("pair_crossing", {"pair"}, pairs, unit, "crossing of neighbouring sizes");
}

void write_ends(const Config& config, const PhaseFindings& findings, Results& results) {
  const std::string unit = phase_control_unit(config), control = phase_control_name(config);
  for (const Direction direction : {Direction::down, Direction::up}) {
    const FoundJump* jump = main_jump(findings, direction);
    if (jump == nullptr) continue;
    const std::string way = direction == Direction::up ? "up" : "down";
    results.scalar("jump_" + way, jump->at(), unit, direction == Direction::up ? "jump up" : "jump down");
    results.scalar("jump_" + way + "_error", 0.5 * (jump->high - jump->low), unit, "half width");
    const SizeLimit limit = size_limit(findings, direction);
    results.scalar("jump_" + way + "_limit", limit.value, unit,
                   "largest jump, for infinitely many agents where the sizes converge");
    results.scalar("jump_" + way + "_limit_error", limit.error, unit, "its error, bracket and sizes together");
    results.scalar("jump_" + way + "_converges", limit.converges ? 1 : 0, "1", "1: the sizes converge");
    results.headline({.variable = "jump_" + way + "_limit",
                      .label = concat("Largest jump with ", way == "up" ? "rising " : "falling ", control),
                      .predicted = prediction_name(config, false, direction),
                      .half_width = "jump_" + way + "_limit_error",
                      .meaning = limit.converges
                                     ? "For infinitely many agents; the error is that of the bracket and of the sizes."
                                     : "Of the largest crowd: the sizes do not converge, or there is but one."});
  }
}

void write_search_notes(const Config& config, const PhaseFindings& findings, Results& results) {
  const bool noisy = phase_is_noisy(config);
  if (noisy && findings.kind == TransitionKind::continuous && !findings.crossing.narrow_enough)
    results.note(concat("The interval is wider than phase.precision = ", config.real("phase.precision"),
                        " after all phase.rounds_max refinements."));
  if (phase_is_plain_averaging(config))
    results.note(
        "Plain averaging: without stubbornness and noise every crowd ends in consensus (E1). The transition is only "
        "apparent: it is where camps live longer than phase.steps_max steps, or move by less than phase.tolerance.");
  const auto waiting = std::count_if(findings.points.begin(), findings.points.end(),
                                     [](const PhasePoint& point) { return !point.at_rest; });
  if (waiting > 0)
    results.note(concat(waiting, " of ", findings.points.size(),
                        " points were not at rest after phase.steps_max steps; relaxation is slow near a transition."));
  results.note(concat(findings.steps, " steps in total, ", findings.rounds, " refinements."));
}

}  // namespace

void write_phase(const Config& config, const PhaseFindings& findings, Results& results) {
  const bool noisy = phase_is_noisy(config);
  PhaseWriter writer(config, findings, results);
  writer.write_grid(noisy);
  writer.write_window();
  writer.write_collapse();
  writer.write_maps();
  writer.write_jumps();
  writer.write_sizes(noisy);
  write_crossing(config, findings, results);
  write_ends(config, findings, results);
  for (const KnownTransition& known : known_transitions(config))
    results.scalar("predicted_" + known.name, known.at, phase_control_unit(config), "predicted");
  check_known(config, findings, results);
  write_search_notes(config, findings, results);
  results.verdict(phase_verdict(config, findings));
}

void write_lifetimes(const Config& config, const Lifetimes& lifetimes, Results& results) {
  if (lifetimes.temperatures.empty()) return;
  results.coordinate("camp_temperature", lifetimes.temperatures, phase_control_unit(config), "temperature");
  results.add("lifetime", {"camp_temperature"}, lifetimes.measured, "step", "steps until two camps have merged");
  results.add("lifetime_mapped", {"camp_temperature"}, lifetimes.mapped, "step",
              "lifetime from the recursion of the gap");
  results.add("lifetime_asymptotic", {"camp_temperature"}, lifetimes.asymptotic, "step", "(T / 2d^2) exp(d^2 / 2T)");
  double worst = 0;
  for (std::size_t k = 0; k < lifetimes.measured.size(); ++k)
    worst = std::max(worst, std::abs(lifetimes.measured[k] - lifetimes.mapped[k]) / lifetimes.mapped[k]);
  // rounding moves the last step by one
  results.check({"lifetimes", "largest relative deviation of a lifetime from that of d <- d tanh(d^2 / 4T)",
                 "derived in domains/opinion/theory.md (E2)", 0.0, worst, absolute(1e-3)});
}

}  // namespace fovea::opinion::phase
