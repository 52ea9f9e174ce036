#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/scores.hpp"
#include "fovea/core/attention/scores/entry.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

template <typename Real>
class LogDistance final : public ScoreFunction<Real> {
 public:
  explicit LogDistance(Real floor) : floor_squared_(std::max(floor * floor, std::numeric_limits<Real>::min())) {
    require(floor > 0 && std::isfinite(floor_squared_), "log_distance: floor = ", floor,
            ", but must be > 0 with a finite square; it keeps the score of equal points finite.");
  }

  Comparison comparison() const override { return Comparison::squared_distance; }
  bool finishes() const override { return true; }

  // s = -log(max(|q - k|^2, floor^2)) / 2
  void finish(const ScoreTile<Real>& tile) const override {
    for (Index i = 0; i < tile.query_count; ++i) {
      Real* scores = tile.row(i);
      for (Index j = 0; j < tile.key_count; ++j)
        if (scores[j] < floor_squared_) scores[j] = floor_squared_;
      kernels<Real>().logarithms(scores, tile.key_count);
      for (Index j = 0; j < tile.key_count; ++j) scores[j] *= Real(-0.5);
    }
  }

  // ds / d|q - k|^2 = -1 / (2 |q - k|^2) outside the floor, 0 inside
  void finish_backward(const ScoreTile<Real>& before, const ScoreTile<Real>& gradient) const override {
    for (Index i = 0; i < gradient.query_count; ++i) {
      kernels<Real>().divide_above(gradient.row(i), before.row(i), floor_squared_, gradient.key_count);
      for (Index j = 0; j < gradient.key_count; ++j) gradient.row(i)[j] *= Real(-0.5);
    }
  }

  Real bound(Real squared_distance, Index) const override {
    return Real(-0.5) * logarithm(std::max(squared_distance, floor_squared_));
  }

 private:
  Real floor_squared_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> log_distance_score(Real floor) {
  return std::make_shared<LogDistance<Real>>(floor);
}
template std::shared_ptr<const ScoreFunction<float>> log_distance_score(float);
template std::shared_ptr<const ScoreFunction<double>> log_distance_score(double);

template <typename Real>
ScoreEntry<Real> log_distance_entry() {
  return {"log_distance",
          "-log(max(|q - k|, floor))",
          "",
          "Baumann et al. 2020",
          [](const ExampleProblem&) { return log_distance_score<Real>(Real(0.01)); },
          &no_parameters<Real>};
}
FOVEA_SCORE_ENTRY(log_distance)

}  // namespace fovea
