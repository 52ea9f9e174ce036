#pragma once
/// Crowds as the oracle and the stability experiment prepare them.

#include <functional>
#include <memory>
#include <span>

#include "fovea/domains/opinion/dynamics/dynamics.hpp"

namespace fovea::opinion::oracle {

/// One opinion an agent, N x 1.
Matrix<double> as_column(std::span<const double> values);

/// The (i + 1/2) / N quantiles of N(0, spread^2): a Gaussian crowd without chance.
Matrix<double> quantile_crowd(Index agents, double spread = 1);

/// first + i (last - first) / (N - 1).
Matrix<double> even_crowd(Index agents, double first, double last);

/// Everybody hears everybody; seed-free unless the model draws.
std::unique_ptr<dynamics::Dynamics> free_crowd(const dynamics::ModelSettings& settings, Matrix<double> start,
                                               const Random& random = Random(0));

/// One step from `opinions`, which stay as they are.
Matrix<double> stepped(dynamics::Dynamics& dynamics, Matrix<double> opinions, std::int64_t step_number = 0);

/// Largest |difference| of two crowds.
double farthest_apart(const Matrix<double>& a, const Matrix<double>& b);

/// Steps until no opinion moves by more than `tolerance`, or `most` steps are done, or stop(opinions) says so (asked
/// every 16 steps; may be empty). Returns the number of steps; most + 1 where it came to neither.
int run_to_rest(dynamics::Dynamics& dynamics, Matrix<double>& opinions, double tolerance, int most,
                const std::function<bool(const Matrix<double>&)>& stop = {});

/// work(0) ... work(count - 1), each by one thread: for crowds that are too small to be shared. Each must write to
/// places of its own, so bits do not depend on the threads. The first exception is thrown on when all have ended.
void side_by_side(std::size_t count, const std::function<void(std::size_t)>& work);

/// (F(x + h v) - F(x - h v)) / 2h of one noiseless step F: the step's derivative along v, to O(h^2).
Matrix<double> pushed(dynamics::Dynamics& dynamics, const Matrix<double>& opinions, const Matrix<double>& v, double h);

}  // namespace fovea::opinion::oracle
