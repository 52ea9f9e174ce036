#include <limits>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/modifiers/parts/event_times.hpp"
#include "fovea/core/attention/modifiers/parts/example.hpp"
#include "fovea/core/attention/modifiers/parts/example_times.hpp"
#include "fovea/core/attention/modifiers/parts/settings.hpp"
#include "fovea/core/attention/modifiers/parts/sharing.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
class TimeDecay final : public ScoreModifier<Real> {
 public:
  TimeDecay(Vector<Real> t_query, Vector<Real> t_key, const TimeDecayOptions& options)
      : times_("time_decay", std::move(t_query), std::move(t_key), options.past_only), options_(options) {}

  Index parameter_count(Index heads) const override { return count_of(options_.sharing, heads); }
  bool reads_scores() const override { return false; }
  void check(const AttentionShape& shape) const override { times_.check(shape); }
  KeySpan visible(const TileRange& range) const override { return times_.visible(range); }

  Real bound(const TileRange& range, Real incoming, std::span<const Real> theta) const override {
    const Real age = times_.least_age(range);
    if (age > std::numeric_limits<Real>::max()) return kMasked<Real>;  // no query sees a key
    return incoming - age * rate(range, theta);
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real> theta) const override {
    const Real per_time = rate(tile, theta);
    const Real* times = times_.of_keys(tile);
    for (Index i = 0; i < tile.query_count; ++i)
      kernels<Real>().subtract_age(tile.row(i), times, times_.of_query(tile.query(i)), per_time, tile.key_count);
    times_.mask_future(tile, times);
  }

  // ds'/ds = 1,  ds'/dtheta = -age drate/dtheta,  drate/dtheta = rate (of a half-life: -rate)
  void backward(const ScoreTile<Real>&, const ScoreTile<Real>& gradient, std::span<const Real> theta,
                std::span<Real> theta_gradient) const override {
    const Real* times = times_.of_keys(gradient);
    Real sum = 0;
    for (Index i = 0; i < gradient.query_count; ++i)
      sum += kernels<Real>().age_dot(gradient.row(i), times, times_.of_query(gradient.query(i)), gradient.key_count);
    sum *= rate(gradient, theta);
    theta_gradient[place_of(options_.sharing, gradient)] += options_.learned == DecayParameter::rate ? -sum : sum;
  }

 private:
  Real rate(const TileRange& range, std::span<const Real> theta) const {
    constexpr Real kLn2 = Real(0.693147180559945309417);
    const Real parameter = theta[place_of(options_.sharing, range)];
    return times_.finite_rate(options_.learned == DecayParameter::rate ? exponential(parameter)
                                                                       : kLn2 * exponential(-parameter));
  }

  EventTimes<Real> times_;
  TimeDecayOptions options_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> time_decay(Vector<Real> t_query, Vector<Real> t_key,
                                                      const TimeDecayOptions& options) {
  return std::make_shared<TimeDecay<Real>>(std::move(t_query), std::move(t_key), options);
}
template std::shared_ptr<const ScoreModifier<float>> time_decay(Vector<float>, Vector<float>, const TimeDecayOptions&);
template std::shared_ptr<const ScoreModifier<double>> time_decay(Vector<double>, Vector<double>,
                                                                 const TimeDecayOptions&);

namespace {

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> example_time_decay(const ExampleProblem& problem,
                                                              const TimeDecayOptions& options) {
  return time_decay<Real>(example_query_times<Real>(problem), example_key_times<Real>(problem), options);
}

}  // namespace

template <typename Real>
ModifierEntry<Real> time_decay_entry() {
  return {"time_decay",
          "s - rate |t_query - t_key|",
          "theta = log rate, one for all heads or one each",
          "Che et al. 2018",
          [](const ExampleProblem& problem) { return example_time_decay<Real>(problem, {}); },
          [](const ExampleProblem&) { return std::vector<Real>{Real(-0.7)}; },
          {"a weight is halved for each half-life of time between two tokens",
           {positive_setting("half_life", 1, "that of the times", "initial half-life"), past_only_setting(),
            per_head_setting(false), spread_setting("half_life", 4)},
           [](const ModifierValues& values, ModifierRows<Real> rows) {
             return time_decay<Real>(std::move(rows.query_times), std::move(rows.key_times),
                                     {values.sharing(), DecayParameter::half_life, values.flag("past_only")});
           },
           ModifierAsks::times,
           [](const ModifierValues& values) { return log_starts<Real>(values, "half_life", {"half_life"}); }}};
}
FOVEA_MODIFIER_ENTRY(time_decay)

template <typename Real>
ModifierEntry<Real> time_decay_half_life_entry() {
  return {"time_decay_half_life",
          "s - ln 2 / half_life |t_query - t_key|",
          "theta = log half_life, one for all heads or one each",
          "Che et al. 2018",
          [](const ExampleProblem& problem) {
            return example_time_decay<Real>(problem, {Sharing::per_head, DecayParameter::half_life, false});
          },
          [](const ExampleProblem& problem) { return per_head<Real>(problem, Real(0.4), Real(-0.3)); },
          not_in_configs<Real>("use the type \"time_decay\", which has the setting half_life")};
}
FOVEA_MODIFIER_ENTRY(time_decay_half_life)

template <typename Real>
ModifierEntry<Real> time_decay_past_entry() {
  return {"time_decay_past",
          "s - rate (t_query - t_key) if t_key <= t_query, else masked",
          "theta = log rate, one for all heads or one each",
          "Che et al. 2018",
          [](const ExampleProblem& problem) {
            return example_time_decay<Real>(problem, {Sharing::per_head, DecayParameter::rate, true});
          },
          [](const ExampleProblem& problem) { return per_head<Real>(problem, Real(-0.7), Real(0.5)); },
          not_in_configs<Real>("use the type \"time_decay\" with past_only = true")};
}
FOVEA_MODIFIER_ENTRY(time_decay_past)

}  // namespace fovea
