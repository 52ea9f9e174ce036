#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/opinion/measures/measures.hpp"
#include "fovea/domains/opinion/temperature/outcome.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::temperature {

namespace {

/// A variable on one branch as series over temperature, one for each combination of the other dimensions.
struct Series {
  std::vector<std::string> dimensions;  ///< the others, slowest first
  std::vector<std::vector<double>> values;
};

/// branch: index along the dimension "branch"; ignored where the variable has no such dimension.
Series series_of(const Dataset& data, const std::string& name, std::size_t branch) {
  const Variable& variable = data.at(name);
  const std::vector<std::size_t> shape = data.shape(variable);
  Series series;
  std::size_t others = 1, inner = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::string& dimension = variable.dimensions[d];
    if (dimension == "temperature") inner = shape[d];
    if (dimension == "temperature" || dimension == "branch") continue;
    series.dimensions.push_back(dimension);
    others *= shape[d];
  }
  series.values.assign(others, std::vector<double>(inner, kNan));
  const std::vector<double>& flat = variable.reals();
  for (std::size_t k = 0; k < flat.size(); ++k) {
    std::size_t rest = k, other = 0, stride = 1, temperature = 0;
    bool mine = true;
    for (std::size_t d = shape.size(); d-- > 0;) {
      const std::size_t index = rest % shape[d];
      rest /= shape[d];
      if (variable.dimensions[d] == "temperature") {
        temperature = index;
      } else if (variable.dimensions[d] == "branch") {
        mine = mine && index == branch;
      } else {
        other += index * stride;
        stride *= shape[d];
      }
    }
    if (mine) series.values[other][temperature] = flat[k];
  }
  return series;
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
  for (const char* name : {"node_x", "node_y", "agent_name", "real_group", "label_propagation", "known"})
    keep_once(data, name, {"agent"});
  for (const char* name : {"edge_source", "edge_target"}) keep_once(data, name, {"edge"});
  keep_once(data, "predicted_sd", {"temperature"});
  keep_once(data, "label_propagation_share", {});
}

/// A scalar of one branch under a name of its own; the mean with its standard error over everything else.
MeanWithError add_scalar_of_branch(Results& merged, const std::string& from, std::size_t branch, const std::string& to,
                                   const std::string& meaning) {
  const Series series = series_of(merged.data, from, branch);
  std::vector<double> values;
  for (const std::vector<double>& one : series.values) values.push_back(one.front());
  merged.add(to, series.dimensions, values, merged.data.at(from).units, meaning);
  if (from == "predicted_transition") keep_once(merged.data, to, {});
  return mean_with_error(values);
}

double mean_of(const Results& merged, const std::string& name) {
  return mean_with_error(merged.data.at(name).reals()).mean;
}

// Known answers, checked with the engine in every run.

double measured_gap(double gap, double temperature) {
  dynamics::CrowdSetup setup;
  setup.anchors = Matrix<double>(2, 1);
  setup.anchors << -0.5 * gap, 0.5 * gap;
  setup.stubbornness = {0.0, 0.0};
  const Matrix<double> next = dynamics::Crowd(setup, temperature, Random(0)).step(setup.anchors, 0);
  return next(1, 0) - next(0, 0);
}

double measured_gaussian_sd(double temperature, int steps) {
  constexpr Index kAgents = 4000;
  dynamics::CrowdSetup setup;
  setup.anchors = Matrix<double>(kAgents, 1);
  for (Index i = 0; i < kAgents; ++i)
    setup.anchors(i, 0) = normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(kAgents));
  setup.stubbornness.assign(static_cast<std::size_t>(kAgents), 0.0);
  const dynamics::Crowd crowd(setup, temperature, Random(0));
  Matrix<double> opinions = setup.anchors;
  for (int step = 0; step < steps; ++step) opinions = crowd.step(opinions, step);
  return std::sqrt(measures::variance(opinions));
}

