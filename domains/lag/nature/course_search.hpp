#pragma once
/// The search for courses: what is held so far, each series beside its own past, and the evidence of candidates.

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "fovea/core/statistics/processes/fourier.hpp"
#include "fovea/domains/lag/nature/adjustments.hpp"
#include "fovea/domains/lag/nature/calendar.hpp"
#include "fovea/domains/lag/nature/pasts.hpp"
#include "fovea/domains/lag/nature/shapes.hpp"

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
  /// The levels of recordings, if some series' differ; else no columns.
  Adjustment hold_levels();

  bool full() const;  ///< a fifth of the rows is used up

  /// Each series beside what is held, and its waves (waves_beside()) on a grid of so many places; no waves where
  /// seasons are not looked for.
  const Pasts& pasts() const { return *pasts_; }
  const Matrix<double>& settled() const { return waves_; }
  Index grid() const { return fourier_->size(); }

 private:
  void renew();  ///< each series beside what is held now
  /// strongest: of each series OwnPast::Waves::strongest, if wanted.
  Matrix<double> waves_beside(const Pasts& pasts, Vector<double>* strongest = nullptr) const;
  /// Whether the candidate is as rare beside the past of other series, too.
  bool stands_beside_others(const Candidate& candidate) const;
  Matrix<double> trend_of(Index degrees) const { return polynomials(table_.steps(), degree_ + 1, degree_ + degrees); }
  double cycles(double frequency) const { return frequency * static_cast<double>(table_.steps()); }
  bool barred(double frequency) const;
  /// Less, but at most by a factor, where waves of other frequencies have more than chance gives them: a course stands
  /// out of what is near it.
  void settle_among(const std::vector<double>& frequencies, const Pasts& pasts, const Matrix<double>& course,
                    double most, Evidence& found) const;
  std::vector<double> beside_frequency(double frequency) const;
  std::vector<double> slow_frequencies() const;
  double chance_of_wave_at(double frequency, const Pasts& pasts, const Evidence& evidence, Index candidate) const;
  double chance_of_pattern_in(double period, const Pasts& pasts) const;
  std::vector<double> periods_of_patterns() const;
  double chance_of_trend_in(const Pasts& pasts, const Matrix<double>& course, const Evidence& found) const;
  double chance_of_step_in(const Pasts& pasts, const Matrix<double>& course, const Evidence& found) const;
  double chance_of_both(const Pasts& pasts, const Matrix<double>& course, std::vector<double> each, double tries,
                        const std::function<double(bool)>& of_all) const;
  Candidate best_wave() const;
  Candidate best_strong_wave() const;
  Candidate best_pattern() const;
  Candidate best_trend() const;
  Candidate best_step() const;
  bool sure_of_step(Index row) const;
  bool sure_of_levels(Index row) const;
  double difference_of_levels(Index series, Index row) const;
  double refined(double frequency) const;
  Period period_of(double frequency) const;
  std::vector<double> harmonics_of(const Period& period, bool asked) const;
  /// Whether harmonics that no series shows alone matter together: their evidence by series, of all series, and their
  /// degrees of freedom, at most a tenth of the rows.
  bool matter_together(const Pasts& pasts, const Vector<double>& evidence, double together, double degrees) const;
  Adjustment enter(Adjustment adjustment, const Matrix<double>& columns, std::string_view what);

  const datasets::series::SeriesTable& table_;
  AdjustmentSettings settings_;
  std::vector<Period> calendar_;
  std::unique_ptr<Fourier> fourier_;
  Matrix<double> held_;
  std::unique_ptr<Pasts> pasts_;
  Matrix<double> waves_, steps_;  ///< series x places of the grid or rows_: L, that of waves settled
  Vector<double> steps_together_, strongest_;
  std::vector<Index> rows_;
  std::vector<double> barred_;                         ///< frequencies of which nothing is left
  bool trends_barred_ = false, steps_barred_ = false;  ///< until something else is held
  Index degree_ = 0;                                   ///< of the trend held
  Index rounds_of_steps_ = 0;
};

}  // namespace fovea::lag::nature
