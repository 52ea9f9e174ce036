#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/study/scores/scores.hpp"
#include "fovea/domains/ehr/risk/examined.hpp"
#include "fovea/domains/ehr/risk/observed.hpp"

namespace fovea::ehr::risk {

namespace {

constexpr std::size_t kMostValues = 6;

/// Rows of the examined cases.
struct Subgroup {
  std::string name, of;
  std::vector<Index> rows;
};

/// The value of a class in each case that has it once; empty for a class that some case has twice: it is no static.
std::map<Index, double> statics_of(const study::Cases& cases, const Matrix<double>& values, std::size_t kind) {
  std::map<Index, double> found;
  for (Index b = 0; b < cases.count(); ++b)
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i)
      if (cases.kinds[i] == kind && !found.emplace(b, values(i, 0)).second) return {};
  return found;
}

/// The rows of the examined cases whose static lies in [low, high].
Subgroup between(const Examined& examined, const std::map<Index, double>& statics, double low, double high) {
  Subgroup group;
  for (std::size_t r = 0; r < examined.items.size(); ++r) {
    const auto found = statics.find(examined.items[r]);
    if (found != statics.end() && found->second >= low && found->second <= high)
      group.rows.push_back(static_cast<Index>(r));
  }
  return group;
}

void add_static(const Examined& examined, const Matrix<double>& values, std::size_t kind,
                std::vector<Subgroup>& groups) {
  const std::string& name = examined.cases.classes[kind];
  const std::map<Index, double> statics = statics_of(examined.cases, values, kind);
  std::vector<double> sorted;
  for (const auto& [item, value] : statics)
    if (!std::isnan(value)) sorted.push_back(value);
  if (sorted.empty()) return;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> different = sorted;
  different.erase(std::unique(different.begin(), different.end()), different.end());
  const auto add = [&](double low, double high, std::string text) {
    Subgroup group = between(examined, statics, low, high);
    group.of = name;
    group.name = std::move(text);
    if (static_cast<Index>(group.rows.size()) >= kSmallestCell) groups.push_back(std::move(group));
  };
  if (different.size() == 1) return;
  if (different.size() <= kMostValues) {
    for (const double value : different) add(value, value, concat(name, " ", plain_text(value)));
    return;
  }
  const double first = std::round(sorted_quantile(sorted, 1.0 / 3)),
               second = std::round(sorted_quantile(sorted, 2.0 / 3));
  if (!(first < second)) return;
  add(sorted.front(), std::nextafter(first, sorted.front()), concat(name, " below ", plain_text(first)));
  add(first, std::nextafter(second, first), concat(name, " ", plain_text(first), " to below ", plain_text(second)));
  add(second, sorted.back(), concat(name, " ", plain_text(second), " and above"));
}

/// Of one subgroup: what the table shows.
struct Row {
  std::string name, of;
  double cases = 0, outcomes = 0;
  study::ScoreValue auroc, observed;
  bool enough() const { return outcomes >= static_cast<double>(kSmallestCell); }
};

Row row_of(const Examined& examined, const Subgroup& group, const Random& random) {
  study::Predictions risks;
  risks.mean.resize(static_cast<Index>(group.rows.size()), 1);
  risks.spread = Matrix<double>::Zero(risks.mean.rows(), 1);
  std::vector<double> outcomes;
  std::vector<Index> groups;
  double expected = 0, observed = 0;
  for (std::size_t k = 0; k < group.rows.size(); ++k) {
    const std::size_t r = group.rows[k];
    expected += risks.mean(static_cast<Index>(k), 0) = examined.risks.mean(group.rows[k], 0);
    observed += examined.outcomes[r];
    outcomes.push_back(examined.outcomes[r]);
    groups.push_back(examined.groups[r]);
  }
  const auto scores = study::scored(examined.target, risks, outcomes, groups, kExaminationDraws, random);
  return {group.name, group.of,       static_cast<double>(outcomes.size()),
          observed,   scores.front(), observed_over_expected_interval(observed, expected)};
}

}  // namespace

void write_subgroups(const Examined& examined, const Matrix<double>& values, const Random& random, Results& results) {
  std::vector<Subgroup> groups;
  for (std::size_t kind = 0; kind < examined.cases.classes.size(); ++kind) add_static(examined, values, kind, groups);
  if (groups.empty()) return;
  std::vector<Row> list;
  for (const Subgroup& group : groups) list.push_back(row_of(examined, group, random));
  rows("subgroup", list, &Row::name, "subgroup")
      .prefix("subgroup_")
      .number("cases", &Row::cases, "cases")
      .number("outcomes", &Row::outcomes, "outcomes; not shown below 10")
      .when(&Row::enough)
      .interval("auroc", &Row::auroc, "AUROC")
      .when(&Row::enough)
      .interval("observed", &Row::observed, "observed over expected")
      .ends("95 % interval, of observed over expected")
      .when(&Row::enough)
      .text("of", &Row::of, "told apart by")
      .shown({.table = false})
      .write(results)
      .intervals(results, "auroc",
                 {.title = "AUROC by subgroup",
                  .caption = "With 95 % intervals over patients. Fewer than 10 outcomes: not measured.",
                  .groups = "subgroup_of"})
      .intervals(results, "observed",
                 {.title = "Observed over expected by subgroup",
                  .caption = "1: as many outcomes as the risks add up to; above 1 the risks are too low.",
                  .groups = "subgroup_of"})
      .table(results, {.name = "subgroups",
                       .title = "Subgroups",
                       .caption = "Subgroups of fewer than 10 cases are left out, and nothing is judged on fewer than "
                                  "10 outcomes.",
                       .digits = 3});
}

}  // namespace fovea::ehr::risk
