#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/ehr/record/interval_text.hpp"
#include "fovea/domains/ehr/record/units.hpp"
#include "fovea/domains/ehr/risk/half_life_findings.hpp"
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
    "Half-life of the weight of a value in a mean on which the log odds depend, all variables together, and its "
    "interval "
    "from the profile likelihood, where the data bound it. An arrow to the right: a mean over the whole record fits as "
    "well; to the left: the last value alone does. Also shown: the median time between two values, and the age at "
    "which "
    "the correlation of two values has halved";

/// Why a row has no interval, by decay::HalfLifeClaim; of those never measured twice there is no row.
constexpr std::array<const char*, 6> kClaimTexts{
    "", "no effect shown", "any half-life fits", "older values count", "several fit", "too few outcomes"};

struct VariableRow {
  std::string name, source;
  decay::ProfiledHalfLife half_life;
  VariableMemory memory;
  double literature;  ///< half-life in the blood; NaN: not known
  ValueInterval interval() const { return {half_life.likely, half_life.low, half_life.high}; }
  double half_time() const { return std::isinf(memory.half_time) ? kNan : memory.half_time; }
  std::string claim() const { return kClaimTexts.at(static_cast<std::size_t>(half_life.claim)); }
  bool bounded() const { return half_life.low > 0 && std::isfinite(half_life.high); }  ///< false: none is claimed
};

/// "lactate 8.5 h [4.6, 15]", of the narrowest intervals.
std::string surest_of(const std::vector<VariableRow>& list, const std::string& unit) {
  constexpr std::size_t kNamed = 3;
  std::vector<const VariableRow*> bounded;
  for (const VariableRow& row : list)
    if (row.bounded()) bounded.push_back(&row);
  std::stable_sort(bounded.begin(), bounded.end(), [](const VariableRow* a, const VariableRow* b) {
    return a->half_life.high / a->half_life.low < b->half_life.high / b->half_life.low;
  });
  std::string all;
  for (std::size_t k = 0; k < std::min(kNamed, bounded.size()); ++k) {
    const decay::ProfiledHalfLife& one = bounded[k]->half_life;
    all += concat(k == 0 ? "" : ", ", bounded[k]->name, ' ', plain_text(one.likely), ' ', unit, ' ',
                  record::interval_text(one.low, one.high));
  }
  return all;
}

/// What the half-lives are of: the outcome, or the hazard of the first end.
std::string asked_of(const study::Target& target) {
  return target.kind == study::TargetKind::hazards ? concat("the hazard of '", target.classes.front(), "'")
                                                   : concat("the outcome '", target.name, "'");
}

void add_findings(const study::Target& target, const std::vector<VariableRow>& list, double level,
                  const std::string& unit, Results& results) {
  const auto count = [&](decay::HalfLifeClaim claim) -> Index {
    return std::count_if(list.begin(), list.end(), [&](const auto& row) { return row.half_life.claim == claim; });
  };
  using enum decay::HalfLifeClaim;
  const UnclaimedHalfLives others{std::ssize(list), count(adds_nothing),  count(any_fits), count(older_count),
                                  count(several),   count(too_few_cases), asked_of(target)};
  const auto bounded = [&](bool low, bool high) -> Index {
    return std::count_if(list.begin(), list.end(), [&](const VariableRow& row) {
      const decay::ProfiledHalfLife& one = row.half_life;
      return one.claim == decay::HalfLifeClaim::learned && (one.low > 0) == low && std::isfinite(one.high) == high;
    });
  };
  const HalfLivesLearned some{others, bounded(true, true),  bounded(true, false), bounded(false, true),
                              level,  surest_of(list, unit)};
  if (some.holds()) results.finding(some);
  if (const NoHalfLifeLearned none{others, some.learned()}; none.holds()) results.finding(none);
}

}  // namespace

void write_half_lives(const study::StudyOutcome& outcome, double level, Results& results) {
  if (level == 0) return;
  const std::vector<decay::ProfiledHalfLife> found = decay::profiled_half_lives(
      decay_data(outcome.target, outcome.cases, outcome.inputs), level, outcome.cases.smallest_cell);
  const std::vector<VariableMemory> memory = memories(outcome.cases, outcome.inputs, window_of(outcome.cases));
  const record::RecordUnit& unit = record::record_unit(outcome.cases.time_unit);
  std::vector<VariableRow> list;
  for (const std::string& source : sources())
    for (std::size_t c = 0; c < found.size(); ++c) {
      const std::string& name = outcome.cases.classes[c];
      if (source_of(name) == source && found[c].claim != decay::HalfLifeClaim::undated)
        list.push_back({name, source, found[c], memory[c], literature_half_life(name) / unit.hours});
    }
  if (list.empty()) return;
  add_findings(outcome.target, list, level, unit.symbol, results);
  auto table = rows("variable", list, &VariableRow::name, "variable");
  const std::string interval = concat(plain_text(100 * level), " % interval, from the profile likelihood");
  table.interval("half_life", &VariableRow::interval, "half-life of the weight of a value", unit.symbol)
      .ends(concat(interval, "; 0: open"), concat(interval, "; infinite: open"))
      .text("half_life_claim", &VariableRow::claim, "why no half-life is claimed")
      .number(
          "half_life_discovery", [](const VariableRow& row) { return row.half_life.discovery; },
          "false discovery rate at which the variable adds something")
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
       .labels = "half_life_claim",
       .value_label = unit.plural,
       .groups = "source"});
}

}  // namespace fovea::ehr::risk
