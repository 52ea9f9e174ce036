#include "fovea/domains/lag/nature/course_search.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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
// Degrees of a trend tried at once, for each of which its p-value is multiplied: a bend may show only with the next
// degrees.
constexpr Index kDegreesTried = 3;
// Times the support with fewer degrees.
constexpr double kWorthABend = 1.15;
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
  pasts_ = std::make_unique<Pasts>(table_, held_);
  trends_barred_ = steps_barred_ = false;
  waves_ = settings_.seasons ? waves_beside(*pasts_, &strongest_) : Matrix<double>(series, 0);
  steps_ = Matrix<double>::Zero(series, settings_.steps ? std::ssize(rows_) : 0);
  Matrix<double> signed_steps = steps_;
  for_each_task(std::ssize(pasts_->counted()), settings_.steps, [&](Index c) {
    const Index s = pasts_->counted()[c];
    const std::vector<double> found =
        settings_.steps ? pasts_->of(s).coordinates_of_steps(rows_) : std::vector<double>{};
    for (std::size_t r = 0; r < found.size(); ++r) {
      signed_steps(s, static_cast<Index>(r)) = found[r];
      steps_(s, static_cast<Index>(r)) = pasts_->of(s).evidence_of(found[r] * found[r]);
    }
  });
  steps_together_ = Vector<double>::Zero(steps_.cols());
  if (!pasts_->joined()) return;
  for_each_task(
      steps_.cols(), true,
      [&](Index r) { steps_together_[r] = pasts_->without_correlations(signed_steps.col(r)).squaredNorm(); }, 64);
}

/// Of each series and each place of the grid, settled.
Matrix<double> CourseSearch::waves_beside(const Pasts& pasts, Vector<double>* strongest) const {
  Matrix<double> waves = Matrix<double>::Zero(table_.series(), fourier_->size() / 2 + 1);
  if (strongest != nullptr) *strongest = Vector<double>::Zero(table_.series());
  for_each_task(std::ssize(pasts.counted()), true, [&](Index c) {
    const Index s = pasts.counted()[c];
    const SettledWaves settled = settled_waves(pasts.of(s), *fourier_);
    waves.row(s) = settled.evidence.transpose();
    if (strongest != nullptr) (*strongest)[s] = settled.strongest;
  });
  return waves;
}

/// The lesser of both, doubled. each: p-values of the series alone;  of_all(settled): that of all together, less where
/// their unit roots are ruled out beside the course. The regressions that settle it are costly, so they are made where
/// they decide; tries: of the search, by which the result is to be multiplied.
double CourseSearch::chance_of_both(const Pasts& pasts, const Matrix<double>& course, std::vector<double> each,
                                    double tries, const std::function<double(bool)>& of_all) const {
  double together = pasts.joined() ? of_all(false) : 1;
  const double decides = settings_.level / (2 * tries);
  if (pasts.joined() && together > decides && of_all(true) < decides && pasts.settled_beside(course))
    together = of_all(true);
  return std::min(1.0, tries * of_both(joint_chance(std::move(each)), together));
}

double CourseSearch::chance_of_trend_in(const Pasts& pasts, const Matrix<double>& course, const Evidence& found) const {
  const Index degrees = course.cols();
  std::vector<double> p;
  for (const Index s : pasts.counted()) p.push_back(chance_of_trend(found.each(s, 0), degrees));
  return chance_of_both(pasts, course, std::move(p), kDegreesTried, [&](bool settled) {
    return chance_of_trends(found.together[0], static_cast<double>(degrees), pasts.series(), settled);
  });
}

double CourseSearch::chance_of_step_in(const Pasts& pasts, const Matrix<double>& course, const Evidence& found) const {
  std::vector<double> p;
  for (const Index s : pasts.counted()) p.push_back(chance_of_step(found.each(s, 0)));
  return chance_of_both(pasts, course, std::move(p), 1,
                        [&](bool settled) { return chance_of_steps(found.together[0], pasts.series(), settled); });
}

