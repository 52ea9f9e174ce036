#pragma once
/// What a model's own laws say of this run, and whether the run kept them.

#include <vector>

#include "fovea/core/data/archive.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"

namespace fovea::opinion::simulate {

/// Followed at every recorded state, where the law holds for the model, its agents and its network:
///
///   hull    means with weights >= 0 that sum to 1 leave no interval that held all opinions and anchors: DeGroot,
///           Friedkin-Johnsen, Hegselmann-Krause, attention, pairs; relaxing models with K = 1; without noise
///   mean    two who meet move by the same amount: the mean opinion is kept; without stubborn agents
///   energy  sum over pairs of min(d^2, eps^2) never rises under Hegselmann-Krause with one eps, nobody stubborn
///           (Bhattacharyya, Braverman, Chazelle & Nguyen 2013)
///
/// None is followed through shocks or repelling weights. Events end one law and begin it anew: each holds between them.
class Invariants {
 public:
  Invariants(const dynamics::Dynamics& dynamics, const society::Graph* graph, const SimulateSettings& settings);
  /// From now on a crowd of other agents; its opinions are where the laws begin.
  void begin(const dynamics::Dynamics& dynamics, const society::Graph* graph, const Matrix<double>& opinions);
  /// The same, taken up where it was: visit() brings the rest back.
  void follow(const dynamics::Dynamics& dynamics, const society::Graph* graph);
  void record(const Matrix<double>& opinions);
  void write(Results& results) const;  ///< a check for each law
  void visit(Archive archive);

 private:
  bool shocked_ = false;
  bool hull_ = false, mean_ = false, energy_ = false;
  double confidence_ = 0;
  std::vector<double> low_, high_;  ///< of each component
  /// Of the states so far: how far outside, the first mean, the largest drift, the first energy, the last, its largest
  /// rise; the widest range and the largest first energy; which laws held at any time, and how often they began.
  std::vector<double> seen_;
};

/// Sum over pairs of min((x_i - x_j)^2, eps^2), in O(N log N). opinions: one column.
double clipped_energy(const Matrix<double>& opinions, double confidence);

}  // namespace fovea::opinion::simulate
