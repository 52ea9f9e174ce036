#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/opinion/findings.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/temperature/findings.hpp"
#include "fovea/domains/opinion/temperature/outcome.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::temperature {

namespace {

/// A variable on one branch: index along the dimension "branch", where it has one.
View on_branch(const Dataset& data, const std::string& name, std::size_t branch) {
  const View whole = view(data, name);
  return whole.has("branch") ? whole.at({{"branch", branch}}) : whole;
}

/// Where a branch stands along the dimension "branch", or 0 for a single run of that branch.
std::optional<std::size_t> find_branch(const Dataset& data, const std::string& name) {
  if (data.has("branch") && data.is_coordinate(data.at("branch"))) {
    const auto& names = std::get<std::vector<std::string>>(data.at("branch").values);
    const auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end()) return std::nullopt;
    return static_cast<std::size_t>(place - names.begin());
  }
  const auto branch = data.attributes.find("branch");
  if (branch == data.attributes.end() || branch->second != name) return std::nullopt;
  return 0;
}

/// Keeps a variable once where it is the same for every branch, seed and swept key: places, edges, predictions.
void keep_once(Dataset& data, const std::string& name, const std::vector<std::string>& own) {
  if (!data.has(name)) return;
  Variable variable = data.at(name);
  std::size_t size = 1;
  for (const std::string& dimension : own) {
    if (std::find(variable.dimensions.begin(), variable.dimensions.end(), dimension) == variable.dimensions.end())
      return;
    size *= data.size_of(dimension);
  }
  const bool constant = std::visit(
      [&](auto& values) {
        for (std::size_t k = size; k < values.size(); ++k) {
          const bool both_nan = values[k] != values[k] && values[k - size] != values[k - size];
          if (values[k] != values[k - size] && !both_nan) return false;
        }
        values.resize(size);
        return true;
      },
      variable.values);
  if (!constant) return;
  variable.dimensions = own;
  data.add(std::move(variable));
}

void keep_constants_once(Dataset& data) {
  for (const char* name : {"node_x", "node_y", "real_group", "label_propagation", "known"})
    keep_once(data, name, {"agent"});
  for (const char* name : {"edge_source", "edge_target"}) keep_once(data, name, {"edge"});
  keep_once(data, "predicted_sd", {"temperature"});
  keep_once(data, "label_propagation_share", {});
}

/// A scalar of one branch under a name of its own; the mean with its standard error over everything else.
MeanWithError add_scalar_of_branch(Results& merged, const std::string& from, std::size_t branch, const std::string& to,
                                   const std::string& meaning) {
  const View values = on_branch(merged.data, from, branch);
  merged.add(to, values.dimensions(), values.values(), merged.data.at(from).units, meaning);
  if (from == "predicted_transition") keep_once(merged.data, to, {});
  return values.mean();
}

double mean_of(const Results& merged, const std::string& name) { return view(merged.data, name).mean().mean; }

// Self-tests: known answers on cases of their own, checked with the engine in every run.

/// Everybody hears everybody, and nobody is stubborn.
Matrix<double> opinions_after(int steps, Matrix<double> opinions, double temperature) {
  const auto crowd = oracle::free_crowd({.temperature = temperature}, opinions);
  for (int step = 0; step < steps; ++step) crowd->step(opinions, step);
  return opinions;
}

double measured_gap(double gap, double temperature) {
  Matrix<double> pair(2, 1);
  pair << -0.5 * gap, 0.5 * gap;
  const Matrix<double> next = opinions_after(1, pair, temperature);
  return next(1, 0) - next(0, 0);
}

double measured_gaussian_sd(double temperature, int steps) {
  constexpr Index kAgents = 4000;
  Matrix<double> quantiles(kAgents, 1);
  for (Index i = 0; i < kAgents; ++i)
    quantiles(i, 0) = normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(kAgents));
  return std::sqrt(measures::variance(opinions_after(steps, quantiles, temperature)));
}

void check_known_answers(Results& merged) {
  constexpr double kRounding = 1e-12;
  constexpr double kQuantileTails = 1e-3;  // 4000 quantiles lack the tails beyond 3.7 standard deviations
  for (const double temperature : {0.4, 0.1})
    merged.check({concat("self_test_two_camps_T_", temperature),
                  concat("self-test, not this run: gap of two agents after one step, d = 1, T = ", temperature),
                  "derived in domains/opinion/theory.md (E2)", theory::next_gap(1.0, temperature),
                  measured_gap(1.0, temperature), relative(kRounding)});
  constexpr double kTemperature = 0.5;
  constexpr int kSteps = 4;
  double sd = 1;
  for (int step = 0; step < kSteps; ++step) sd = theory::next_gaussian_sd(sd, kTemperature);
  merged.check({"self_test_gaussian_crowd", "self-test, not this run: sd of a Gaussian crowd after 4 steps, T = 0.5",
                "Cheng 1995; Carreira-Perpinan 2006; derived in domains/opinion/theory.md (E3)", sd,
                measured_gaussian_sd(kTemperature, kSteps), relative(kQuantileTails)});
}

