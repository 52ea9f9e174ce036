#include "fovea/domains/opinion/fit/search.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <Eigen/Cholesky>

#include "fovea/core/base/error.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"

namespace fovea::opinion::fit {

namespace {

constexpr double kEnough = 1e-4;       // of log likelihood: the deviance is asked for to a few 1e-2
constexpr double kLongestStep = 1.0;   // in a logarithm or a logit: beyond, the information is that of another place
constexpr Index kFirstLook = 8;        // iterations of each search, before the best are followed to their ends:
constexpr std::size_t kFollowed = 3;   // where camps form, which hill is the highest shows late
constexpr double kStuck = 1e6;         // damping at which no step uphill is left
constexpr double kCloseEnough = 0.01;  // of the root of the deviance, at an end of an interval

class Scoring {
 public:
  Scoring(const FitSettings& settings, std::span<const MeasuredPeriod> periods)
      : settings_(settings), periods_(periods) {
    require(static_cast<Index>(settings.bounds.size()) == settings.model.parameters(), "fit: there are ",
            settings.bounds.size(), " bounds, but ", settings.model.parameters(), " parameters.");
    for (std::size_t p = 0; p < settings.bounds.size(); ++p)
      if (settings.bounds[p].free) free_.push_back(static_cast<Index>(p));
  }

  FittedModel from(std::vector<double> theta, Index iterations) const {
    for (const Index p : free_) theta[at(p)] = bounded(p, theta[at(p)]);
    FittedModel best;
    best.theta = std::move(theta);
    FitLikelihood here = fit_likelihood(settings_.model, best.theta, periods_);
    double damping = 1e-3;
    for (Index k = 0; k < iterations && !best.converged; ++k) {
      const std::vector<double> next = stepped(best.theta, here, damping);
      best.converged = promised(best.theta, next, here) < kEnough && (damping <= 1 || damping >= kStuck);
      FitLikelihood there = fit_likelihood(settings_.model, next, periods_);
      if (there.value >= here.value) {
        best.theta = next;
        here = std::move(there);
        damping = std::max(1e-6, damping / 8);
      } else {
        damping = std::min(kStuck, 4 * damping);
      }
    }
    best.log_likelihood = here.value;
    best.covariance = covariance(here);
    return best;
  }

 private:
  static std::size_t at(Index p) { return p; }

  double bounded(Index p, double value) const {
    return std::clamp(value, settings_.bounds[at(p)].low, settings_.bounds[at(p)].high);
  }

  /// Of the free parameters that a step uphill does not press against their bound.
  std::vector<Index> movable(const std::vector<double>& theta, const FitLikelihood& here) const {
    std::vector<Index> places;
    for (const Index p : free_) {
      const bool stuck = (theta[at(p)] >= settings_.bounds[at(p)].high && here.gradient[p] > 0) ||
                         (theta[at(p)] <= settings_.bounds[at(p)].low && here.gradient[p] < 0);
      if (!stuck) places.push_back(p);
    }
    return places;
  }

  std::vector<double> stepped(const std::vector<double>& theta, const FitLikelihood& here, double damping) const {
    const std::vector<Index> places = movable(theta, here);
    std::vector<double> next = theta;
    if (places.empty()) return next;
    Matrix<double> information = here.information(places, places);
    information.diagonal() *= 1 + damping;
    information.diagonal().array() += 1e-9 * (1 + information.diagonal().maxCoeff());
    Vector<double> step = information.ldlt().solve(here.gradient(places));
    step *= std::min(1.0, kLongestStep / (1e-300 + step.cwiseAbs().maxCoeff()));
    for (std::size_t k = 0; k < places.size(); ++k)
      next[at(places[k])] = bounded(places[k], theta[at(places[k])] + step[static_cast<Index>(k)]);
    return next;
  }

  static double promised(const std::vector<double>& theta, const std::vector<double>& next, const FitLikelihood& here) {
    double gain = 0;
    for (std::size_t p = 0; p < theta.size(); ++p) gain += here.gradient[static_cast<Index>(p)] * (next[p] - theta[p]);
    return gain;
  }

  Matrix<double> covariance(const FitLikelihood& here) const {
    Matrix<double> all = Matrix<double>::Zero(settings_.model.parameters(), settings_.model.parameters());
    if (free_.empty()) return all;
    Matrix<double> information = here.information(free_, free_);
    information.diagonal().array() += 1e-9 * (1 + information.diagonal().maxCoeff());
    const auto count = static_cast<Index>(free_.size());
    all(free_, free_) = Matrix<double>(information.ldlt().solve(Matrix<double>::Identity(count, count)));
    return all;
  }

  const FitSettings& settings_;
  std::span<const MeasuredPeriod> periods_;
  std::vector<Index> free_;
};

/// One end of a profile interval; side = +1 or -1.
class ProfileEnd {
 public:
  ProfileEnd(const FitSettings& settings, std::span<const MeasuredPeriod> periods, FittedModel& fitted, Index place,
             double z)
      : settings_(settings), periods_(periods), fitted_(fitted), place_(place), z_(z) {}

