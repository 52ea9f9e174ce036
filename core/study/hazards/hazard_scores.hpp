#pragma once
/// Scores of predicted incidences (hazard_target.hpp). All but the likelihood are of one end, by the horizon, the last
/// edge. mean: rows x T K; codes without NaN, as many; of: the end, 1 .. K. A draw of the bootstrap as in
/// scores/decision_scores.hpp: weights are whole numbers.
///
/// Who was censored before the horizon is not known. So that the others stand for all, each has the weight
///   1 / G(t-)    G: Kaplan and Meier's share that is not yet censored;  t: when it ended, or the horizon
/// (inverse probability of censoring; Graf, Schmoor, Sauerbrei, Schumacher 1999). That is fair where censoring does not
/// depend on the risk. G is estimated anew in each draw.

#include "fovea/core/study/cases/target.hpp"
#include "fovea/core/study/scores/decision_scores.hpp"

namespace fovea::study {

/// Harrell's C (1982) of the incidence by the horizon with the times themselves, beyond the horizon too; the other ends
/// count as censored.
WeightedScore hazard_concordance_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes,
                                       Index of = 1);

/// Weighted AUROC by the horizon (Uno, Cai, Tian, Wei 2007): who had the end until then against all others, those with
/// another end too (Blanche, Dartigues, Jacqmin-Gadda 2013).
WeightedScore hazard_auroc_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes,
                                 Index of = 1);

/// Weighted Brier score by the horizon (Graf et al. 1999; with other ends Schoop, Beyersmann, Schumacher, Binder 2011):
///   sum of weights ([the end came by the horizon] - its incidence)^2 / rows
WeightedScore hazard_brier_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes,
                                 Index of = 1);

/// Aalen and Johansen's incidence of the end by the horizon over the mean predicted one.
WeightedScore hazard_observed_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes,
                                    Index of = 1);

/// Mean minus the log of the probability of what was seen; no probability counts as less than 1e-12.
WeightedScore hazard_likelihood_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes);

}  // namespace fovea::study
