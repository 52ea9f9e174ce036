#pragma once
/// Kernel regression, once by plain loops and once by the engine's dot-product attention: for the experiment
/// "mechanism.kernel_smoothing".
///
///   y(q) = sum_j y_j K_h(q, k_j) / sum_j K_h(q, k_j),   K_h = exp(-|q - k|^2 / (2 h^2))     (Nadaraya 1964, Watson
///   1964)
///
/// Where all keys have one norm, K_h is exp(q . k / h^2) up to a factor that the quotient loses.

#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea::mechanism::tasks {

/// Which pairs count: all, or all but key i for query i (what leave-one-out needs).
enum class Pairs { all, all_but_self };

/// The quotient above by plain loops over distances. queries N x d, keys M x d, values M, h > 0.
Vector<double> plain_smooth(const Matrix<double>& queries, const Matrix<double>& keys, const Vector<double>& values,
                            double bandwidth, Pairs pairs = Pairs::all);

/// Dot-product attention at temperature h^2.
Vector<double> attend_smooth(const Matrix<double>& queries, const Matrix<double>& keys, const Vector<double>& values,
                             double bandwidth, Pairs pairs = Pairs::all);

/// Points of the unit circle at these angles (radians): N x 2.
Matrix<double> on_circle(std::span<const double> angles);

/// Mean squared difference.
double squared_error(const Vector<double>& a, const Vector<double>& b);

/// For each bandwidth the error of predicting every value from the others, mean (y_i - y_(-i))^2 (Stone 1974).
std::vector<double> leave_one_out(const Matrix<double>& keys, const Vector<double>& values,
                                  std::span<const double> bandwidths,
                                  Vector<double> (*smooth)(const Matrix<double>&, const Matrix<double>&,
                                                           const Vector<double>&, double, Pairs));

/// The circular standard deviation sqrt(-2 ln R) (Mardia 1972) of the weights that a query gives to `count` keys spread
/// evenly over the unit circle from `start` on; R is the length of the mean key.
double attended_width(const Vector<double>& query, Index count, double start);

/// The same of a von Mises distribution of concentration kappa > 0: R = I_1(kappa) / I_0(kappa), by the continued
/// fraction of Gauss. For a large kappa it is 1 / sqrt(kappa).
double von_mises_width(double kappa);

/// `count` numbers from low to high with equal quotients, count >= 2.
std::vector<double> spread_evenly_in_log(double low, double high, int count);

}  // namespace fovea::mechanism::tasks
