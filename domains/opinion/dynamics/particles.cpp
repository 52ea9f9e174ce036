/// Transformer particles on the circle and the sphere.

#include <cmath>
#include <utility>

#include "fovea/core/attention/fast/circle_attention.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/opinion/dynamics/crowd_dynamics.hpp"

namespace fovea::opinion::dynamics {

namespace {

/// f_i = sum_j w_ij sin(theta_j - theta_i), w_ij from exp(cos(theta_j - theta_i) / T_i).
class Circle final : public CrowdDynamics {
 public:
  explicit Circle(CrowdParts parts)
      : CrowdDynamics(std::move(parts)),
        by_modes_(settings_.fast && graph_ == nullptr && agents_.temperature.empty()),
        hearing_(by_modes_ ? nullptr : make_hearing(hearing_rule(), 2, graph_, settings_.fast)) {}

  void step(Matrix<double>& opinions, std::int64_t step_number) override {
    require_sizes(opinions, opinions);
    follow_network();
    if (by_modes_)
      sum_modes(opinions);
    else
      sum_pairs(opinions);
    const double dt = settings_.time_step, coupling = settings_.coupling, kick = diffusion_step();
    if (kick > 0) draw_tremors(step_number);
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < opinions.rows(); ++i) {
      const double s = stubbornness(i), angle = opinions(i, 0);
      double turn = dt * (1 - s) * coupling * force_[i];
      if (s > 0) turn += dt * s * std::sin(agents_.start(i, 0) - angle);
      if (kick > 0) turn += kick * tremor(i, 0);
      opinions(i, 0) = angle + turn;
    }
  }

  // With e = g_j exp(cos d / T), d = theta_j - theta_i:  df_i/dtheta_j = e (cos d - sin^2 d / T + f_i sin d / T) / Z_i,
  // Z_i = sum_j e; without the term of f_i where the crowd normalises. df_i/dtheta_i: less the sum of these over j,
  // for f does not change when all turn.
  Matrix<double> transposed_jacobian(const Matrix<double>& opinions, const Matrix<double>& v) const override {
    require_sizes(opinions, v);
    const HearingRule rule = hearing_rule();
    const Index n = count();
    const bool softmax = rule.normaliser == Normaliser::softmax;
    Vector<double> force = Vector<double>::Zero(n), total = Vector<double>::Zero(n);
    const auto loudness = [&](Index i, Index j, double weight, double cosine) {
      const double shift = softmax ? 1 : 0;
      return weight * rule.reach_of(j) * exponential((cosine - shift) / rule.temperature_of(i));
    };
    if (softmax) {
      for_each_pair(graph_, rule.self_weight, n, [&](Index i, Index j, double weight) {
        const double d = opinions(j, 0) - opinions(i, 0), e = loudness(i, j, weight, std::cos(d));
        total[i] += e;
        force[i] += e * std::sin(d);
      });
      for (Index i = 0; i < n; ++i) force[i] = total[i] > 0 ? force[i] / total[i] : 0;
    } else {
      const std::vector<double> audible = audible_reach(rule, n, graph_);
      for (Index i = 0; i < n; ++i) total[i] = audible[audible.size() == 1 ? 0 : static_cast<std::size_t>(i)];
    }
    Matrix<double> result = v;
    for (Index i = 0; i < n; ++i) {
      const double s = stubbornness(i);
      result(i, 0) -= settings_.time_step * s * std::cos(agents_.start(i, 0) - opinions(i, 0)) * v(i, 0);
    }
    for_each_pair(graph_, rule.self_weight, n, [&](Index i, Index j, double weight) {
      if (!(total[i] > 0)) return;
      const double d = opinions(j, 0) - opinions(i, 0), cosine = std::cos(d), sine = std::sin(d);
      const double slope = cosine - sine * (sine - force[i]) / rule.temperature_of(i);
      const double unnormalised = cosine - sine * sine / rule.temperature_of(i);
      const double share = settings_.time_step * (1 - stubbornness(i)) * settings_.coupling *
                           loudness(i, j, weight, cosine) / total[i] * (softmax ? slope : unnormalised) * v(i, 0);
      result(j, 0) += share;
      result(i, 0) -= share;
    });
    return result;
  }

 private:
  /// As points of the plane: f_i = (-sin theta_i, cos theta_i) . sum_j w_ij (cos theta_j, sin theta_j).
  void retie() override { hearing_ = make_hearing(hearing_rule(), 2, graph_, settings_.fast); }

