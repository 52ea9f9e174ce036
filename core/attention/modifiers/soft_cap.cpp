#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/row_memory.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/attention/modifiers/parts/sharing.hpp"
#include "fovea/core/attention/modifiers/parts/widest.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

/// tanh x as above / below near 0: a convergent of Lambert's continued fraction x / (1 + x^2 / (3 + x^2 / (5 + ...))).
/// Up to |x| = 0.35 its relative error is below 1e-18 (float: 1e-11).
template <typename Real>
struct NearTangent {
  Real above, below;
  FOVEA_LOOP explicit NearTangent(Real x) {
    const Real z = x * x;
    if constexpr (sizeof(Real) == 8) {
      above = x * (135135 + z * (17325 + z * (378 + z)));
      below = 135135 + z * (62370 + z * (3150 + z * 28));
    } else {
      above = x * (945 + z * (105 + z));
      below = 945 + z * (420 + z * 15);
    }
  }
};

/// tanh x with e = exp(-2 |x|): (1 - e) / (1 + e), but near 0, where this loses digits. One division serves both.
template <typename Real>
FOVEA_LOOP inline Real hyperbolic_tangent(Real x, Real e) {
  const NearTangent<Real> quotient(x);
  const bool near = std::abs(x) < Real(0.35);
  return select(near, quotient.above, std::copysign(1 - e, x)) / select(near, quotient.below, 1 + e);
}

struct Exponents {
  template <typename Real>
  FOVEA_LOOP void operator()(const Real* scores, Real* exponents, Real inverse, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) exponents[j] = -2 * std::abs(scores[j] * inverse);
  }
};

struct Cap {
  template <typename Real>
  FOVEA_LOOP void operator()(Real* scores, const Real* e, Real cap, Real inverse, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) {
      const Real capped = cap * hyperbolic_tangent(scores[j] * inverse, e[j]);
      scores[j] = select(scores[j] == kMasked<Real>, kMasked<Real>, capped);
    }
  }
};

// ds'/ds = 1 - tanh^2 = 4 e / (1 + e)^2,  ds'/dtheta = s' - s ds'/ds; a masked score is -inf and has gradient 0.
struct CapSlopes {
  template <typename Real>
  FOVEA_LOOP void operator()(const Real* scores, Real* e, Real* change, Real cap, Real inverse, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) {
      const Real slope = 4 * e[j] / ((1 + e[j]) * (1 + e[j]));
      const Real difference = cap * hyperbolic_tangent(scores[j] * inverse, e[j]) - scores[j] * slope;
      change[j] = select(scores[j] == kMasked<Real>, Real(0), difference);
      e[j] = slope;
    }
  }
};

struct Multiply {
  template <typename Real>
  FOVEA_LOOP void operator()(Real* x, const Real* factors, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) x[j] *= factors[j];
  }
};

template <typename Real>
class SoftCap final : public ScoreModifier<Real> {
 public:
  explicit SoftCap(Sharing sharing) : sharing_(sharing) {}

  Index parameter_count(Index heads) const override { return count_of(sharing_, heads); }

  Real bound(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    const Limit limit(*this, range, theta);
    if (limit.inverse == 0 || incoming == kMasked<Real>) return incoming;
    Real highest = incoming;
    apply_row(&highest, 1, limit);
    constexpr Real kRounding = 8 * std::numeric_limits<Real>::epsilon();
    return std::min(limit.cap, highest + kRounding * std::abs(highest));
  }

  // tanh rises by at most 1, and lies between -1 and 1
  Real largest_difference(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    const Limit limit(*this, range, theta);
    return limit.inverse == 0 ? incoming : std::min(2 * limit.cap, incoming);
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    const Limit limit(*this, tile, theta);
    if (limit.inverse == 0) return;  // no cap that a number can reach
    for (Index i = 0; i < tile.query_count; ++i) apply_row(tile.row(i), tile.key_count, limit);
  }

  void backward(const ScoreTile<Real>& before, const ScoreTile<Real>& gradient, std::span<const Real> theta,
                std::span<Real> theta_gradient) const override {
    struct CapChanges;
    const Limit limit(*this, gradient, theta);
    if (limit.inverse == 0) return;
    const Index count = gradient.key_count;
    Real* changes = row_memory<CapChanges, Real>(count);
    Real sum = 0;
    for (Index i = 0; i < gradient.query_count; ++i) {
      Real* slopes = exponentials(before.row(i), count, limit);
      run_widest<CapSlopes>(static_cast<const Real*>(before.row(i)), slopes, changes, limit.cap, limit.inverse, count);
      sum += kernels<Real>().dot(gradient.row(i), changes, count);
      run_widest<Multiply>(gradient.row(i), static_cast<const Real*>(slopes), count);
    }
    theta_gradient[place_of(sharing_, gradient)] += sum;
  }

 private:
  struct Limit {
    Real cap, inverse;
    Limit(const SoftCap& of, const TileRange& range, std::span<const Real> theta)
        : cap(exponential(theta[place_of(of.sharing_, range)])),
          inverse(exponential(-theta[place_of(of.sharing_, range)])) {}
  };

  /// exp(-2 |s| / cap)
  Real* exponentials(const Real* scores, Index count, const Limit& limit) const {
    struct Memory;
    Real* e = row_memory<Memory, Real>(count);
    run_widest<Exponents>(scores, e, limit.inverse, count);
    kernels<Real>().exponentials(e, count, Real(0), e);
    return e;
  }

  void apply_row(Real* scores, Index count, const Limit& limit) const {
    const Real* e = exponentials(scores, count, limit);
    run_widest<Cap>(scores, e, limit.cap, limit.inverse, count);
  }

  Sharing sharing_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> soft_cap(Sharing sharing) {
  return std::make_shared<SoftCap<Real>>(sharing);
}
template std::shared_ptr<const ScoreModifier<float>> soft_cap(Sharing);
template std::shared_ptr<const ScoreModifier<double>> soft_cap(Sharing);

template <typename Real>
ModifierEntry<Real> soft_cap_entry() {
  return {"soft_cap",
          "cap tanh(s / cap)",
          "theta = log cap, one for all heads or one each",
          "Gemma Team 2024",
          [](const ExampleProblem&) { return soft_cap<Real>(Sharing::per_head); },
          [](const ExampleProblem& problem) { return per_head<Real>(problem, Real(-0.3), Real(0.4)); },
          {"the size of a score stays below a cap; small scores hardly change",
           {positive_setting("cap", 50, "", "initial cap"), per_head_setting(false), spread_setting("cap", 1)},
           [](const ModifierValues& values, ModifierRows<Real>) { return soft_cap<Real>(values.sharing()); },
           ModifierAsks::nothing,
           [](const ModifierValues& values) { return log_starts<Real>(values, "cap", {"cap"}); }}};
}
FOVEA_MODIFIER_ENTRY(soft_cap)

}  // namespace fovea
