#include "fovea/domains/lag/attention/notes.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::lag::attention {

void add_notes(AttentionFindings& found, const datasets::series::SeriesTable& table, const std::vector<Index>& lags,
               bool dense, Index echoes, Index explained) {
  auto& notes = found.findings.notes;
  if (found.hidden.found)
    notes.push_back(concat(
        "One hidden factor moves most series within a step: their residuals have ", rounded_text(found.hidden.share, 2),
        " of the largest possible common correlation. Past values are proxies for it, so that small partial effects "
        "are everywhere. Only lagged links with |t| above ",
        rounded_text(found.hidden.cut, 3),
        ", the cut between two classes of pairs, that are also significant by Bonferroni are reported as significant, "
        "without a guaranteed false discovery rate.",
        found.hidden.given
            ? " The factor, as far as what the forecasts leave shows it, and its last steps are held fixed."
        : dense
            ? ""
            : " There are too few rows to condition on every lagged value, so the tests condition on a selection."));
  if (explained > 0)
    notes.push_back(concat(counted(explained, "lagged link"),
                           " would be significant too, but the same step of the cause explains ",
                           explained == 1 ? "it." : "them."));
  if (echoes > 0)
    notes.push_back(concat(counted(echoes, "pair"), " would be significant within a step too, but already ",
                           echoes == 1 ? "has" : "have", " a lagged link."));
  if (table.values.hasNaN())
    notes.push_back(
        "Missing values of a cause were replaced by forecasts; rows with a missing value of the effect were left out.");
  Index fewest = table.steps();
  for (const TargetAttention& target : found.targets) fewest = std::min(fewest, target.rows);
  if (fewest < 30)
    notes.push_back(concat("A target has only ", counted(fewest, "row"), " with ", counted(lags.back(), "step"),
                           " of past: the p-values are reliable only if the residuals are close to normal."));
}

}  // namespace fovea::lag::attention
