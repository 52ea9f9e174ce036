#pragma once
/// A crowd whose agents attend to each other:
///
///   x_i <- (1 - s_i) sum_j w_ij x_j + s_i x_i(0) + noise xi_i,   w_i. = softmax over j of score(x_i, x_j) / T
///
/// Friedkin and Johnsen (1990) with attention in place of fixed weights; s = 0 and the Gaussian score is the blurring
/// mean shift (Cheng 1995), T -> infinity is DeGroot (1974). All agents move at once. j runs over everybody, oneself
/// included, or over oneself and one's neighbours on a network; there an edge weight W multiplies exp(score / T).

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/fast/line_attention.hpp"
#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::opinion::dynamics {

/// The crowd and its rules.
struct CrowdSetup {
  Matrix<double> anchors;            ///< N x D: x(0), what a stubborn agent returns to
  std::vector<double> stubbornness;  ///< s_i in [0, 1], N of them
  std::string score = "gaussian";    ///< gaussian -|x - y|^2 / 2, dot_product x . y, cosine, log_distance -log |x - y|
  double distance_floor = 1e-6;      ///< log_distance: smaller distances count as this one, > 0
  double noise = 0;                  ///< standard deviation of the noise in each step and component, >= 0
  std::optional<NeighbourLists> neighbours;  ///< who hears whom, oneself included; empty: everybody
  bool fast = true;  ///< on the line, gaussian or dot_product, everybody: steps in O(N); false: every pair, the twin
};

class Crowd {
 public:
  /// random: the stream of the noise; number (agent, component) at a step depends on nothing else.
  /// Throws ArgumentError where sizes or ranges do not fit, or the score is unknown.
  Crowd(CrowdSetup setup, double temperature, const Random& random);

  Index agents() const { return setup_.anchors.rows(); }
  Index components() const { return setup_.anchors.cols(); }
  const CrowdSetup& setup() const { return setup_; }
  double temperature() const { return temperature_; }
  /// T > 0. Unit: that of the score (opinion squared for gaussian and dot_product, 1 for the others).
  void set_temperature(double temperature);

  /// The opinions after one step. step_number: counts the steps of the run, for the noise. Uses memory of its own
  /// again, so not from several threads at once.
  Matrix<double> step(const Matrix<double>& opinions, std::int64_t step_number) const;
  /// The attention of the present opinions, for measures.
  AttentionResult<double> attention(const Matrix<double>& opinions) const;
  const AttentionSpec<double>& spec() const { return spec_; }

 private:
  /// sum_j w_ij x_j of all agents.
  Matrix<double> heard(const Matrix<double>& opinions) const;

  CrowdSetup setup_;
  double temperature_ = 1;
  Random random_;
  AttentionSpec<double> spec_;
  mutable LineAttention line_;
};

/// The largest change of any component between two states: the crowd is at rest when a step changes less than a
/// tolerance. NaN counts as infinity.
double largest_change(const Matrix<double>& before, const Matrix<double>& after);

}  // namespace fovea::opinion::dynamics
