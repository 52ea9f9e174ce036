#include "fovea/core/study/hazards/hazard_baselines.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/study/baselines/baselines.hpp"
#include "fovea/core/study/hazards/hazard_target.hpp"

namespace fovea::study {

namespace {

std::vector<double> known_codes(std::span<const double> codes) {
  std::vector<double> known;
  for (const double code : codes)
    if (!std::isnan(code)) known.push_back(code);
  return known;
}

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

Predictions hazard_base_rate(const Target& target, std::span<const double> training_codes, Index rows) {
  const std::vector<double> known = known_codes(training_codes);
  require(!known.empty(), "base_rate: no target of the training part is known; at least one is needed.");
  const std::vector<double> shares = incidences_of(target, known);
  Predictions predictions;
  predictions.mean.resize(rows, static_cast<Index>(shares.size()));
  for (std::size_t c = 0; c < shares.size(); ++c) predictions.mean.col(static_cast<Index>(c)).setConstant(shares[c]);
  predictions.spread = Matrix<double>::Zero(rows, predictions.mean.cols());
  return predictions;
}

Predictions hazard_ridge(const Target& target, const Matrix<double>& training, std::span<const double> training_codes,
                         const Matrix<double>& validation, std::span<const double> validation_codes,
                         const Matrix<double>& test) {
  const Index intervals = intervals_of(target), ends = ends_of(target);
  const std::vector<double> base = incidences_of(target, known_codes(training_codes));
  Matrix<double> risks = Matrix<double>::Zero(test.rows(), ends);
  for (Index k = 1; k <= ends; ++k) {
    const std::vector<double> learned = by_horizon(target, training_codes, k);
    if (std::find(learned.begin(), learned.end(), 1.0) == learned.end()) continue;  // an end that never came
    risks.col(k - 1) = ridge({.name = target.name, .classes = {"no", "yes"}}, training, learned, validation,
                             by_horizon(target, validation_codes, k), test)
                           .mean.col(0);
  }
  Predictions predictions;
  predictions.mean = Matrix<double>::Zero(test.rows(), intervals * ends);
  predictions.spread = predictions.mean;
  for (Index i = 0; i < test.rows(); ++i) {
    const double scale = 1 / std::max(1.0, risks.row(i).sum());
    for (Index k = 1; k <= ends; ++k) {
      const double last = base[incidence_column(target, intervals - 1, k)];
      for (Index t = 0; t < intervals && last > 0; ++t)
        predictions.mean(i, incidence_column(target, t, k)) =
            scale * risks(i, k - 1) * base[incidence_column(target, t, k)] / last;
    }
  }
  return predictions;
}

}  // namespace fovea::study
