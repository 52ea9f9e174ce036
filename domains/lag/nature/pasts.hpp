#pragma once
/// Each series of a table beside its past, and what all of them together say of a course. Internal to the search.

#include <memory>
#include <vector>

#include "fovea/domains/lag/nature/nature.hpp"
#include "fovea/domains/lag/nature/own_past.hpp"

namespace fovea::lag::nature {

/// Evidence of candidates. Series of which a common shock moves the residuals tell the same: `together` is the square
/// of the coordinates of all series after their residuals' correlations are taken out (Cholesky); 0 where the rows
/// do not determine these.
struct Evidence {
  Matrix<double> each;      ///< series x candidates: L
  Vector<double> together;  ///< of each candidate
};

class Pasts {
 public:
  /// held: steps x any, of every series;  others: of each series, steps x any, or nothing at all. Keeps the table.
  Pasts(const datasets::series::SeriesTable& table, const Matrix<double>& held,
        std::vector<Matrix<double>> others = {});

  const std::vector<Index>& counted() const { return counted_; }  ///< series that are not constant
  const OwnPast& of(Index series) const { return *pasts_[series]; }
  bool joined() const { return factor_.size() > 0; }  ///< whether `together` is known
  double series() const { return static_cast<double>(counted_.size()); }
  Vector<double> without_correlations(const Vector<double>& coordinates) const;

  /// periodic: the candidates are waves (OwnPast::coordinates).
  Evidence evidence(const std::vector<Matrix<double>>& candidates, bool periodic = false) const;
  /// Whether all series having a unit root is ruled out beside the course, so that chance gives it less evidence.
  bool settled_beside(const Matrix<double>& course) const;

  /// Beside another column or more that all have.
  Pasts with(const Matrix<double>& course) const;

  /// Beside the past of other series, too: of each series the lagged values of others with which what its own past
  /// leaves is correlated (3 standard errors; at most a 50th of the rows). Series that drive each other wander
  /// together, and beside own pasts alone they seem to share a course. Null where there are none, and in tables of so
  /// many series that most pairs would never be examined.
  std::unique_ptr<Pasts> linked() const;

 private:
  Matrix<double> held_of(Index series) const;
  void correlate();

  const datasets::series::SeriesTable& table_;
  Matrix<double> held_;
  std::vector<Matrix<double>> others_;           ///< empty, or of each series
  std::vector<std::unique_ptr<OwnPast>> pasts_;  ///< null: a constant
  std::vector<Index> counted_;
  Eigen::MatrixXd factor_;  ///< L of the correlations of their residuals, R = L L'; empty: no use
};

/// describe() of nature.hpp by pasts that were made already, and waves of CourseSearch or none.
std::vector<SeriesNature> describe(const datasets::series::SeriesTable& table, const Pasts& pasts,
                                   const Matrix<double>& waves, Index grid);

/// L of the waves of OwnPast::coordinates_of_waves, settled (chance.hpp).
struct SettledWaves {
  Vector<double> evidence;
  double strongest = 0;  ///< OwnPast::Waves
};
SettledWaves settled_waves(const OwnPast& past, const Fourier& fourier);

/// Of means of one series that differ between recordings as they do: their variance in units of that which the memory
/// inside the recordings gives.
double chance_of_levels(const datasets::series::SeriesTable& table, Index series);

}  // namespace fovea::lag::nature
