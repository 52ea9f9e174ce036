#include "fovea/datasets/series/series.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::series {

std::string time_text(double time, const std::string& unit) {
  std::string name = unit.empty() ? "steps" : unit;
  if (time == 1 && name.size() > 2 && name.back() == 's') name.pop_back();
  return concat(time, ' ', name);
}

}  // namespace fovea::datasets::series
