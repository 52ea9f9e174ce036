#pragma once
/// Scores of predicted incidences (hazard_target.hpp). All but the likelihood are of the first end, by the horizon, the
/// last edge. mean: rows x T K; codes without NaN, as many. A draw of the bootstrap as in folds/decision_scores.hpp:
/// weights are whole numbers.

#include "fovea/core/study/folds/decision_scores.hpp"
#include "fovea/core/study/task.hpp"

namespace fovea::study {

/// Harrell's C (1982) of the incidence by the horizon, the other ends counting as censored; who ends within one
/// interval is no pair.
WeightedScore hazard_concordance_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes);

/// AUROC of the first end by the horizon among those of whom it is known: who ended until then, in whatever way, or was
/// still observed. Who was censored before is left out, which is fair where censoring does not depend on the risk.
WeightedScore hazard_auroc_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes);

/// Aalen and Johansen's incidence of the first end by the horizon over the mean predicted one.
WeightedScore hazard_observed_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes);

/// Mean minus the log of the probability of what was seen; no probability counts as less than 1e-12.
WeightedScore hazard_likelihood_score(const Target& target, const Matrix<double>& mean, std::span<const double> codes);

}  // namespace fovea::study
