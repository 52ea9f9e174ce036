#include "fovea/domains/ehr/decay/half_life_profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/core/statistics/tests/false_discovery.hpp"

namespace fovea::ehr::decay {

namespace {

constexpr double kScanStep = 0.5;  ///< of s, where one column is examined
constexpr double kWalkStep = 1.5;  ///< of s, where all others are fitted again
constexpr double kFarOut = 16;     ///< times 2 nats at a level of 90 %: four deviations, from where no way leads back
constexpr double kNewMaximum = 0.05;  ///< nats by which a profile must lie below its maximum to be a new one
constexpr int kNearEnough = 4;        ///< evaluations of the likelihood without a term: scores need no more (C(alpha))
constexpr double kEndTolerance = 0.05;  ///< of s: 5 % of an end

std::vector<double> scan_speeds() {
  std::vector<double> speeds;
  for (double s = kOldestAlone; s <= kNewestAlone; s += kScanStep) speeds.push_back(s);
  return speeds;
}

/// The largest of some scores, and what its chance would be were there no effect.
struct ScanPeak {
  double speed = 0, root = 0, chance = 1;
};

ScanPeak peak_of(const std::vector<double>& speeds, const std::vector<double>& roots) {
  ScanPeak peak;
  double variation = 0;
  for (std::size_t j = 0; j < roots.size(); ++j) {
    if (std::abs(roots[j]) > std::abs(peak.root)) peak.speed = speeds[j], peak.root = roots[j];
    if (j > 0) variation += std::abs(roots[j] - roots[j - 1]);
  }
  const double most = peak.root * peak.root;
  peak.chance =
      std::min(1.0, chi_squared_upper(most, 1) + variation * std::exp(-most / 2) / std::sqrt(2 * std::numbers::pi));
  return peak;
}

/// A term alone at each speed; of what has no times the plain mean.
ScanPeak scanned(DecayRegression& regression, const DecayFit& without, const std::vector<Held>& held, Index term) {
  const std::vector<double> speeds = regression.terms()[term].dated ? scan_speeds() : std::vector<double>{0.0};
  return peak_of(speeds, regression.score_roots(without, held, term, speeds));
}

std::vector<ScanPeak> scanned_alone(const DecayData& data, const std::vector<DecayTerm>& terms) {
  DecayRegression regression(data, terms);
  const std::vector<Held> absent(terms.size(), Held::absent);
  const DecayFit without = regression.fit(regression.start(), absent);
  std::vector<ScanPeak> peaks;
  for (Index k = 0; k < std::ssize(terms); ++k) peaks.push_back(scanned(regression, without, absent, k));
  return peaks;
}

/// The terms with the largest scores of their own for which there are enough outcomes, in the order of the variables.
std::vector<DecayTerm> affordable(const DecayData& data, std::vector<DecayTerm> terms) {
  double ended = 0;
  for (const Index outcome : data.events.outcomes) ended += static_cast<double>(outcome);
  const double rarer = std::min(ended, static_cast<double>(data.events.stays()) - ended);
  const double most = rarer / kOutcomesPerParameter;
  if (static_cast<double>(parameters_of(data, terms)) <= most) return terms;
  for (DecayTerm& term : terms) term.counted = false;  // first without how often a variable was measured
  if (static_cast<double>(parameters_of(data, terms)) <= most) return terms;
  const std::vector<ScanPeak> peaks = scanned_alone(data, terms);
  std::vector<Index> order(terms.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(peaks[a].root) > std::abs(peaks[b].root); });
  double count = static_cast<double>(data.intervals);
  std::vector<DecayTerm> kept;
  for (const Index k : order) {
    count += terms[k].dated ? 2 : 1;
    if (count > most) break;
    kept.push_back(terms[k]);
  }
  std::sort(kept.begin(), kept.end(), [](const DecayTerm& a, const DecayTerm& b) { return a.variable < b.variable; });
  return kept;
}

/// The best of two starts far apart: each speed where its own score is largest, and plain means.
DecayFit joint_fit(const DecayData& data, const std::vector<DecayTerm>& terms) {
  DecayRegression regression(data, terms);
  const std::vector<Held> nothing(terms.size(), Held::nothing);
  DecayModel near = regression.start();
  const std::vector<ScanPeak> peaks = scanned_alone(data, terms);
  for (std::size_t k = 0; k < peaks.size(); ++k) near.speeds[static_cast<Index>(k)] = peaks[k].speed;
  const DecayFit first = regression.fit(near, nothing), second = regression.fit(regression.start(), nothing);
  return first.loss <= second.loss ? first : second;
}

DecayModel on_line(const DecayModel& a, const DecayModel& b, double share) {
  const auto between = [share](const Eigen::VectorXd& x, const Eigen::VectorXd& y) -> Eigen::VectorXd {
    return (x + share * (y - x)).eval();
  };
  return {between(a.intercepts, b.intercepts), between(a.effects, b.effects), between(a.counts, b.counts),
          between(a.speeds, b.speeds).cwiseMax(kOldestAlone).cwiseMin(kNewestAlone)};
}

/// The profile of a term's speed.
class Profile {
 public:
  /// held: speeds that stay where they are.
  Profile(DecayRegression regression, const DecayFit& best, std::vector<Held> held, Index term, double level)
      : regression_(std::move(regression)), best_(best), term_(term), held_(std::move(held)) {
    const double factor = regression_.overdispersion(best, held_, term);
    wanted_ = normal_quantile((1 + level) / 2) * std::sqrt(factor);
    held_[term] = Held::speed;
  }

