#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/linear/calibration_line.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/statistics/tests/false_discovery.hpp"
#include "fovea/core/study/cases/days.hpp"
#include "fovea/core/study/report/two_outcomes.hpp"
#include "fovea/core/study/report/use_findings.hpp"
#include "fovea/core/study/scores/observed_over_expected.hpp"
#include "fovea/core/study/scores/scores.hpp"

namespace fovea::study {

namespace {

constexpr std::size_t kMostValues = 6;       // of a property whose values stand one by one
constexpr std::size_t kMostProperties = 12;  // more are no sheet that anybody reads
constexpr std::size_t kMostGroups = 12;      // of the cases, to be subgroups themselves
constexpr Index kSubgroupDraws = 500;

/// What a case has once.
struct Property {
  std::string name;
  std::vector<double> values;      ///< of each case; NaN: it has none
  std::vector<std::string> names;  ///< of values 0, 1, ...; empty: they are numbers
  bool is_group = false;           ///< the group of the cases
  bool dated = false;              ///< values are days since 1970-01-01

  std::string text(double value) const { return dated ? day_text(value) : plain_text(value, 6); }

  std::vector<double> sorted() const {
    std::vector<double> known;
    for (const double value : values)
      if (!std::isnan(value)) known.push_back(value);
    std::sort(known.begin(), known.end());
    return known;
  }
  bool is_listed() const {
    const std::vector<double> known = sorted();
    return !names.empty() || std::set<double>(known.begin(), known.end()).size() <= kMostValues;
  }
};

/// Rows of the tested cases.
struct Subgroup {
  std::string name, of;
  std::vector<Index> rows;
};

/// The value in each case of the tokens that `value` gives one of (else nullopt); empty values where some case has two.
Property property_of(const Cases& cases, std::string name, bool repeats,
                     const std::function<std::optional<double>(Index)>& value) {
  Property found{std::move(name), std::vector<double>(cases.count(), kNan), {}};
  for (Index b = 0; b < cases.count(); ++b)
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i) {
      const std::optional<double> here = value(i);
      if (!here) continue;
      if (!std::isnan(found.values[b]) && !(repeats && *here == found.values[b])) return {found.name, {}, {}};
      found.values[b] = *here;
    }
  return found;
}

/// The groups of the cases, where there are few.
Property groups_of_cases(const Cases& cases) {
  const std::set<std::string> names(cases.groups.begin(), cases.groups.end());
  if (names.size() < 2 || names.size() > kMostGroups) return {};
  Property found{cases.reading.group.empty() ? "group" : cases.reading.group, {}, {names.begin(), names.end()}, true};
  for (const std::string& group : cases.groups)
    found.values.push_back(static_cast<double>(std::distance(names.begin(), names.find(group))));
  return found;
}

/// All that differ between cases; first those with few values, where there are too many for a sheet.
std::vector<Property> properties_of(const Cases& cases) {
  std::vector<Property> all;
  const auto value = [&](Index i, std::size_t column) {
    return static_cast<double>(cases.values(i, static_cast<Index>(column)));
  };
  if (cases.features.size() == 1)
    for (std::size_t kind = 0; kind < cases.classes.size(); ++kind)
      all.push_back(property_of(cases, cases.classes[kind], false, [&](Index i) {
        return cases.kinds[i] == kind ? std::optional(value(i, 0)) : std::nullopt;
      }));
  for (std::size_t f = 0; cases.classes.empty() && f < cases.features.size(); ++f) {
    all.push_back(property_of(cases, cases.features[f].name, true, [&](Index i) {
      return std::isnan(value(i, f)) ? std::nullopt : std::optional(value(i, f));
    }));
    all.back().names = cases.features[f].categories;
    all.back().dated = cases.features[f].unit == kDaysSince1970;
  }
  all.push_back(groups_of_cases(cases));
  std::erase_if(all, [](const Property& one) {
    const std::vector<double> known = one.sorted();
    return known.empty() || known.front() == known.back();
  });
  if (all.size() > kMostProperties)
    std::stable_partition(all.begin(), all.end(), [](const Property& one) { return one.is_listed(); });
  return all;
}

void add_subgroups(const TwoOutcomes& tested, const Property& property, std::vector<Subgroup>& groups) {
  const auto add = [&](double low, double high, std::string text) {
    Subgroup group{std::move(text), property.name, {}};
    for (std::size_t r = 0; r < tested.items.size(); ++r) {
      const double value = property.values[tested.items[r]];
      if (value >= low && value <= high) group.rows.push_back(static_cast<Index>(r));
    }
    if (static_cast<Index>(group.rows.size()) >= kFewestInSubgroup) groups.push_back(std::move(group));
  };
  const std::vector<double> sorted = property.sorted();
  if (property.is_listed()) {
    for (const double value : std::set<double>(sorted.begin(), sorted.end()))
      add(value, value,
          concat(property.name, " ",
                 property.names.empty() ? property.text(value) : property.names[static_cast<std::size_t>(value)]));
    return;
  }
  const auto [least, most] = std::pair(sorted_quantile(sorted, 1.0 / 3), sorted_quantile(sorted, 2.0 / 3));
  constexpr double kWholeNumbers = 2;  // apart: rounding to whole numbers moves less than half of a third
  double first = std::round(least), second = std::round(most);
  if (!(most - least >= kWholeNumbers)) first = std::stod(plain_text(least)), second = std::stod(plain_text(most));
  if (!(first < second)) return;
  add(sorted.front(), std::nextafter(first, sorted.front()), concat(property.name, " below ", property.text(first)));
  add(first, std::nextafter(second, first),
      concat(property.name, " ", property.text(first), " to below ", property.text(second)));
  add(second, sorted.back(), concat(property.name, " ", property.text(second), " and above"));
}

/// The tested rows of a subgroup.
struct SubgroupRows {
  std::vector<double> risks, log_odds;
  std::vector<Index> outcomes, groups;
};

SubgroupRows rows_of_subgroup(const TwoOutcomes& tested, const Subgroup& group) {
  SubgroupRows found;
  for (const Index row : group.rows) {
    found.risks.push_back(tested.risks[row]), found.log_odds.push_back(log_odds_of(tested.risks[row]));
    found.outcomes.push_back(tested.outcomes[row]), found.groups.push_back(tested.groups[row]);
  }
  return found;
}

/// Calibration in the large, with an error in which the cases of a group count together.
ScoreValue intercept_of(const SubgroupRows& rows) {
  const CalibrationLine line = fit_calibration_in_the_large(rows.log_odds, rows.outcomes);
  std::map<Index, double> of_group;
  for (std::size_t i = 0; i < rows.risks.size(); ++i)
    of_group[rows.groups[i]] += static_cast<double>(rows.outcomes[i]) - line.probability(rows.log_odds[i]);
  double squares = 0;
  for (const auto& [group, excess] : of_group) squares += excess * excess;
  const double half = 1.96 * std::sqrt(squares) * line.intercept_error * line.intercept_error;
  return {line.intercept, line.intercept - half, line.intercept + half};
}

/// Of one subgroup: what the table shows.
struct SubgroupLine {
  std::string name, of;
  double cases = 0, outcomes = 0;
  ScoreValue auroc, observed, intercept, slope;
  double q = kNan;
  bool enough() const { return std::min(outcomes, cases - outcomes) >= static_cast<double>(kFewestInSubgroup); }
};

SubgroupLine line_of(const TwoOutcomes& tested, const Subgroup& group, const Random& random) {
  const SubgroupRows rows = rows_of_subgroup(tested, group);
  SubgroupLine line;
  line.name = group.name, line.of = group.of, line.cases = static_cast<double>(rows.risks.size());
  double expected = 0;
  for (const double risk : rows.risks) expected += risk;
  for (const Index y : rows.outcomes) line.outcomes += static_cast<double>(y);
  line.observed = observed_over_expected_interval(line.outcomes, expected);
  if (!line.enough()) return line;
  const auto order = std::make_shared<const RankedOutcomes>(rows.risks, rows.outcomes);
  const auto scores = with_intervals({[order](std::span<const double> weights) { return order->auroc(weights); },
                                      calibration_slope_score(rows.risks, rows.outcomes)},
                                     rows.groups, kSubgroupDraws, random.stream("bootstrap"));
  line.auroc = scores[0], line.slope = scores[1], line.intercept = intercept_of(rows);
  return line;
}

/// Whether intercepts differ between the subgroups [first, end) of one property: p, NaN where that cannot be tested,
/// none where there are no two subgroups.
std::optional<double> difference_of(const TwoOutcomes& tested, const std::vector<Subgroup>& groups,
                                    const std::vector<SubgroupLine>& lines, std::size_t first, std::size_t end,
                                    bool by_group) {
  SubgroupRows all;
  std::vector<Index> parts, clusters;
  Index part = 0;
  for (std::size_t g = first; g < end; ++g) {
    if (!lines[g].enough()) continue;
    const SubgroupRows rows = rows_of_subgroup(tested, groups[g]);
    all.log_odds.insert(all.log_odds.end(), rows.log_odds.begin(), rows.log_odds.end());
    all.outcomes.insert(all.outcomes.end(), rows.outcomes.begin(), rows.outcomes.end());
    for (std::size_t i = 0; i < rows.groups.size(); ++i)  // between groups, their cases count one by one
      parts.push_back(part), clusters.push_back(by_group ? std::ssize(clusters) : rows.groups[i]);
    ++part;
  }
  if (part < 2) return std::nullopt;
  return calibration_difference_p_value(all.log_odds, all.outcomes, parts, clusters);
}

ComparedCalibrations compare_calibrations(const TwoOutcomes& tested, const std::vector<Property>& properties,
                                          const std::vector<Subgroup>& groups, std::vector<SubgroupLine>& lines) {
  std::vector<double> p;
  std::vector<std::pair<std::size_t, std::size_t>> of_p;
  ComparedCalibrations compared;
  for (std::size_t first = 0, end = 0; first < lines.size(); first = end) {
    while (end < lines.size() && lines[end].of == lines[first].of) ++end;
    const bool by_group = std::any_of(properties.begin(), properties.end(),
                                      [&](const Property& one) { return one.is_group && one.name == lines[first].of; });
    const std::optional<double> found = difference_of(tested, groups, lines, first, end, by_group);
    if (found && std::isnan(*found)) ++compared.left;
    if (found && !std::isnan(*found)) p.push_back(*found), of_p.emplace_back(first, end);
  }
  const std::vector<double> q = benjamini_hochberg(p);
  compared.compared = q.size();
  for (std::size_t k = 0; k < q.size(); ++k) {
    for (std::size_t g = of_p[k].first; g < of_p[k].second; ++g) lines[g].q = q[k];
    compared.differ += q[k] < ComparedCalibrations::kFalseDiscoveries ? 1 : 0;
    if (compared.by.empty() || q[k] < compared.q) compared.q = q[k], compared.by = lines[of_p[k].first].of;
  }
  return compared;
}

/// The calibration line of each subgroup within its risks, on a grid.
void write_calibration_curves(const TwoOutcomes& tested, const std::vector<Subgroup>& groups,
                              const std::vector<SubgroupLine>& lines, const std::string& nouns, Results& results) {
  constexpr std::size_t kGridPoints = 51, kMostColours = 8;
  std::vector<double> grid, curves;
  for (std::size_t k = 0; k < kGridPoints; ++k) grid.push_back(static_cast<double>(k) / (kGridPoints - 1));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const SubgroupRows rows = rows_of_subgroup(tested, groups[g]);
    CalibrationLine line;
    bool fitted = lines[g].enough();
    try {
      if (fitted) line = fit_calibration_line(rows.log_odds, rows.outcomes);
    } catch (const ArgumentError&) {  // risks that part the outcomes have no line
      fitted = false;
    }
    std::vector<double> sorted = rows.risks;
    std::sort(sorted.begin(), sorted.end());
    const double low = sorted_quantile(sorted, 0.05), high = sorted_quantile(sorted, 0.95);
    for (const double x : grid)
      curves.push_back(fitted && x >= low && x <= high ? line.probability(log_odds_of(x)) : kNan);
  }
  if (std::all_of(curves.begin(), curves.end(), [](double x) { return std::isnan(x); })) return;
  results.coordinate("predicted_risk", grid, "1", "predicted probability");
  results.add("subgroup_curve", {"subgroup", "predicted_risk"}, curves, "1", "calibration line");
  results.add("subgroup_right", {"predicted_risk"}, grid, "1", "perfect calibration");
  results.figure({.kind = "lines",
                  .name = "subgroup_curves",
                  .title = "Calibration by subgroup",
                  .caption = concat("Calibration lines (Cox 1958) of subgroups of at least ", kFewestInSubgroup, ' ',
                                    nouns, " with and without the outcome, where nine in ten of their risks lie."),
                  .variables = {"subgroup_curve"},
                  .references = {"subgroup_right"},
                  .x = "predicted_risk",
                  .hue = groups.size() <= kMostColours ? "subgroup" : "",
                  .value_label = "frequency"});
}

