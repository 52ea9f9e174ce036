#include "fovea/domains/ehr/risk/examined.hpp"

#include <array>
#include <cmath>

namespace fovea::ehr::risk {

namespace {

study::Predictions some_rows(const study::Predictions& all, const std::vector<Index>& rows) {
  study::Predictions some;
  some.mean = all.mean(rows, Eigen::all);
  some.spread = all.spread(rows, Eigen::all);
  return some;
}

}  // namespace

Examined examined_of(const study::StudyOutcome& outcome) {
  Examined examined{outcome.target, outcome.cases, {}, {}, {}, {}, {}};
  std::vector<Index> rows;
  const std::vector<Index> groups = study::group_numbers(outcome.cases);
  for (std::size_t k = 0; k < outcome.split.test.size(); ++k) {
    if (std::isnan(outcome.test_targets[k])) continue;
    rows.push_back(static_cast<Index>(k));
    examined.items.push_back(outcome.split.test[k]);
    examined.outcomes.push_back(outcome.test_targets[k]);
    examined.groups.push_back(groups[outcome.split.test[k]]);
  }
  examined.risks = some_rows(outcome.predictions, rows);
  examined.risks_at = [&outcome, rows](double at) {
    const std::array times{at};
    return some_rows(outcome.predicted(outcome.outputs(times)), rows);
  };
  return examined;
}

}  // namespace fovea::ehr::risk
