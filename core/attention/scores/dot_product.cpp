#include <cmath>

#include "fovea/core/attention/kernels/kernels.hpp"
#include "fovea/core/attention/kernels/panel.hpp"
#include "fovea/core/attention/scores.hpp"

namespace fovea {
namespace {

template <typename Real>
class DotProduct final : public ScoreFunction<Real> {
 public:
  explicit DotProduct(bool scaled) : scaled_(scaled) {}

  void score(const MatrixView<Real>& queries, const MatrixView<Real>& keys, const ScoreTile<Real>& tile,
             std::span<const Real>) const override {
    static thread_local std::vector<Real> storage;
    const Panel<Real> panel(keys, tile, storage);
    for (Index i = 0; i < tile.query_count; ++i)
      kernels<Real>().products(row_of<Real>(queries, tile.query(i)), panel.data(), panel.stride(), panel.columns(),
                               tile.key_count, factor(keys.cols()), tile.row(i));
  }

  // ds_ij/dq_i = f k_j,  ds_ij/dk_j = f q_i,  with f = 1 / sqrt(d) or 1
  void backward(const MatrixView<Real>& queries, const MatrixView<Real>& keys, const ScoreTile<Real>& gradient,
                std::span<const Real>, Eigen::Ref<Matrix<Real>> query_gradient, Eigen::Ref<Matrix<Real>> key_gradient,
                std::span<Real>) const override {
    static thread_local std::vector<Real> storage, sums;
    const Kernels<Real>& kernel = kernels<Real>();
    const Panel<Real> panel(keys, gradient, storage);
    const Index n = gradient.key_count;
    const Real f = factor(keys.cols());
    if (key_gradient.rows() > 0) sums.assign(static_cast<std::size_t>(n * keys.cols()), Real(0));
    for (Index i = 0; i < gradient.query_count; ++i)
      for (Index c = 0; c < keys.cols(); ++c) {
        const Index query = gradient.query(i);
        if (query_gradient.rows() > 0) query_gradient(query, c) += f * kernel.dot(gradient.row(i), panel.column(c), n);
        if (key_gradient.rows() > 0) kernel.add_scaled(sums.data() + c * n, gradient.row(i), f * queries(query, c), n);
      }
    if (key_gradient.rows() > 0) add_panel<Real>(sums, gradient, key_gradient);
  }

 private:
  Real factor(Index dimension) const { return scaled_ ? Real(1) / std::sqrt(static_cast<Real>(dimension)) : Real(1); }
  bool scaled_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> dot_product_score(bool scaled) {
  return std::make_shared<DotProduct<Real>>(scaled);
}
template std::shared_ptr<const ScoreFunction<float>> dot_product_score(bool);
template std::shared_ptr<const ScoreFunction<double>> dot_product_score(bool);

}  // namespace fovea