  struct End {
    double at = 0;
    bool open = false;
  };

  End find(double side) {
    const std::size_t p = place_;
    const double centre = fitted_.theta[p];
    const double bound = side > 0 ? settings_.bounds[p].high : settings_.bounds[p].low;
    const double sd = std::sqrt(std::max(1e-12, fitted_.covariance(place_, place_)));
    double inside = 0, inside_root = 0, outside = std::abs(bound - centre), outside_root = -1;
    double distance = std::min(outside, std::min(2.0, z_ * sd));
    std::vector<double> inside_theta = fitted_.theta, outside_theta;
    for (int k = 0; k < kTrials; ++k) {
      std::vector<double> theta = inside_theta;
      double root = root_deviance(centre + side * distance, theta);
      // From far outside the others may climb another hill than from inside; only the higher one is the profile.
      if (root >= z_ && !outside_theta.empty()) {
        std::vector<double> other = outside_theta;
        const double again = root_deviance(centre + side * distance, other);
        if (again < root) std::tie(root, theta) = std::pair(again, std::move(other));
      }
      if (std::abs(root - z_) < kCloseEnough) return {centre + side * distance, false};
      if (root < z_) {
        if (distance >= outside && outside_root < 0) return {bound, true};
        inside = distance;
        inside_root = root;
        inside_theta = std::move(theta);
      } else {
        outside = distance;
        outside_root = root;
        outside_theta = std::move(theta);
      }
      distance = next(inside, inside_root, outside, outside_root);
    }
    return {centre + side * distance, false};
  }

 private:
  static constexpr int kTrials = 14;

  /// The root of the deviance is nearly straight in the distance. Stays inside the bracket.
  double next(double inside, double inside_root, double outside, double outside_root) const {
    if (outside_root < 0) {
      const double grown = inside_root > 0.1 * z_ ? inside * z_ / inside_root : 4 * inside;
      return std::min(outside, std::clamp(grown, 1.1 * inside, 4 * inside));
    }
    const double linear = inside + (outside - inside) * (z_ - inside_root) / (outside_root - inside_root);
    const double edge = 0.05 * (outside - inside);
    return std::clamp(linear, inside + edge, outside - edge);
  }

  double root_deviance(double value, std::vector<double>& theta) {
    const Index held[] = {place_};
    theta[place_] = value;
    const FittedModel profile = maximise_others(settings_, periods_, theta, held);
    theta = profile.theta;
    const double deviance = 2 * (fitted_.log_likelihood - profile.log_likelihood);
    if (profile.log_likelihood > fitted_.log_likelihood) {
      fitted_.theta = profile.theta;
      fitted_.log_likelihood = profile.log_likelihood;
    }
    return std::sqrt(std::max(0.0, deviance));
  }

  const FitSettings& settings_;
  std::span<const MeasuredPeriod> periods_;
  FittedModel& fitted_;
  Index place_;
  double z_;
};

}  // namespace

FittedModel maximise_likelihood(const FitSettings& settings, std::span<const MeasuredPeriod> periods,
                                std::span<const std::vector<double>> starts) {
  require(!starts.empty(), "maximise_likelihood: there is no start.");
  const Scoring scoring(settings, periods);
  if (starts.size() == 1) return scoring.from(starts[0], settings.iterations);
  std::vector<FittedModel> found;
  for (const std::vector<double>& start : starts) found.push_back(scoring.from(start, kFirstLook));
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.log_likelihood > b.log_likelihood; });
  FittedModel best;
  for (std::size_t k = 0; k < std::min(found.size(), kFollowed); ++k) {
    FittedModel end = found[k].converged ? found[k] : scoring.from(found[k].theta, settings.iterations);
    if (k == 0 || end.log_likelihood > best.log_likelihood) best = std::move(end);
  }
  return best;
}

FittedModel maximise_others(FitSettings settings, std::span<const MeasuredPeriod> periods, std::vector<double> theta,
                            std::span<const Index> held) {
  for (const Index place : held) settings.bounds[place].free = false;
  return Scoring(settings, periods).from(std::move(theta), settings.iterations);
}

ProfileInterval profile_interval(const FitSettings& settings, std::span<const MeasuredPeriod> periods,
                                 FittedModel& fitted, Index place, double level, double widening) {
  const double z = widening * normal_quantile(0.5 + level / 2);
  constexpr int kRestarts = 3;
  ProfileInterval interval;
  for (int k = 0; k < kRestarts; ++k) {
    const double before = fitted.log_likelihood;
    ProfileEnd ends(settings, periods, fitted, place, z);
    const auto low = ends.find(-1), high = ends.find(1);
    interval = {low.at, high.at, low.open, high.open};
    if (fitted.log_likelihood < before + kEnough) break;
    const std::vector<double> again[] = {fitted.theta};
    fitted = maximise_likelihood(settings, periods, again);
  }
  return interval;
}

}  // namespace fovea::opinion::fit
