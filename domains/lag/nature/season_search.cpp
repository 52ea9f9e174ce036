/// The part of the search that looks for seasons.

#include <algorithm>
#include <cmath>

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

}  // namespace

bool CourseSearch::barred(double frequency) const {
  const double reach = 0.5 / static_cast<double>(table_.steps());
  return std::any_of(barred_.begin(), barred_.end(), [&](double f) { return std::fabs(f - frequency) < reach; });
}

double CourseSearch::chance_of_wave_at(double frequency, const Evidence& found, Index candidate) const {
  std::vector<double> p;
  for (const Index s : counted_) p.push_back(chance_of_wave(found.each(s, candidate), cycles(frequency)));
  return joint_chance(p);
}

/// The place with the least chance by some series alone: series that drive each other have the same accidental waves,
/// and all together would take these for shared ones.
Candidate CourseSearch::best_wave() const {
  Candidate best;
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
  for (const Index s : counted_) p.push_back(std::exp(-0.5 * waves_(s, at)));
  // By Schwarz' criterion: log n for the cosine, the sine and the frequency.
  best.support = support_of(waves_.col(at), 3 * std::log(n), 0);
  best.frequency = static_cast<double>(at) / size;
  best.chance = std::min(1.0, kFrequencies * n * joint_chance(p));
  return best;
}

Candidate CourseSearch::best_pattern() const {
  const double n = static_cast<double>(table_.steps()), size = static_cast<double>(fourier_->size());
  std::vector<double> periods;
  for (Index period = 2; period <= kMostPattern && kFewestRepeats * period <= table_.steps(); ++period)
    periods.push_back(static_cast<double>(period));
  for (const Period& period : calendar_)
    if (period.steps > kMostPattern) periods.push_back(period.steps);
  Candidate best;
  best.pattern = true;
  for (const double period : periods) {
    if (barred(1 / period)) continue;
    const Index harmonics = harmonics_in({period, ""});
    double degrees = 0, support = 0;
    for (Index h = 1; h <= harmonics; ++h) degrees += 2 * static_cast<double>(h) > period - 1e-9 ? 1 : 2;
    std::vector<double> p;
    for (const Index s : counted_) {
      const OwnPast& past = *pasts_[s];
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
    const Vector<double> sums = evidence(each).each.colwise().sum().transpose();
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
  };
  std::vector<Choice> choices;
  const auto consider = [&](const Period& period, double reach) {
    const double harmonic = std::round(frequency * period.steps);
    if (harmonic >= 1 && harmonic <= static_cast<double>(harmonics_in(period)) &&
        std::fabs(frequency - harmonic / period.steps) < reach / n)
      choices.push_back({period, harmonic / period.steps});
  };
  for (const Period& period : calendar_) consider(period, 0.6);  // known beforehand: may lie further off
  for (Index period = 2; period <= kMostPattern && kFewestRepeats * period <= table_.steps(); ++period)
    consider({static_cast<double>(period), ""}, 0.3);
  std::vector<Matrix<double>> each{wave(table_.steps(), frequency)};
  for (const Choice& choice : choices) each.push_back(wave(table_.steps(), choice.place));
  const Vector<double> sums = evidence(each).each.colwise().sum().transpose();
  Period best{1 / frequency, ""};
  double most = -1;
  for (std::size_t c = 0; c < choices.size(); ++c) {
    if (sums[0] - sums[static_cast<Index>(c) + 1] > kAsGood) continue;
    const Period& period = choices[c].period;
    double score = period.name.empty() ? 0 : kNotable;
    for (Index h = 1; h <= harmonics_in(period); ++h) {
      const Index place = std::lround(static_cast<double>(h) / period.steps * size);
      double sum = -kPerHarmonic * static_cast<double>(table_.series());
      for (Index s = 0; s < waves_.rows(); ++s) sum += std::max(0.0, waves_(s, place) - kNotable);
      score += sum;
    }
    if (score > most) most = score, best = period;
  }
  return best;
}

namespace {

// P-value of a harmonic, or of the rest together.
constexpr double kShown = 0.01;

}  // namespace

/// Which harmonics matter: those that some series shows, and of a whole period all where the others matter together.
std::vector<double> CourseSearch::harmonics_of(const Period& period, bool asked) const {
  const bool known = whole(period.steps) || !period.name.empty();
  // A period that is not whole has no pattern of places, and one without a name is itself uncertain: few harmonics.
  const Index most = std::min<Index>(harmonics_in(period), known ? (whole(period.steps) ? 84 : 12) : 4);
  const auto place_of = [&](Index h) { return static_cast<double>(h + 1) / period.steps; };
  std::vector<Matrix<double>> each;
  for (Index h = 0; h < most; ++h) each.push_back(wave(table_.steps(), place_of(h)));
  const Evidence found = evidence(each);
  std::vector<double> chosen, rest;
  Vector<double> left = Vector<double>::Zero(table_.series());
  double degrees = 0, together = 0;
  for (Index h = 0; h < most; ++h) {
    const bool needed = (asked && h < 3) || (!known && h == 0);
    if (needed || chance_of_wave_at(place_of(h), found, h) * (known ? 1 : 4) < kShown) {
      chosen.push_back(place_of(h));
      continue;
    }
    rest.push_back(place_of(h));
    left += found.each.col(h);
    together += found.together[h];
    degrees += static_cast<double>(each[h].cols());
  }
  if (known && !rest.empty() && matter_together(left, together, degrees))
    chosen.insert(chosen.end(), rest.begin(), rest.end());
  return chosen;
}

bool CourseSearch::matter_together(const Vector<double>& evidence, double together, double degrees) const {
  // At most a tenth of the rows, as degrees of freedom, go to harmonics that no series shows alone.
  if (10 * static_cast<Index>(degrees) >= table_.steps()) return false;
  std::vector<double> p;
  double tails = 0;
  const auto n = static_cast<double>(table_.steps());
  for (const Index s : counted_) {
    const OwnPast& past = *pasts_[s];
    p.push_back(chance_of_pattern(evidence[s], degrees, past.tails(), n));
    tails = std::max(tails, past.tails());
  }
  const double all =
      factor_.size() == 0 ? 1 : chance_of_pattern(together, degrees * series_counted(), tails, n * series_counted());
  return of_both(joint_chance(p), all) < kShown;
}

}  // namespace fovea::lag::nature
