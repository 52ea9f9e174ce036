#include "fovea/domains/lag/pair/input.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"

namespace fovea::lag::pair {

namespace {

/// Evenly sampled series as curves without errors.
datasets::series::CurveGroup curves_of(const datasets::series::SeriesTable& table) {
  datasets::series::CurveGroup group;
  for (Index s = 0; s < table.series(); ++s) {
    datasets::series::Curve curve;
    curve.name = table.names[s];
    for (Index t = 0; t < table.steps(); ++t) {
      if (std::isnan(table.values(t, s))) continue;
      curve.time.push_back(table.step * static_cast<double>(t));
      curve.value.push_back(table.values(t, s));
      curve.error.push_back(0);
    }
    group.curves.push_back(std::move(curve));
  }
  return group;
}

datasets::series::Curve within(const datasets::series::Curve& curve, double from, double to) {
  if (from == 0 && to == 0) return curve;
  datasets::series::Curve kept;
  kept.name = curve.name;
  for (std::size_t i = 0; i < curve.time.size(); ++i) {
    if (curve.time[i] < from || curve.time[i] > to) continue;
    kept.time.push_back(curve.time[i]);
    kept.value.push_back(curve.value[i]);
    kept.error.push_back(curve.error[i]);
  }
  return kept;
}

std::string names_of(const datasets::series::CurveGroup& group) {
  std::string names;
  for (const datasets::series::Curve& curve : group.curves) names += (names.empty() ? "" : ", ") + curve.name;
  return names;
}

std::size_t place_of(const std::string& path, const datasets::series::CurveGroup& group, const std::string& name) {
  for (std::size_t i = 0; i < group.curves.size(); ++i)
    if (group.curves[i].name == name) return i;
  throw DataError(concat(path, ": there is no series '", name, "'; there are ", names_of(group), "."));
}

/// The named driver, else the one called "driver" or "continuum", else the first.
std::size_t driver_of(const std::string& path, const datasets::series::CurveGroup& group, const std::string& name) {
  if (!name.empty()) return place_of(path, group, name);
  for (std::size_t i = 0; i < group.curves.size(); ++i)
    if (group.curves[i].name == "driver" || group.curves[i].name == "continuum") return i;
  return 0;
}

void add_pairs(const PairAsked& asked, const datasets::series::CurveGroup& group, PairInputs& inputs) {
  const std::string& path = asked.series.file;
  if (group.curves.size() < 2)
    throw DataError(concat(path, ": ", group.name.empty() ? "there is" : concat("group '", group.name, "' has"),
                           " only the series '", names_of(group), "'; a pair needs two."));
  const std::size_t driver = driver_of(path, group, asked.driver);
  const std::string& wanted = asked.response;
  const std::size_t only = wanted.empty() ? group.curves.size() : place_of(path, group, wanted);
  for (std::size_t r = 0; r < group.curves.size(); ++r) {
    if (r == driver || (only < group.curves.size() && r != only)) continue;
    PairInput pair;
    pair.group = group.name;
    pair.driver = within(group.curves[driver], asked.from, asked.to);
    pair.response = within(group.curves[r], asked.from, asked.to);
    inputs.pairs.push_back(std::move(pair));
  }
}

PairInputs pairs_of_file(const PairAsked& asked, const datasets::series::SeriesFile& file) {
  PairInputs inputs;
  const std::string& path = asked.series.file;
  inputs.notes = file.notes;
  std::vector<datasets::series::CurveGroup> even;
  if (!file.irregular()) even = {curves_of(file.table)};
  const std::vector<datasets::series::CurveGroup>& groups = file.irregular() ? file.groups : even;
  const std::string& wanted = asked.group;
  for (const datasets::series::CurveGroup& group : groups)
    if (wanted.empty() || group.name == wanted) add_pairs(asked, group, inputs);
  if (inputs.pairs.empty())
    throw DataError(concat(path, ": none of ", groups.size(), " groups has a pair of series",
                           wanted.empty() ? std::string(".") : concat("; data.group is '", wanted, "'.")));
  return inputs;
}

PairInputs made_pairs(const PairAsked& asked, const Random& random) {
  PairInputs inputs;
  for (Index p = 0; p < asked.related + asked.unrelated; ++p) {
    const Random of_pair = random.stream(concat("pair ", p));
    datasets::simulated::LightCurvePlan plan = datasets::simulated::random_light_curve_plan(of_pair.stream("plan"));
    plan.related = p < asked.related;
    plan.errors = asked.errors;
    datasets::series::CurveGroup curves = datasets::simulated::light_curves(plan, of_pair.stream("curves"));
    PairInput pair;
    pair.group = concat(plan.related ? "related " : "unrelated ", plan.related ? p + 1 : p + 1 - asked.related);
    pair.driver = std::move(curves.curves[0]);
    pair.response = std::move(curves.curves[1]);
    pair.made = true;
    pair.related = plan.related;
    if (plan.related) pair.true_lag = plan.lag;
    inputs.pairs.push_back(std::move(pair));
  }
  return inputs;
}

}  // namespace

PairInputs pair_inputs(const PairAsked& asked, const Inputs& inputs, const Random& random) {
  return asked.series.made() ? made_pairs(asked, random) : pairs_of_file(asked, *series::opened_series(inputs));
}

}  // namespace fovea::lag::pair
