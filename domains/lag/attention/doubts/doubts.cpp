#include "fovea/domains/lag/attention/doubts/doubts.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::lag::attention {

Doubt furthest_memory(const Doubts& doubts, Index most) {
  Doubt furthest;
  for (const std::vector<Doubt>& list : doubts) {
    if (std::ranges::any_of(list, [](const Doubt& doubt) { return doubt.kind == DoubtKind::gaps; })) continue;
    for (const Doubt& doubt : list)
      if (doubt.kind == DoubtKind::memory && doubt.lag > furthest.lag && doubt.lag <= most) furthest = doubt;
  }
  return furthest;
}

std::string reason_of(const Doubt& doubt, const std::vector<std::string>& names) {
  const auto name = [&](Index series) { return names[series]; };
  const auto count = static_cast<Index>(doubt.size);
  const bool many = doubt.series < 0;
  switch (doubt.kind) {
    case DoubtKind::square:
      return concat(name(doubt.effect), " answers more than lines show, such as the square of ", name(doubt.series));
    case DoubtKind::product:
      return concat(name(doubt.effect), " answers more than lines show, such as ", name(doubt.series), " times ",
                    name(doubt.other));
    case DoubtKind::memory:
      return concat(name(doubt.effect), " depends on ", name(doubt.series), ' ', counted(doubt.lag, "step"),
                    " before, beyond what explains it: a cause may be missing, or measured with noise");
    case DoubtKind::within:
      return concat(name(doubt.effect), " and ", name(doubt.series),
                    " move together within the step of a table that lines do not describe: steps may be too long");
    case DoubtKind::noise:
      return concat("roughly ", 10 * std::lround(10 * doubt.size), " % of the variance of ",
                    many ? std::string("the series") : name(doubt.series), " seems to be noise of measurement");
    case DoubtKind::few_values:
      return many ? concat(counted(count, "series", "series"), " have fewer than ", kFewValues, " different values")
                  : concat(name(doubt.series), " has only ", counted(count, "different value"));
    case DoubtKind::parts:
      return many ? concat(counted(count, "series", "series"), " are parts of a whole that is constant")
                  : concat(name(doubt.series), " is a part of a whole that is constant");
    case DoubtKind::totals:
      return many ? concat(counted(count, "series", "series"), " never fall, or never rise, as running totals do")
                  : concat(name(doubt.series), " never falls, or never rises, as a running total does");
    case DoubtKind::gaps:
      return many ? concat("more than ", 100 * kManyGaps, " % of the cells of ", counted(count, "series", "series"),
                           " are missing")
                  : concat(plain_text(100 * doubt.size, 2), " % of the cells of ", name(doubt.series), " are missing");
  }
  return "";
}

std::string remedy_of(DoubtKind kind) {
  switch (kind) {
    case DoubtKind::square:
    case DoubtKind::product:
      return "Take such a link for a dependence and not for a direct cause; what moves without steps should be "
             "measured more finely in time.";
    case DoubtKind::memory:
      return "Search further back (--max-lag), or give what acts on several series (--given).";
    case DoubtKind::within:
      return "Measure more finely in time.";
    case DoubtKind::noise:
      return "Average neighbouring or repeated measurements, and search again.";
    case DoubtKind::few_values:
      return "Use the numbers that were cut, if there are any: a class does not say enough of a value to "
             "explain away what goes through it.";
    case DoubtKind::parts:
      return "What one gains others lose: take logarithms of ratios to one part, where all are above 0 (Aitchison "
             "1986), or "
             "measure the parts by themselves.";
    case DoubtKind::totals:
      return "Read what each step adds (--totals difference): levels seem linked whatever adds to them.";
    case DoubtKind::gaps:
      return "Search a stretch with fewer gaps, or steps so long that few are empty.";
  }
  return "";
}

}  // namespace fovea::lag::attention
