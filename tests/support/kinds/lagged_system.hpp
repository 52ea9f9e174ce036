#pragma once
/// Series that drive each other after known lags: the truth against which a search for lags is measured.

#include <string_view>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::support::kinds {

/// How an effect answers to its cause's value x.
enum class Response {
  linear,      ///< x
  saturating,  ///< tanh x
  bump,        ///< x^2 exp(-x^2 / 4): rises on both sides, then falls
  absolute     ///< |x| - 0.8
};

struct SystemLink {
  Index cause, effect, lag;
  double coefficient;
  Response response = Response::linear;
};

enum class Innovation {
  normal,
  student3  ///< Student's t with 3 degrees of freedom, scaled to variance 1: heavy tails
};

/// x_j(t) = memory_j x_j(t-1) + sum over links c f(x_i(t - lag)) + sum_f loading_fj F_f(t) + e_j(t), with hidden common
/// factors F_f(t) = factor_memory F_f(t-1) + e_f(t); all e independent, variance 1.
struct LaggedSystem {
  std::vector<double> memory;  ///< one a series, inside (-1, 1)
  std::vector<SystemLink> links;
  Matrix<double> loadings;  ///< factors x series; no rows: no factors
  double factor_memory = 0;
  Innovation innovation = Innovation::normal;
  Index series() const { return static_cast<Index>(memory.size()); }
};

/// What a system is drawn from. All draws are uniform; a coefficient's sign is fair.
struct SystemKind {
  Index series = 10, links = 14, longest_lag = 5;  ///< links between distinct ordered pairs
  double weakest = 0.15, strongest = 0.3;          ///< |coefficient|
  double least_memory = 0.3, most_memory = 0.7;
  std::vector<Response> responses = {Response::linear};
  Index factors = 0;  ///< hidden; loadings normal with mean 0.7 and deviation 0.4
  double factor_memory = 0.2;
  Innovation innovation = Innovation::normal;
};

/// Throws ArgumentError for more links than ordered pairs.
LaggedSystem draw_system(const SystemKind& kind, const Random& random);

/// steps x series after 200 steps that are thrown away. Throws ArgumentError where a value is not finite or above 1e6:
/// the system has no steady state.
Matrix<double> simulate(const LaggedSystem& system, Index steps, const Random& random);

/// The same kind redrawn, at most 100 times, until simulate() finds a steady state.
struct SimulatedSystem {
  LaggedSystem system;
  Matrix<double> values;
};
SimulatedSystem draw_and_simulate(const SystemKind& kind, Index steps, const Random& random);

}  // namespace fovea::support::kinds
