
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/attention/scores/entry.hpp"
#include "fovea/core/kernels/exponential.hpp"

namespace fovea {
namespace {

template <typename Real>
class Gaussian : public ScoreFunction<Real> {
 public:
  Comparison comparison() const override { return Comparison::squared_distance; }
  Real factor(Index) const override { return Real(-0.5); }
  // |q - k| lies between |q| - |k|, or 0 where the key can reach the query, and |q| + |k|.
  Real largest_difference(Real query_norm, Real key_norm, Index) const override {
    return query_norm > key_norm ? 2 * query_norm * key_norm : (query_norm + key_norm) * (query_norm + key_norm) / 2;
  }
};

/// Rows are divided by the widths, x' = x e^-theta, and then compared at unit width.
template <typename Real>
class GaussianWidths final : public Gaussian<Real> {
 public:
  Index parameter_count(Index dimension, Index) const override { return dimension; }
  bool prepares() const override { return true; }
  Real largest_difference(Real, Real, Index) const override { return std::numeric_limits<Real>::infinity(); }

  void prepare(Side, const MatrixView<Real>& rows, Index, std::span<const Real> theta,
               MatrixRef<Real> prepared) const override {
    for (Index c = 0; c < rows.cols(); ++c) prepared.col(c) = rows.col(c) * exponential(-theta[c]);
  }

  // dx'/dx = e^-theta,  dx'/dtheta = -x'
  void prepare_backward(Side, const MatrixView<Real>& rows, const MatrixView<Real>& gradient, Index,
                        std::span<const Real> theta, MatrixRef<Real> rows_gradient,
                        std::span<Real> theta_gradient) const override {
    for (Index c = 0; c < rows.cols(); ++c) {
      const Real inverse = exponential(-theta[c]);
      Real sum = 0;
      for (Index i = 0; i < rows.rows(); ++i) {
        rows_gradient(i, c) += gradient(i, c) * inverse;
        sum += gradient(i, c) * rows(i, c) * inverse;
      }
      theta_gradient[c] -= sum;
    }
  }
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> gaussian_score() {
  return std::make_shared<Gaussian<Real>>();
}
template std::shared_ptr<const ScoreFunction<float>> gaussian_score();
template std::shared_ptr<const ScoreFunction<double>> gaussian_score();

template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> gaussian_widths_score() {
  return std::make_shared<GaussianWidths<Real>>();
}
template std::shared_ptr<const ScoreFunction<float>> gaussian_widths_score();
template std::shared_ptr<const ScoreFunction<double>> gaussian_widths_score();

template <typename Real>
ScoreEntry<Real> gaussian_entry() {
  return {"gaussian",
          "-|q - k|^2 / 2",
          "",
          "Nadaraya 1964, Watson 1964",
          [](const ExampleProblem&) { return gaussian_score<Real>(); },
          &no_parameters<Real>};
}
FOVEA_SCORE_ENTRY(gaussian)

template <typename Real>
ScoreEntry<Real> gaussian_widths_entry() {
  return {"gaussian_widths",
          "-sum_c (q_c - k_c)^2 / (2 h_c^2)",
          "theta_c = log h_c, one for each dimension",
          "Nadaraya 1964, Watson 1964",
          [](const ExampleProblem&) { return gaussian_widths_score<Real>(); },
          [](const ExampleProblem& problem) { return example_parameters<Real>(problem.dimension); }};
}
FOVEA_SCORE_ENTRY(gaussian_widths)

}  // namespace fovea