void write_subgroup_table(const std::vector<SubgroupLine>& lines, std::size_t properties, const std::string& nouns,
                          Results& results) {
  const std::string some =
      properties > kMostProperties ? concat(kMostProperties, " of ", properties, " properties are shown. ") : "";
  rows("subgroup", lines, &SubgroupLine::name, "subgroup")
      .prefix("subgroup_")
      .number("cases", &SubgroupLine::cases, nouns)
      .number("outcomes", &SubgroupLine::outcomes, concat("outcomes; not shown below ", kFewestInSubgroup))
      .when(&SubgroupLine::enough)
      .interval("auroc", &SubgroupLine::auroc, "AUROC")
      .when(&SubgroupLine::enough)
      .interval("observed", &SubgroupLine::observed, "observed over expected")
      .ends("95 % interval, of observed over expected")
      .when(&SubgroupLine::enough)
      .interval("intercept", &SubgroupLine::intercept, "calibration intercept, slope 1")
      .when(&SubgroupLine::enough)
      .interval("slope", &SubgroupLine::slope, "calibration slope")
      .when(&SubgroupLine::enough)
      .number("q", &SubgroupLine::q, "q, intercepts alike")
      .when(&SubgroupLine::enough)
      .text("of", &SubgroupLine::of, "told apart by")
      .shown({.table = false})
      .write(results)
      .intervals(results, "auroc",
                 {.title = "AUROC by subgroup",
                  .caption = concat("With 95 % intervals over groups. Fewer than ", kFewestInSubgroup,
                                    " outcomes: not measured."),
                  .groups = "subgroup_of"})
      .intervals(results, "observed",
                 {.title = "Observed over expected by subgroup",
                  .caption = "1: as many outcomes as the risks add up to; above 1 the risks are too low.",
                  .groups = "subgroup_of"})
      .table(results,
             {.name = "subgroups",
              .title = "Subgroups",
              .caption = concat(some, "Subgroups of fewer than ", kFewestInSubgroup, ' ', nouns,
                                " are left out, and nothing is judged on fewer than ", kFewestInSubgroup,
                                " outcomes. "
                                "Intercept: by how much log-odds are too low (0 is right), with the slope "
                                "held at 1; slope: 1 is right, below 1 the risks are too extreme. q: least false "
                                "discovery rate at which the intercepts of subgroups that one property tells apart "
                                "differ (score test, those of a group counted together; Boos 1992, Benjamini & "
                                "Hochberg 1995)."),
              .digits = 3});
}

}  // namespace

void write_subgroups(const Cases& cases, const TwoOutcomes& tested, bool judged, const Random& random,
                     Results& results) {
  std::vector<Property> properties = properties_of(cases);
  const std::size_t all = properties.size();
  properties.resize(std::min(all, kMostProperties));
  std::vector<Subgroup> groups;
  for (const Property& property : properties) add_subgroups(tested, property, groups);
  if (groups.empty()) return;
  std::vector<SubgroupLine> lines;
  for (const Subgroup& group : groups) lines.push_back(line_of(tested, group, random));
  const ComparedCalibrations compared = compare_calibrations(tested, properties, groups, lines);
  write_subgroup_table(lines, all, cases.reading.nouns(), results);
  write_calibration_curves(tested, groups, lines, cases.reading.nouns(), results);
  if (!judged) return;
  results.finding(CalibrationDiffers{compared});
  results.finding(CalibrationAlike{compared});
  results.finding(CalibrationNotCompared{compared});
}

}  // namespace fovea::study
