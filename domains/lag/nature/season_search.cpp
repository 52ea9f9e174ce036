/// The part of the search that looks for seasons.

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/domains/lag/nature/chance.hpp"
#include "fovea/domains/lag/nature/course_search.hpp"
#include "fovea/domains/lag/nature/search_parts.hpp"
#include "fovea/domains/lag/nature/shapes.hpp"

namespace fovea::lag::nature {

namespace {

// Steps, an hour of minutes: every period tried makes chance likelier, so longer ones are tried where a calendar has
// them.
constexpr Index kMostPattern = 60;
// Of a pattern in the rows: its degrees of freedom, one less than its steps, are at most a quarter of the rows.
constexpr Index kFewestRepeats = 4;
// Of evidence, a series and harmonic: three times what chance gives beyond kNotable on average, 2 exp(-3). Of two
// periods with the same wave the longer, which has more harmonics, must earn them.
constexpr double kPerHarmonic = 0.3;
// Harmonics of the first of several periods, beside which the others are compared: most of any smooth shape.
constexpr Index kMostShape = 12;
// In one round: each is searched near by regressions of all series.
constexpr std::size_t kMostStrong = 4;

}  // namespace

bool CourseSearch::barred(double frequency) const {
  const double reach = 0.5 / static_cast<double>(table_.steps());
  return std::any_of(barred_.begin(), barred_.end(), [&](double f) { return std::fabs(f - frequency) < reach; });
}

double CourseSearch::chance_of_wave_at(double frequency, const Pasts& pasts, const Evidence& found,
                                       Index candidate) const {
  std::vector<double> p;
  for (const Index s : pasts.counted()) p.push_back(chance_of_wave(found.each(s, candidate), cycles(frequency)));
  return joint_chance(p);
}

/// The place with the least chance by some series alone: series that drive each other have the same accidental waves,
/// and all together would take these for shared ones.
Candidate CourseSearch::best_wave() const {
  Candidate best = best_strong_wave();
  if (best.chance <= settings_.level) return best;
  const double n = static_cast<double>(table_.steps()), size = static_cast<double>(fourier_->size());
  double most = -1;
  Index at = 0;
  for (Index k = 1; k < waves_.cols(); ++k) {
    const double frequency = static_cast<double>(k) / size;
    if (cycles(frequency) < kFewestCycles || barred(frequency)) continue;
    const double sum = (waves_.col(k).array() - kNotable).max(0.0).sum();
    if (sum > most) most = sum, at = k;
  }
  if (at == 0) return best;
  std::vector<double> p;
  for (const Index s : pasts_->counted()) p.push_back(std::exp(-0.5 * waves_(s, at)));
  // By Schwarz' criterion: log n for the cosine, the sine and the frequency.
  best.support = support_of(waves_.col(at), 3 * std::log(n), 0);
  best.frequency = static_cast<double>(at) / size;
  best.chance = std::min(1.0, kFrequencies * n * joint_chance(p));
  return best;
}

/// Of waves that are much of a series: the transforms are no approximation of a regression there, so it is made.
Candidate CourseSearch::best_strong_wave() const {
  const double n = static_cast<double>(table_.steps()), near = 1 / n;
  Candidate best;
  std::vector<double> examined;
  for (const Index s : pasts_->counted()) {
    const double frequency = strongest_[s];
    if (cycles(frequency) < kFewestCycles || barred(frequency) || examined.size() == kMostStrong) continue;
    if (std::ranges::any_of(examined, [&](double other) { return std::fabs(other - frequency) < near; })) continue;
    examined.push_back(frequency);
    const double place = refined(frequency);
    if (cycles(place) < kFewestCycles) continue;
    const Evidence found = pasts_->evidence(std::vector{wave(table_.steps(), place)}, true);
    const double chance = std::min(1.0, kFrequencies * n * chance_of_wave_at(place, *pasts_, found, 0));
    const double support = support_of(found.each.col(0), 3 * std::log(n), 0);
    if (chance > settings_.level || support <= best.support) continue;
    best.chance = chance, best.support = support, best.frequency = place;
  }
  return best;
}

std::vector<double> CourseSearch::periods_of_patterns() const {
  std::vector<double> periods;
  for (Index period = 2; period <= kMostPattern && kFewestRepeats * period <= table_.steps(); ++period)
    periods.push_back(static_cast<double>(period));
  for (const Period& period : calendar_)
    if (period.steps > kMostPattern) periods.push_back(period.steps);
  return periods;
}

Candidate CourseSearch::best_pattern() const {
  const double n = static_cast<double>(table_.steps()), size = static_cast<double>(fourier_->size());
  const std::vector<double> periods = periods_of_patterns();
  Candidate best;
  best.pattern = true;
  for (const double period : periods) {
    if (barred(1 / period)) continue;
    const Index harmonics = harmonics_in({period, ""});
    double degrees = 0, support = 0;
    for (Index h = 1; h <= harmonics; ++h) degrees += 2 * static_cast<double>(h) > period - 1e-9 ? 1 : 2;
    std::vector<double> p;
    for (const Index s : pasts_->counted()) {
      const OwnPast& past = pasts_->of(s);
      double sum = 0, parts = 0;
      for (Index h = 1; h <= harmonics; ++h) {
        const double found = waves_(s, std::lround(static_cast<double>(h) / period * size));
        sum += found;
        parts += std::max(0.0, found - 2 * std::log(n));
      }
      p.push_back(chance_of_pattern(sum, degrees, past.tails(), n));
      // By Schwarz' criterion too: of the harmonics that earn their own two degrees, or of all together.
      support += std::max(parts, sum - degrees * std::log(n));
    }
    const double chance = std::min(1.0, static_cast<double>(periods.size()) * joint_chance(p));
    // Multiples of a period explain as much as it does: a longer one must be better by more than rounding and one.
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

/// The frequency near a place of the grid with the most evidence of all series together.
double CourseSearch::refined(double frequency) const {
  // Three rounds around the place, each four times as fine, from the grid's spacing on.
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
    const Vector<double> sums = pasts_->evidence(each, true).each.colwise().sum().transpose();
    Index best = 0;
    sums.maxCoeff(&best);
    frequency = places[best];
  }
  return frequency;
}

/// The period of which this frequency is a harmonic: the calendar's or a whole number of steps, if its harmonic
/// explains as much; else 1 / frequency.
Period CourseSearch::period_of(double frequency) const {
  // Of evidence, which a harmonic may lack against the best frequency.
  constexpr double kAsGood = 2 * kNotable;
  const double n = static_cast<double>(table_.steps()), size = static_cast<double>(fourier_->size());
  struct Choice {
    Period period;
    double place;
    Index column;  ///< of its evidence
  };
  std::vector<Choice> choices;
  const auto consider = [&](const Period& period, double reach) {
    const double harmonic = std::round(frequency * period.steps);
    if (harmonic >= 1 && harmonic <= static_cast<double>(harmonics_in(period)) &&
        std::fabs(frequency - harmonic / period.steps) < reach / n)
      choices.push_back({period, harmonic / period.steps, std::ssize(choices) + 1});
  };
  for (const Period& period : calendar_) consider(period, 0.6);  // known beforehand: may lie further off
  for (Index period = 2; period <= kMostPattern && kFewestRepeats * period <= table_.steps(); ++period)
    consider({static_cast<double>(period), ""}, 0.3);
  std::vector<Matrix<double>> each{wave(table_.steps(), frequency)};
  for (const Choice& choice : choices) each.push_back(wave(table_.steps(), choice.place));
  const Vector<double> sums = pasts_->evidence(each, true).each.colwise().sum().transpose();
  // A year is a year though in a long table the best frequency is a little off it.
  constexpr double kShareOfCalendar = 0.1;
  std::erase_if(choices, [&](const Choice& choice) {
    return sums[0] - sums[choice.column] > kAsGood + (choice.period.name.empty() ? 0 : kShareOfCalendar * sums[0]);
  });
  if (choices.empty()) return {1 / frequency, ""};
  // The calendar's first, then the shortest: another must have more by itself, as multiples have the same waves.
  std::ranges::stable_sort(
      choices, {}, [](const Choice& choice) { return std::pair(choice.period.name.empty(), choice.period.steps); });
  Period best = choices[0].period;
  std::vector<double> shape;
  for (Index h = 1; h <= std::min(kMostShape, harmonics_in(best)); ++h)
    shape.push_back(static_cast<double>(h) / best.steps);
  const Matrix<double> others = waves_beside(pasts_->with(waves(table_.steps(), shape)));
  double most = 0;
  for (const Choice& choice : choices) {
    double score = 0;
    for (Index h = 1; h <= harmonics_in(choice.period); ++h) {
      const double place = static_cast<double>(h) / choice.period.steps;
      if (std::ranges::any_of(shape, [&](double had) { return std::fabs(had - place) < 0.5 / n; })) continue;
      score -= kPerHarmonic * static_cast<double>(table_.series());
      for (Index s = 0; s < others.rows(); ++s) score += std::max(0.0, others(s, std::lround(place * size)) - kNotable);
    }
    if (score > most + 2 * kNotable) most = score, best = choice.period;
  }
  return best;
}

namespace {

// P-value of a harmonic, or of the rest together.
constexpr double kShown = 0.01;

}  // namespace

/// Which harmonics matter: those that some series shows, and of a whole period all where the others matter together.
/// Beside those already found, as strong ones hide weaker ones.
std::vector<double> CourseSearch::harmonics_of(const Period& period, bool asked) const {
  const bool known = whole(period.steps) || !period.name.empty();
  // A period that is not whole has no pattern of places, and one without a name is itself uncertain: few harmonics.
  const Index most = std::min<Index>(harmonics_in(period), known ? (whole(period.steps) ? 84 : 12) : 4);
  std::vector<double> chosen, rest;
  for (Index h = 1; h <= most; ++h) rest.push_back(static_cast<double>(h) / period.steps);
  for (bool first = true;; first = false) {
    const Matrix<double> held = beside(held_, independent_columns(waves(table_.steps(), chosen), held_));
    const std::unique_ptr<Pasts> beside_chosen = chosen.empty() ? nullptr : std::make_unique<Pasts>(table_, held);
    const Pasts& pasts = chosen.empty() ? *pasts_ : *beside_chosen;
    std::vector<Matrix<double>> each;
    for (const double frequency : rest) each.push_back(wave(table_.steps(), frequency));
    const Evidence found = pasts.evidence(each, true);
    std::vector<double> left_over;
    Vector<double> left = Vector<double>::Zero(table_.series());
    double degrees = 0, together = 0;
    for (std::size_t k = 0; k < rest.size(); ++k) {
      const auto h = static_cast<Index>(k);
      const bool needed = first && ((asked && h < 3) || (!known && h == 0));
      if (needed || chance_of_wave_at(rest[k], pasts, found, h) * (known ? 1 : 4) < kShown) {
        chosen.push_back(rest[k]);
        continue;
      }
      left_over.push_back(rest[k]);
      left += found.each.col(h);
      together += found.together[h];
      degrees += static_cast<double>(each[k].cols());
    }
    const bool more = left_over.size() < rest.size();
    rest = std::move(left_over);
    if (more && !rest.empty()) continue;
    if (known && !rest.empty() && matter_together(pasts, left, together, degrees))
      chosen.insert(chosen.end(), rest.begin(), rest.end());
    return chosen;
  }
}

bool CourseSearch::matter_together(const Pasts& pasts, const Vector<double>& evidence, double together,
                                   double degrees) const {
  // At most a tenth of the rows, as degrees of freedom, go to harmonics that no series shows alone.
  if (10 * static_cast<Index>(degrees) >= table_.steps()) return false;
  std::vector<double> p;
  double tails = 0;
  const auto n = static_cast<double>(table_.steps());
  for (const Index s : pasts.counted()) {
    const OwnPast& past = pasts.of(s);
    p.push_back(chance_of_pattern(evidence[s], degrees, past.tails(), n));
    tails = std::max(tails, past.tails());
  }
  const double all =
      pasts.joined() ? chance_of_pattern(together, degrees * pasts.series(), tails, n * pasts.series()) : 1;
  return of_both(joint_chance(std::move(p)), all) < kShown;
}

/// Of all harmonics at once, by each series alone.
double CourseSearch::chance_of_pattern_in(double period, const Pasts& pasts) const {
  std::vector<double> frequencies;
  for (Index h = 1; h <= harmonics_in({period, ""}); ++h) frequencies.push_back(static_cast<double>(h) / period);
  const Matrix<double> shape = waves(table_.steps(), frequencies);
  const Evidence found = pasts.evidence(std::vector{shape}, true);
  const auto degrees = static_cast<double>(shape.cols()), n = static_cast<double>(table_.steps());
  std::vector<double> p;
  for (const Index s : pasts.counted()) {
    const OwnPast& past = pasts.of(s);
    // Bartlett (1937): the likelihood ratio of many columns is larger than chi squared says.
    const double fewer = std::max(0.0, 1 - (degrees / 2 + static_cast<double>(past.order()) + 2) / n);
    p.push_back(chance_of_pattern(found.each(s, 0) * fewer, degrees, past.tails(), n));
  }
  return joint_chance(std::move(p));
}

/// Of the waves' evidence beside the course: twice as many degrees as waves. A series that is driven by slow ones, and
/// an oscillation that is no season, have a broad hill where a course has one line.
void CourseSearch::settle_among(const std::vector<double>& frequencies, const Pasts& pasts,
                                const Matrix<double>& course, double most, Evidence& found) const {
  if (frequencies.empty()) return;
  std::vector<Matrix<double>> near;
  for (const double frequency : frequencies) near.push_back(wave(table_.steps(), frequency));
  const Pasts with = pasts.with(course);
  if (with.counted() != pasts.counted()) return;
  const Evidence others = with.evidence(near, true);
  const auto degrees = 2 * static_cast<double>(frequencies.size());
  for (const Index s : with.counted()) found.each.row(s) /= std::clamp(others.each.row(s).sum() / degrees, 1.0, most);
  if (with.joined()) found.together /= std::clamp(others.together.sum() / (degrees * with.series()), 1.0, most);
}

/// Two to five places of the rows on either side: the nearest have part of a line that is not on a place.
std::vector<double> CourseSearch::beside_frequency(double frequency) const {
  std::vector<double> near;
  for (int k = -5; k <= 5; ++k) {
    const double place = frequency + static_cast<double>(k) / static_cast<double>(table_.steps());
    if (std::abs(k) >= 2 && cycles(place) >= 1 && place < 0.5) near.push_back(place);
  }
  return near;
}

/// Of two to six cycles: slower ones are too much like a trend or a step.
std::vector<double> CourseSearch::slow_frequencies() const {
  std::vector<double> slow;
  for (int cycle = 2; cycle <= 6; ++cycle) slow.push_back(cycle / static_cast<double>(table_.steps()));
  return slow;
}

}  // namespace fovea::lag::nature
