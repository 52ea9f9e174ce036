#include "fovea/core/statistics/agreement/risk_coverage.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/ordering.hpp"

namespace fovea {

namespace {

/// Losses that are taken in, tied ones together.
class RisingCoverage {
 public:
  /// `tied` examples with the sum `losses`: the i-th of them is expected to add their mean.
  void take(double losses, std::size_t tied) {
    const double each = losses / static_cast<double>(tied);
    for (std::size_t j = 1; j <= tied; ++j)
      area_ += (lost_ + static_cast<double>(j) * each) / (taken_ + static_cast<double>(j));
    lost_ += losses;
    taken_ += static_cast<double>(tied);
  }
  double risk() const { return lost_ / taken_; }
  double taken() const { return taken_; }
  double area() const { return area_ / taken_; }

 private:
  double lost_ = 0, taken_ = 0, area_ = 0;
};

}  // namespace

double RiskCoverage::risk_at(double coverage) const {
  require(coverage > 0 && coverage <= 1, "risk_at: the coverage is ", coverage, ", but must be in (0, 1].");
  const auto found =
      std::find_if(curve.begin(), curve.end(), [&](const RiskPoint& p) { return p.coverage >= coverage; });
  return found == curve.end() ? curve.back().risk : found->risk;
}

RiskCoverage risk_coverage(std::span<const double> confidences, std::span<const double> losses) {
  require(!losses.empty() && confidences.size() == losses.size(), "risk_coverage: there are ", confidences.size(),
          " confidences and ", losses.size(), " losses; as many are needed, and at least one.");
  for (const double loss : losses)
    require(std::isfinite(loss), "risk_coverage: a loss is ", loss, ", but must be finite.");
  for (const double confidence : confidences)
    require(!std::isnan(confidence), "risk_coverage: a confidence is NaN, but must be a number.");
  std::vector<std::uint32_t> order = ascending_order(confidences);
  std::reverse(order.begin(), order.end());
  const auto count = static_cast<double>(losses.size());
  RiskCoverage found;
  RisingCoverage rising, ideal;
  double lost = 0;
  std::size_t tied = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    lost += losses[order[i]];
    ++tied;
    if (i + 1 < order.size() && confidences[order[i]] == confidences[order[i + 1]]) continue;
    rising.take(lost, tied);
    found.curve.push_back({confidences[order[i]], rising.taken() / count, rising.risk()});
    lost = 0, tied = 0;
  }
  for (const double loss : ascending(losses)) ideal.take(loss, 1);
  found.area = rising.area();
  found.best_area = ideal.area();
  return found;
}

}  // namespace fovea