void check_known_answers(Results& merged) {
  constexpr double kRounding = 1e-12;
  constexpr double kQuantileTails = 1e-3;  // 4000 quantiles lack the tails beyond 3.7 standard deviations
  for (const double temperature : {0.4, 0.1})
    merged.check({concat("two_camps_T_", temperature),
                  concat("gap of two agents after one step, d = 1, T = ", temperature),
                  "derived in domains/opinion/README.md (d tanh(d^2 / 4T))", theory::next_gap(1.0, temperature),
                  measured_gap(1.0, temperature), kRounding, true});
  constexpr double kTemperature = 0.5;
  constexpr int kSteps = 4;
  double sd = 1;
  for (int step = 0; step < kSteps; ++step) sd = theory::next_gaussian_sd(sd, kTemperature);
  merged.check({"gaussian_crowd", "sd of a Gaussian crowd after 4 steps, T = 0.5",
                "Cheng 1995; Carreira-Perpinan 2006; derived in domains/opinion/README.md", sd,
                measured_gaussian_sd(kTemperature, kSteps), kQuantileTails, true});
}

// The loop.

/// Area between heating and cooling in (ln T, sd), by the trapezium rule.
void add_loop_area(Results& merged, std::size_t cooling, std::size_t heating) {
  const std::vector<double>& temperature = merged.data.at("temperature").reals();
  const Series down = series_of(merged.data, "sd", cooling), up = series_of(merged.data, "sd", heating);
  std::vector<double> areas;
  for (std::size_t r = 0; r < down.values.size(); ++r) {
    double area = 0;
    for (std::size_t k = 1; k < temperature.size(); ++k) {
      const double here = up.values[r][k] - down.values[r][k], before = up.values[r][k - 1] - down.values[r][k - 1];
      area += 0.5 * (here + before) * std::log(temperature[k] / temperature[k - 1]);
    }
    areas.push_back(area);
  }
  merged.add("hysteresis_area", down.dimensions, areas, merged.data.at("sd").units,
             "area between heating and cooling in (ln T, standard deviation)");
  merged.headline({"hysteresis_area", "Area of the hysteresis loop", "", "",
                   "Between heating and cooling, spread over ln T; 0 where the crowd forgets where it came from."});
}

/// What one branch contributes to headline and verdict.
struct Jump {
  MeanWithError at{kNan, kNan, 0};
  double half_width = kNan;
  double predicted = kNan;
  bool found() const { return at.count > 0; }
  double uncertainty() const { return std::hypot(at.error, half_width); }
  std::string text() const { return concise_with_error(at.mean, uncertainty()); }
};

/// The end of the simplest polarized state; where heating ends depends on the camps that cold left.
void note_highest_rest(Results& merged, std::size_t heating) {
  const Series ends = series_of(merged.data, "two_camps_end", heating);
  const double end = ends.values.front().front();
  const bool differs =
      std::any_of(ends.values.begin(), ends.values.end(), [&](const auto& one) { return one.front() != end; });
  if (std::isnan(end) || differs) return;
  merged.note(
      concat("For comparison: two camps of one half of the agents each, taken as points, can rest up to T = ",
             concise_with_error(end, 0),
             " and no further. Other camps have limits of their own, so where heating ends depends on its past."));
}

Jump add_jump(Results& merged, const std::string& branch, std::size_t place) {
  Jump jump;
  jump.at = add_scalar_of_branch(merged, "transition_temperature", place, branch + "_transition",
                                 "temperature where the crowd jumps on " + branch);
  jump.half_width =
      add_scalar_of_branch(merged, "transition_half_width", place, branch + "_half_width", "half width of its bracket")
          .mean;
  jump.predicted = add_scalar_of_branch(merged, "predicted_transition", place, "predicted_" + branch + "_transition",
                                        "predicted transition: temperature where the Gaussian state loses stability")
                       .mean;
  if (!jump.found() || merged.data.has("share_on_real_side")) return jump;  // there the shares are the question
  const bool cooling = branch == "cooling";
  merged.headline(
      {branch + "_transition", cooling ? "Consensus breaks on cooling" : "Camps merge on heating",
       std::isnan(jump.predicted) ? "" : "predicted_" + branch + "_transition", branch + "_half_width",
       cooling ? "Temperature where one camp becomes several." : "Temperature where the last camps become one."});
  if (!cooling) note_highest_rest(merged, place);
  return jump;
}

