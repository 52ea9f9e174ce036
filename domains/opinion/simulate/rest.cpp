#include "fovea/domains/opinion/simulate/rest.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/data/view.hpp"

namespace fovea::opinion::simulate {

namespace {

/// Steps that grow by a factor, but by one at least; one more than `most` where there would be too many.
std::vector<std::int64_t> growing_steps(std::int64_t steps, double factor, std::int64_t most) {
  std::vector<std::int64_t> list{0};
  while (list.back() < steps && static_cast<std::int64_t>(list.size()) <= most) {
    const double next = std::ceil(static_cast<double>(list.back()) * factor);
    list.push_back(std::min(steps, std::max(list.back() + 1, static_cast<std::int64_t>(next))));
  }
  return list;
}

/// A variable with the first `count` places of its dimension number `axis` alone.
Variable first_places(const Variable& variable, const std::vector<std::size_t>& shape, std::size_t axis,
                      std::size_t count) {
  std::size_t outer = 1, inner = 1;
  for (std::size_t k = 0; k < shape.size(); ++k) (k < axis ? outer : inner) *= k == axis ? 1 : shape[k];
  Variable kept{variable.name, variable.dimensions, {}, variable.units, variable.long_name, variable.attributes};
  std::visit(
      [&](const auto& values) {
        std::decay_t<decltype(values)> some;
        some.reserve(outer * count * inner);
        for (std::size_t o = 0; o < outer; ++o) {
          const auto from = values.begin() + static_cast<std::ptrdiff_t>(o * shape[axis] * inner);
          some.insert(some.end(), from, from + static_cast<std::ptrdiff_t>(count * inner));
        }
        kept.values = std::move(some);
      },
      variable.values);
  return kept;
}

Dataset first_places(const Dataset& data, const std::string& dimension, std::size_t count) {
  Dataset kept;
  kept.attributes = data.attributes;
  kept.documents = data.documents;
  for (const Dimension& one : data.dimensions()) kept.dimension(one.name, one.name == dimension ? count : one.size);
  for (const Variable& variable : data.variables()) {
    const auto place = std::find(variable.dimensions.begin(), variable.dimensions.end(), dimension);
    kept.add(place == variable.dimensions.end()
                 ? variable
                 : first_places(variable, data.shape(variable), place - variable.dimensions.begin(), count));
  }
  return kept;
}

}  // namespace

std::vector<std::int64_t> recorded_steps(std::int64_t steps, std::int64_t states, bool may_rest) {
  std::vector<std::int64_t> list;
  if (may_rest && steps > states && states > 2) {
    const auto too_many = [&](double factor) {
      return static_cast<std::int64_t>(growing_steps(steps, factor, states).size()) > states;
    };
    double low = 1, high = 2;
    while (too_many(high)) high *= 2;
    for (int k = 0; k < 40; ++k) {
      const double middle = 0.5 * (low + high);
      (too_many(middle) ? low : high) = middle;
    }
    return growing_steps(steps, high, states);
  }
  const std::int64_t every = (steps + states - 1) / states;
  for (std::int64_t step = 0; step <= steps; step += every) list.push_back(step);
  if (list.back() < steps) list.push_back(steps);
  return list;
}

void end_at_rest(Results& merged) {
  if (!merged.data.has("steps_taken")) return;
  const double last = view(merged.data, "steps_taken").range().second;
  for (const char* axis : {"step", "network_step"}) {
    const Dataset& data = merged.data;
    if (!data.has(axis) || !data.is_coordinate(data.at(axis))) continue;
    const auto& steps = std::get<std::vector<std::int64_t>>(data.at(axis).values);
    const auto end =
        std::find_if(steps.begin(), steps.end(), [&](std::int64_t step) { return static_cast<double>(step) >= last; });
    if (end == steps.end() || end + 1 == steps.end()) continue;
    merged.data = first_places(data, axis, static_cast<std::size_t>(end - steps.begin()) + 1);
  }
}

}  // namespace fovea::opinion::simulate
