#include "fovea/core/study/baselines/hazard_baselines.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"

namespace fovea::study {

namespace {

/// Whether end k came by the horizon: 1, 0, or NaN where nobody knows.
std::vector<double> by_horizon(const Target& target, std::span<const double> codes, Index end) {
  const learning::HazardTargets seen = hazards_of_codes(target, codes);
  std::vector<double> came;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const bool known = !std::isnan(codes[i]) && (seen.ends[i] > 0 || seen.survived[i] == intervals_of(target));
    came.push_back(!known ? kNan : seen.ends[i] == end ? 1 : 0);
  }
  return came;
}

}  // namespace

Predictions hazard_base_rate(const Target& target, std::span<const double> known, Index rows) {
  const std::vector<double> shares = incidences_of(target, known);
  Matrix<double> mean(rows, static_cast<Index>(shares.size()));
  for (std::size_t c = 0; c < shares.size(); ++c) mean.col(static_cast<Index>(c)).setConstant(shares[c]);
  return without_spread(std::move(mean));
}

Predictions hazard_ridge(const Target& target, const RidgeParts& parts) {
  const Index intervals = intervals_of(target), ends = ends_of(target);
  std::vector<double> known;
  for (const double code : parts.training_targets)
    if (!std::isnan(code)) known.push_back(code);
  const std::vector<double> base = incidences_of(target, known);
  Matrix<double> risks = Matrix<double>::Zero(parts.test.rows(), ends);
  for (Index k = 1; k <= ends; ++k) {
    const std::vector<double> learned = by_horizon(target, parts.training_targets, k);
    if (std::find(learned.begin(), learned.end(), 1.0) == learned.end()) continue;  // an end that never came
    const std::vector<double> choosing = by_horizon(target, parts.validation_targets, k);
    risks.col(k - 1) =
        ridge_of_classes(1, {parts.training, learned, parts.validation, choosing, parts.test}).mean.col(0);
  }
  Matrix<double> mean = Matrix<double>::Zero(parts.test.rows(), intervals * ends);
  for (Index i = 0; i < parts.test.rows(); ++i) {
    const double scale = 1 / std::max(1.0, risks.row(i).sum());
    for (Index k = 1; k <= ends; ++k) {
      const double last = base[incidence_column(target, intervals - 1, k)];
      for (Index t = 0; t < intervals && last > 0; ++t)
        mean(i, incidence_column(target, t, k)) = scale * risks(i, k - 1) * base[incidence_column(target, t, k)] / last;
    }
  }
  return without_spread(std::move(mean));
}

}  // namespace fovea::study
