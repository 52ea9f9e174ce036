#include "fovea/datasets/series.hpp"

#include "fovea/core/error.hpp"

namespace fovea {

std::string time_text(double time, const std::string& unit) {
  std::string name = unit.empty() ? "steps" : unit;
  if (time == 1 && name.size() > 2 && name.back() == 's') name.pop_back();
  return concat(time, ' ', name);
}

}  // namespace fovea
