#pragma once
/// The transitions that are known beforehand, to be compared with what was found; the search never sees them.

#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/phase/question.hpp"

namespace fovea::opinion::phase {

/// A known place of the control within the range, and which end of which loop it is.
struct KnownTransition {
  double at = 0;
  bool crossing = false;  ///< a continuous transition; otherwise an end of a branch
  Direction direction = Direction::down;
  double tolerance = 0;  ///< relative
  std::string name, meaning, source;
  bool judged = true;  ///< false: a finite crowd is known to lie beside it, so it is compared without a verdict
  int components = 2;  ///< of the order parameter, which decide the cumulant of a crossing
  bool flip = false;   ///< one of several, each of its own: compared with the jump that is nearest to it
};

/// What theory says of this question; empty where it says nothing.
std::vector<KnownTransition> known_transitions(const PhaseQuestion& question);

/// The order parameter of infinitely many agents on the branch that is known (of consensus with anchors, of order on
/// the circle in continuous time, of q-voters), at each value of the control; NaN where theory says nothing.
std::vector<double> known_order(const PhaseQuestion& question, const std::vector<double>& controls);

/// The jump that says most: the largest change of the order parameter in this direction, of one size (0: the largest);
/// nullptr where there is none.
const FoundJump* main_jump(const PhaseFindings& findings, Direction direction, Index size = 0);

/// The noise above which unnormalised attention on the circle cannot stay ordered: the density proportional to
/// exp(sum_k 2 I_k(beta) r_k cos(k theta) / (beta D)), r_k its own modes, exists up to there (mean field of the
/// gradient flow; derived in theory.md). By iteration from the ordered state and bisection to 1e-6. beta above
/// tricritical_beta(2).
double circle_order_ends(double beta);
/// r_1 of that density, 0 where it falls below 0.05.
double circle_order(double beta, double noise);

/// Compares, check by check. all: known_transitions().
void check_known(const PhaseQuestion& question, const std::vector<KnownTransition>& all, const PhaseFindings& findings,
                 Results& results);

}  // namespace fovea::opinion::phase
