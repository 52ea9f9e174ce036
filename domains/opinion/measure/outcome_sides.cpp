/// What opinion.measure writes of sides.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/tests/false_discovery.hpp"
#include "fovea/datasets/text/names.hpp"
#include "fovea/domains/opinion/measure/findings.hpp"
#include "fovea/domains/opinion/measure/outcome.hpp"

namespace fovea::opinion::measure {

namespace {

struct SideOfGroup : Estimate {
  std::string group, side;
  std::int64_t answers = 0;
};

/// Whether the sides differ, group by group.
void judge_sides(const Measured& measured, const Plan& plan, Results& results) {
  const double level = plan.level;
  const std::size_t at =
      std::find(measured.names.begin(), measured.names.end(), "eta_squared") - measured.names.begin();
  const bool enough = static_cast<double>(plan.null_draws + 1) * (1 - level) >= 1;  // to be significant at all
  if (!enough || at == measured.names.size()) return;
  std::vector<double> p;
  for (const auto& estimates : measured.estimate)
    if (const double one = estimates[at].p; !std::isnan(one)) p.push_back(one);
  const std::vector<double> q = benjamini_hochberg(p);
  const auto differ = std::count_if(q.begin(), q.end(), [&](double one) { return one <= 1 - level; });
  const double least = p.empty() ? 1 : *std::min_element(p.begin(), p.end());
  const std::int64_t sides = std::ssize(measured.side_names), groups = std::ssize(p);
  results.finding(SidesDiffer{measured.side_column, sides, groups, differ, level, least});
  results.finding(SidesAlike{measured.side_column, sides, groups, differ, least});
}

}  // namespace

void write_sides(const Measured& measured, const Answers& answers, const NodeSides& sides, const Plan& plan,
                 Results& results) {
  const std::size_t groups = measured.groups.size(), parts = measured.side_names.size();
  std::vector<SideOfGroup> all;
  for (std::size_t s = 0; s < parts; ++s)
    for (std::size_t g = 0; g < groups; ++g)
      all.push_back({measured.side_mean[g][s], measured.groups[g].name, measured.side_names[s]});
  for (std::size_t row = 0; row < answers.group.size(); ++row)
    if (sides.side[row] >= 0) ++all[sides.side[row] * groups + answers.group[row]].answers;
  constexpr std::int64_t kFew = 10;
  std::vector<std::string> few;
  for (const SideOfGroup& one : all)
    if (one.answers < kFew)
      few.push_back(concat(datasets::text::shown_text(one.side), groups == 1 ? "" : " in " + one.group, " (",
                           one.answers == 0 ? "none" : std::to_string(one.answers), ')'));
  const auto absent = std::count_if(all.begin(), all.end(), [](const SideOfGroup& one) { return one.answers == 0; });
  results.finding(SidesOfFew{std::ssize(few) - absent, absent, kFew, datasets::text::listed(few, {}, 5)});
  std::erase_if(all, [](const SideOfGroup& one) { return one.answers == 0; });
  rows(
      "side_of_group", all,
      [&](const SideOfGroup& one) { return groups == 1 ? one.side : concat(one.side, ", ", one.group); }, "side")
      .text("side_name", &SideOfGroup::side, "side")
      .text("side_group", &SideOfGroup::group, "group")
      .integer("side_answers", &SideOfGroup::answers, "answers of the side")
      .interval(
          "side_mean", [](const SideOfGroup& one) -> Estimate { return one; }, "mean answer")
      .write(results);
  results.figure({.kind = "intervals",
                  .name = "side_means",
                  .title = concat("The mean answer of each side of ", datasets::text::shown_text(measured.side_column)),
                  .caption = concat("With its interval", groups == 1 ? "." : "; each side group by group."),
                  .variables = {"side_mean"},
                  .x = "side_of_group",
                  .band_low = "side_mean_low",
                  .band_high = "side_mean_high",
                  .value_label = "mean answer",
                  .groups = groups == 1 && parts > 8 ? "" : "side_name"});  // colours repeat after eight
  judge_sides(measured, plan, results);
}

}  // namespace fovea::opinion::measure
