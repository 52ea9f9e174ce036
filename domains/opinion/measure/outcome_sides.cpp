/// What opinion.measure writes of sides.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/tests/false_discovery.hpp"
#include "fovea/datasets/text/names.hpp"
#include "fovea/domains/opinion/measure/findings.hpp"
#include "fovea/domains/opinion/measure/outcome.hpp"

namespace fovea::opinion::measure {

namespace {

/// Whether the sides differ, group by group.
void judge_sides(const Measured& measured, const Plan& plan, Results& results) {
  const double level = plan.level;
  const std::size_t at =
      std::find(measured.names.begin(), measured.names.end(), "eta_squared") - measured.names.begin();
  const bool enough = static_cast<double>(plan.null_draws + 1) * (1 - level) >= 1;  // to be significant at all
  if (!enough || at == measured.names.size()) return;
  std::vector<double> p;
  double possible = 0;  // the least that every group's draws can give
  for (const auto& estimates : measured.estimate)
    if (const double one = estimates[at].p; !std::isnan(one))
      p.push_back(one), possible = std::max(possible, estimates[at].least_p);
  const std::vector<double> q = benjamini_hochberg(p);
  const auto differ = std::count_if(q.begin(), q.end(), [&](double one) { return one <= 1 - level; });
  const double least = p.empty() ? 1 : *std::min_element(p.begin(), p.end());
  const std::int64_t sides = std::ssize(measured.side_names), groups = std::ssize(p);
  results.finding(SidesDiffer{measured.side_column, sides, groups, differ, level, least, possible});
  results.finding(SidesAlike{measured.side_column, sides, groups, differ, least, possible});
}

}  // namespace

void write_sides(const Measured& measured, const Answers& answers, const NodeSides& sides, const Plan& plan,
                 Results& results) {
  constexpr std::int64_t kFew = 10;
  const std::size_t groups = measured.groups.size(), parts = measured.side_names.size();
  std::vector<std::int64_t> count(parts * groups, 0);  // side by side
  for (std::size_t row = 0; row < answers.group.size(); ++row)
    if (sides.side[row] >= 0) ++count[sides.side[row] * groups + answers.group[row]];
  std::vector<std::string> few;
  for (std::size_t k = 0; k < count.size(); ++k)
    if (count[k] < kFew)
      few.push_back(concat(datasets::text::shown_text(measured.side_names[k / groups]),
                           groups == 1 ? "" : " in " + measured.groups[k % groups].name, " (",
                           count[k] == 0 ? "none" : std::to_string(count[k]), ')'));
  const auto absent = std::count(count.begin(), count.end(), 0);
  results.finding(SidesOfFew{std::ssize(few) - absent, absent, kFew, datasets::text::listed(few, {}, 5)});
  judge_sides(measured, plan, results);
}

}  // namespace fovea::opinion::measure
