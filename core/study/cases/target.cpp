#include "fovea/core/study/cases/target.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/core/study/cases/target_rule.hpp"

namespace fovea::study {

Index Target::outputs() const { return rule().outputs(*this); }

void check_targets(const std::string& source, const Target& target, const Cases& cases) {
  const bool real = target.rule().real();
  const bool whole = target.kind != TargetKind::hazards;  // whose codes hold the exact time as well
  const auto codes = static_cast<double>(target.rule().codes(target));
  for (const double y : cases.targets) {
    if (std::isnan(y)) continue;
    if (real ? std::isfinite(y) : y >= 0 && y < codes && (!whole || y == std::floor(y))) continue;
    throw DataError(concat(source, ": a target is ", y, ", but must be ",
                           real ? std::string("finite") : concat("a whole number in [0, ", codes - 1, "]"),
                           "; leave it empty if it is not known."));
  }
}

namespace {

/// What all known targets of a part are; nothing where they differ or none is known. part: empty: of all.
std::optional<double> only_target(const Target& target, const Cases& cases, const std::string& part) {
  std::optional<double> only;
  const bool per_case = target.level == TargetLevel::per_case;
  for (Index b = 0; b < cases.count(); ++b) {
    if (!part.empty() && cases.parts[b] != part) continue;
    for (Index i = per_case ? b : cases.offsets[b]; i < (per_case ? b + 1 : cases.offsets[b + 1]); ++i) {
      const double y = cases.targets[i];
      if (std::isnan(y)) continue;
      if (only && *only != y) return std::nullopt;
      only = y;
    }
  }
  return only;
}

}  // namespace

void check_outcomes_differ(const std::string& source, const Target& target, const Cases& cases) {
  const Index wanted = target.level == TargetLevel::per_case ? cases.count() : cases.tokens();
  if (static_cast<Index>(cases.targets.size()) != wanted) return;  // check_target_count() says so
  for (const std::string part : {"", "training"}) {
    if (!part.empty() && cases.parts.empty()) continue;
    const std::optional<double> only = only_target(target, cases, part);
    if (!only) continue;
    const auto code = static_cast<std::size_t>(*only);
    const bool has_name = target.rule().codes(target) == static_cast<Index>(target.classes.size());
    throw DataError(concat(source, ": all known values of '", target.name, "' ",
                           part.empty() ? "" : "in the training part ", "are ", *only,
                           has_name ? concat(" (", target.classes[code], ")") : "",
                           "; there is nothing to learn from one value alone."));
  }
}

}  // namespace fovea::study
