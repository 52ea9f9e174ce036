#include "fovea/core/attention/scores.hpp"
#include "fovea/core/attention/scores/entry.hpp"
#include "fovea/core/attention/scores/projection.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

/// Both rows are projected, q Q and k K; theta holds, head after head, Q (d x width), K (d x width) and w (width).
template <typename Real>
class Additive final : public ScoreFunction<Real> {
 public:
  explicit Additive(Index width) : width_(width) {
    require(width >= 1, "additive_score: width = ", width, ", but must be at least 1.");
  }

  Index parameter_count(Index dimension, Index heads) const override { return heads * size(dimension); }
  Comparison comparison() const override { return Comparison::tanh_sum; }
  Index weights_place(Index dimension, Index head) const override {
    return head * size(dimension) + 2 * dimension * width_;
  }
  Index prepared_columns(Index) const override { return width_; }
  bool prepares() const override { return true; }

  void prepare(Side side, const MatrixView<Real>& rows, Index head, std::span<const Real> theta,
               MatrixRef<Real> prepared) const override {
    project<Real>(rows, theta.data() + place(side, rows.cols(), head), prepared);
  }

  void prepare_backward(Side side, const MatrixView<Real>& rows, const MatrixView<Real>& gradient, Index head,
                        std::span<const Real> theta, MatrixRef<Real> rows_gradient,
                        std::span<Real> theta_gradient) const override {
    const Index first = place(side, rows.cols(), head);
    project_backward<Real>(rows, gradient, theta.data() + first, rows_gradient, theta_gradient.data() + first);
  }

  // |tanh| <= 1, but the engine has no bound of sum_c w_c tanh(p_c + k_c) without the weights.
  Real bound(Real, Index) const override { return std::numeric_limits<Real>::infinity(); }

 private:
  Index size(Index dimension) const { return (2 * dimension + 1) * width_; }
  Index place(Side side, Index dimension, Index head) const {
    return head * size(dimension) + (side == Side::key ? dimension * width_ : 0);
  }

  Index width_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> additive_score(Index width) {
  return std::make_shared<Additive<Real>>(width);
}
template std::shared_ptr<const ScoreFunction<float>> additive_score(Index);
template std::shared_ptr<const ScoreFunction<double>> additive_score(Index);

template <typename Real>
ScoreEntry<Real> additive_entry() {
  return {"additive",
          "sum_c w_c tanh((q Q + k K)_c)",
          "theta = Q, K (d x width each) and w (width), for each head",
          "Bahdanau, Cho, Bengio 2015",
          [](const ExampleProblem&) { return additive_score<Real>(5); },
          [](const ExampleProblem& problem) {
            return example_parameters<Real>(problem.heads * (2 * problem.dimension + 1) * 5, 0.1);
          }};
}
FOVEA_SCORE_ENTRY(additive)

}  // namespace fovea
