#include <algorithm>
#include <cmath>

#include "fovea/core/data/verdict.hpp"
#include "fovea/core/report/page_markup.hpp"
#include "fovea/core/report/page_text.hpp"
#include "fovea/core/report/text.hpp"

namespace fovea {
namespace {

std::string check_row(const Check& check, bool judged) {
  const bool holds = check.holds() || !judged;
  const std::string word = !judged ? "not judged" : holds ? "\xE2\x9C\x93 holds" : "\xE2\x9C\x97 FAILED";
  return row({(check.meaning.empty() ? "" : tag("b", escape_markup(with_raised_powers(check.meaning))) + "<br>") +
                  tag("code", escape_markup(check.name)),
              rounded_text(check.predicted, 6), rounded_text(check.measured, 6), tolerance_text(check),
              tag("span", word,
                  !judged ? ""
                  : holds ? "class=\"good\""
                          : "class=\"bad\""),
              escape_markup(with_raised_powers(check.source))},
             holds ? "" : "class=\"failed\"");
}

/// The checks of a sweep by what they check, without the places of the points in their names: "hull (seed=1)".
std::vector<std::pair<std::string, std::vector<const Check*>>> checks_by_law(const std::vector<Check>& checks) {
  std::vector<std::pair<std::string, std::vector<const Check*>>> laws;
  for (const Check& check : checks) {
    const std::size_t place = check.name.ends_with(')') ? check.name.find(" (") : std::string::npos;
    const std::string law = check.name.substr(0, place);
    auto found = std::find_if(laws.begin(), laws.end(), [&](const auto& one) { return one.first == law; });
    if (found == laws.end()) found = laws.insert(laws.end(), {law, {}});
    found->second.push_back(&check);
  }
  return laws;
}

/// "0.0089", or "0.0089 to 0.0458".
template <typename Member>
std::string range_text(const std::vector<const Check*>& checks, const Member& member) {
  double low = INFINITY, high = -INFINITY;
  for (const Check* check : checks)
    if (const double value = member(*check); std::isfinite(value))
      low = std::min(low, value), high = std::max(high, value);
  if (low > high) return rounded_text(std::nan(""), 3);
  return low == high ? rounded_text(low, 4) : rounded_text(low, 3) + " to " + rounded_text(high, 3);
}

/// One row for a law at all points, with the check that is farthest off; below it those that fail, the first ones.
std::string law_rows(const std::string& law, const std::vector<const Check*>& checks, bool judged) {
  constexpr std::ptrdiff_t kMostFailed = 10;
  const auto off = [](const Check* check) { return std::abs(check->measured - check->predicted); };
  const auto worse = [&](const Check* a, const Check* b) { return !(off(b) <= off(a)); };  // NaN is the worst
  const Check& worst = **std::max_element(checks.begin(), checks.end(), worse);
  const auto held = std::count_if(checks.begin(), checks.end(), [](const Check* check) { return check->holds(); });
  const bool all = held == std::ssize(checks) || !judged;
  const std::string word = !judged
                               ? concat(checks.size(), ", not judged")
                               : concat(all ? "\xE2\x9C\x93 " : "\xE2\x9C\x97 ", held, " of ", checks.size(), " hold");
  const bool relative = worst.tolerance.relative;
  const auto tolerance = [&](const Check& check) { return check.tolerance.size * (relative ? 100 : 1); };
  std::string rows =
      row({(worst.meaning.empty() ? "" : tag("b", escape_markup(with_raised_powers(worst.meaning))) + "<br>") +
               tag("code", escape_markup(law)),
           range_text(checks, [](const Check& check) { return check.predicted; }),
           range_text(checks, [](const Check& check) { return check.measured; }) + "<br>worst off by " +
               rounded_text(off(&worst), 3),
           (relative ? "" : "\xC2\xB1 ") + range_text(checks, tolerance) + (relative ? " %" : ""),
           tag("span", word,
               !judged ? ""
               : all   ? "class=\"good\""
                       : "class=\"bad\""),
           escape_markup(with_raised_powers(worst.source))},
          all ? "" : "class=\"failed\"");
  std::ptrdiff_t shown = 0;
  for (const Check* check : checks)
    if (judged && !check->holds() && shown++ < kMostFailed) rows += check_row(*check, judged);
  return rows;
}

}  // namespace

std::string check_section(const Results& results) {
  if (results.checks().empty()) return {};
  std::string rows;
  const bool judged = !results.found<Preview>();
  for (const auto& [law, checks] : checks_by_law(results.checks()))
    rows += checks.size() == 1 ? check_row(*checks.front(), judged) : law_rows(law, checks, judged);
  return section("Checks against known answers", "checks",
                 table({"Quantity", "Predicted", "Measured", "Tolerance", "Result", "Source"}, rows, "checks"));
}

}  // namespace fovea
