#include "fovea/core/attention/scores.hpp"
#include "fovea/core/attention/scores/entry.hpp"
#include "fovea/core/attention/scores/projection.hpp"

namespace fovea {
namespace {

/// s = q' W k: queries are projected once, q' W, and then compared by their product with the keys.
template <typename Real>
class General final : public ScoreFunction<Real> {
 public:
  Index parameter_count(Index dimension, Index heads) const override { return heads * dimension * dimension; }
  Comparison comparison() const override { return Comparison::product; }
  bool prepares() const override { return true; }

  void prepare(Side side, const MatrixView<Real>& rows, Index head, std::span<const Real> theta,
               MatrixRef<Real> prepared) const override {
    if (side == Side::key) {
      prepared = rows;
      return;
    }
    project<Real>(rows, theta.data() + place(rows.cols(), head), prepared);
  }

  // dq = dq' W^T,  dW = q^T dq'
  void prepare_backward(Side side, const MatrixView<Real>& rows, const MatrixView<Real>& gradient, Index head,
                        std::span<const Real> theta, MatrixRef<Real> rows_gradient,
                        std::span<Real> theta_gradient) const override {
    if (side == Side::key) {
      rows_gradient += gradient;
      return;
    }
    const Index first = place(rows.cols(), head);
    project_backward<Real>(rows, gradient, theta.data() + first, rows_gradient, theta_gradient.data() + first);
  }

 private:
  static Index place(Index dimension, Index head) { return head * dimension * dimension; }
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> general_score() {
  return std::make_shared<General<Real>>();
}
template std::shared_ptr<const ScoreFunction<float>> general_score();
template std::shared_ptr<const ScoreFunction<double>> general_score();

template <typename Real>
ScoreEntry<Real> general_entry() {
  return {"general",
          "q W k",
          "theta = W, d x d for each head",
          "Luong et al. 2015",
          [](const ExampleProblem&) { return general_score<Real>(); },
          [](const ExampleProblem& problem) {
            return example_parameters<Real>(problem.heads * problem.dimension * problem.dimension);
          }};
}
FOVEA_SCORE_ENTRY(general)

}  // namespace fovea
