#include "fovea/core/study/cases/target.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/core/study/cases/target_rule.hpp"

namespace fovea::study {

Index Target::outputs() const { return rule().outputs(*this); }

void check_targets(const std::string& source, const Target& target, const Cases& cases) {
  const bool real = target.rule().real();
  const auto codes = static_cast<double>(target.rule().codes(target));
  for (const double y : cases.targets) {
    if (std::isnan(y)) continue;
    if (real ? std::isfinite(y) : y >= 0 && y < codes && y == std::floor(y)) continue;
    throw DataError(concat(source, ": a target is ", y, ", but must be ",
                           real ? std::string("finite") : concat("a whole number in [0, ", codes - 1, "]"),
                           "; leave it empty if it is not known."));
  }
}

}  // namespace fovea::study
