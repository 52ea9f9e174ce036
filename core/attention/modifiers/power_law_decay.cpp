#include <cmath>
#include <limits>
#include <string_view>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/event_times.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/example_times.hpp"
#include "fovea/core/attention/modifiers/parts/row_memory.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/attention/modifiers/parts/sharing.hpp"
#include "fovea/core/attention/modifiers/parts/widest.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

struct GrownAges {  // 1 + age / scale
  template <typename Real>
  FOVEA_LOOP void operator()(const Real* times, Real now, Real rate, Real* grown, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) grown[j] = 1 + std::abs(now - times[j]) * rate;
  }
};

struct AgeShares {  // x / (1 + x), x = age / scale
  template <typename Real>
  FOVEA_LOOP void operator()(const Real* times, Real now, Real rate, Real* shares, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) {
      const Real x = std::abs(now - times[j]) * rate;
      shares[j] = x / (1 + x);
    }
  }
};

template <typename Real>
class PowerLawDecay final : public ScoreModifier<Real> {
 public:
  PowerLawDecay(Vector<Real> t_query, Vector<Real> t_key, const PowerLawDecayOptions& options)
      : times_("power_law_decay", std::move(t_query), std::move(t_key), options.past_only), sharing_(options.sharing) {}

  Index parameter_count(Index heads) const override { return 2 * count_of(sharing_, heads); }
  bool reads_scores() const override { return false; }
  void check(const AttentionShape& shape) const override { times_.check(shape); }
  KeySpan visible(const TileRange& range) const override { return times_.visible(range); }

  Real bound(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    const Real age = times_.least_age(range);
    if (age > std::numeric_limits<Real>::max()) return kMasked<Real>;      // no query sees a key
    constexpr Real kBelow = 1 - 8 * std::numeric_limits<Real>::epsilon();  // the logarithm rounds
    const Law law(*this, range, theta);
    return incoming - kBelow * law.exponent * logarithm(Real(1) + age * law.rate);
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    const Law law(*this, tile, theta);
    const Real* times = times_.of_keys(tile);
    for (Index i = 0; i < tile.query_count; ++i)
      kernels<Real>().add_scaled(tile.row(i), log_ages(tile, i, times, law), -law.exponent, tile.key_count);
    times_.mask_future(tile, times);
  }

  // ds'/ds = 1,  ds'/dlog exponent = -exponent log(1 + x),  ds'/dlog scale = exponent x / (1 + x),  x = age / scale
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>& gradient, std::span<const Real> theta,
                std::span<Real> theta_gradient) const override {
    const Law law(*this, gradient, theta);
    const Real* times = times_.of_keys(gradient);
    Real logs = 0, shares = 0;
    for (Index i = 0; i < gradient.query_count; ++i) {
      const Index count = gradient.key_count;
      logs += kernels<Real>().dot(gradient.row(i), log_ages(gradient, i, times, law), count);
      shares += kernels<Real>().dot(gradient.row(i), age_shares(gradient, i, times, law), count);
    }
    const std::size_t place = 2 * place_of(sharing_, gradient);
    theta_gradient[place] -= law.exponent * logs;
    theta_gradient[place + 1] += law.exponent * shares;
  }

 private:
  struct Law {
    Real exponent, rate;  ///< rate = 1 / scale
    Law(const PowerLawDecay& decay, const TileRange& range, std::span<const Real> theta) {
      const std::size_t place = 2 * place_of(decay.sharing_, range);
      exponent = exponential(theta[place]);
      rate = decay.times_.finite_rate(exponential(-theta[place + 1]));
    }
  };

  Real* log_ages(const TileRange& tile, Index i, const Real* times, const Law& law) const {
    struct Logs;
    Real* row = row_memory<Logs, Real>(tile.key_count);
    run_widest<GrownAges>(times, times_.of_query(tile.query(i)), law.rate, row, tile.key_count);
    kernels<Real>().logarithms(row, tile.key_count);
    return row;
  }

  Real* age_shares(const TileRange& tile, Index i, const Real* times, const Law& law) const {
    struct RowOfShares;
    Real* row = row_memory<RowOfShares, Real>(tile.key_count);
    run_widest<AgeShares>(times, times_.of_query(tile.query(i)), law.rate, row, tile.key_count);
    return row;
  }

  EventTimes<Real> times_;
  Sharing sharing_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> power_law_decay(Vector<Real> t_query, Vector<Real> t_key,
                                                           const PowerLawDecayOptions& options) {
  return std::make_shared<PowerLawDecay<Real>>(std::move(t_query), std::move(t_key), options);
}
template std::shared_ptr<const ScoreModifier<float>> power_law_decay(Vector<float>, Vector<float>,
                                                                     const PowerLawDecayOptions&);
template std::shared_ptr<const ScoreModifier<double>> power_law_decay(Vector<double>, Vector<double>,
                                                                      const PowerLawDecayOptions&);

namespace {

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> example_power_law(const ExampleProblem& problem, bool past_only) {
  return power_law_decay<Real>(example_query_times<Real>(problem), example_key_times<Real>(problem),
                               {Sharing::per_head, past_only});
}

template <typename Real>
std::vector<Real> example_laws(const ExampleProblem& problem) {
  std::vector<Real> theta;
  for (Index head = 0; head < problem.heads; ++head) {
    theta.push_back(Real(0.3) - Real(0.2) * static_cast<Real>(head));
    theta.push_back(Real(-0.5) + Real(0.4) * static_cast<Real>(head));
  }
  return theta;
}

constexpr std::string_view kPowerLawParameters =
    "theta = {log exponent, log scale}, one pair for all heads or one each";
constexpr std::string_view kPowerLawSource = "Chi et al. 2022, of distances; Hegazy et al. 2026";

}  // namespace

template <typename Real>
ModifierEntry<Real> power_law_decay_entry() {
  return {"power_law_decay",
          "s - exponent log(1 + |t_query - t_key| / scale)",
          kPowerLawParameters,
          kPowerLawSource,
          [](const ExampleProblem& problem) { return example_power_law<Real>(problem, false); },
          &example_laws<Real>,
          {"a weight falls as a power of the time between two tokens, more slowly than any half-life in the long run",
           {positive_setting("exponent", 1, "", "initial exponent"),
            positive_setting("scale", 1, "that of the times",
                             "initial time scale, beyond which the weight falls as the power"),
            past_only_setting(), per_head_setting(false), spread_setting("scale", 4)},
           [](const ModifierValues& values, ModifierRows<Real> rows) {
             return power_law_decay<Real>(std::move(rows.query_times), std::move(rows.key_times),
                                          {values.sharing(), values.flag("past_only")});
           },
           ModifierAsks::times,
           [](const ModifierValues& values) {
             return log_starts<Real>(values, "scale", {"exponent", "scale"});
           }}};
}
FOVEA_MODIFIER_ENTRY(power_law_decay)

template <typename Real>
ModifierEntry<Real> power_law_decay_past_entry() {
  return {"power_law_decay_past",
          "s - exponent log(1 + (t_query - t_key) / scale) if t_key <= t_query, else masked",
          kPowerLawParameters,
          kPowerLawSource,
          [](const ExampleProblem& problem) { return example_power_law<Real>(problem, true); },
          &example_laws<Real>,
          not_in_configs<Real>("use the type \"power_law_decay\" with past_only = true")};
}
FOVEA_MODIFIER_ENTRY(power_law_decay_past)

}  // namespace fovea
