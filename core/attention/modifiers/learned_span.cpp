#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/positions.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/attention/modifiers/parts/sharing.hpp"
#include "fovea/core/attention/modifiers/parts/widest.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

/// What is left of a weight on the ramp, (ramp + span - |i - j|) / ramp, at most 1 and, so that it has a logarithm,
/// more than 0: what would not be is masked by LeaveOut.
struct Shares {
  template <typename Real>
  FOVEA_LOOP void operator()(const Real* steps, Real step, Real end, Real ramp, Real* shares, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) {
      const Real left = (end - std::abs(step - steps[j])) / ramp;
      const Real share = select(left < 1, left, Real(1));
      shares[j] = select(share > 0, share, Real(1));
    }
  }
};

struct LeaveOut {
  template <typename Real>
  FOVEA_LOOP void operator()(Real* scores, const Real* steps, Real step, Real end, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) scores[j] = select(std::abs(step - steps[j]) < end, scores[j], kMasked<Real>);
  }
};

struct MaskAll {
  template <typename Real>
  FOVEA_LOOP void operator()(Real* scores, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) scores[j] = kMasked<Real>;
  }
};

// dlog(share) / dspan = 1 / (ramp share) on the ramp, 0 beside it
struct Changes {
  template <typename Real>
  FOVEA_LOOP void operator()(Real* shares, Real ramp, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) {
      const Real change = 1 / (ramp * shares[j]);
      shares[j] = select(shares[j] < 1, change, Real(0));
    }
  }
};

template <typename Real>
class LearnedSpan final : public ScoreModifier<Real> {
 public:
  LearnedSpan(Real ramp, Real longest, Sharing sharing) : ramp_(ramp), longest_(longest), sharing_(sharing) {
    require(ramp > 0 && ramp <= kMost, "learned_span: ramp = ", ramp, ", but must be > 0 and at most ", kMost,
            "; over that many positions a weight falls to 0.");
    require(longest >= 0 && longest <= kMost, "learned_span: longest = ", longest, ", but must be from 0 to ", kMost,
            "; it is the largest span of a head.");
  }

  Index parameter_count(Index heads) const override { return count_of(sharing_, heads); }
  bool reads_scores() const override { return false; }

  KeySpan visible(const TileRange& range) const override {
    const Index reach = static_cast<Index>(std::ceil(longest_ + ramp_));
    const Index first = query_step(range, 0) - reach, last = query_step(range, range.query_count - 1) + reach;
    return {std::clamp(first, Index(0), range.key_count), std::clamp(last + 1, Index(0), range.key_count)};
  }

  Real bound(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    const Real distance = static_cast<Real>(least_distance(range)), end = span(range, theta) + ramp_;
    if (!(distance < end)) return kMasked<Real>;
    constexpr Real kRounding = 8 * std::numeric_limits<Real>::epsilon();
    return incoming + kRounding + logarithm(std::min(Real(1), (end - distance) / ramp_)) * (1 - kRounding);
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    const Real reach = span(tile, theta);
    const Real* steps = key_steps<Real>(tile);
    for (Index i = 0; i < tile.query_count; ++i)
      for_each_ramp(tile, i, reach, [&](Index first, Index count) {
        const Real step = static_cast<Real>(query_step(tile, i));
        Real* shares = row_shares(steps + first, step, reach, count);
        kernels<Real>().logarithms(shares, count);
        kernels<Real>().add_scaled(tile.row(i) + first, shares, Real(1), count);
        run_widest<LeaveOut>(tile.row(i) + first, steps + first, step, reach + ramp_, count);
      });
    if (!tile.key_list) mask_beyond(tile, static_cast<Index>(std::ceil(reach + ramp_)));
  }

