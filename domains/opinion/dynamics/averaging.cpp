/// Models that move towards what they hear: attention, Hegselmann-Krause, saturation and their kin.

#include <cmath>
#include <utility>

#include "fovea/core/base/error.hpp"
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
    if (settings_.noise > 0) draw_tremors(step_number);
    if (entry_.rule.update.discrete)
      replace(opinions);
    else
      relax(opinions, step_number);
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

  void replace(Matrix<double>& opinions) {
    if (all_follow()) {
      opinions.swap(heard_);
      return;
    }
    const Index d = opinions.cols();
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < opinions.rows(); ++i) {
      const double s = stubbornness(i);
      for (Index c = 0; c < d; ++c) {
        double next = (1 - s) * heard_(i, c) + s * agents_.start(i, c);
        if (settings_.noise > 0) next += settings_.noise * tremor(i, c);
        opinions(i, c) = next;
      }
    }
  }

  void relax(Matrix<double>& opinions, std::int64_t step_number) const {
    const double dt = settings_.time_step, coupling = settings_.coupling, kick = diffusion_step();
    const Index d = opinions.cols();
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < opinions.rows(); ++i) {
      const double s = stubbornness(i);
      for (Index c = 0; c < d; ++c) {
        const double x = opinions(i, c);
        double next = x + dt * ((1 - s) * coupling * heard_(i, c) + s * agents_.start(i, c) - x);
        if (kick > 0) next += kick * tremor(i, c);
        opinions(i, c) = next;
      }
    }
    require_finite(opinions, settings_.model, step_number);
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