void add_share_headlines(Results& merged, const std::string& branch, std::size_t place) {
  if (!merged.data.has("share_on_real_side")) return;
  add_scalar_of_branch(merged, "share_at_highest_temperature", place, "attention_share",
                       "share of the other agents on their real side at the highest temperature, " + branch);
  add_scalar_of_branch(merged, "label_propagation_share", place, "propagation_share",
                       "share of the other agents that label propagation puts on their real side");
  merged.headline({"attention_share", "On their real side by attention", "", "",
                   "Share of the other members, at the highest temperature (not picked by its result)."});
  merged.headline({"propagation_share", "On their real side by label propagation", "", "",
                   "Share of the other members, from the same known ones."});
}

std::string loop_sentence(const Jump& cooling, const Jump& heating, bool has_heating, double highest) {
  std::string text = concat("Cooling jumps at T = ", cooling.text());
  if (!std::isnan(cooling.predicted)) text += concat(" (predicted ", concise_with_error(cooling.predicted, 0), ")");
  if (!has_heating) return text + ".";
  const double end = heating.found() ? heating.at.mean - heating.uncertainty() : highest;
  text += heating.found() ? concat("; heating stays polarized up to ", heating.text())
                          : concat("; heating stays polarized beyond ", concise_with_error(highest, 0));
  if (end > cooling.at.mean + cooling.uncertainty()) text += ": a first-order transition with hysteresis";
  return text + ".";
}

std::string share_sentence(const Results& merged) {
  if (!merged.data.has("share_on_real_side")) return "";
  std::vector<double> shares;
  for (const double share : merged.data.at("share_on_real_side").reals())
    if (!std::isnan(share)) shares.push_back(share);
  if (shares.empty()) return "";
  const auto percent = [](double share) { return std::round(1000 * share) / 10; };
  const auto [low, high] = std::minmax_element(shares.begin(), shares.end());
  return concat("From ", percent(*low), " to ", percent(*high),
                " % of the other members end on their real side, depending on temperature and branch; plain label "
                "propagation puts ",
                percent(mean_of(merged, "label_propagation_share")), " % there.");
}

/// No jump was bracketed: what happened instead.
std::string smooth_sentence(const Results& merged) {
  const std::vector<double>& camps = merged.data.at("camps").reals();
  const auto [low, high] = std::minmax_element(camps.begin(), camps.end());
  if (*low == *high) return concat("The crowd has ", *low, *low == 1 ? " camp" : " camps", " at every temperature.");
  return concat("Between ", *low, " and ", *high, " camps over the temperatures; no jump was looked for or bracketed.");
}

void warn_of_waiting(const Results& merged, std::string& verdict) {
  const auto& notes = merged.notes();
  const bool waiting = std::any_of(notes.begin(), notes.end(),
                                   [](const std::string& note) { return note.starts_with("Plain averaging"); });
  if (waiting)
    verdict +=
        " Not a phase: without stubbornness or noise all this ends in consensus, and the picture shows how long "
        "one waited.";
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
  std::string verdict = share_sentence(merged);
  if (verdict.empty() && down.found())
    verdict = loop_sentence(down, up, heating.has_value(), merged.data.at("temperature").reals().back());
  if (verdict.empty() && up.found()) verdict = concat("Heating stays polarized up to T = ", up.text(), ".");
  if (verdict.empty()) verdict = smooth_sentence(merged);
  warn_of_waiting(merged, verdict);
  merged.verdict(verdict);
}

}  // namespace fovea::opinion::temperature