// The loop.

/// Area between heating and cooling in (ln T, sd), by the trapezium rule.
void add_loop_area(Results& merged, std::size_t cooling, std::size_t heating) {
  if (!merged.data.has_dimension("temperature")) return;  // each point of a sweep has temperatures of its own
  const std::vector<double> temperature = view(merged.data, "temperature").values();
  const View cold = on_branch(merged.data, "sd", cooling), hot = on_branch(merged.data, "sd", heating);
  const auto down = cold.series("temperature"), up = hot.series("temperature");
  std::vector<double> areas;
  for (std::size_t r = 0; r < down.size(); ++r) {
    double area = 0;
    for (std::size_t k = 1; k < temperature.size(); ++k) {
      const double here = up[r][k] - down[r][k], before = up[r][k - 1] - down[r][k - 1];
      area += 0.5 * (here + before) * std::log(temperature[k] / temperature[k - 1]);
    }
    areas.push_back(area);
  }
  merged.add("hysteresis_area", cold.at({{"temperature", 0}}).dimensions(), areas, merged.data.at("sd").units,
             "area between heating and cooling in (ln T, standard deviation)");
  merged.headline(
      {.variable = "hysteresis_area",
       .label = "Area of the hysteresis loop",
       .meaning = "Standard deviation on heating minus that on cooling, integrated over ln T; 0 without hysteresis."});
}

/// What one branch contributes to headline and verdict.
struct Jump {
  MeanWithError at{kNan, kNan, 0};
  double half_width = kNan;
  double predicted = kNan;
  std::pair<double, double> range{kNan, kNan}, predicted_range{kNan, kNan};  ///< over swept keys, means over the seeds
  bool found() const { return at.count > 0; }
  double uncertainty() const { return std::hypot(at.error, half_width); }
};

/// Keys that were swept, other than seeds: their points are no replicas of one another.
std::vector<std::string> swept_keys(const Dataset& data) {
  std::vector<std::string> keys;
  for (const std::string& dimension : data.at("transition_temperature").dimensions)
    if (dimension != "branch" && dimension != "seed" && data.size_of(dimension) > 1) keys.push_back(dimension);
  return keys;
}

void widen(std::pair<double, double>& range, double value) {
  range = {std::fmin(range.first, value), std::fmax(range.second, value)};
}

/// Over the points where a transition was found: where, and where it was predicted.
void find_ranges(const View& found, const View& predicted, const std::vector<std::string>& keys, Jump& jump) {
  if (!keys.empty()) {
    const std::vector<std::string> others(keys.begin() + 1, keys.end());
    const auto parts = [&](const View& view) { return view.has(keys[0]) ? view.along(keys[0]) : std::vector<View>{}; };
    const std::vector<View> founds = parts(found), predictions = parts(predicted);
    for (std::size_t k = 0; k < std::max(founds.size(), predictions.size()); ++k)
      find_ranges(founds.empty() ? found : founds[k], predictions.empty() ? predicted : predictions[k], others, jump);
    if (!founds.empty() || !predictions.empty()) return;
  }
  if (std::isnan(found.mean().mean)) return;
  widen(jump.range, found.mean().mean);
  widen(jump.predicted_range, predicted.mean().mean);
}

void note_highest_rest(Results& merged, std::size_t heating) {
  const std::vector<double> ends = on_branch(merged.data, "two_camps_end", heating).values();
  const bool everywhere = std::none_of(ends.begin(), ends.end(), [](double end) { return std::isnan(end); });
  const auto [least, most] = std::minmax_element(ends.begin(), ends.end());
  if (everywhere) merged.finding(TwoCampsEnd{*least, *most});
}

