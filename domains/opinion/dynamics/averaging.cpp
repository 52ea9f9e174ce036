/// Models that move towards what they hear: attention, Hegselmann-Krause, saturation and their kin.

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/opinion/dynamics/crowd_dynamics.hpp"
#include "fovea/domains/opinion/dynamics/feed.hpp"
#include "fovea/domains/opinion/dynamics/rewiring.hpp"

namespace fovea::opinion::dynamics {

namespace {

/// tanh to a few last places of 1, with the same bits on every machine.
double saturate(double x) {
  const double e = exponential(-2 * std::abs(x));
  return std::copysign((1 - e) / (1 + e), x);
}

class Averaging final : public CrowdDynamics {
 public:
  explicit Averaging(CrowdParts parts)
      : CrowdDynamics(std::move(parts)),
        unfollowing_(settings_.rewiring, {settings_.feed.homophily, settings_.feed.distance_floor}, random_) {
    Averaging::retie();
  }

  void step(Matrix<double>& opinions, std::int64_t step_number) override {
    require_sizes(opinions, opinions);
    follow_network();
    if (feed_ != nullptr)
      feed_->hear(hearing_rule(), opinions, values_of(opinions), heard_, step_number);
    else
      hearing_->hear(hearing_rule(), opinions, values_of(opinions), heard_);
    if (entry_.rule.update.discrete) {
      replace(opinions, step_number);
      opinions.swap(heard_);
    } else {
      relax(opinions, step_number);
      opinions.swap(heard_);
      require_finite(opinions, agents_, settings_.model, step_number);
    }
    if (rewires()) unfollowing_.step(opinions, rewiring_tolerance(), agents_.counted, *changing_, step_number);
  }

  Matrix<double> transposed_jacobian(const Matrix<double>& opinions, const Matrix<double>& v) const override {
    require_sizes(opinions, v);
    const HearingRule rule = hearing_rule();
    if (rule.score == Score::top_hat || feed_ != nullptr || rewires())
      return CrowdDynamics::transposed_jacobian(opinions, v);
    const bool relaxing = !entry_.rule.update.discrete;
    const double influence = relaxing ? settings_.time_step * settings_.coupling : 1;
    Matrix<double> weighted = v;
    for (Index i = 0; i < count(); ++i) weighted.row(i) *= influence * (1 - stubbornness(i));
    Matrix<double> result = heard_backward(rule, opinions, weighted);
    if (relaxing) result += (1 - settings_.time_step) * v;
    return result;
  }

  Matrix<double> first_opinions() override {
    const bool anchored = !agents_.stubbornness.empty() || stubbornness(0) > 0;
    return !anchored && graph_ == nullptr ? agents_.release_start() : agents_.start;
  }
  const Matrix<double>* previous() const override { return &heard_; }
  void end_steps() override {
    heard_ = values_ = Matrix<double>();
    if (graph_ == nullptr) retie();  // its tables take memory, too
  }

 private:
  void retie() override {
    if (settings_.feed.size > 0)
      feed_ = std::make_unique<FeedHearing>(settings_.feed, settings_.self_weight, graph_, count(), random_);
    else
      hearing_ = make_hearing(hearing_rule(), agents_.start.cols(), graph_, settings_.fast);
  }

  const Matrix<double>& values_of(const Matrix<double>& opinions) {
    if (entry_.rule.value == Value::opinion) return opinions;
    values_.resize(opinions.rows(), opinions.cols());
#pragma omp parallel for schedule(static)
    for (Index k = 0; k < opinions.size(); ++k) values_.data()[k] = saturate(settings_.steepness * opinions.data()[k]);
    return values_;
  }

  /// Nobody holds on to the start and nothing trembles: what was heard is the opinion.
  bool all_follow() const { return settings_.noise == 0 && agents_.stubbornness.empty() && stubbornness(0) == 0; }

  /// x(0); of a crowd that gave it up, and multiplies it with a stubbornness of 0: 0.
  double anchor(Index number) const { return agents_.start.rows() == 0 ? 0 : agents_.start.data()[number]; }

  /// Calls next(number, tremor) for each number of the crowd; without noise the tremors are 0.
  template <typename Next>
  void for_each_number(double noise, std::int64_t step_number, const Next& next) {
    const Index total = heard_.size();
    for_each_task((total + kTremorsTogether - 1) / kTremorsTogether, total > kTremorsTogether, [&](Index part) {
      double tremors[kTremorsTogether] = {};
      const Index first = part * kTremorsTogether, some = std::min(kTremorsTogether, total - first);
      if (noise > 0) draw_tremors(step_number, first, std::span(tremors, some));
      for (Index k = 0; k < some; ++k) next(first + k, tremors[k]);
    });
  }

  /// Both leave the next opinions in heard_.
  void replace(const Matrix<double>& opinions, std::int64_t step_number) {
    if (all_follow()) return;
    const Index d = opinions.cols();
    const double noise = settings_.noise;
    for_each_number(noise, step_number, [&](Index number, double tremor) {
      const double s = stubbornness(number / d);
      double& next = heard_.data()[number];
      next = (1 - s) * next + s * anchor(number);
      if (noise > 0) next += noise * tremor;
    });
  }

  void relax(const Matrix<double>& opinions, std::int64_t step_number) {
    const double dt = settings_.time_step, coupling = settings_.coupling, kick = diffusion_step();
    const Index d = opinions.cols();
    for_each_number(kick, step_number, [&](Index number, double tremor) {
      const double s = stubbornness(number / d), x = opinions.data()[number];
      double& next = heard_.data()[number];
      next = x + dt * ((1 - s) * coupling * next + s * anchor(number) - x);
      if (kick > 0) next += kick * tremor;
    });
  }

  /// sum_i a_i dh_i / dx_j through whom one hears, who speaks and what is said.
  Matrix<double> heard_backward(const HearingRule& rule, const Matrix<double>& opinions,
                                const Matrix<double>& a) const {
    if (rule.normaliser == Normaliser::crowd) return crowd_backward(rule, graph_, opinions, a);
    Matrix<double> values = opinions, slope = Matrix<double>::Ones(opinions.rows(), opinions.cols());
    if (entry_.rule.value == Value::saturated)
      for (Index k = 0; k < values.size(); ++k) {
        const double t = saturate(settings_.steepness * opinions.data()[k]);
        values.data()[k] = t;
        slope.data()[k] = settings_.steepness * (1 - t * t);
      }
    const AttentionSpec<double> spec = attention_spec(rule, graph_);
    const AttentionResult<double> forward = attend<double>(opinions, opinions, values, spec);
    const AttentionGradients<double> gradients = attend_backward<double>(opinions, opinions, values, spec, forward, a);
    return gradients.queries + gradients.keys + gradients.values.cwiseProduct(slope);
  }

  std::unique_ptr<HeardSums> hearing_;
  std::unique_ptr<FeedHearing> feed_;  ///< in place of it
  Unfollowing unfollowing_;
  Matrix<double> values_, heard_;
};

}  // namespace

std::unique_ptr<Dynamics> make_averaging(CrowdParts parts) { return std::make_unique<Averaging>(std::move(parts)); }

}  // namespace fovea::opinion::dynamics
