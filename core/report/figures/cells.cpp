#include "fovea/core/report/figures/cells.hpp"

#include <cmath>

#include "fovea/core/base/words.hpp"

namespace fovea {
namespace {

/// The step of evenly rising values; 0 if they are not even.
double even_step(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = values[i] - values.front() - step * static_cast<double>(i);
    if (!(std::abs(off) < 1e-5 * step * static_cast<double>(values.size()))) return 0;
  }
  return step;
}

}  // namespace

Axis cell_axis(const Averaged& coordinate) {
  const double cells = static_cast<double>(coordinate.size());
  Axis axis = axis_of({{-0.5, cells - 0.5}, false}, coordinate);
  if (!coordinate.words.empty()) return axis;
  const std::vector<double>& values = coordinate.mean;
  constexpr std::size_t kFew = 12;  // each is called by its value
  if (values.size() <= kFew) {
    for (const double value : values) axis.names.push_back(rounded_text(value, 3));
    return axis;
  }
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  if (const double half = even_step(values) / 2; half > 0) {
    axis.scale.range = {values.front() - half, values.back() + half};
  } else if (const double factor = std::exp(even_step(logarithms) / 2); factor > 1) {
    axis.scale = {{values.front() / factor, values.back() * factor}, true};
  } else {
    for (const double value : values) axis.names.push_back(rounded_text(value, 3));
  }
  return axis;
}

}  // namespace fovea