  /// A speed of the profile: root = sqrt(2 (loss - least)), all others fitted again.
  struct Point {
    double speed = 0, root = 0;
    DecayModel model;
  };
  /// Starts on the line through two points, near which the next one lies.
  Point point_at(double speed, const Point& a, const Point& b) {
    const double share = a.speed == b.speed ? 0 : (speed - a.speed) / (b.speed - a.speed);
    DecayModel start = on_line(a.model, b.model, share);
    start.speeds[term_] = speed;
    const DecayFit fit = regression_.fit(start, held_);
    if (fit.loss < lowest_.loss || lowest_.model.speeds.size() == 0) lowest_ = fit;
    return {speed, std::sqrt(2 * std::max(0.0, fit.loss - best_.loss)), fit.model};
  }

  /// One way from the maximum: where the interval ends there, whether it has an end, and whether s fits again beyond.
  struct Way {
    double end = 0;
    bool open = false, again = false;
  };
  Way way(double direction) {
    const double from = best_.model.speeds[term_], limit = direction > 0 ? kNewestAlone : kOldestAlone;
    Point before{from, 0, best_.model}, last = before, inside = before;
    Way found{limit, true, false};
    while (last.speed != limit) {
      const double s = last.speed + direction * kWalkStep;
      Point next = point_at(direction > 0 ? std::min(limit, s) : std::max(limit, s), before, last);
      before = std::exchange(last, std::move(next));
      if (last.root <= wanted_) {
        found.again = found.again || !found.open;
        inside = last;
      } else if (found.open) {
        found = {end_between(inside, last), false, false};
      }
      if (last.root * last.root > kFarOut * wanted_ * wanted_ / 2.7) break;
    }
    return found;
  }
  const DecayFit& lowest() const { return lowest_; }

 private:
  /// Between a speed that fits and one that does not, by secants of the root and halves in turn.
  double end_between(Point inside, Point outside) {
    for (bool halve = false; std::abs(outside.speed - inside.speed) > kEndTolerance; halve = !halve) {
      double share = halve ? 0.5 : (wanted_ - inside.root) / (outside.root - inside.root);
      share = std::clamp(share, 0.05, 0.95);
      Point there = point_at(inside.speed + share * (outside.speed - inside.speed), inside, outside);
      (there.root <= wanted_ ? inside : outside) = std::move(there);
    }
    return (inside.speed + outside.speed) / 2;
  }