/// Chance by each series alone and by all together; the fewest degrees that pass the level, but
/// for more with clearly more support.
Candidate CourseSearch::best_trend() const {
  Candidate best;
  best.kind = CourseKind::trend;
  const double n = static_cast<double>(table_.steps());
  for (Index more = 1; more <= kDegreesTried && degree_ + more <= kMostDegree; ++more) {
    const Matrix<double> course = trend_of(more);
    const Evidence found = pasts_->evidence(std::vector{course});
    const double chance = chance_of_trend_in(*pasts_, course, found);
    const double degrees = static_cast<double>(more);
    const double weight = support_of(found.each.col(0), degrees * std::log(n),
                                     found.together[0] - kPerSeries * degrees * pasts_->series() - std::log(n));
    // A bend that adds little to a line may be that of a season not held yet: it is tried in the next round again.
    if (chance > settings_.level ? chance < best.chance
                                 : (best.chance > settings_.level || weight > kWorthABend * best.support))
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
  const auto chance_at = [&](Index r) {
    return chance_of_step_in(*pasts_, step_at(table_.steps(), rows_[r]),
                             {steps_.col(r), Vector<double>::Constant(1, steps_together_[r])});
  };
  const double alone = chance_at(at), together = chance_at(at_together);
  const bool by_all = together <= alone;
  if (by_all) at = at_together;
  // By Schwarz' criterion: log n for the height and for the row.
  best.support = support_of(steps_.col(at), 2 * std::log(n),
                            by_all ? most_together - kPerSeries * pasts_->series() - 2 * std::log(n) : 0);
  best.row = rows_[at];
  best.chance = std::min(alone, together);
  return best;
}

/// Series that drive each other wander together: what then seems a course of theirs is gone beside each other's past.
/// The search has been counted, so a wave's frequency is taken as given.
bool CourseSearch::stands_beside_others(const Candidate& candidate) const {
  const std::unique_ptr<Pasts> linked = pasts_->linked();
  const Pasts& pasts = linked == nullptr ? *pasts_ : *linked;
  if (candidate.kind == CourseKind::season && candidate.pattern)
    return chance_of_pattern_in(1 / candidate.frequency, pasts) <= settings_.level;
  const bool season = candidate.kind == CourseKind::season;
  const Matrix<double> course = season                                ? wave(table_.steps(), candidate.frequency)
                                : candidate.kind == CourseKind::trend ? trend_of(candidate.degrees)
                                                                      : step_at(table_.steps(), candidate.row);
  Evidence found = pasts.evidence(std::vector{course}, season);
  // Links make slow waves up to five times as large; more is from another trend or step, which is held next.
  constexpr double kMostByLinks = 5;
  settle_among(season ? beside_frequency(candidate.frequency) : slow_frequencies(), pasts, course,
               season ? std::numeric_limits<double>::infinity() : kMostByLinks, found);
  const double chance = season                                ? chance_of_wave_at(candidate.frequency, pasts, found, 0)
                        : candidate.kind == CourseKind::trend ? chance_of_trend_in(pasts, course, found)
                                                              : chance_of_step_in(pasts, course, found);
  return chance <= settings_.level;
}

/// Of those that pass the level the one with the most support, so that a strong course is not taken for a weak one.
Candidate CourseSearch::best() {
  std::vector<Candidate> candidates;
  if (settings_.seasons && !full()) {
    candidates.push_back(best_wave());
    // A wave leads to its period, a pattern to the period or any multiple of it.
    if (candidates.back().chance > settings_.level) candidates.push_back(best_pattern());
  }
  if (settings_.trends && !trends_barred_ && degree_ < kMostDegree) candidates.push_back(best_trend());
  if (settings_.steps && !steps_barred_ && rounds_of_steps_ < kMostSteps) candidates.push_back(best_step());
  // A steep line leaves something at all frequencies: it goes before a season that is not far larger.
  constexpr double kTrendFirst = 4;
  const bool trend = std::ranges::any_of(
      candidates, [&](const Candidate& one) { return one.kind == CourseKind::trend && one.chance <= settings_.level; });
  Candidate best;
  for (Candidate candidate : candidates) {
    if (trend && candidate.kind == CourseKind::season) candidate.support /= kTrendFirst;
    if (candidate.chance <= settings_.level && (best.chance > settings_.level || candidate.support > best.support))
      best = candidate;
  }
  return best;
}

/// Holds what the columns add to those that are held already.
Adjustment CourseSearch::enter(Adjustment adjustment, const Matrix<double>& columns, std::string_view what) {
  adjustment.columns = independent_columns(columns, held_);
  if (adjustment.columns.cols() == 0) return adjustment;
  const Evidence found = pasts_->evidence(std::vector{adjustment.columns}, adjustment.kind == CourseKind::season);
  for (const Index s : pasts_->counted())
    adjustment.shared_by +=
        chi_squared_upper(found.each(s, 0), static_cast<double>(adjustment.columns.cols())) < 0.01 ? 1 : 0;
  adjustment.sentence = std::string(what);
  held_ = beside(held_, adjustment.columns);
  renew();
  return adjustment;
}

Adjustment CourseSearch::hold(const Candidate& found) {
  Candidate candidate = found;
  const bool season = candidate.kind == CourseKind::season, sine = season && !candidate.pattern;
  if (sine) candidate.frequency = refined(candidate.frequency);
  bool holds = (candidate.kind == CourseKind::step && sure_of_levels(candidate.row)) || stands_beside_others(candidate);
  if (holds && season) {  // the transform is within some % of the regression, which decides
    const double chance =
        sine ? kFrequencies * static_cast<double>(table_.steps()) *
                   chance_of_wave_at(candidate.frequency, *pasts_,
                                     pasts_->evidence(std::vector{wave(table_.steps(), candidate.frequency)}, true), 0)
             : static_cast<double>(periods_of_patterns().size()) *
                   chance_of_pattern_in(1 / candidate.frequency, *pasts_);
    holds = 2 * chance <= settings_.level;  // waves and patterns are both searched
  }
  if (!holds) {
    if (candidate.kind == CourseKind::season) barred_.push_back(found.frequency);
    if (candidate.kind == CourseKind::trend) trends_barred_ = true;
    if (candidate.kind == CourseKind::step) steps_barred_ = true;
    return {};
  }
  if (candidate.kind == CourseKind::trend) return hold_trend(candidate.degrees);
  if (candidate.kind == CourseKind::step) return hold_step(candidate.row);
  Adjustment adjustment = hold_period(sine ? period_of(candidate.frequency).steps : 1 / candidate.frequency);
  if (adjustment.columns.cols() == 0) barred_.push_back(found.frequency);
  return adjustment;
}

Adjustment CourseSearch::hold_period(double period, bool asked) {
  const auto called = [&](double steps) {
    Period named{steps, ""};
    for (const Period& known : calendar_periods(table_))
      if (std::fabs(known.steps - steps) < 1e-6 * steps) named = known;
    return named;
  };
  const std::vector<double> frequencies = harmonics_of(called(period), asked);
  // Every second harmonic alone is a course of half the period.
  Index common = 0;
  for (const double frequency : frequencies) common = std::gcd(common, std::lround(frequency * period));
  if (!asked && common > 1) period /= static_cast<double>(common);
  Adjustment adjustment;
  adjustment.kind = CourseKind::season;
  adjustment.period = period;
  return enter(std::move(adjustment), waves(table_.steps(), frequencies), course_called(table_, called(period)));
}

Adjustment CourseSearch::hold_trend(Index degrees) {
  const Index first = degree_ + 1;
  degree_ += degrees;
  Adjustment adjustment;
  adjustment.kind = CourseKind::trend;
  return enter(std::move(adjustment), polynomials(table_.steps(), first, degree_),
               degree_ == 1 ? "linear trend" : "smooth trend");
}

Adjustment CourseSearch::hold_levels() {
  const std::vector<Index>& starts = table_.recording_starts;
  Adjustment adjustment;
  adjustment.kind = CourseKind::levels;
  // As many as may be held: shorter recordings say little of their level.
  if (starts.size() < 2 || 5 * std::ssize(starts) > table_.steps()) return adjustment;
  Matrix<double> levels = Matrix<double>::Zero(table_.steps(), std::ssize(starts) - 1);
  for (std::size_t r = 1; r < starts.size(); ++r) {
    const Index end = r + 1 < starts.size() ? starts[r + 1] : table_.steps();
    levels.col(static_cast<Index>(r) - 1).segment(starts[r], end - starts[r]).setOnes();
  }
  std::vector<double> p;
  for (const Index s : pasts_->counted()) p.push_back(chance_of_levels(table_, s));
  if (p.empty() || joint_chance(std::move(p)) > settings_.level) return adjustment;
  return enter(std::move(adjustment), levels, "levels of recordings");
}

/// Whether the level changed, and not the variance alone: where many rows far apart are large, the largest evidence
/// over all rows is often beside a few of them.
bool CourseSearch::sure_of_step(Index row) const {
  Vector<double> coordinates = Vector<double>::Zero(table_.series());
  std::vector<double> p;
  for (const Index s : pasts_->counted()) {
    coordinates[s] = pasts_->of(s).robust_coordinate_of_step(row);
    p.push_back(chance_of_step(coordinates[s] * coordinates[s]));
  }
  const double together = pasts_->joined() ? chance_of_steps(pasts_->without_correlations(coordinates).squaredNorm(),
                                                             pasts_->series(), true)
                                           : 1;
  if (of_both(joint_chance(std::move(p)), together) < settings_.level) return true;
  return sure_of_levels(row);
}

/// By the levels on either side: a high step is forecast by the past values but for its first row, on which alone the
/// regressions then stand.
bool CourseSearch::sure_of_levels(Index row) const {
  // Far beyond what series that wander together, or have uneven variances, give.
  constexpr double kSurely = 1e-8;
  std::vector<double> p;
  for (const Index s : pasts_->counted()) p.push_back(chance_of_step(difference_of_levels(s, row)));
  return joint_chance(std::move(p)) < kSurely;
}

/// Squared, in units of its error by either side's own variance and memory (Welch 1947).
double CourseSearch::difference_of_levels(Index series, Index row) const {
  // Next to a step that is held, both fit a few rows alone; a line leaves a quarter of one in the middle.
  constexpr double kLeastLeft = 0.1;
  Vector<double> step = step_at(table_.steps(), row).col(0);
  step.array() -= step.mean();
  const double square = step.squaredNorm();
  step -= held_ * (held_.transpose() * step) / static_cast<double>(table_.steps());
  if (step.squaredNorm() < kLeastLeft * square) return 0;
  // What is held is taken out as beside the step it leaves least.
  Vector<double> y = table_.values.col(series);
  Matrix<double> design = beside(beside(step_at(table_.steps(), row), held_), Matrix<double>::Ones(table_.steps(), 1));
  Vector<double> known = y;
  for (Index t = 0; t < y.size(); ++t)
    if (std::isnan(y[t])) known[t] = 0, design.row(t).setZero();
  const Eigen::MatrixXd products = design.transpose() * design;
  const Vector<double> fit = products.ldlt().solve(Eigen::VectorXd(design.transpose() * known));
  y -= held_ * fit.segment(1, held_.cols());
  double difference = 0, variance = 0;
  for (const bool later : {false, true}) {
    const Index first = later ? row : 0, rows = later ? table_.steps() - row : row;
    const Vector<double> side = y.segment(first, rows);
    std::vector<Index> starts{0};
    for (const Index start : table_.recording_starts)
      if (start > first && start < first + rows) starts.push_back(start - first);
    const OwnPast past(side, Matrix<double>(rows, 0), starts);
    if (past.constant()) return 0;
    double count = 0, sum = 0, squares = 0;
    for (const double value : side)
      if (!std::isnan(value)) count += 1, sum += value;
    for (const double value : side)
      if (!std::isnan(value)) squares += (value - sum / count) * (value - sum / count);
    // As of first order; of all values, outliers too, which the residual has pulled in.
    const double memory = std::clamp(past.memory().sum(), 0.0, 0.95);
    difference += (later ? 1 : -1) * sum / count;
    variance += squares / (count * count) * (1 + memory) / (1 - memory);
  }
  return variance > 0 ? difference * difference / variance : 0;
}

Adjustment CourseSearch::hold_step(Index row) {
  ++rounds_of_steps_;
  const Index stride = std::max<Index>(1, table_.steps() / kMostStepRows);
  if (stride > 1) {  // the rows between
    std::vector<Index> near;
    for (Index r = std::max<Index>(1, row - stride); r <= std::min(table_.steps() - 1, row + stride); ++r)
      near.push_back(r);
    Vector<double> sums = Vector<double>::Zero(std::ssize(near));
    for (const Index s : pasts_->counted()) {
      const std::vector<double> found = pasts_->of(s).coordinates_of_steps(near);
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
