#include "fovea/domains/lag/nature/course_search.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/domains/lag/nature/chance.hpp"
#include "fovea/domains/lag/nature/search_parts.hpp"
#include "fovea/domains/lag/nature/shapes.hpp"

namespace fovea::lag::nature {

namespace {

// Of Legendre's polynomials: for up to six the p-values of trends were found (chance.hpp).
constexpr Index kMostDegree = 6;
// In one search: each step holds a column fixed and, as many rows as the longest lag, pulses (adjustments.cpp).
constexpr Index kMostSteps = 4;
// Rows examined: next to each other the evidence hardly differs, and hold_step() examines those between.
constexpr Index kMostStepRows = 1000;
// Steps. A grid of frequencies is four times as fine as the rows' own, 1 / steps; in longer tables, whose transforms
// take longest, twice. refined() searches between its places.
constexpr Index kSurelyFine = 20000;
// Cycles in the rows: with fewer a known period is no better than a trend.
constexpr double kFewestOfCalendar = 1.5;
// Variance of its own that each series is given: copies of one series count once.
constexpr double kLeastOwn = 0.01;
// The statistic of one series counts down to here: one that is far from a random walk must not settle the others.
constexpr double kSurelyNoWalk = -6;
// Degrees of a trend tried at once, for each of which its p-value is multiplied: a bend may show only with the next
// degrees.
constexpr Index kDegreesTried = 3;
// Times the evidence that chance gives all series together on average, their degrees of freedom.
constexpr double kPerSeries = 3;

Index grid_for(Index steps) { return power_of_two((steps > kSurelyFine ? 2 : 4) * steps); }

}  // namespace

CourseSearch::CourseSearch(const datasets::series::SeriesTable& table, const AdjustmentSettings& settings)
    : table_(table), settings_(settings), held_(table.steps(), 0) {
  for (const Period& period : calendar_periods(table))
    if (static_cast<double>(table.steps()) >= kFewestOfCalendar * period.steps) calendar_.push_back(period);
  fourier_ = std::make_unique<Fourier>(grid_for(std::max<Index>(table.steps(), 4)));
  // A level takes rows on either side: the evidence of a step near an end is that of a few rows.
  const Index margin = std::max<Index>(10, table.steps() / 20);
  const Index stride = std::max<Index>(1, table.steps() / kMostStepRows);
  for (Index row = margin; row + margin <= table.steps(); row += stride) rows_.push_back(row);
  renew();
}

// At most a fifth of the rows, as degrees of freedom, go to what is held fixed.
bool CourseSearch::full() const { return 5 * held_.cols() >= table_.steps(); }

/// After each course that is held: what own pasts leave, and the evidence of all waves and steps beside it.
void CourseSearch::renew() {
  const Index series = table_.series();
  const double per_grid = static_cast<double>(table_.steps()) / static_cast<double>(fourier_->size());
  pasts_.clear();
  pasts_.resize(series);
  waves_ = Matrix<double>::Zero(series, settings_.seasons ? fourier_->size() / 2 + 1 : 0);
  steps_ = Matrix<double>::Zero(series, settings_.steps ? std::ssize(rows_) : 0);
  Matrix<double> signed_steps = steps_;
  for_each_task(series, true, [&](Index s) {
    auto past = std::make_unique<OwnPast>(table_.values.col(s), held_, table_.recording_starts);
    if (past->constant()) return;
    if (settings_.seasons) {
      const std::vector<std::complex<double>> found = past->coordinates_of_waves(*fourier_);
      for (std::size_t k = 1; k < found.size(); ++k) {
        const auto at = static_cast<Index>(k);
        waves_(s, at) = settled_evidence(past->evidence_of(std::norm(found[k])), per_grid * static_cast<double>(k));
      }
    }
    if (settings_.steps) {
      const std::vector<double> found = past->coordinates_of_steps(rows_);
      for (std::size_t r = 0; r < found.size(); ++r) {
        signed_steps(s, static_cast<Index>(r)) = found[r];
        steps_(s, static_cast<Index>(r)) = past->evidence_of(found[r] * found[r]);
      }
    }
    pasts_[s] = std::move(past);
  });
  renew_correlations();
  steps_together_ = Vector<double>::Zero(steps_.cols());
  if (factor_.size() == 0) return;
  for_each_task(
      steps_.cols(), true,
      [&](Index r) { steps_together_[r] = without_correlations(signed_steps.col(r)).squaredNorm(); }, 64);
}

/// The factor of the correlations of what own pasts leave, which makes coordinates of all series independent.
void CourseSearch::renew_correlations() {
  // Fewer rows do not determine the correlations.
  constexpr Index kRowsPerSeries = 5;
  counted_.clear();
  for (Index s = 0; s < table_.series(); ++s)
    if (pasts_[s] != nullptr) counted_.push_back(s);
  factor_.resize(0, 0);
  const Index count = std::ssize(counted_);
  if (count < 2 || kRowsPerSeries * count > table_.steps()) return;
  Eigen::MatrixXd rests(table_.steps(), count);
  for (Index k = 0; k < count; ++k) {
    const OwnPast& past = *pasts_[counted_[k]];
    rests.col(k) = past.rest() / std::sqrt(past.residual());
  }
  Eigen::MatrixXd correlations = rests.transpose() * rests;
  correlations.diagonal().array() += kLeastOwn;
  factor_ = (correlations / (1 + kLeastOwn)).llt().matrixL();
}

Vector<double> CourseSearch::without_correlations(const Vector<double>& coordinates) const {
  Vector<double> counted(std::ssize(counted_));
  for (Index k = 0; k < counted.size(); ++k) counted[k] = coordinates[counted_[k]];
  return factor_.triangularView<Eigen::Lower>().solve(counted);
}

CourseSearch::Evidence CourseSearch::evidence(const std::vector<Matrix<double>>& candidates) const {
  const Index series = table_.series(), count = std::ssize(candidates);
  Evidence found{Matrix<double>::Zero(series, count), Vector<double>::Zero(count)};
  std::vector<Matrix<double>> coordinates;
  for (const Matrix<double>& one : candidates) coordinates.push_back(Matrix<double>::Zero(series, one.cols()));
  for_each_task(series, true, [&](Index s) {
    const auto& past = pasts_[s];
    for (std::size_t k = 0; past != nullptr && k < candidates.size(); ++k) {
      coordinates[k].row(s) = past->coordinates(candidates[k]).transpose();
      found.each(s, static_cast<Index>(k)) = past->evidence_of(coordinates[k].row(s).squaredNorm());
    }
  });
  for (Index k = 0; factor_.size() > 0 && k < count; ++k)
    for (Index c = 0; c < coordinates[k].cols(); ++c)
      found.together[k] += without_correlations(coordinates[k].col(c)).squaredNorm();
  return found;
}

/// Whether all series having a unit root is ruled out beside the course, so that chance gives it less evidence.
bool CourseSearch::settled_beside(const Matrix<double>& course) const {
  const Matrix<double> with = beside(held_, course);
  Vector<double> statistics = Vector<double>::Zero(table_.series());
  for_each_task(std::ssize(counted_), true, [&](Index k) {
    const Index s = counted_[k];
    statistics[s] =
        std::max(kSurelyNoWalk, OwnPast(table_.values.col(s), with, table_.recording_starts).unit_root_statistic());
  });
  return rules_out_unit_roots(statistics.sum() / series_counted(), series_counted());
}

/// Chance by each series alone and by all together; the degrees with the most support among those that pass the level.
Candidate CourseSearch::best_trend() const {
  Candidate best;
  best.kind = CourseKind::trend;
  const double n = static_cast<double>(table_.steps());
  for (Index more = 1; more <= kDegreesTried && degree_ + more <= kMostDegree; ++more) {
    const Matrix<double> course = polynomials(table_.steps(), degree_ + 1, degree_ + more);
    const Evidence found = evidence(std::vector{course});
    std::vector<double> p;
    for (const Index s : counted_) p.push_back(chance_of_trend(found.each(s, 0), more));
    const auto chance_together = [&](bool settled) {
      return factor_.size() == 0
                 ? 1
                 : chance_of_trends(found.together[0], static_cast<double>(more), series_counted(), settled);
    };
    double together = chance_together(false);
    // Half of the level over the degrees tried, as of_both() and the line below multiply by them. The regressions that
    // settle it are costly, so they are made where they decide.
    if (together > settings_.level / (2 * kDegreesTried) &&
        chance_together(true) < settings_.level / (2 * kDegreesTried) && settled_beside(course))
      together = chance_together(true);
    const double chance = std::min(1.0, kDegreesTried * of_both(joint_chance(p), together));
    const double degrees = static_cast<double>(more);
    const double weight = support_of(found.each.col(0), degrees * std::log(n),
                                     found.together[0] - kPerSeries * degrees * series_counted() - std::log(n));
    if (chance > settings_.level ? chance < best.chance : (weight > best.support || best.chance > settings_.level))
      best.chance = chance, best.support = weight, best.degrees = more;
  }
  return best;
}

/// The row by some series alone, or by all together: a change that they share may be small in each.
Candidate CourseSearch::best_step() const {
  Candidate best;
  best.kind = CourseKind::step;
  if (steps_.cols() == 0) return best;
  const double n = static_cast<double>(table_.steps());
  double most = -1, most_together = 0;
  Index at = 0, at_together = 0;
  for (Index r = 0; r < steps_.cols(); ++r) {
    const double sum = (steps_.col(r).array() - kNotable).max(0.0).sum();
    if (sum > most) most = sum, at = r;
    if (steps_together_[r] > most_together) most_together = steps_together_[r], at_together = r;
  }
  std::vector<double> p;
  for (const Index s : counted_) p.push_back(chance_of_step(steps_(s, at)));
  const double alone = joint_chance(p);
  const auto chance_together = [&](bool settled) {
    return factor_.size() == 0 ? 1 : chance_of_steps(most_together, series_counted(), settled);
  };
  double together = chance_together(false);
  const Index row_together = rows_[at_together];
  // Half of the level, since of_both() doubles the lesser; settled only where that decides.
  if (together > settings_.level / 2 && chance_together(true) < settings_.level / 2 &&
      settled_beside(step_at(table_.steps(), row_together)))
    together = chance_together(true);
  if (together < alone) at = at_together;
  // By Schwarz' criterion: log n for the height and for the row.
  best.support = support_of(steps_.col(at), 2 * std::log(n),
                            together < alone ? most_together - kPerSeries * series_counted() - 2 * std::log(n) : 0);
  best.row = rows_[at];
  best.chance = of_both(alone, together);
  return best;
}

/// Of those that pass the level the one with the most support, so that a strong course is not taken for a weak one.
Candidate CourseSearch::best() {
  std::vector<Candidate> candidates;
  if (settings_.seasons && !full()) {
    candidates.push_back(best_wave());
    candidates.push_back(best_pattern());
  }
  if (settings_.trends && degree_ < kMostDegree) candidates.push_back(best_trend());
  if (settings_.steps && rounds_of_steps_ < kMostSteps) candidates.push_back(best_step());
  Candidate best;
  for (const Candidate& candidate : candidates)
    if (candidate.chance <= settings_.level && (best.chance > settings_.level || candidate.support > best.support))
      best = candidate;
  return best;
}

/// Holds what the columns add to those that are held already.
Adjustment CourseSearch::enter(Adjustment adjustment, const Matrix<double>& columns, std::string_view what) {
  adjustment.columns = independent_columns(columns, held_);
  if (adjustment.columns.cols() == 0) return adjustment;
  const Evidence found = evidence(std::vector{adjustment.columns});
  for (const Index s : counted_)
    adjustment.shared_by +=
        chi_squared_upper(found.each(s, 0), static_cast<double>(adjustment.columns.cols())) < 0.01 ? 1 : 0;
  adjustment.sentence = std::string(what);
  held_ = beside(held_, adjustment.columns);
  renew();
  return adjustment;
}

Adjustment CourseSearch::hold(const Candidate& candidate) {
  if (candidate.kind == CourseKind::trend) return hold_trend(candidate.degrees);
  if (candidate.kind == CourseKind::step) return hold_step(candidate.row);
  const double frequency = candidate.pattern ? candidate.frequency : refined(candidate.frequency);
  if (!candidate.pattern) {  // the transform is within some % of the regression, which decides
    const Evidence found = evidence(std::vector{wave(table_.steps(), frequency)});
    if (kFrequencies * static_cast<double>(table_.steps()) * chance_of_wave_at(frequency, found, 0) > settings_.level) {
      barred_.push_back(candidate.frequency);
      return {};
    }
  }
  Adjustment adjustment = hold_period(candidate.pattern ? 1 / candidate.frequency : period_of(frequency).steps);
  if (adjustment.columns.cols() == 0) barred_.push_back(candidate.frequency);
  return adjustment;
}

Adjustment CourseSearch::hold_period(double period, bool asked) {
  Period named{period, ""};
  for (const Period& known : calendar_periods(table_))
    if (std::fabs(known.steps - period) < 1e-6 * period) named = known;
  const std::vector<double> frequencies = harmonics_of(named, asked);
  Adjustment adjustment;
  adjustment.kind = CourseKind::season;
  adjustment.period = period;
  return enter(std::move(adjustment), waves(table_.steps(), frequencies), course_called(table_, named));
}

Adjustment CourseSearch::hold_trend(Index degrees) {
  const Index first = degree_ + 1;
  degree_ += degrees;
  Adjustment adjustment;
  adjustment.kind = CourseKind::trend;
  return enter(std::move(adjustment), polynomials(table_.steps(), first, degree_),
               degree_ == 1 ? "linear trend" : "smooth trend");
}

/// Whether the level changed, and not the variance alone: where many rows far apart are large, the largest evidence
/// over all rows is often beside a few of them.
bool CourseSearch::sure_of_step(Index row) const {
  Vector<double> coordinates = Vector<double>::Zero(table_.series());
  std::vector<double> p;
  for (const Index s : counted_) {
    coordinates[s] = pasts_[s]->robust_coordinate_of_step(row);
    p.push_back(chance_of_step(coordinates[s] * coordinates[s]));
  }
  const double together =
      factor_.size() == 0 ? 1
                          : chance_of_steps(without_correlations(coordinates).squaredNorm(), series_counted(), true);
  return of_both(joint_chance(std::move(p)), together) < settings_.level;
}

Adjustment CourseSearch::hold_step(Index row) {
  ++rounds_of_steps_;
  const Index stride = std::max<Index>(1, table_.steps() / kMostStepRows);
  if (stride > 1) {  // the rows between
    std::vector<Index> near;
    for (Index r = std::max<Index>(1, row - stride); r <= std::min(table_.steps() - 1, row + stride); ++r)
      near.push_back(r);
    Vector<double> sums = Vector<double>::Zero(std::ssize(near));
    for (const Index s : counted_) {
      const std::vector<double> found = pasts_[s]->coordinates_of_steps(near);
      for (std::size_t r = 0; r < found.size(); ++r) sums[static_cast<Index>(r)] += found[r] * found[r];
    }
    Index best = 0;
    sums.maxCoeff(&best);
    row = near[best];
  }
  Adjustment adjustment;
  adjustment.kind = CourseKind::step;
  adjustment.row = row;
  adjustment.sure = sure_of_step(row);
  return enter(std::move(adjustment), step_at(table_.steps(), row), "step");
}

}  // namespace fovea::lag::nature
