#include "fovea/domains/lag/nature/course_search.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/domains/lag/nature/chance.hpp"
#include "fovea/domains/lag/nature/shapes.hpp"

namespace fovea::lag::nature {

namespace {

constexpr double kFewestCycles = 1.2, kNotable = 6;
constexpr Index kMostDegree = 6, kMostSteps = 4, kMostPattern = 60, kMostStepRows = 1000, kSurelyFine = 20000;

Index grid_for(Index steps) { return power_of_two((steps > kSurelyFine ? 2 : 4) * steps); }

/// The harmonics of a period that the steps can follow.
Index harmonics_in(const Period& period) {
  constexpr double kMostHarmonics = 84;
  return static_cast<Index>(std::min(kMostHarmonics, std::floor(period.steps / 2 + 1e-9)));
}

bool whole(double period) { return std::fabs(period - std::round(period)) < 1e-9; }

}  // namespace

CourseSearch::CourseSearch(const datasets::series::SeriesTable& table, const AdjustmentSettings& settings)
    : table_(table), settings_(settings), held_(table.steps(), 0) {
  for (const Period& period : calendar_periods(table))
    if (static_cast<double>(table.steps()) >= 1.5 * period.steps) calendar_.push_back(period);
  fourier_ = std::make_unique<Fourier>(grid_for(std::max<Index>(table.steps(), 4)));
  const Index margin = std::max<Index>(10, table.steps() / 20);
  const Index stride = std::max<Index>(1, table.steps() / kMostStepRows);
  for (Index row = margin; row + margin <= table.steps(); row += stride) rows_.push_back(row);
  renew();
}

bool CourseSearch::full() const { return 5 * held_.cols() >= table_.steps(); }

void CourseSearch::renew() {
  const Index series = table_.series();
  pasts_.clear();
  pasts_.resize(static_cast<std::size_t>(series));
  waves_ = Matrix<double>::Zero(series, settings_.seasons ? fourier_->size() / 2 + 1 : 0);
  steps_ = Matrix<double>::Zero(series, std::ssize(rows_));
  const double per_grid = static_cast<double>(table_.steps()) / static_cast<double>(fourier_->size());
  for_each_task(series, true, [&](Index s) {
    auto past = std::make_unique<OwnPast>(table_.values.col(s), held_, table_.recording_starts);
    if (past->constant()) return;
    if (settings_.seasons) {
      const std::vector<double> found = past->evidence_of_waves(*fourier_);
      for (std::size_t k = 1; k < found.size(); ++k)
        waves_(s, static_cast<Index>(k)) = settled_evidence(found[k], per_grid * static_cast<double>(k));
    }
    if (settings_.steps && !rows_.empty()) {
      const std::vector<double> found = past->evidence_of_steps(rows_);
      steps_.row(s) = Eigen::Map<const Vector<double>>(found.data(), std::ssize(found)).transpose();
    }
    pasts_[static_cast<std::size_t>(s)] = std::move(past);
  });
}

Matrix<double> CourseSearch::evidence(const std::vector<Matrix<double>>& each) const {
  Matrix<double> found = Matrix<double>::Zero(table_.series(), std::ssize(each));
  for_each_task(table_.series(), true, [&](Index s) {
    const auto& past = pasts_[static_cast<std::size_t>(s)];
    for (std::size_t k = 0; past != nullptr && k < each.size(); ++k)
      found(s, static_cast<Index>(k)) = past->evidence(each[k]);
  });
  return found;
}

Candidate CourseSearch::best_wave() const {
  Candidate best;
  const double n = static_cast<double>(table_.steps()), size = static_cast<double>(fourier_->size());
  double most = -1;
  Index at = 0;
  for (Index k = 1; k < waves_.cols(); ++k) {
    const double frequency = static_cast<double>(k) / size;
    if (cycles(frequency) < kFewestCycles) continue;
    if (std::any_of(barred_.begin(), barred_.end(), [&](double f) { return std::fabs(f - frequency) < 0.5 / n; }))
      continue;
    double sum = 0;
    for (Index s = 0; s < waves_.rows(); ++s) sum += std::max(0.0, waves_(s, k) - kNotable);
    if (sum > most) most = sum, at = k;
  }
  if (at == 0) return best;
  std::vector<double> p;
  for (Index s = 0; s < waves_.rows(); ++s) {
    p.push_back(std::exp(-0.5 * waves_(s, at)));
    best.support += std::max(0.0, waves_(s, at) - 3 * std::log(n));
  }
  best.frequency = static_cast<double>(at) / size;
  best.chance = std::min(1.0, 0.75 * n * joint_chance(p));
  return best;
}

Candidate CourseSearch::best_pattern() const {
  const double n = static_cast<double>(table_.steps()), size = static_cast<double>(fourier_->size());
  std::vector<double> periods;
  for (Index period = 2; period <= kMostPattern && 4 * period <= table_.steps(); ++period)
    periods.push_back(static_cast<double>(period));
  for (const Period& period : calendar_)
    if (period.steps > kMostPattern) periods.push_back(period.steps);
  Candidate best;
  best.pattern = true;
  for (const double period : periods) {
    if (std::any_of(barred_.begin(), barred_.end(), [&](double f) { return std::fabs(f * period - 1) < 1e-9; }))
      continue;
    const Index harmonics = harmonics_in({period, ""});
    double degrees = 0, support = 0;
    for (Index h = 1; h <= harmonics; ++h) degrees += 2 * static_cast<double>(h) > period - 1e-9 ? 1 : 2;
    std::vector<double> p;
    for (Index s = 0; s < waves_.rows(); ++s) {
      double sum = 0, parts = 0;
      for (Index h = 1; h <= harmonics; ++h) {
        const double found = waves_(s, std::lround(static_cast<double>(h) / period * size));
        sum += found;
        parts += std::max(0.0, found - 2 * std::log(n));
      }
      const auto& past = pasts_[static_cast<std::size_t>(s)];
      p.push_back(past == nullptr ? 1 : chance_of_pattern(sum, degrees, past->tails(), n));
      support += std::max(parts, sum - degrees * std::log(n));
    }
    const double chance = std::min(1.0, static_cast<double>(periods.size()) * joint_chance(p));
    const bool better = best.frequency == 0 || (chance <= settings_.level &&
                                                (support > best.support * 1.02 + 1 || best.chance > settings_.level));
    if (better || (best.chance > settings_.level && chance < best.chance)) {
      best.chance = chance;
      best.support = support;
      best.frequency = 1 / period;
    }
  }
  return best;
}

Candidate CourseSearch::best_trend() const {
  Candidate best;
  best.kind = CourseKind::trend;
  const double n = static_cast<double>(table_.steps());
  for (Index more = 1; more <= 3 && degree_ + more <= kMostDegree; ++more) {
    const Matrix<double> found = evidence(std::vector{polynomials(table_.steps(), degree_ + 1, degree_ + more)});
    std::vector<double> p;
    double support = 0;
    for (Index s = 0; s < found.rows(); ++s) {
      p.push_back(chance_of_trend(found(s, 0), more));
      support += std::max(0.0, found(s, 0) - static_cast<double>(more) * std::log(n));
    }
    const double chance = std::min(1.0, 3 * joint_chance(p));
    if (chance > settings_.level ? chance < best.chance : (support > best.support || best.chance > settings_.level))
      best.chance = chance, best.support = support, best.degrees = more;
  }
  return best;
}

Candidate CourseSearch::best_step() const {
  Candidate best;
  best.kind = CourseKind::step;
  const double n = static_cast<double>(table_.steps());
  double most = -1;
  Index at = -1;
  for (Index r = 0; r < steps_.cols(); ++r) {
    double sum = 0;
    for (Index s = 0; s < steps_.rows(); ++s) sum += std::max(0.0, steps_(s, r) - kNotable);
    if (sum > most) most = sum, at = r;
  }
  if (at < 0) return best;
  std::vector<double> p;
  for (Index s = 0; s < steps_.rows(); ++s) {
    p.push_back(chance_of_step(steps_(s, at)));
    best.support += std::max(0.0, steps_(s, at) - 2 * std::log(n));
  }
  best.row = rows_[static_cast<std::size_t>(at)];
  best.chance = joint_chance(p);
  return best;
}

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

/// The frequency near a place of the grid with the most evidence of all series together.
double CourseSearch::refined(double frequency) const {
  double width = 1 / static_cast<double>(fourier_->size());
  for (int round = 0; round < 3; ++round, width /= 4) {
    std::vector<Matrix<double>> each;
    std::vector<double> places;
    for (int k = -4; k <= 4; ++k) {
      const double place = frequency + width * k / 4;
      if (place <= 0 || place >= 0.5) continue;
      places.push_back(place);
      each.push_back(wave(table_.steps(), place));
    }
    if (places.empty()) return frequency;
    const Vector<double> sums = evidence(each).colwise().sum().transpose();
    Index best = 0;
    sums.maxCoeff(&best);
    frequency = places[static_cast<std::size_t>(best)];
  }
  return frequency;
}

/// The period of which this frequency is a harmonic: the calendar's or a whole number of steps, if its harmonic
/// explains as much; else 1 / frequency.
Period CourseSearch::period_of(double frequency) const {
  constexpr double kAsGood = 12;
  const double n = static_cast<double>(table_.steps()), size = static_cast<double>(fourier_->size());
  struct Choice {
    Period period;
    double place;
  };
  std::vector<Choice> choices;
  const auto consider = [&](const Period& period, double reach) {
    const double harmonic = std::round(frequency * period.steps);
    if (harmonic >= 1 && harmonic <= static_cast<double>(harmonics_in(period)) &&
        std::fabs(frequency - harmonic / period.steps) < reach / n)
      choices.push_back({period, harmonic / period.steps});
  };
  for (const Period& period : calendar_) consider(period, 0.6);
  for (Index period = 2; period <= kMostPattern && 4 * period <= table_.steps(); ++period)
    consider({static_cast<double>(period), ""}, 0.3);
  std::vector<Matrix<double>> each{wave(table_.steps(), frequency)};
  for (const Choice& choice : choices) each.push_back(wave(table_.steps(), choice.place));
  const Vector<double> sums = evidence(each).colwise().sum().transpose();
  Period best{1 / frequency, ""};
  double most = -1;
  for (std::size_t c = 0; c < choices.size(); ++c) {
    if (sums[0] - sums[static_cast<Index>(c) + 1] > kAsGood) continue;
    const Period& period = choices[c].period;
    double score = period.name.empty() ? 0 : kNotable;
    for (Index h = 1; h <= harmonics_in(period); ++h) {
      const Index place = std::lround(static_cast<double>(h) / period.steps * size);
      double sum = -0.3 * static_cast<double>(table_.series());
      for (Index s = 0; s < waves_.rows(); ++s) sum += std::max(0.0, waves_(s, place) - kNotable);
      score += sum;
    }
    if (score > most) most = score, best = period;
  }
  return best;
}

/// Which harmonics matter: those that some series shows, and of a whole period all where the others matter together.
std::vector<double> CourseSearch::harmonics_of(const Period& period, bool asked) const {
  constexpr double kShown = 0.01;
  const bool known = whole(period.steps) || !period.name.empty();
  const Index most = std::min<Index>(harmonics_in(period), known ? (whole(period.steps) ? 84 : 12) : 4);
  std::vector<Matrix<double>> each;
  std::vector<double> places;
  for (Index h = 1; h <= most; ++h) {
    places.push_back(static_cast<double>(h) / period.steps);
    each.push_back(wave(table_.steps(), places.back()));
  }
  const Matrix<double> found = evidence(each);
  std::vector<double> chosen, rest;
  Vector<double> left = Vector<double>::Zero(table_.series());
  double degrees = 0;
  for (std::size_t h = 0; h < places.size(); ++h) {
    std::vector<double> p;
    for (Index s = 0; s < found.rows(); ++s)
      p.push_back(chance_of_wave(found(s, static_cast<Index>(h)), cycles(places[h])));
    if (h == 0 && !known) p.push_back(0);
    if ((asked && h < 3) || joint_chance(p) * (known ? 1 : 4) < kShown) {
      chosen.push_back(places[h]);
      continue;
    }
    rest.push_back(places[h]);
    left += found.col(static_cast<Index>(h));
    degrees += static_cast<double>(each[h].cols());
  }
  if (rest.empty() || !known) return chosen;
  std::vector<double> p;
  for (Index s = 0; s < left.size(); ++s) {
    const auto& past = pasts_[static_cast<std::size_t>(s)];
    p.push_back(
        past == nullptr ? 1 : chance_of_pattern(left[s], degrees, past->tails(), static_cast<double>(past->rows())));
  }
  const bool room = 10 * static_cast<Index>(degrees) < table_.steps();
  if (room && joint_chance(p) < kShown) chosen.insert(chosen.end(), rest.begin(), rest.end());
  return chosen;
}

Adjustment CourseSearch::enter(Adjustment adjustment, const Matrix<double>& columns, std::string_view what) {
  adjustment.columns = independent_columns(columns, held_);
  if (adjustment.columns.cols() == 0) return adjustment;
  const Matrix<double> found = evidence(std::vector{adjustment.columns});
  for (Index s = 0; s < found.rows(); ++s)
    adjustment.shared_by +=
        chi_squared_upper(found(s, 0), static_cast<double>(adjustment.columns.cols())) < 0.01 ? 1 : 0;
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
    const Matrix<double> found = evidence(std::vector{wave(table_.steps(), frequency)});
    std::vector<double> p;
    for (Index s = 0; s < found.rows(); ++s) p.push_back(chance_of_wave(found(s, 0), cycles(frequency)));
    if (0.75 * static_cast<double>(table_.steps()) * joint_chance(p) > settings_.level) {
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

Adjustment CourseSearch::hold_step(Index row) {
  ++rounds_of_steps_;
  const Index stride = std::max<Index>(1, table_.steps() / kMostStepRows);
  if (stride > 1) {  // the rows between
    std::vector<Index> near;
    for (Index r = std::max<Index>(1, row - stride); r <= std::min(table_.steps() - 1, row + stride); ++r)
      near.push_back(r);
    Vector<double> sums = Vector<double>::Zero(std::ssize(near));
    for (const auto& past : pasts_) {
      if (past == nullptr) continue;
      const std::vector<double> found = past->evidence_of_steps(near);
      sums += Eigen::Map<const Vector<double>>(found.data(), std::ssize(found));
    }
    Index best = 0;
    sums.maxCoeff(&best);
    row = near[static_cast<std::size_t>(best)];
  }
  Adjustment adjustment;
  adjustment.kind = CourseKind::step;
  adjustment.row = row;
  return enter(std::move(adjustment), step_at(table_.steps(), row), "step");
}

}  // namespace fovea::lag::nature
