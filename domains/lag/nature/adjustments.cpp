#include "fovea/domains/lag/nature/adjustments.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/lag/nature/course_search.hpp"
#include "fovea/domains/lag/nature/shapes.hpp"

namespace fovea::lag::nature {

namespace {

// A bound of the time: each round examines every series and every candidate again, and a candidate that is not held
// takes one, too.
constexpr int kMostCourses = 12, kMostRounds = 24;

std::string sentence_of_adjustment(const Adjustment& adjustment, const datasets::series::SeriesTable& table,
                                   bool asked) {
  std::string text = adjustment.sentence;
  if (adjustment.kind == CourseKind::levels)
    return concat("Levels that differ between the ", table.recording_starts.size(), " recordings, in ",
                  counted(adjustment.shared_by, "series", "series"),
                  ", are held fixed: each recording's mean is taken out (",
                  counted(adjustment.columns.cols(), "column"), ").");
  if (adjustment.kind == CourseKind::step) {
    const bool sure = adjustment.sure || asked;
    text = concat(
        sure ? "change" : "difference", " of level at row ", adjustment.row + 1,
        table.time_unit.empty()
            ? std::string()
            : concat(" (",
                     datasets::series::time_text(static_cast<double>(adjustment.row) * table.step, table.time_unit),
                     " after the first)"),
        sure ? "" : " that a change of the variance alone may have made");
  }
  text = (text.starts_with("hourly") ? "An " : "A ") + text;
  if (asked) return text + " is held fixed, as asked.";
  return concat(text, ", ", adjustment.shared_by > 1 ? "shared by " : "of ",
                counted(adjustment.shared_by, "series", "series"), ", is held fixed (",
                counted(adjustment.columns.cols(), "column"), ").");
}

}  // namespace

void check_adjustments(const AdjustmentSettings& settings, Index steps) {
  require(settings.level > 0 && settings.level < 1, "level = ", settings.level, ", but must be between 0 and 1.");
  require(settings.degree >= 0 && settings.degree <= 6, "a trend of degree ", settings.degree, ", but must be 0 to 6.");
  for (const double period : settings.periods)
    require(period >= 2 && period <= static_cast<double>(steps), "a season of ", period,
            " steps cannot be held fixed; give a period from 2 to the ", steps, " steps of the table.");
  for (const Index row : settings.rows)
    require(row >= 1 && row < steps, "no level can begin at row ", row + 1, "; give rows from 2 to ", steps, '.');
}

namespace {

/// natures: also of each series, if wanted and a search is made.
std::vector<Adjustment> search_courses(const datasets::series::SeriesTable& table, const AdjustmentSettings& given,
                                       std::vector<SeriesNature>* natures) {
  check_adjustments(given, table.steps());
  AdjustmentSettings settings = given;
  settings.seasons = settings.seasons && settings.periods.empty();
  settings.trends = settings.trends && settings.degree == 0;
  settings.steps = settings.steps && settings.rows.empty();
  std::vector<Adjustment> found;
  // With fewer, own past and course leave too few rows to tell them apart; what is asked for is held all the same.
  constexpr Index kFewestSteps = 30;
  const bool asked = !settings.periods.empty() || settings.degree > 0 || !settings.rows.empty();
  if (table.series() == 0 || (table.steps() < kFewestSteps && !asked)) return found;
  if (!asked && !settings.seasons && !settings.trends && !settings.steps) return found;
  CourseSearch search(table, settings);
  if (natures != nullptr) *natures = describe(table, search.pasts(), search.settled(), search.grid());
  const auto keep = [&](Adjustment adjustment, bool as_asked) {
    if (adjustment.columns.cols() == 0) return;
    adjustment.sentence = sentence_of_adjustment(adjustment, table, as_asked);
    found.push_back(std::move(adjustment));
  };
  if (given.trends && given.steps) keep(search.hold_levels(), false);
  if (settings.degree > 0) keep(search.hold_trend(settings.degree), true);
  for (const double period : settings.periods) keep(search.hold_period(period, true), true);
  for (const Index row : settings.rows) keep(search.hold_step(row), true);
  const std::size_t most = found.size() + kMostCourses;
  for (int round = 0; round < kMostRounds && found.size() < most && !search.full(); ++round) {
    const Candidate candidate = search.best();
    if (candidate.chance > settings.level) break;
    keep(search.hold(candidate), false);
  }
  return found;
}

}  // namespace

std::vector<Adjustment> adjustments(const datasets::series::SeriesTable& table, const AdjustmentSettings& settings) {
  return search_courses(table, settings, nullptr);
}

Studied study(const datasets::series::SeriesTable& table, const AdjustmentSettings& settings) {
  Studied studied;
  studied.adjustments = search_courses(table, settings, &studied.natures);
  if (studied.natures.empty()) studied.natures = describe(table);
  return studied;
}

Matrix<double> conditions(const std::vector<Adjustment>& found, Index steps, Index longest_lag) {
  Matrix<double> columns(steps, 0), pulses(steps, 0);
  for (const Adjustment& one : found) {
    columns = beside(columns, one.columns);
    if (one.kind != CourseKind::step) continue;
    for (Index row = one.row; row < std::min(steps, one.row + longest_lag); ++row) {
      Matrix<double> pulse = Matrix<double>::Zero(steps, 1);
      pulse(row, 0) = 1;
      pulses = beside(pulses, pulse);
    }
  }
  return independent_columns(beside(columns, pulses), Matrix<double>(steps, 0));
}

}  // namespace fovea::lag::nature
