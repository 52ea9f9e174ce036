#include "fovea/core/study/predict/unfamiliar.hpp"

#include <cmath>

namespace fovea::study {

std::vector<double> shares_outside(const Preparation& preparation, const Cases& cases) {
  const std::size_t features = preparation.features.size();
  std::vector<double> shares;
  for (Index item = 0; item < cases.count(); ++item) {
    double known = 0, outside = 0;
    for (Index i = cases.offsets[item]; i < cases.offsets[item + 1]; ++i)
      for (std::size_t f = 0; f < features; ++f) {
        const FeatureScale& scale = preparation.scales[cases.kinds.empty() ? f : cases.kinds[i] * features + f];
        const auto x = static_cast<double>(cases.values(i, static_cast<Index>(f)));
        if (std::isnan(x) || std::isnan(scale.low) || !preparation.features[f].categories.empty()) continue;
        ++known, outside += x >= scale.low && x <= scale.high ? 0 : 1;
      }
    shares.push_back(known > 0 ? outside / known : 0);
  }
  return shares;
}

void fall_back(const std::vector<double>& shares, Predictions& predictions) {
  const double equal = 1 / static_cast<double>(predictions.mean.cols());
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const auto row = static_cast<Index>(k);
    const double weight = weight_of_equal(shares[k]);
    predictions.mean.row(row) = (predictions.mean.row(row).array() * (1 - weight) + equal * weight).matrix();
    predictions.spread.row(row) *= 1 - weight;
  }
}

}  // namespace fovea::study
