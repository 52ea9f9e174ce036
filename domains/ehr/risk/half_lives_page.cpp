#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/ehr/record/units.hpp"
#include "fovea/domains/ehr/risk/half_lives.hpp"
#include "fovea/domains/ehr/risk/literature.hpp"
#include "fovea/domains/ehr/risk/sources.hpp"
#include "fovea/domains/ehr/risk/variable_memory.hpp"

namespace fovea::ehr::risk {

namespace {

/// How far a case reaches back, at most: from the first event to when it is asked.
double window_of(const study::Cases& cases) {
  double window = 1;
  for (Index b = 0; b < cases.count(); ++b)
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i)
      window = std::max(window, cases.ends[b] - cases.times[i]);
  return window;
}

constexpr const char* kCaption =
    "Half-life of the weight of a value, learned with one head a variable, and its 90 % interval over members trained "
    "on "
    "bootstrap samples. An arrow: not distinguishable from a mean over the whole record. Also shown: the median time "
    "between "
    "two values, and the age at which the correlation of two values has halved";

/// Half-lives in the blood of those variables whose one is known, in the unit of the records; whether there are any.
bool add_literature(const std::vector<std::string>& names, const record::RecordUnit& unit, Results& results) {
  std::vector<double> known;
  for (const std::string& name : names) known.push_back(literature_half_life(name) / unit.hours);
  if (std::all_of(known.begin(), known.end(), [](double value) { return std::isnan(value); })) return false;
  results.add("literature", {"variable"}, known, unit.symbol, "half-life in the blood, from the literature");
  return true;
}

}  // namespace

void add_half_life_keys(Schema& schema) {
  schema.integer("half_lives.members", 12, Range::between(0, 200), "",
                 "models with one half-life a variable, on bootstrap samples, for intervals; 0 or 1: none");
}

void write_half_lives(const study::StudyOutcome& outcome, const Random& random, Results& results) {
  const auto members = static_cast<Index>(outcome.config.integer("half_lives.members"));
  if (members < 2) return;
  const double window = window_of(outcome.cases);
  const std::vector<HalfLife> found = half_lives(outcome, members, window, random);
  const std::vector<VariableMemory> memory = memories(outcome.cases, outcome.inputs, window);
  std::vector<std::string> names, groups;
  std::vector<double> likely, low, high, gap, half_time;
  for (const std::string& source : sources())
    for (std::size_t c = 0; c < found.size(); ++c) {
      if (source_of(outcome.cases.classes[c]) != source || std::isnan(found[c].likely)) continue;
      names.push_back(outcome.cases.classes[c]);
      groups.push_back(source);
      likely.push_back(found[c].likely);
      low.push_back(found[c].low);
      high.push_back(found[c].high);
      gap.push_back(memory[c].gap);
      half_time.push_back(std::isinf(memory[c].half_time) ? kNan : memory[c].half_time);
    }
  if (names.empty()) return;
  const record::RecordUnit& unit = record::record_unit(outcome.cases.time_unit);
  results.coordinate("variable", names, "", "variable");
  results.add("half_life", {"variable"}, likely, unit.symbol, "learned half-life, one head a variable");
  results.add("half_life_low", {"variable"}, low, unit.symbol,
              "90 % interval, over members trained on bootstrap samples");
  results.add("half_life_high", {"variable"}, high, unit.symbol, "90 % interval, infinite beyond twice the window");
  results.add("measuring_gap", {"variable"}, gap, unit.symbol, "median time between two values");
  results.add("memory", {"variable"}, half_time, unit.symbol,
              "memory, the age at which the correlation of two values has halved");
  results.add("source", {"variable"}, groups, "", "source");
  std::vector<std::string> shown{"half_life", "measuring_gap", "memory"};
  const bool literature = add_literature(names, unit, results);
  if (literature) shown.emplace_back("literature");
  results.figure({.kind = "intervals",
                  .name = "half_lives",
                  .title = "How long a value of each variable informs the risk",
                  .caption = concat(kCaption, literature ? concat(", and the half-life in the blood (", kLiterature,
                                                                  "), which need not agree.")
                                                         : std::string(".")),
                  .variables = shown,
                  .x = "variable",
                  .log_y = true,
                  .band_low = "half_life_low",
                  .band_high = "half_life_high",
                  .value_label = unit.plural,
                  .groups = "source"});
}

}  // namespace fovea::ehr::risk
