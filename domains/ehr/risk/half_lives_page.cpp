#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/data/rows.hpp"
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

struct VariableRow {
  std::string name, source;
  HalfLife half_life;
  VariableMemory memory;
  double literature;  ///< half-life in the blood; NaN: not known
  ValueInterval interval() const { return {half_life.likely, half_life.low, half_life.high}; }
  double half_time() const { return std::isinf(memory.half_time) ? kNan : memory.half_time; }
};

}  // namespace

void write_half_lives(const study::StudyOutcome& outcome, Index members, const Random& random, Results& results) {
  if (members < 2) return;
  const double window = window_of(outcome.cases);
  const std::vector<HalfLife> found = half_lives(outcome, members, window, random);
  const std::vector<VariableMemory> memory = memories(outcome.cases, outcome.inputs, window);
  const record::RecordUnit& unit = record::record_unit(outcome.cases.time_unit);
  std::vector<VariableRow> list;
  for (const std::string& source : sources())
    for (std::size_t c = 0; c < found.size(); ++c) {
      const std::string& name = outcome.cases.classes[c];
      if (source_of(name) == source && !std::isnan(found[c].likely))
        list.push_back({name, source, found[c], memory[c], literature_half_life(name) / unit.hours});
    }
  if (list.empty()) return;
  auto table = rows("variable", list, &VariableRow::name, "variable");
  table.interval("half_life", &VariableRow::interval, "learned half-life, one head a variable", unit.symbol)
      .ends("90 % interval, over members trained on bootstrap samples",
            "90 % interval, infinite beyond twice the window")
      .number(
          "measuring_gap", [](const VariableRow& row) { return row.memory.gap; }, "median time between two values",
          unit.symbol)
      .number("memory", &VariableRow::half_time, "memory, the age at which the correlation of two values has halved",
              unit.symbol)
      .text("source", &VariableRow::source, "source");
  std::vector<std::string> shown{"measuring_gap", "memory"};
  const bool literature =
      std::any_of(list.begin(), list.end(), [](const VariableRow& row) { return !std::isnan(row.literature); });
  if (literature) {
    table.number("literature", &VariableRow::literature, "half-life in the blood, from the literature", unit.symbol);
    shown.emplace_back("literature");
  }
  table.write(results).intervals(
      results, "half_life",
      {.name = "half_lives",
       .title = "How long a value of each variable informs the risk",
       .caption = concat(
           kCaption, literature ? concat(", and the half-life in the blood (", kLiterature, "), which need not agree.")
                                : std::string(".")),
       .variables = shown,
       .log_y = true,
       .value_label = unit.plural,
       .groups = "source"});
}

}  // namespace fovea::ehr::risk
