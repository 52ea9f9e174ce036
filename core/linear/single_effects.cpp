#include "fovea/core/linear/single_effects.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {

namespace {

constexpr double kFirstVariance = 0.2;   // of an effect, in units of the target's: where learning starts
constexpr double kLeastVariance = 1e-3;  // a head that was off tries again from here
constexpr double kNegligible = 1e-4;     // a coefficient below this share of the head's largest is not carried over
constexpr int kVarianceSteps = 3;

class Ascent {
 public:
  Ascent(const ProductRows& products, const Vector<double>& with_target, const Vector<double>& log_prior, Index rows,
         const SingleEffectSettings& settings)
      : products_(products),
        with_target_(with_target),
        log_prior_(log_prior),
        rows_(static_cast<double>(rows)),
        heads_(std::min(settings.heads, with_target.size())),
        forecast_(Vector<double>::Zero(with_target.size())),
        parts_(Matrix<double>::Zero(heads_, with_target.size())),
        variances_(heads_, kFirstVariance),
        squares_(heads_, 0.0) {
    const Vector<double> prior = log_prior.unaryExpr([](double l) { return exponential(l); });
    found_.weights = prior.transpose().replicate(heads_, 1);
    found_.effects = Matrix<double>::Zero(heads_, with_target.size());
    found_.evidence.assign(heads_, 0.0);
  }

  SingleEffects run(const SingleEffectSettings& settings) {
    for (int sweep = 0; sweep < settings.sweeps; ++sweep) {
      double change = 0;
      for (Index head = 0; head < heads_; ++head) {
        const bool was_on = found_.on(head);
        change = std::max(change, renew(head));
        if (!found_.on(head) && !was_on) break;  // those behind it would see what it saw
      }
      renew_residual();
      if (change < settings.tolerance && sweep > 1) break;
    }
    return std::move(found_);
  }

 private:
  /// The weights and effect of one head given what the others leave; the largest change of a coefficient.
  double renew(Index head) {
    const std::size_t h = head;
    const Vector<double> before = found_.weights.row(head).cwiseProduct(found_.effects.row(head)).transpose();
    const Vector<double> slope = (with_target_ - forecast_ + parts_.row(head).transpose()) / rows_;
    const double noise = found_.residual_variance / rows_;
    double variance = std::max(variances_[h] > 0 ? variances_[h] : kFirstVariance, kLeastVariance);
    double evidence = 0, shrink = 0;
    Vector<double> weight(slope.size());
    for (int step = 0; step < kVarianceSteps; ++step) {
      shrink = variance / (variance + noise);
      evidence = attend(slope, noise, shrink, weight);
      variance = shrink * noise + shrink * shrink * weight.dot(slope.cwiseAbs2());
    }
    if (evidence > 0) {
      set(head, evidence, variance, weight, shrink * slope);
      squares_[h] = shrink * noise + shrink * shrink * weight.dot(slope.cwiseAbs2());
    } else if (found_.on(head)) {
      const Vector<double> prior = log_prior_.unaryExpr([](double l) { return exponential(l); });
      set(head, 0, 0, prior, Vector<double>::Zero(slope.size()));
      squares_[h] = 0;
    }
    return (found_.weights.row(head).cwiseProduct(found_.effects.row(head)).transpose() - before).cwiseAbs().maxCoeff();
  }

  /// softmax of the scores; the log of their sum.
  double attend(const Vector<double>& slope, double noise, double shrink, Vector<double>& weight) const {
    weight = log_prior_ + (0.5 * shrink / noise) * slope.cwiseAbs2();
    const double highest = weight.maxCoeff();
    const double sum = kernels<double>().exponentials(weight.data(), weight.size(), highest, weight.data());
    weight /= sum;
    return highest + logarithm(sum) + 0.5 * logarithm(std::max(1 - shrink, 1e-300));
  }

  void set(Index head, double evidence, double variance, const Vector<double>& weight, const Vector<double>& effect) {
    const std::size_t h = head;
    found_.evidence[h] = evidence;
    variances_[h] = variance;
    found_.weights.row(head) = weight.transpose();
    found_.effects.row(head) = effect.transpose();
    Vector<double> coefficient = weight.cwiseProduct(effect);
    const double least = kNegligible * coefficient.cwiseAbs().maxCoeff();
    coefficient = (coefficient.array().abs() > least).select(coefficient, 0.0);
    forecast_ -= parts_.row(head).transpose();
    parts_.row(head) = products_.combined(coefficient).transpose();
    forecast_ += parts_.row(head).transpose();
  }

  /// The expected square of what the heads leave, a row.
  void renew_residual() {
    const Vector<double> all = found_.coefficients();
    double sum = rows_ - 2 * all.dot(with_target_) + all.dot(forecast_);
    for (Index head = 0; head < heads_; ++head) {
      if (!found_.on(head)) continue;
      const double own = found_.weights.row(head).cwiseProduct(found_.effects.row(head)).dot(parts_.row(head));
      sum += rows_ * squares_[head] - own;
    }
    found_.residual_variance = std::clamp(sum / rows_, 1e-6, 1.0);
  }

  const ProductRows& products_;
  const Vector<double>&with_target_, &log_prior_;
  double rows_;
  Index heads_;
  SingleEffects found_;
  Vector<double> forecast_;  ///< product of each key with the sum of the heads
  Matrix<double> parts_;     ///< the same of each head
  std::vector<double> variances_, squares_;
};

}  // namespace

Vector<double> SingleEffects::coefficients() const { return weights.cwiseProduct(effects).colwise().sum().transpose(); }

SingleEffects single_effects(const ProductRows& products, const Vector<double>& with_target,
                             const Vector<double>& log_prior, Index rows, const SingleEffectSettings& settings) {
  require(products.size() == with_target.size() && with_target.size() == log_prior.size() && with_target.size() > 0,
          "single_effects: products are ", products.size(), " x ", products.size(), " for ", with_target.size(),
          " keys with a target and ", log_prior.size(), " with a prior; they must be as many.");
  require(rows >= 3, "single_effects: there are ", rows, " rows, but must be at least 3.");
  require(settings.heads >= 1 && settings.sweeps >= 1, "single_effects: heads = ", settings.heads,
          ", sweeps = ", settings.sweeps, ", but both must be >= 1.");
  return Ascent(products, with_target, log_prior, rows, settings).run(settings);
}

}  // namespace fovea
