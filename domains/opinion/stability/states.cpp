#include "fovea/domains/opinion/stability/states.hpp"

#include <cmath>
#include <numbers>

#include "fovea/domains/opinion/oracle/crowds.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::stability {

namespace {

constexpr double kFarthest = 8;       // anchors, in sd: beyond is 1e-15 of a Gaussian
constexpr double kAtRest = 1e-13;     // opinions
constexpr int kMostSteps = 40000;     // at 1e-4 above a fold some 3000 are needed
constexpr double kFarFromTheory = 2;  // times the fold's spread: on the way to camps

EigenSettings eigen_settings(int count, double tolerance) {
  EigenSettings settings;
  settings.count = count;
  settings.subspace = 3 * count + 24;
  settings.tolerance = tolerance;
  return settings;
}

dynamics::Agents anchored_agents(CrowdKind kind, Index count) {
  dynamics::Agents agents;
  if (kind == CrowdKind::quantiles) {
    agents.start = oracle::quantile_crowd(count);
    return agents;
  }
  agents.start = oracle::even_crowd(count, -kFarthest, kFarthest);
  for (Index i = 0; i < count; ++i) {
    const double x = agents.start(i, 0);
    agents.reach.push_back(std::exp(-0.5 * x * x));
  }
  return agents;
}

}  // namespace

LeadingEigenvalues backward_eigenvalues(const dynamics::Dynamics& dynamics, const Matrix<double>& opinions, int count) {
  const LinearMap map = [&](const Vector<double>& v, Vector<double>& image) {
    image = dynamics.transposed_jacobian(opinions, v).col(0);
  };
  return leading_eigenvalues(map, opinions.rows(), eigen_settings(count, 1e-10));
}

LeadingEigenvalues forward_eigenvalues(dynamics::Dynamics& dynamics, const Matrix<double>& opinions, int count,
                                       double scale) {
  const LinearMap map = [&](const Vector<double>& v, Vector<double>& image) {
    image = oracle::pushed(dynamics, opinions, v, 1e-5 * scale / v.cwiseAbs().maxCoeff()).col(0);
  };
  return leading_eigenvalues(map, opinions.rows(), eigen_settings(count, 1e-8));
}

AnchoredState::AnchoredState(CrowdKind kind, Index agents, double stubbornness) : stubbornness_(stubbornness) {
  dynamics::ModelSettings settings;
  settings.stubbornness = stubbornness;
  dynamics_ = dynamics::make_dynamics(settings, anchored_agents(kind, agents), nullptr, Random(0));
  opinions_ = stubbornness * anchors();  // at infinite temperature
}

double AnchoredState::slope() const {
  const std::vector<double>& reach = dynamics_->agents().reach;
  double both = 0, own = 0;
  for (Index i = 0; i < opinions_.rows(); ++i) {
    const double weight = reach.empty() ? 1 : reach[i], x = anchors()(i, 0);
    both += weight * x * opinions_(i, 0);
    own += weight * x * x;
  }
  return both / own;
}

bool AnchoredState::rest_at(double temperature) {
  dynamics_->set(dynamics::Control::temperature, temperature);
  const theory::Fold fold = theory::lower_fold(stubbornness_);
  const double farthest = std::isnan(fold.u) ? 1.0 : kFarFromTheory * fold.u;
  const auto left = [&](const Matrix<double>& now) {
    opinions_ = now;
    return slope() > farthest;
  };
  Matrix<double> now = opinions_;
  int steps = 0;  // thousands of short steps: by one thread, as waiting for a second takes longer
  oracle::side_by_side(1,
                       [&](std::size_t) { steps = oracle::run_to_rest(*dynamics_, now, kAtRest, kMostSteps, left); });
  opinions_ = now;
  return steps <= kMostSteps && slope() <= farthest;
}

UniformCircle::UniformCircle(Index tokens, double time_step) {
  dynamics::ModelSettings settings;
  settings.model = "transformer_circle";
  settings.time_step = time_step;
  Matrix<double> angles(tokens, 1);
  for (Index i = 0; i < tokens; ++i)
    angles(i, 0) = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(tokens);
  dynamics_ = oracle::free_crowd(settings, angles);
}

int UniformCircle::mode_of(const Eigen::VectorXcd& displacement) const {
  int best = 0;
  double largest = -1;
  for (int k = 0; k <= static_cast<int>(displacement.size() / 2); ++k) {
    const Eigen::VectorXd wave = k * angles().col(0);
    const std::complex<double> cosine = (wave.array().cos() * displacement.array()).sum();
    const std::complex<double> sine = (wave.array().sin() * displacement.array()).sum();
    const double power = std::norm(cosine) + std::norm(sine);
    if (power > largest) largest = power, best = k;
  }
  return best;
}

}  // namespace fovea::opinion::stability
