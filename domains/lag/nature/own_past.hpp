#pragma once
/// One series beside its own past: does a course (a wave, a step, a trend) explain what the past does not?

#include <cmath>
#include <complex>
#include <vector>

#include "fovea/core/statistics/processes/fourier.hpp"
#include "fovea/datasets/series/series.hpp"

namespace fovea {}

namespace fovea::lag::nature {

/// The autoregression of one series with what is held fixed, C:
///
///   y(t) = a + C(t) b + sum_{k=1..p} phi_k y(t - k) + e(t)
///
/// p by Akaike (1974) among 0 .. min(8, rows / 25, a quarter of the longest recording). Rows: those whose value is
/// known and whose past is in the recording; gaps in that past are bridged by straight lines. For the tests e is pulled
/// in to 4.5 times its spread (robust, at least .4 of the standard deviation).
///
/// A course x is tested beside the past, not in what a filter has left: an autoregression fitted without a wave
/// cancels it and hides it.
///
///   L = -rows log(1 - gain / residual),   gain = what x takes off the residual sum of squares
///
/// is chi squared with as many degrees as x has columns where y has no unit root.
class OwnPast {
 public:
  /// y: steps, NaN where not known;  held: steps x any, finite;  starts: SeriesTable::recording_starts
  OwnPast(const Vector<double>& y, const Matrix<double>& held, const std::vector<Index>& starts);

  bool constant() const { return residual_ <= 0; }  ///< nothing is left to explain, or too few rows (below 20)
  Index order() const { return order_; }
  Index rows() const { return rows_; }
  double residual() const { return residual_; }             ///< sum of squares
  const Vector<double>& rest() const { return rest_; }      ///< e, 0 in other rows
  const std::vector<char>& used() const { return used_; }   ///< which rows the regression has
  const Vector<double>& memory() const { return memory_; }  ///< phi_1 .. phi_p
  double spread() const { return std::sqrt(residual_ / static_cast<double>(rows_)); }  ///< of e
  double tails() const { return tails_; }                                              ///< excess kurtosis of e
  double unit_root_statistic() const {
    return unit_root_;
  }  ///< (sum phi - 1) / its standard error (Said & Dickey 1984)

  /// The columns of x (steps x k) as k numbers that are independent and standard normal where x does nothing; the sum
  /// of their squares is gain / residual variance. Those that depend on the rest of the regression count as nothing.
  /// periodic: x are waves; those of which the past has nearly all count as beside unit roots at their frequency.
  Vector<double> coordinates(const Matrix<double>& x, bool periodic = false) const;
  /// L of the columns of x together.
  double evidence(const Matrix<double>& x) const { return evidence_of(coordinates(x).squaredNorm()); }
  /// L of a gain in units of the residual variance.
  double evidence_of(double gain) const;
  /// The coordinate of a step 1(t >= row) for each of some rows.
  std::vector<double> coordinates_of_steps(const std::vector<Index>& rows) const;
  /// That of one step, standard normal where the level stays though the variance changes: from its squared standard
  /// error sum u / (sum z^2)^2, u = z^2 (e / (1 - h))^2, with z the step beside the regression and h = z^2 / sum z^2
  /// (White 1980; HC3 of MacKinnon & White 1985), by Student's t with (sum u)^2 / sum u^2 degrees of freedom: as many
  /// rows as carry it (Satterthwaite 1946; Imbens & Kolesar 2016).
  double robust_coordinate_of_step(Index row) const;
  /// The two coordinates of a wave with a cosine and a sine at the frequencies k / grid, k = 0 .. grid / 2, of a
  /// transform of `grid` points; from transforms, within some % of coordinates(x, true).
  struct Waves {
    std::vector<std::complex<double>> coordinates;
    double strongest = 0;  ///< the frequency with the most of the variance beside what is held, where that is a fifth
                           ///< of it or more; else 0
  };
  Waves coordinates_of_waves(const Fourier& fourier) const;

 private:
  void choose_order(const Vector<double>& y, Index most);
  void fit(const Vector<double>& y);

  Matrix<double> design_;   ///< steps x (1 + held + p), 0 in rows that are not used
  Matrix<double> inverse_;  ///< of design' design
  Vector<double> target_, rest_, memory_;
  Vector<double> beside_held_;  ///< y less its regression on 1 and C
  std::vector<char> used_;
  Index held_ = 0, order_ = 0, rows_ = 0;
  double residual_ = 0, unit_root_ = 0, tails_ = 0;
};

}  // namespace fovea::lag::nature
