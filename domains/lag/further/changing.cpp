#include "fovea/domains/lag/further/changing.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/core/statistics/median.hpp"

namespace fovea::lag::further {

namespace {

// Rows over which products may be correlated (Newey & West 1987): theory.md, Further effects, second guard.
constexpr Index kReach = 8;
// Tests: with fewer the median may be that of true effects.
constexpr Index kFewestForMedian = 20;
// P-value of a change within the step that makes one suspicious: it comes from a common course.
constexpr double kCommonCourse = 0.001;
// Of the usual square: a window without any event says nothing, and must not divide by nearly 0.
constexpr double kQuietest = 0.1;
// Share of the fit by windows that one change explains.
constexpr double kOneChange = 0.7;

double windows_at(std::size_t scale) { return std::pow(2.0, static_cast<double>(scale + 1)); }

/// The median of chi squared (Wilson & Hilferty 1931).
double median_chi_squared(double degrees) { return degrees * std::pow(1 - 2 / (9 * degrees), 3); }

/// The Q above which scales * kSignBound * P(chi squared >= Q) is at most the level.
double quantile_of(double level, double degrees, std::size_t scales) {
  double low = 0, high = 1000;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    const bool beyond = static_cast<double>(scales) * kSignBound * chi_squared_upper(middle, degrees) <= level;
    (beyond ? high : low) = middle;
  }
  return high;
}

/// The row before which and from which on two coefficients fit best, and what they explain beyond one.
struct OneChange {
  Index row = 0;
  double explained = 0, before = 0, after = 0;
};

OneChange best_change(const Vector<double>& cause, const Vector<double>& effect) {
  const double all = cause.dot(effect), power = cause.squaredNorm();
  OneChange best;
  double s = 0, u = 0;
  for (Index t = 0; t + kFewestRows < cause.size(); ++t) {
    s += cause[t] * effect[t], u += cause[t] * cause[t];
    if (t + 1 < kFewestRows || u <= 0 || power - u <= 0) continue;
    const double explained = s * s / u + (all - s) * (all - s) / (power - u) - all * all / power;
    if (explained > best.explained) best = {t + 1, explained, s / u, (all - s) / (power - u)};
  }
  return best;
}

}  // namespace

ChangingEffects::ChangingEffects(const Panel& panel, Matrix<double>& left, const FurtherSettings& settings)
    : panel_(panel), left_(left), settings_(settings), powers_(left.rows()) {
  for (Index j = 0; j < left.rows(); ++j) measure(j);
  while (static_cast<Index>(windows_at(scales_)) <= panel.windows()) ++scales_;
  for (std::size_t s = 0; s < scales_; ++s) least_[s] = quantile_of(settings.level, windows_at(s) - 1, scales_);
  common_.fill(1);
}

/// What is left of the effect changes with each link that is taken out of it.
void ChangingEffects::measure(Index effect) {
  for (std::size_t w = 0; w + 1 < panel_.starts.size(); ++w)
    powers_[effect][w] =
        left_.row(effect).segment(panel_.starts[w], panel_.starts[w + 1] - panel_.starts[w]).squaredNorm();
}

/// First guard of theory.md: a sum of squares is at least what independent factors of these sizes give.
LaggedSums ChangingEffects::guarded(LaggedSums sums, Index effect) const {
  const ByWindow& powers = powers_[effect];
  const auto total = [](const ByWindow& x) { return std::accumulate(x.begin(), x.end(), 0.0); };
  const auto steps = static_cast<double>(panel_.steps());
  const double usual = kQuietest * total(sums.powers) * total(powers) / (steps * steps);
  for (std::size_t w = 0; w + 1 < panel_.starts.size(); ++w) {
    const auto rows = static_cast<double>(panel_.starts[w + 1] - panel_.starts[w]);
    sums.squares[w] = std::max({sums.squares[w], sums.powers[w] * powers[w] / rows, usual * rows});
  }
  return sums;
}

LaggedSums ChangingEffects::sums_of(Index cause, Index lag, Index effect) const {
  return guarded(panel_.lagged_sums(panel_.innovations, cause, {lag}, left_, {effect}).front(), effect);
}

/// Cochran's Q at each scale: the windows' own coefficients about the one that serves all of them.
ChangingEffects::Statistics ChangingEffects::statistics(const LaggedSums& sums) const {
  Statistics q{};
  for (std::size_t s = 0; s < scales_; ++s) {
    const auto windows = static_cast<std::size_t>(windows_at(s));
    const std::size_t together = static_cast<std::size_t>(panel_.windows()) / windows;
    double all = 0, mixed = 0, powers = 0;
    for (std::size_t b = 0; b < windows; ++b) {
      double product = 0, square = 0, power = 0;
      for (std::size_t w = b * together; w < (b + 1) * together; ++w)
        product += sums.products[w], square += sums.squares[w], power += sums.powers[w];
      if (!(square > 0)) continue;
      all += product * product / square;
      mixed += product * power / square;
      powers += power * power / square;
    }
    q[s] = powers > 0 ? std::max(all - mixed * mixed / powers, 0.0) : 0;
  }
  return q;
}

/// The least of the scales, for all of them: Bonferroni, with Pinelis's factor.
double ChangingEffects::p_of(const Statistics& q) const {
  double p = 1;
  for (std::size_t s = 0; s < scales_; ++s)
    p = std::min(p, static_cast<double>(scales_) * kSignBound * chi_squared_upper(q[s], windows_at(s) - 1));
  return p;
}

