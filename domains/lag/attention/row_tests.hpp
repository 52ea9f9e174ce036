#pragma once
/// A second test of single keys on the rows themselves, for what sums of products do not show.

#include <Eigen/Cholesky>
#include <functional>
#include <optional>

#include "fovea/core/base/matrix.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::attention {

/// p-values above it cannot make a link significant: such tests are not done again.
inline constexpr double kWorthConfirming = 0.01;

/// t = sum_t w_t / sqrt(V) of products w_t = u_t e_t of what the conditions leave of a key and of the target.
///
///   V = max(V_0, V_m),   V_0 = sum_t d_t^2,   V_m = V_0 + 2 sum_{k=1}^{m} (1 - k / (m + 1)) sum_t d_t d_{t-k}
///
/// with d_t = w_t - mean, m = 4 (n / 100)^(2/9), and V_m only where it is beyond V_0 by two of its standard deviations
/// under independence, sqrt(4 m / (3 n)) of it. V_0 is the heteroskedasticity-consistent variance (White 1980): t is a
/// self-normalised sum, whose tails are no longer than a normal's where the w are symmetric, however heavy theirs are
/// (Efron 1969; de la Pena, Klass & Lai 2004). V_m is consistent for serial correlation too (Newey & West 1987). 0
/// where all w are equal.
double self_normalised_t(const Vector<double>& products);

/// Whether at least this share of the values, and two of them, are the same but for rounding.
bool has_ties(const Vector<double>& x, double share);
// Of the values: with so many the ranks of what is left of them would be those of what was taken out, as of rain.
constexpr double kManyTies = 0.1;

/// Normal scores of the ranks (van der Waerden 1952), ties at their mean rank, about their mean; x where it has a NaN.
Vector<double> normal_scores(const Vector<double>& x);

/// The test of one key on the rows, of columns of mean 0 with `degrees` degrees of freedom: the weaker of Student's t
/// of their correlation and of the more significant of
///
///   self_normalised_t of the columns                  p / 0.75
///   the weaker of both of normal scores               p / 0.25
///
/// The scores of the key are those of its own values, of which the conditions then leave `ranked.key`: ranks of what is
/// left of many zeros would be those of the conditions. A target with many ties must pass both ways, by the ranks of
/// what is left of it and by `ranked.target`. They see what a few very large values hide, as with rain that drives
/// gauges; a few large values alone are never enough. Empty `ranked`: no scores. `decided`: the one that p is of.
struct RowsTest {
  double correlation = 0, t = 0, p_value = 1;
  methods::DecidingTest decided = methods::DecidingTest::student;
};
struct Ranked {
  Vector<double> key, target;  ///< of the values, as far as the conditions leave them; target empty: few ties
};
RowsTest rows_test(const Vector<double>& key, const Vector<double>& target, Index degrees,
                   const std::function<Ranked()>& ranked);

/// Rows of several conditions, with the factor of their products.
class RowConditions {
 public:
  /// x  rows x conditions, about their means, none dependent on others
  explicit RowConditions(Eigen::MatrixXd x);

  /// Least squares on the conditions.
  struct Fit {
    Eigen::VectorXd coefficients, residuals;
  };
  /// y (rows), about its mean.
  Fit fit(const Eigen::VectorXd& y) const;
  /// A target, and where at least a tenth of its values are the same its normal scores.
  struct TargetFit {
    Fit values;
    std::optional<Fit> scores;
  };
  TargetFit fit_target(const Eigen::VectorXd& y) const;

  /// rows_test of a key, and of condition c given the others, with `degrees` degrees of freedom. on_rows false:
  /// Student's t alone.
  RowsTest test(const TargetFit& target, const Eigen::VectorXd& key, Index degrees, bool on_rows = true) const;
  RowsTest test_condition(const TargetFit& target, Index c, Index degrees) const;

  Index count() const { return x_.cols(); }
  /// Whether none depends on others but for rounding.
  bool independent() const;

 private:
  /// What the others leave of condition c.
  Eigen::VectorXd left_of_condition(Index c) const;

  Eigen::MatrixXd x_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace fovea::lag::attention
