#pragma once
/// The search for courses: what is held so far, each series beside its own past, and the evidence of candidates.

#include <complex>
#include <memory>
#include <string_view>
#include <vector>

#include "fovea/domains/lag/nature/adjustments.hpp"
#include "fovea/domains/lag/nature/calendar.hpp"
#include "fovea/domains/lag/nature/own_past.hpp"
#include "fovea/domains/lag/nature/transform.hpp"

namespace fovea::lag::nature {

/// A course that may be held.
struct Candidate {
  CourseKind kind = CourseKind::season;
  double chance = 1;   ///< of as much evidence without it anywhere, the search counted
  double support = 0;  ///< evidence of all series beyond its degrees times log(rows): larger goes first
  double frequency = 0;
  bool pattern = false;  ///< a season of any shape with the period 1 / frequency
  Index row = 0;
  Index degrees = 0;  ///< further ones of the trend
};

class CourseSearch {
 public:
  CourseSearch(const datasets::series::SeriesTable& table, const AdjustmentSettings& settings);

  /// The best candidate of those allowed beside what is held; chance 1 where there is none.
  Candidate best();
  /// Holds a candidate: what it turned out to be. No columns where nothing new was left of it; it is then not offered
  /// again.
  Adjustment hold(const Candidate& candidate);
  /// asked: at least the first three harmonics, whatever the evidence.
  Adjustment hold_period(double period, bool asked = false);
  Adjustment hold_trend(Index degrees);
  Adjustment hold_step(Index row);

  bool full() const;  ///< a fifth of the rows is used up

 private:
  /// Evidence of candidates. Series of which a common shock moves the residuals tell the same: `together` is the square
  /// of the coordinates of all series after their residuals' correlations are taken out (Cholesky).
  struct Evidence {
    Matrix<double> each;      ///< series x candidates: L
    Vector<double> together;  ///< of each candidate
  };
  void renew();  ///< each series beside what is held now
  void renew_correlations();
  Evidence evidence(const std::vector<Matrix<double>>& candidates) const;
  Vector<double> without_correlations(const Vector<double>& coordinates) const;
  double series_counted() const { return static_cast<double>(counted_.size()); }
  double cycles(double frequency) const { return frequency * static_cast<double>(table_.steps()); }
  bool settled_beside(const Matrix<double>& course) const;  ///< unit roots are ruled out beside it
  bool barred(double frequency) const;
  double chance_of_wave_at(double frequency, const Evidence& evidence, Index candidate) const;
  Candidate best_wave() const;
  Candidate best_pattern() const;
  Candidate best_trend() const;
  Candidate best_step() const;
  bool sure_of_step(Index row) const;
  double refined(double frequency) const;
  Period period_of(double frequency) const;
  std::vector<double> harmonics_of(const Period& period, bool asked) const;
  /// Whether harmonics that no series shows alone matter together: their evidence by series, of all series, and their
  /// degrees of freedom, at most a tenth of the rows.
  bool matter_together(const Vector<double>& evidence, double together, double degrees) const;
  Adjustment enter(Adjustment adjustment, const Matrix<double>& columns, std::string_view what);

  const datasets::series::SeriesTable& table_;
  AdjustmentSettings settings_;
  std::vector<Period> calendar_;
  std::unique_ptr<Fourier> fourier_;
  Matrix<double> held_;
  std::vector<std::unique_ptr<OwnPast>> pasts_;  ///< null: a constant
  std::vector<Index> counted_;                   ///< series that are none
  Eigen::MatrixXd factor_;                       ///< L of the correlations of their residuals, R = L L'; empty: no use
  Matrix<double> waves_, steps_;                 ///< series x places of the grid or rows_: L, that of waves settled
  Vector<double> steps_together_;
  std::vector<Index> rows_;
  std::vector<double> barred_;  ///< frequencies of which nothing is left
  Index degree_ = 0;            ///< of the trend held
  Index rounds_of_steps_ = 0;
};

}  // namespace fovea::lag::nature
