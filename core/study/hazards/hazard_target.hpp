#pragma once
/// Targets of kind hazards: when a case ends, and how, with censoring and competing ends, in intervals of time
/// (learning/hazard_loss.hpp has the model: a hazard for each interval and end).
///
/// What was seen of a case is one number of Cases::targets, so that it is split, drawn and left out as any target:
///
///   code = survived (K + 1) + end + place    survived in [0, T]: intervals passed whole without an end
///                                            end in [0, K]: which end came in the interval after them; 0: none was
///                                            seen place in [0, 1): when exactly, for exact_ends() alone
///
/// Interval t of T is (edges[t], edges[t + 1]], the K ends are Target::classes. Within an interval the model tells
/// nothing apart: who ends in it ends at one time; who is censored in its later half has survived it, who is censored
/// in its earlier half left before it (Gensheimer & Narasimhan 2019).
///
/// Predictions have T K columns: column t K + k - 1 is F_k(t), the share to which end k has come by the end of interval
/// t (cumulative incidence).

#include <span>
#include <vector>

#include "fovea/core/learning/hazard_loss.hpp"
#include "fovea/core/study/ensemble/predictions.hpp"

namespace fovea::study {

Index intervals_of(const Target& target);                                 ///< T
Index ends_of(const Target& target);                                      ///< K
Index incidence_column(const Target& target, Index interval, Index end);  ///< end from 1

/// One code a case; NaN where the time or the end is not known. times: in Target::unit; ends: 0 censored, 1 .. K.
/// Throws ArgumentError.
std::vector<double> hazard_codes(const Target& target, std::span<const double> times, std::span<const double> ends);

/// What the codes say, for the loss; of NaN nothing was seen.
learning::HazardTargets hazards_of_codes(const Target& target, std::span<const double> codes);

/// The same for estimators of survival (statistics/survival): an end in interval t has the time t + 1/2, who is
/// censored after t intervals the time t.
struct ObservedEnds {
  std::vector<double> times;
  std::vector<Index> ends;
};
ObservedEnds observed_ends(const Target& target, std::span<const double> codes);

/// The same with the times themselves, beyond the last edge too, on a scale that rises with time: interval t is
/// (t, t + 1], with its times in proportion to 2^-30; what came later lies in (T, T + 1). Equal times stay equal.
ObservedEnds exact_ends(const Target& target, std::span<const double> codes);

/// The mean of the members' incidences, and their spread. outputs: one matrix a member, rows x T (K + 1). shifts: K,
/// are added to the logits of the ends; or none.
Predictions combined_hazards(const Target& target, std::span<const Matrix<double>> outputs,
                             std::span<const double> shifts = {});

/// One number an end, of maximum likelihood over the rows of all members with a known code: with them as many ends of
/// each kind are expected as were seen (generalised iterative scaling, Darroch & Ratcliff 1972). 0 for an end that
/// nobody had; empty where no code is known.
std::vector<double> hazard_shifts(const Target& target, std::span<const Matrix<double>> outputs,
                                  std::span<const double> codes);

/// Aalen and Johansen's incidences by the end of each interval (1978), of known codes, at least one: T K numbers in the
/// order of the columns; with one end 1 - S of Kaplan and Meier. errors: theirs, where wanted.
std::vector<double> incidences_of(const Target& target, std::span<const double> codes,
                                  std::vector<double>* errors = nullptr);

}  // namespace fovea::study
