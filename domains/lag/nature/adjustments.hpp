#pragma once
/// Courses that series have beside what they do to each other: seasons, trends, steps. What is found is held fixed in
/// every test, as columns of LagSettings::conditions, so that its degrees of freedom are counted.

#include <string>
#include <vector>

#include "fovea/domains/lag/nature/nature.hpp"

namespace fovea::lag::nature {

enum class CourseKind { season, trend, step, levels };

/// What is looked for.
struct AdjustmentSettings {
  bool seasons = true, trends = true, steps = true;
  std::vector<double> periods;  ///< in steps, each >= 2: these seasons, whatever the data say, and no others
  Index degree = 0;             ///< >= 1: a trend of this degree, whatever the data say, and no other
  std::vector<Index> rows;      ///< first rows of new levels, from 1 to steps - 1: these steps, and no others
  double level = 0.01;          ///< of finding a course of one kind in a table that has none, in (0, 1)
};

/// One course.
struct Adjustment {
  CourseKind kind = CourseKind::season;
  std::string sentence;    ///< "A yearly course, shared by 8 series, is held fixed (3 harmonics)."
  Matrix<double> columns;  ///< steps x k
  double period = 0;       ///< of a season, in steps
  Index row = 0;           ///< of a step: the first row of the new level
  Index shared_by = 0;     ///< series that show it by itself (p < .01)
  bool sure = true;        ///< of a step: significant by errors that hold while the variance changes, too
};

/// In rounds: of the courses that are significant beside each series' own past and what is held already, the one with
/// the most evidence is held next, until none is significant. So a trend does not hide a season, nor a step a trend.
///
/// - seasons: waves of any frequency (oversampled periodogram, Fisher 1929, of what the own past leaves), those of the
///   calendar, and patterns of 2 to 60 steps of any shape; whole patterns enter as all harmonics (which are dummies of
///   the places in the period), long ones by the harmonics that matter
/// - trends: Legendre's polynomials, up to the 6th degree
/// - levels of recordings (firms, animals), first of all and unless trends and steps are none: means that differ
/// - steps: of the level at one row (largest evidence over all rows that have 5 % of the rows on either side)
///
/// Series are joined by Simes' p-value (OwnPast, chance.hpp). Constants take no part. Columns are finite, of mean 0,
/// and none depends on the others. At most a fifth of the rows. Throws ArgumentError for settings outside their ranges.
std::vector<Adjustment> adjustments(const datasets::series::SeriesTable& table, const AdjustmentSettings& settings);

/// That and describe() of nature.hpp, by the same regressions of each series on its own past.
struct Studied {
  std::vector<SeriesNature> natures;
  std::vector<Adjustment> adjustments;
};
Studied study(const datasets::series::SeriesTable& table, const AdjustmentSettings& settings);

/// Throws ArgumentError, in one sentence, for settings that a table of so many steps cannot have.
void check_adjustments(const AdjustmentSettings& settings, Index steps);

/// All columns side by side, as LagSettings::conditions: of mean 0 and mean square 1, without those that depend on
/// others. A step at row r takes with it the rows r .. r + longest_lag - 1 (a column of its own each), because a step
/// of the cause comes later at each lag.
Matrix<double> conditions(const std::vector<Adjustment>& found, Index steps, Index longest_lag);

}  // namespace fovea::lag::nature
