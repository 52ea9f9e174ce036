#include "fovea/core/study/report/cost_growth.hpp"

#include <algorithm>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/statistics/line_fit.hpp"

namespace fovea::study {

namespace {

constexpr int kFewestSizes = 4;

/// Exponents of the ways.
std::vector<LineFit> fitted_exponents(const Dataset& data, const std::string& variable, const CostGrowth& growth) {
  const std::vector<double> sizes = view(data, growth.over).values();
  std::vector<LineFit> fits;
  for (const View& way : view(data, variable).along("way")) {
    std::vector<double> x, y;
    for (const std::vector<double>& costs : way.series(growth.over))
      for (std::size_t k = 0; k < sizes.size(); ++k)
        if (sizes[k] >= growth.from) x.push_back(sizes[k]), y.push_back(costs[k]);
    fits.push_back(fit_power(x, y));
  }
  return fits;
}

struct Exponent {
  std::string name, quantity;
  LineFit fit;
  double predicted = 0;
};

}  // namespace

std::vector<Cost> least_costs(std::size_t count, const std::function<Cost(std::size_t k)>& measured) {
  std::vector<Cost> costs(count);
  for (int round = 0; round < kCostRounds; ++round)
    for (std::size_t k = 0; k < count; ++k) {
      const Cost cost = measured(k);
      if (round == 0)
        costs[k] = cost;
      else
        costs[k].cpu_seconds = std::min(costs[k].cpu_seconds, cost.cpu_seconds);
    }
  return costs;
}

void add_cost_exponents(Results& machine, const CostGrowth& growth) {
  const std::vector<double> sizes = view(machine.data, growth.over).values();
  if (std::count_if(sizes.begin(), sizes.end(), [&](double size) { return size >= growth.from; }) < kFewestSizes)
    return;
  std::vector<Exponent> exponents;
  for (const auto& [quantity, variable, expected] :
       {std::tuple{"time", "seconds", &growth.time}, std::tuple{"memory", "bytes", &growth.memory}}) {
    const std::vector<LineFit> fits = fitted_exponents(machine.data, variable, growth);
    for (std::size_t way = 0; way < growth.ways.size(); ++way) {
      const Exponent one{concat(quantity, ", ", growth.ways[way]), quantity, fits[way], (*expected)[way]};
      machine.check({concat(quantity, '_', growth.keys[way]), concat("exponent of the ", one.name), growth.source,
                     one.predicted, one.fit.slope, absolute(growth.tolerance)});
      exponents.push_back(one);
    }
  }
  const auto slope = [](const Exponent& one) {
    return ValueInterval{one.fit.slope, one.fit.slope - one.fit.half_width, one.fit.slope + one.fit.half_width};
  };
  rows("exponent", exponents, &Exponent::name, "what grows")
      .interval("slope", slope, "measured exponent")
      .ends("95 % interval, Student's t", "95 % interval")
      .number("slope_predicted", &Exponent::predicted, "predicted exponent")
      .text("slope_of", &Exponent::quantity, "quantity")
      .write(machine)
      .intervals(machine, "slope",
                 {.name = "exponents",
                  .title = "Exponents of time and memory, on this machine",
                  .caption = concat("Cost grows as the number of ", growth.over, " to this power."),
                  .references = {"slope_predicted"},
                  .value_label = "exponent",
                  .groups = "slope_of"});
}

Figure cost_figure(const std::string& variable, const std::string& over, const std::string& title,
                   const std::string& caption) {
  return {.kind = "lines",
          .name = variable,
          .title = title,
          .caption = caption,
          .variables = {variable},
          .x = over,
          .hue = "way",
          .log_x = true,
          .log_y = true};
}

}  // namespace fovea::study
