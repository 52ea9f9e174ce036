#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/scores.hpp"
#include "fovea/core/attention/scores/differences.hpp"
#include "fovea/core/error.hpp"

namespace fovea {
namespace {

template <typename Real>
class LogDistance final : public ScoreFunction<Real> {
 public:
  explicit LogDistance(Real floor) : floor_squared_(std::max(floor * floor, std::numeric_limits<Real>::min())) {
    require(floor > 0 && std::isfinite(floor_squared_), "log_distance: floor = ", floor,
            ", but must be > 0 with a finite square; it keeps the score of equal points finite.");
  }

  // s = -log(max(|q - k|^2, floor^2)) / 2
  void score(const MatrixView<Real>& queries, const MatrixView<Real>& keys, const ScoreTile<Real>& tile,
             std::span<const Real>) const override {
    static thread_local std::vector<Real> storage;
    const Panel<Real> panel(keys, tile, storage);
    for (Index i = 0; i < tile.query_count; ++i) {
      Real* scores = tile.row(i);
      squared_distances(queries, panel, tile, i, scores);
      for (Index j = 0; j < tile.key_count; ++j)
        if (scores[j] < floor_squared_) scores[j] = floor_squared_;
      kernels<Real>().logarithms(scores, tile.key_count);
      for (Index j = 0; j < tile.key_count; ++j) scores[j] *= Real(-0.5);
    }
  }

  // ds/dq = (k - q) / |q - k|^2 outside the floor, 0 inside
  void backward(const MatrixView<Real>& queries, const MatrixView<Real>& keys, const ScoreTile<Real>& gradient,
                std::span<const Real>, Eigen::Ref<Matrix<Real>> query_gradient, Eigen::Ref<Matrix<Real>> key_gradient,
                std::span<Real>) const override {
    static thread_local std::vector<Real> storage, squares;
    const Panel<Real> panel(keys, gradient, storage);
    squares.resize(static_cast<std::size_t>(gradient.key_count));
    for (Index i = 0; i < gradient.query_count; ++i) {
      squared_distances(queries, panel, gradient, i, squares.data());
      kernels<Real>().divide_above(gradient.row(i), squares.data(), floor_squared_, gradient.key_count);
    }
    add_difference_gradients<Real>(queries, panel, gradient, query_gradient, key_gradient);
  }

 private:
  static void squared_distances(const MatrixView<Real>& queries, const Panel<Real>& panel, const TileRange& tile,
                                Index i, Real* squares) {
    kernels<Real>().squared_distances(row_of<Real>(queries, tile.query(i)), panel.data(), panel.stride(),
                                      panel.columns(), tile.key_count, Real(1), squares);
  }

  Real floor_squared_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> log_distance_score(Real floor) {
  return std::make_shared<LogDistance<Real>>(floor);
}
template std::shared_ptr<const ScoreFunction<float>> log_distance_score(float);
template std::shared_ptr<const ScoreFunction<double>> log_distance_score(double);

}  // namespace fovea
