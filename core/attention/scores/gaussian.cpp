#include "fovea/core/attention/scores.hpp"
#include "fovea/core/attention/scores/differences.hpp"

namespace fovea {
namespace {

template <typename Real>
class Gaussian final : public ScoreFunction<Real> {
 public:
  void score(const MatrixView<Real>& queries, const MatrixView<Real>& keys, const ScoreTile<Real>& tile,
             std::span<const Real>) const override {
    static thread_local std::vector<Real> storage;
    const Panel<Real> panel(keys, tile, storage);
    for (Index i = 0; i < tile.query_count; ++i)
      kernels<Real>().squared_distances(row_of<Real>(queries, tile.query(i)), panel.data(), panel.stride(),
                                        panel.columns(), tile.key_count, Real(-0.5), tile.row(i));
  }

  void backward(const MatrixView<Real>& queries, const MatrixView<Real>& keys, const ScoreTile<Real>& gradient,
                std::span<const Real>, Eigen::Ref<Matrix<Real>> query_gradient, Eigen::Ref<Matrix<Real>> key_gradient,
                std::span<Real>) const override {
    static thread_local std::vector<Real> storage;
    const Panel<Real> panel(keys, gradient, storage);
    add_difference_gradients<Real>(queries, panel, gradient, query_gradient, key_gradient);
  }
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> gaussian_score() {
  return std::make_shared<Gaussian<Real>>();
}
template std::shared_ptr<const ScoreFunction<float>> gaussian_score();
template std::shared_ptr<const ScoreFunction<double>> gaussian_score();

}  // namespace fovea