/// Second guard of theory.md: lowered by products that are correlated over time, by the median over all tests, and by
/// what the pair has within the step.
ChangingEffects::Statistics ChangingEffects::corrected(const methods::Link& link) const {
  Statistics q = statistics(sums_of(link.cause, link.lag, link.effect));
  Vector<double> products = panel_.before(panel_.innovations, link.cause, link.lag);
  products.array() *= left_.row(link.effect).transpose().array();
  centre_in_windows(products, panel_.starts);
  const double inflation = variance_inflation(products, kReach);
  const Statistics within = statistics(sums_of(link.cause, 0, link.effect));
  for (std::size_t s = 0; s < scales_; ++s) {
    const double degrees = windows_at(s) - 1;
    const bool shared = chi_squared_upper(within[s], degrees) < kCommonCourse;
    q[s] /= common_[s] * inflation * (shared ? std::max(within[s] / degrees, 1.0) : 1);
  }
  return q;
}

/// The root of the mean squared correlation in the windows, less 1 / rows each, which chance gives.
double ChangingEffects::strength(const methods::Link& link) const {
  const LaggedSums by_window = sums_of(link.cause, link.lag, link.effect);
  const ByWindow& powers = powers_[link.effect];
  double squares = 0;
  for (std::size_t w = 0; w + 1 < panel_.starts.size(); ++w) {
    const auto rows = static_cast<double>(panel_.starts[w + 1] - panel_.starts[w]);
    const double product = by_window.products[w];
    const double power = by_window.powers[w] * powers[w];
    if (power > 0) squares += rows * product * product / power - 1;
  }
  return std::sqrt(std::clamp(squares / static_cast<double>(panel_.steps()), 0.0, 1.0));
}

/// First the plain statistics of all, whose median is needed; then the guards for those that may still pass.
Family ChangingEffects::family() {
  std::set<std::tuple<Index, Index, Index>> known;
  for (const methods::Link& link : settings_.known) known.emplace(link.cause, link.effect, link.lag);
  struct Found {
    std::vector<methods::Link> links;
    std::array<std::vector<double>, kMostScales> q;
  };
  std::vector<Found> parts(panel_.series());
  for_each_task(panel_.series(), true, [&](Index i) {
    Found& part = parts[i];
    const std::vector<LaggedSums> sums =
        panel_.lagged_sums(panel_.innovations, i, settings_.lags, left_, settings_.targets);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const Index j = settings_.targets[k % settings_.targets.size()];
      const Index lag = settings_.lags[k / settings_.targets.size()];
      if (i == j || known.contains({i, j, lag})) continue;
      const Statistics q = statistics(guarded(sums[k], j));
      bool beyond = false;
      for (std::size_t s = 0; s < scales_; ++s) {
        part.q[s].push_back(q[s]);
        beyond = beyond || q[s] >= least_[s];
      }
      if (beyond) part.links.push_back({.cause = i, .effect = j, .lag = lag, .kind = methods::EffectKind::changing});
    }
  });
  Family family;
  for (std::size_t s = 0; s < scales_; ++s) {
    std::vector<double> all;
    for (const Found& part : parts) all.insert(all.end(), part.q[s].begin(), part.q[s].end());
    family.tested = std::ssize(all);
    if (family.tested >= kFewestForMedian)
      common_[s] = std::max(1.0, upper_median(std::move(all)) / median_chi_squared(windows_at(s) - 1));
  }
  for (Found& part : parts)
    for (methods::Link& link : part.links) {
      const Statistics q = corrected(link);
      link.p_value = p_of(q);
      link.statistic = *std::max_element(q.begin(), q.end());
      link.strength = strength(link);
      if (link.p_value <= settings_.level) family.candidates.push_back(link);
    }
  return family;
}

double ChangingEffects::p_value(const methods::Link& link) const { return p_of(corrected(link)); }

/// The cause's innovations, and its values: a cause with memory echoes at other lags.
void ChangingEffects::remove(const methods::Link& link) {
  Eigen::Matrix<double, Eigen::Dynamic, 2> x(panel_.steps(), 2);
  x.col(0) = panel_.before(panel_.innovations, link.cause, link.lag);
  x.col(1) = panel_.before(panel_.values, link.cause, link.lag);
  for (std::size_t w = 0; w + 1 < panel_.starts.size(); ++w) {
    const Index first = panel_.starts[w], rows = panel_.starts[w + 1] - first;
    const auto causes = x.middleRows(first, rows);
    auto effect = left_.row(link.effect).segment(first, rows);
    const Vector<double> y = effect.transpose();
    const Eigen::Matrix2d products = causes.transpose() * causes;
    const Eigen::Vector2d coefficients = products.ldlt().solve(causes.transpose() * y);
    if (coefficients.allFinite()) effect -= (causes * coefficients).transpose();
  }
  measure(link.effect);
}

std::string ChangingEffects::course(const methods::Link& link) const {
  const OneChange change =
      best_change(panel_.before(panel_.innovations, link.cause, link.lag), left_.row(link.effect).transpose());
  const LaggedSums by_window = sums_of(link.cause, link.lag, link.effect);
  double explained = 0, product = 0, power = 0;
  bool up = false, down = false;
  for (std::size_t w = 0; w < static_cast<std::size_t>(panel_.windows()); ++w) {
    if (!(by_window.powers[w] > 0)) continue;
    explained += by_window.products[w] * by_window.products[w] / by_window.powers[w];
    product += by_window.products[w], power += by_window.powers[w];
    const double t = by_window.products[w] / std::sqrt(by_window.squares[w]);
    up = up || t > 1, down = down || t < -1;
  }
  if (change.explained >= kOneChange * (explained - product * product / power)) {
    const bool sign = change.before * change.after < 0;
    return concat("changes its ", sign ? "sign" : "size", " about row ", change.row + 1,
                  sign ? (change.after > 0 ? ", from negative to positive" : ", from positive to negative") : "");
  }
  return up && down ? "changes its sign more than once" : "changes its size more than once";
}

}  // namespace fovea::lag::further
