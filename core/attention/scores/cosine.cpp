#include <algorithm>
#include <cmath>

#include "fovea/core/attention/scores.hpp"
#include "fovea/core/attention/scores/entry.hpp"

namespace fovea {
namespace {

/// Writes the unit vector of x to unit and returns 1 / |x|; both 0 where x is 0. The largest entry is divided out
/// first, so no square overflows or vanishes.
template <typename Real>
Real normalize(const Real* x, Index dimension, Real* unit) {
  Real largest = 0;
  for (Index c = 0; c < dimension; ++c) largest = std::max(largest, std::abs(x[c]));
  Real squares = 0;
  for (Index c = 0; c < dimension; ++c) {
    unit[c] = largest > 0 ? x[c] / largest : x[c];
    squares += unit[c] * unit[c];
  }
  if (squares == 0) return 0;
  const Real norm = std::sqrt(squares);
  for (Index c = 0; c < dimension; ++c) unit[c] /= norm;
  return Real(1) / norm / largest;
}

/// The product of unit vectors.
template <typename Real>
class Cosine final : public ScoreFunction<Real> {
 public:
  Comparison comparison() const override { return Comparison::product; }
  bool prepares() const override { return true; }

  void prepare(Side, const MatrixView<Real>& rows, Index, std::span<const Real>,
               MatrixRef<Real> prepared) const override {
    for (Index i = 0; i < rows.rows(); ++i)
      normalize(rows.data() + i * rows.outerStride(), rows.cols(), prepared.data() + i * prepared.outerStride());
  }

  // With p = x / |x|:  dL/dx = (dL/dp - (dL/dp . p) p) / |x|
  void prepare_backward(Side, const MatrixView<Real>& rows, const MatrixView<Real>& gradient, Index,
                        std::span<const Real>, MatrixRef<Real> rows_gradient, std::span<Real>) const override {
    std::vector<Real> unit(rows.cols());
    for (Index i = 0; i < rows.rows(); ++i) {
      const Real inverse = normalize(rows.data() + i * rows.outerStride(), rows.cols(), unit.data());
      Real along = 0;
      for (Index c = 0; c < rows.cols(); ++c) along += gradient(i, c) * unit[c];
      for (Index c = 0; c < rows.cols(); ++c) rows_gradient(i, c) += inverse * (gradient(i, c) - along * unit[c]);
    }
  }

  bool finishes() const override { return true; }
  // Rounding must not lead out of the range; a NaN stays.
  void finish(const ScoreTile<Real>& tile) const override {
    for (Index i = 0; i < tile.query_count; ++i)
      for (Index j = 0; j < tile.key_count; ++j) {
        Real& s = tile.row(i)[j];
        s = s > Real(1) ? Real(1) : s < Real(-1) ? Real(-1) : s;
      }
  }
  Real bound(Real, Index) const override { return Real(1); }
  Real largest_difference(Real, Real, Index) const override { return Real(2); }
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> cosine_score() {
  return std::make_shared<Cosine<Real>>();
}
template std::shared_ptr<const ScoreFunction<float>> cosine_score();
template std::shared_ptr<const ScoreFunction<double>> cosine_score();

template <typename Real>
ScoreEntry<Real> cosine_entry() {
  return {"cosine",
          "q . k / (|q| |k|)",
          "",
          "Graves et al. 2014",
          [](const ExampleProblem&) { return cosine_score<Real>(); },
          &no_parameters<Real>};
}
FOVEA_SCORE_ENTRY(cosine)

}  // namespace fovea