  DecayRegression regression_;
  const DecayFit& best_;
  Index term_;
  std::vector<Held> held_;
  double wanted_ = 0;
  DecayFit lowest_;
};

/// From the ends in s to a claim about the half-life.
ProfiledHalfLife claimed(double speed, const Profile::Way& older, const Profile::Way& newer, double window,
                         double discovery) {
  ProfiledHalfLife found{HalfLifeClaim::learned, kNan, kNan, kNan, discovery};
  const bool no_high = older.open || older.end <= 0, no_low = newer.open;
  if (older.again || newer.again)
    found.claim = HalfLifeClaim::several;
  else if (!newer.open && newer.end <= 0)
    found.claim = HalfLifeClaim::older_count;
  else if (no_high && no_low)
    found.claim = HalfLifeClaim::any_fits;
  if (found.claim != HalfLifeClaim::learned) return found;
  found.likely = half_life_of(speed, window);
  found.low = no_low ? 0 : half_life_of(newer.end, window);
  found.high = no_high ? std::numeric_limits<double>::infinity() : half_life_of(older.end, window);
  return found;
}

/// False discovery rates of the terms, each absent in turn; left_out: terms that were not examined, with chance 1.
std::vector<double> discoveries(const DecayRegression& regression, const DecayFit& best, std::size_t left_out) {
  const auto count = std::ssize(regression.terms());
  std::vector<double> chances(count);
  for_each_task(count, true, [&](Index k) {
    DecayRegression own = regression;
    std::vector<Held> held(count, Held::nothing);
    held[k] = Held::absent;
    chances[k] = scanned(own, own.fit(best.model, held, kNearEnough), held, k).chance;
  });
  chances.resize(chances.size() + left_out, 1.0);
  return benjamini_hochberg(chances);
}

}  // namespace

std::vector<ProfiledHalfLife> profiled_half_lives(const DecayData& data, double level, Index smallest) {
  constexpr int kMostRounds = 2;
  require(level > 0 && level < 1, "profiled_half_lives: level = ", level, ", but must be in (0, 1).");
  std::vector<ProfiledHalfLife> found(data.events.variables, {HalfLifeClaim::undated, kNan, kNan, kNan, kNan});
  const std::vector<DecayTerm> all = decay_terms(data, smallest), terms = affordable(data, all);
  for (const DecayTerm& term : all)
    if (term.dated) found[term.variable].claim = HalfLifeClaim::too_few_cases;
  if (terms.empty()) return found;
  const DecayRegression regression(data, terms);
  DecayFit best = joint_fit(data, terms);
  const std::vector<double> rates = discoveries(regression, best, all.size() - terms.size());
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<DecayFit> lowest(terms.size(), best);
    std::vector<Held> held;  // what adds nothing has a speed that nothing bounds, and that moves nothing
    for (const double rate : rates) held.push_back(rate > kFalseClaims ? Held::speed : Held::nothing);
    held.resize(terms.size());
    for_each_task(std::ssize(terms), true, [&](Index k) {
      ProfiledHalfLife& one = found[terms[k].variable];
      if (!terms[k].dated) return;
      one = {HalfLifeClaim::adds_nothing, kNan, kNan, kNan, rates[k]};
      if (rates[k] > kFalseClaims) return;
      Profile profile(regression, best, held, k, level);
      const Profile::Way newer = profile.way(1), older = profile.way(-1);
      one = claimed(best.model.speeds[k], older, newer, data.events.window, rates[k]);
      lowest[k] = profile.lowest();
    });
    const auto least = std::min_element(lowest.begin(), lowest.end(),
                                        [](const DecayFit& a, const DecayFit& b) { return a.loss < b.loss; });
    if (least->loss > best.loss - kNewMaximum) break;
    best = DecayRegression(regression).fit(least->model, std::vector<Held>(terms.size(), Held::nothing));
  }
  return found;
}

}  // namespace fovea::ehr::decay