Jump add_jump(Results& merged, const std::string& branch, std::size_t place) {
  Jump jump;
  jump.at = add_scalar_of_branch(merged, "transition_temperature", place, branch + "_transition",
                                 "temperature of the jump on " + branch);
  jump.half_width =
      add_scalar_of_branch(merged, "transition_half_width", place, branch + "_half_width", "half width of its bracket")
          .mean;
  jump.predicted = add_scalar_of_branch(merged, "predicted_transition", place, "predicted_" + branch + "_transition",
                                        "predicted transition: temperature where the Gaussian state loses stability")
                       .mean;
  const std::vector<std::string> keys = swept_keys(merged.data);
  find_ranges(view(merged.data, branch + "_transition"), view(merged.data, "predicted_" + branch + "_transition"), keys,
              jump);
  if (!jump.found() || merged.data.has("share_on_real_side")) return jump;  // there the shares are the question
  const bool cooling = branch == "cooling";
  merged.headline({.variable = branch + "_transition",
                   .label = cooling ? "Consensus loses stability on cooling" : "Camps merge on heating",
                   .predicted = std::isnan(jump.predicted) ? "" : "predicted_" + branch + "_transition",
                   .half_width = branch + "_half_width",
                   .meaning = cooling ? "Temperature where one camp splits into several."
                                      : "Temperature where the last camps merge."});
  if (!cooling) note_highest_rest(merged, place);
  return jump;
}

void add_share_headlines(Results& merged, const std::string& branch, std::size_t place) {
  if (!merged.data.has("share_on_real_side")) return;
  add_scalar_of_branch(
      merged, "share_at_highest_temperature", place, "attention_share",
      "share of the agents with unknown side on their observed side, at the highest temperature, " + branch);
  add_scalar_of_branch(merged, "label_propagation_share", place, "propagation_share",
                       "share of the agents with unknown side on their observed side, by label propagation");
  merged.headline(
      {.variable = "attention_share",
       .label = "On their observed side by attention",
       .meaning = "Share of the agents with unknown side, at the highest temperature (chosen before the result)."});
  merged.headline({.variable = "propagation_share",
                   .label = "On their observed side by label propagation",
                   .meaning = "Share of the agents with unknown side, from the same known agents."});
}

/// No jump was bracketed: what happened instead.
void find_smooth(Results& merged, std::optional<std::size_t> cooling, std::optional<std::size_t> heating) {
  const auto [low, high] = view(merged.data, "camps").range();
  if (!merged.data.has_dimension("temperature")) return;
  const std::vector<double> temperatures = view(merged.data, "temperature").values();
  merged.finding(NoCamps{high});
  merged.finding(CampsOverTemperature{low, high, std::size_t{cooling.has_value()} + heating.has_value()});
  for (const auto& [branch, place] : {std::pair{"heating", heating}, std::pair{"cooling", cooling}}) {
    if (!place) continue;
    const View camps = on_branch(merged.data, "camps", *place);
    merged.finding(CampsOfBranch{branch, temperatures.front(), temperatures.back(),
                                 camps.at({{"temperature", 0}}).mean().mean,
                                 camps.at({{"temperature", kLast}}).mean().mean, low, high});
  }
}

/// The share of agents on their side where sides were withheld, else where the branches jump, else their camps.
void find_verdict(Results& merged, const Jump& down, const Jump& up, std::optional<std::size_t> cooling,
                  std::optional<std::size_t> heating) {
  if (merged.data.has("share_on_real_side")) {
    const auto [low, high] = view(merged.data, "share_on_real_side").range();
    if (merged.finding(SharesOnSide{low, high, mean_of(merged, "label_propagation_share")})) return;
  }
  if (!down.found() && !up.found()) return find_smooth(merged, cooling, heating);
  if (!swept_keys(merged.data).empty()) {
    merged.finding(SweptTransitions{down.range.first, down.range.second, down.predicted_range.first,
                                    down.predicted_range.second, up.range.first, up.range.second});
    return;
  }
  merged.finding(TransitionsOfBranches{down.at.mean, down.uncertainty(), down.predicted, up.at.mean, up.uncertainty(),
                                       heating.has_value(), view(merged.data, "temperature").values().back()});
}

}  // namespace

void write_verdict(Results& merged) {
  keep_constants_once(merged.data);
  const auto cooling = find_branch(merged.data, "cooling"), heating = find_branch(merged.data, "heating");
  Jump down, up;
  if (cooling) down = add_jump(merged, "cooling", *cooling);
  if (heating) up = add_jump(merged, "heating", *heating);
  const bool shares = merged.data.has("share_on_real_side");
  if (cooling && heating && !shares && (down.found() || up.found())) add_loop_area(merged, *cooling, *heating);
  if (cooling || heating) add_share_headlines(merged, cooling ? "cooling" : "heating", cooling ? *cooling : *heating);
  check_known_answers(merged);
  add_figures(merged, cooling && !std::isnan(down.predicted));
  find_verdict(merged, down, up, cooling, heating);
  merged.finding(AveragingNotAtRest{merged.found<PlainAveragingMoves>().has_value()});
}

}  // namespace fovea::opinion::temperature
