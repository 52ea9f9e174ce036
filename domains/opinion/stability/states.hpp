#pragma once
/// States at rest whose stability is known in closed form, and the leading eigenvalues of a step about them.

#include <memory>

#include "fovea/core/linear/eigenvalues.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"

namespace fovea::opinion::stability {

/// Eigenvalues of one step about `opinions`, by the step's backward: J' has the eigenvalues of J, and
/// Dynamics::transposed_jacobian gives J'v. The vectors are left eigenvectors of the step.
LeadingEigenvalues backward_eigenvalues(const dynamics::Dynamics& dynamics, const Matrix<double>& opinions, int count);

/// The same by pushing the state a little along v and stepping (central differences; errors of about 1e-9), with the
/// step's own eigenvectors: displacements that a step multiplies by a number. scale: an opinion's natural unit, such as
/// the width of the kernel; a push is 1e-5 of it at most.
LeadingEigenvalues forward_eigenvalues(dynamics::Dynamics& dynamics, const Matrix<double>& opinions, int count,
                                       double scale);

enum class CrowdKind {
  weighted,  ///< evenly spaced agents whose reach is a Gaussian's density: an infinite Gaussian crowd to rounding
  quantiles  ///< agents of equal reach at the quantiles
};

/// A crowd with Gaussian anchors of sd 1 under attention with stubbornness, in its Gaussian state (theory.md, E5).
class AnchoredState {
 public:
  AnchoredState(CrowdKind kind, Index agents, double stubbornness);
  /// Carries the state to this temperature. False where it has left the Gaussian state: its mean slope on the anchors
  /// is far above that of theory, or it does not rest.
  bool rest_at(double temperature);
  void set_state(const Matrix<double>& opinions) { opinions_ = opinions; }
  const Matrix<double>& opinions() const { return opinions_; }
  const Matrix<double>& anchors() const { return dynamics_->agents().start; }
  dynamics::Dynamics& dynamics() { return *dynamics_; }
  double slope() const;  ///< u of x = u x(0): weighted least squares

 private:
  double stubbornness_;
  std::unique_ptr<dynamics::Dynamics> dynamics_;
  Matrix<double> opinions_;
};

/// Tokens spread evenly over the circle, softmax weights: at rest at every temperature.
class UniformCircle {
 public:
  UniformCircle(Index tokens, double time_step);
  void set_temperature(double temperature) { dynamics_->set(dynamics::Control::temperature, temperature); }
  dynamics::Dynamics& dynamics() { return *dynamics_; }
  const Matrix<double>& angles() const { return dynamics_->agents().start; }
  /// The wave number of a displacement: where its Fourier transform is largest, 0 to tokens / 2.
  int mode_of(const Eigen::VectorXcd& displacement) const;

 private:
  std::unique_ptr<dynamics::Dynamics> dynamics_;
};

}  // namespace fovea::opinion::stability