  // ds'/ds = 1,  ds'/dtheta = span / (ramp + span - |i - j|) on the ramp
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>& gradient, std::span<const Real> theta,
                std::span<Real> theta_gradient) const override {
    const Real reach = span(gradient, theta);
    if (reach == longest_) return;  // theta has passed the limit, where it changes nothing
    const Real* steps = key_steps<Real>(gradient);
    Real sum = 0;
    for (Index i = 0; i < gradient.query_count; ++i)
      for_each_ramp(gradient, i, reach, [&](Index first, Index count) {
        const Real step = static_cast<Real>(query_step(gradient, i));
        Real* shares = row_shares(steps + first, step, reach, count);
        run_widest<Changes>(shares, ramp_, count);
        sum += kernels<Real>().dot(gradient.row(i) + first, shares, count);
      });
    theta_gradient[place_of(sharing_, gradient)] += reach * sum;
  }

 private:
  static constexpr Real kMost = Real(0x1p40);  // so that positions can be counted in whole numbers

  /// The keys of a row with |i - j| <= reach.
  struct Row {
    Index begin, end;
    Row(const TileRange& tile, Index step, Index reach)
        : begin(std::clamp(step - reach, Index(0), tile.key_count)),
          end(std::clamp(step + reach + 1, begin, tile.key_count)) {}
  };

  Real span(const TileRange& range, std::span<const Real> theta) const {
    return std::min(exponential(theta[place_of(sharing_, range)]), longest_);
  }

  static void mask_beyond(const ScoreTile<Real>& tile, Index reach) {
    for (Index i = 0; i < tile.query_count; ++i) {
      const Row seen(tile, query_step(tile, i), reach);
      run_widest<MaskAll>(tile.row(i), seen.begin);
      run_widest<MaskAll>(tile.row(i) + seen.end, tile.key_count - seen.end);
    }
  }

  Real* row_shares(const Real* steps, Real step, Real reach, Index count) const {
    struct Memory;
    Real* shares = row_memory<Memory, Real>(count);
    run_widest<Shares>(steps, step, reach + ramp_, ramp_, shares, count);
    return shares;
  }

  /// The parts of a row on the ramps, before and behind the keys that are left as they are; all of a list.
  template <typename Visit>
  void for_each_ramp(const TileRange& tile, Index i, Real reach, const Visit& visit) const {
    if (tile.key_list) return visit(Index(0), tile.key_count);
    const Index step = query_step(tile, i);
    const Row whole(tile, step, static_cast<Index>(reach)),
        seen(tile, step, static_cast<Index>(std::ceil(reach + ramp_)));
    if (seen.begin < whole.begin) visit(seen.begin, whole.begin - seen.begin);
    if (whole.end < seen.end) visit(whole.end, seen.end - whole.end);
  }

  Real ramp_, longest_;
  Sharing sharing_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> learned_span(std::type_identity_t<Real> ramp,
                                                        std::type_identity_t<Real> longest, Sharing sharing) {
  return std::make_shared<LearnedSpan<Real>>(ramp, longest, sharing);
}
template std::shared_ptr<const ScoreModifier<float>> learned_span<float>(float, float, Sharing);
template std::shared_ptr<const ScoreModifier<double>> learned_span<double>(double, double, Sharing);

namespace {

template <typename Real>
std::vector<Real> span_starts(const ModifierValues& values) {
  const double longest = values.real("longest");
  const double start = values.real("span") * (values.flag("per_head") && values.heads > 1 ? values.real("spread") : 1);
  require(start < longest, "learned_span: a span starts at ", start, ", but must start below longest = ", longest,
          "; from there on its gradient is 0.");
  return log_starts<Real>(values, "span", {"span"});
}

}  // namespace

template <typename Real>
ModifierEntry<Real> learned_span_entry() {
  return {
      "learned_span",
      "s + log clip((ramp + span - |i - j|) / ramp, 0, 1), masked where the share is 0",
      "theta = log span, one for all heads or one each",
      "Sukhbaatar et al. 2019",
      [](const ExampleProblem&) { return learned_span<Real>(3, 6, Sharing::per_head); },
      [](const ExampleProblem& problem) { return per_head<Real>(problem, Real(0.9), Real(-0.3)); },
      {"a token attends to the tokens within a span; beyond it the weights fall to 0 over a ramp",
       {positive_setting("span", 64, "positions", "initial span"),
        positive_setting("ramp", 32, "positions", "width of the ramp, over which a weight falls to 0", kMostPositions),
        positive_setting("longest", 1024, "positions", "largest span", kMostPositions), per_head_setting(true),
        spread_setting("span", 4)},
       [](const ModifierValues& values, ModifierRows<Real>) {
         return learned_span<Real>(static_cast<Real>(values.real("ramp")), static_cast<Real>(values.real("longest")),
                                   values.sharing());
       },
       ModifierAsks::nothing,
       &span_starts<Real>}};
}
FOVEA_MODIFIER_ENTRY(learned_span)

}  // namespace fovea
