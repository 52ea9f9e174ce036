#pragma once
/// What hazards are compared with (baselines.hpp).

#include "fovea/core/study/baselines/baselines.hpp"

namespace fovea::study {

/// The incidences of the known codes of the training part (Aalen & Johansen 1978), the same for every row.
Predictions hazard_base_rate(const Target& target, std::span<const double> known, Index rows);

/// The ridge model of each end by the horizon among those of whom it is known, times the course of the training part:
///   F_k(t) = r_k F_k,base(t) / F_k,base(horizon)
/// The targets are codes. Where all r_k of a row add up to more than 1 they are scaled to 1.
Predictions hazard_ridge(const Target& target, const RidgeParts& parts);

}  // namespace fovea::study
