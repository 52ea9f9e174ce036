#include "fovea/domains/ehr/record/last_values.hpp"

#include <algorithm>
#include <limits>

namespace fovea::ehr::record {

namespace {

/// The tokens of a case.
struct Range {
  std::size_t first, end;
};

Range tokens_of(const study::Cases& cases, Index item) {
  return {static_cast<std::size_t>(cases.offsets[item]), static_cast<std::size_t>(cases.offsets[item + 1])};
}

std::vector<bool> static_classes(const study::Cases& cases) {
  std::vector<bool> fixed(cases.classes.size(), true);
  for (Index b = 0; b < cases.count(); ++b) {
    const Range range = tokens_of(cases, b);
    double first = std::numeric_limits<double>::infinity();
    for (std::size_t i = range.first; i < range.end; ++i) first = std::min(first, cases.times[i]);
    for (std::size_t i = range.first; i < range.end; ++i) {
      const bool again = i > range.first && cases.kinds[i] == cases.kinds[i - 1];
      if (again || cases.times[i] > first) fixed[cases.kinds[i]] = false;
    }
  }
  return fixed;
}

/// Marks what is left of a case, statics apart; returns the first time of it, or `end` where nothing is left.
double mark_latest(const study::Cases& cases, const Range& range, const std::vector<bool>& fixed, Latest latest,
                   double end, std::vector<bool>& kept) {
  double last_of_all = -std::numeric_limits<double>::infinity(), first_kept = end;
  for (std::size_t i = range.first; i < range.end; ++i)
    if (!fixed[cases.kinds[i]]) last_of_all = std::max(last_of_all, cases.times[i]);
  double last = 0;
  for (std::size_t i = range.end; i-- > range.first;) {
    if (fixed[cases.kinds[i]]) continue;
    if (i + 1 == range.end || cases.kinds[i + 1] != cases.kinds[i]) last = cases.times[i];
    kept[i] = cases.times[i] >= (latest == Latest::visit ? last_of_all : last);
    if (kept[i]) first_kept = std::min(first_kept, cases.times[i]);
  }
  return first_kept;
}

}  // namespace

study::Cases latest_alone(const study::Cases& cases, Latest latest) {
  const std::vector<bool> fixed = static_classes(cases);
  std::vector<bool> kept(cases.times.size(), false);
  study::Cases some = cases;
  some.kinds.clear();
  some.times.clear();
  some.offsets.assign(1, 0);
  std::vector<Index> rows;
  for (Index b = 0; b < cases.count(); ++b) {
    const Range range = tokens_of(cases, b);
    const double end = cases.ends.empty() ? 0 : cases.ends[b];
    const double first = mark_latest(cases, range, fixed, latest, end, kept);
    for (std::size_t i = range.first; i < range.end; ++i) {
      const bool is_static = fixed[cases.kinds[i]];
      if (!kept[i] && !is_static) continue;
      rows.push_back(static_cast<Index>(i));
      some.kinds.push_back(cases.kinds[i]);
      some.times.push_back(is_static ? first : cases.times[i]);
    }
    some.offsets.push_back(static_cast<Index>(rows.size()));
  }
  some.values = cases.values(rows, Eigen::all);
  return some;
}

}  // namespace fovea::ehr::record