  void sum_pairs(const Matrix<double>& opinions) {
    const Index n = opinions.rows();
    points_.resize(n, 2);
    force_.resize(n);
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < n; ++i) {
      points_(i, 0) = std::cos(opinions(i, 0));
      points_(i, 1) = std::sin(opinions(i, 0));
    }
    hearing_->hear(hearing_rule(), points_, points_, heard_);
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < n; ++i) force_[i] = points_(i, 0) * heard_(i, 1) - points_(i, 1) * heard_(i, 0);
  }

  void sum_modes(const Matrix<double>& opinions) {
    const Index n = opinions.rows();
    const HearingRule rule = hearing_rule();
    const std::size_t size = n;
    force_.resize(n);
    weight_.resize(n);
    const double beta = 1 / rule.temperature;
    modes_.sums({opinions.data(), size}, {opinions.data(), size}, rule.reach, beta, {weight_.data(), size},
                {force_.data(), size});
    const bool softmax = rule.normaliser == Normaliser::softmax;
    const double scale = softmax ? 1 : exponential(beta) / audible_reach(rule, n, nullptr)[0];
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < n; ++i) force_[i] *= !softmax ? scale : weight_[i] > 0 ? 1 / weight_[i] : 0;
  }

  bool by_modes_;
  std::unique_ptr<HeardSums> hearing_;
  CircleAttention modes_;
  Matrix<double> points_, heard_;
  Vector<double> force_, weight_;
};

class Sphere final : public CrowdDynamics {
 public:
  explicit Sphere(CrowdParts parts)
      : CrowdDynamics(std::move(parts)),
        hearing_(make_hearing(hearing_rule(), agents_.start.cols(), graph_, settings_.fast)) {
    agents_.start.rowwise().normalize();
  }

  void step(Matrix<double>& opinions, std::int64_t step_number) override {
    require_sizes(opinions, opinions);
    follow_network();
    hearing_->hear(hearing_rule(), opinions, opinions, heard_);
    const double kick = diffusion_step();
    if (kick > 0) draw_tremors(step_number);
    const Index d = opinions.cols();
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < opinions.rows(); ++i) {
      Eigen::RowVectorXd push = pull(i);
      if (kick > 0)
        for (Index c = 0; c < d; ++c) push[c] += kick * tremor(i, c);
      const Eigen::RowVectorXd x = opinions.row(i);
      opinions.row(i) = (x + push - x * x.dot(push)).normalized();
    }
    require_finite(opinions, agents_, settings_.model, step_number);
  }

  // y = u / |u|, u = x + p - x (x . p):  with b = (v - y (y . v)) / |u|,
  // dL/dp = b - x (x . b),  dL/dx = b (1 - x . p) - p (x . b)
  Matrix<double> transposed_jacobian(const Matrix<double>& opinions, const Matrix<double>& v) const override {
    require_sizes(opinions, v);
    const HearingRule rule = hearing_rule();
    const Index n = count();
    Matrix<double> heard, push_gradient(n, opinions.cols()), result(n, opinions.cols());
    const AttentionSpec<double> spec = attention_spec(rule, graph_);
    const AttentionResult<double> forward = attend<double>(opinions, opinions, opinions, spec);
    engine_hearing(rule, graph_)->hear(rule, opinions, opinions, heard);
    for (Index i = 0; i < n; ++i) {
      const double s = stubbornness(i), influence = settings_.time_step * (1 - s) * settings_.coupling;
      const Eigen::RowVectorXd x = opinions.row(i);
      const Eigen::RowVectorXd push = influence * heard.row(i) + settings_.time_step * s * agents_.start.row(i);
      const Eigen::RowVectorXd u = x + push - x * x.dot(push), y = u.normalized();
      const Eigen::RowVectorXd b = (v.row(i) - y * y.dot(v.row(i))) / u.norm();
      push_gradient.row(i) = influence * (b - x * x.dot(b));
      result.row(i) = b * (1 - x.dot(push)) - push * x.dot(b);
    }
    if (rule.normaliser == Normaliser::crowd) return result + crowd_backward(rule, graph_, opinions, push_gradient);
    const AttentionGradients<double> gradients =
        attend_backward<double>(opinions, opinions, opinions, spec, forward, push_gradient);
    return result + gradients.queries + gradients.keys + gradients.values;
  }

 private:
  void retie() override { hearing_ = make_hearing(hearing_rule(), agents_.start.cols(), graph_, settings_.fast); }

  Eigen::RowVectorXd pull(Index i) const {
    const double s = stubbornness(i);
    return settings_.time_step * ((1 - s) * settings_.coupling * heard_.row(i) + s * agents_.start.row(i));
  }

  std::unique_ptr<HeardSums> hearing_;
  Matrix<double> heard_;
};

}  // namespace

std::unique_ptr<Dynamics> make_circle(CrowdParts parts) { return std::make_unique<Circle>(std::move(parts)); }
std::unique_ptr<Dynamics> make_sphere(CrowdParts parts) { return std::make_unique<Sphere>(std::move(parts)); }

}  // namespace fovea::opinion::dynamics
