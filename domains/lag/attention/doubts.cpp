#include "fovea/domains/lag/attention/doubts.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::lag::attention {

std::string reason_of(const Doubt& doubt, const std::vector<std::string>& names) {
  const auto name = [&](Index series) { return series >= 0 ? names[series] : std::string("another series"); };
  const auto percent = [&] { return concat(plain_text(100 * doubt.size, 2), " %"); };
  switch (doubt.kind) {
    case DoubtKind::square:
      return concat(name(doubt.effect), " answers the square of ", name(doubt.series), ", which lines do not show");
    case DoubtKind::product:
      return concat(name(doubt.effect), " answers ", name(doubt.series), " times ", name(doubt.other),
                    ", which lines do not show");
    case DoubtKind::memory:
      return concat(name(doubt.effect), " depends on values of ", name(doubt.series),
                    " beside and beyond those that it was given, as where a cause is measured with noise or missing");
    case DoubtKind::within:
      return concat(name(doubt.effect), " and ", name(doubt.series),
                    " move together within the step, by more than lines between steps show");
    case DoubtKind::noise:
      return concat("about ", percent(), " of the variance of ", name(doubt.series), " is noise of its measurement");
    case DoubtKind::few_values:
      return concat(name(doubt.series), " has only ", counted(static_cast<Index>(doubt.size), "distinct value"));
    case DoubtKind::gaps:
      return concat(percent(), " of the cells of ", name(doubt.series), " are missing");
    case DoubtKind::unit_root:
      return concat(name(doubt.series), " may be a random walk");
  }
  return "";
}

std::string remedy_of(DoubtKind kind) {
  switch (kind) {
    case DoubtKind::square:
    case DoubtKind::product:
      return "Take the link for a dependence, not for a direct cause; where the system moves without steps, measure it "
             "more finely in time.";
    case DoubtKind::memory:
      return "Search further back (--max-lag), give what acts on several series (--given), or average what is noisy.";
    case DoubtKind::within:
      return "Measure more finely in time, or give what acts on both (--given).";
    case DoubtKind::noise:
      return "Average neighbouring or repeated measurements, and search again.";
    case DoubtKind::few_values:
      return "Use the numbers that it was made of, if there are some: a class says too little of its causes' values to "
             "explain them away.";
    case DoubtKind::gaps:
      return "Search the stretches without gaps, or steps that are long enough to have no gaps.";
    case DoubtKind::unit_root:
      return "See which links remain in the differences (--difference).";
  }
  return "";
}

}  // namespace fovea::lag::attention
