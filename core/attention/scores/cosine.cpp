#include <algorithm>
#include <cmath>

#include "fovea/core/attention/kernels/kernels.hpp"
#include "fovea/core/attention/kernels/panel.hpp"
#include "fovea/core/attention/scores.hpp"

namespace fovea {
namespace {

/// Writes the unit vector of x to unit and returns 1 / |x|; both 0 where x is 0. The largest entry is divided out
/// first, so no square overflows or vanishes.
template <typename Real>
Real normalize(const Real* x, Index dimension, Index stride, Real* unit) {
  Real largest = 0;
  for (Index c = 0; c < dimension; ++c) largest = std::max(largest, std::abs(x[c * stride]));
  Real squares = 0;
  for (Index c = 0; c < dimension; ++c) {
    unit[c * stride] = largest > 0 ? x[c * stride] / largest : x[c * stride];
    squares += unit[c * stride] * unit[c * stride];
  }
  if (squares == 0) return 0;
  const Real norm = std::sqrt(squares);
  for (Index c = 0; c < dimension; ++c) unit[c * stride] /= norm;
  return Real(1) / norm / largest;
}

/// The keys of a tile as unit vectors.
template <typename Real>
struct UnitKeys {
  Index count, dimension;
  std::vector<Real> units, inverse_norms;

  UnitKeys(const MatrixView<Real>& keys, const TileRange& tile)
      : count(tile.key_count),
        dimension(keys.cols()),
        units(static_cast<std::size_t>(count * dimension)),
        inverse_norms(static_cast<std::size_t>(count)) {
    std::vector<Real> storage;
    const Panel<Real> panel(keys, tile, storage);
    for (Index c = 0; c < dimension; ++c) std::copy(panel.column(c), panel.column(c) + count, units.data() + c * count);
    for (Index j = 0; j < count; ++j)
      inverse_norms[static_cast<std::size_t>(j)] = normalize(units.data() + j, dimension, count, units.data() + j);
  }
  const Real* column(Index c) const { return units.data() + c * count; }
};

template <typename Real>
class Cosine final : public ScoreFunction<Real> {
 public:
  void score(const MatrixView<Real>& queries, const MatrixView<Real>& keys, const ScoreTile<Real>& tile,
             std::span<const Real>) const override {
    const UnitKeys<Real> unit_keys(keys, tile);
    std::vector<Real> unit_query(static_cast<std::size_t>(keys.cols()));
    for (Index i = 0; i < tile.query_count; ++i) {
      normalize(row_of<Real>(queries, tile.query(i)), keys.cols(), 1, unit_query.data());
      cosines(unit_query, unit_keys, tile.row(i));
    }
  }

  // With unit vectors p = q/|q| and u = k/|k|:  ds/dq = (u - s p) / |q|,  ds/dk = (p - s u) / |k|
  void backward(const MatrixView<Real>& queries, const MatrixView<Real>& keys, const ScoreTile<Real>& gradient,
                std::span<const Real>, Eigen::Ref<Matrix<Real>> query_gradient, Eigen::Ref<Matrix<Real>> key_gradient,
                std::span<Real>) const override {
    const Kernels<Real>& kernel = kernels<Real>();
    const UnitKeys<Real> unit_keys(keys, gradient);
    const Index n = gradient.key_count, d = keys.cols();
    std::vector<Real> unit_query(static_cast<std::size_t>(d)), scores(static_cast<std::size_t>(n));
    std::vector<Real> along_queries(static_cast<std::size_t>(n * d), Real(0)), along_keys(scores.size(), Real(0));
    for (Index i = 0; i < gradient.query_count; ++i) {
      const Index query = gradient.query(i);
      const Real inverse_norm = normalize(row_of<Real>(queries, query), d, 1, unit_query.data());
      cosines(unit_query, unit_keys, scores.data());
      const Real along_itself = kernel.dot(gradient.row(i), scores.data(), n);
      for (Index c = 0; c < d; ++c) {
        const Real p = unit_query[static_cast<std::size_t>(c)];
        if (query_gradient.rows() > 0)
          query_gradient(query, c) +=
              inverse_norm * (kernel.dot(gradient.row(i), unit_keys.column(c), n) - along_itself * p);
        if (key_gradient.rows() > 0) kernel.add_scaled(along_queries.data() + c * n, gradient.row(i), p, n);
      }
      for (Index j = 0; j < n; ++j)
        along_keys[static_cast<std::size_t>(j)] += gradient.row(i)[j] * scores[static_cast<std::size_t>(j)];
    }
    if (key_gradient.rows() == 0) return;
    for (Index c = 0; c < d; ++c)
      for (Index j = 0; j < n; ++j) {
        const std::size_t at = static_cast<std::size_t>(j);
        Real& sum = along_queries[static_cast<std::size_t>(c * n + j)];
        sum = unit_keys.inverse_norms[at] * (sum - along_keys[at] * unit_keys.column(c)[j]);
      }
    add_panel<Real>(along_queries, gradient, key_gradient);
  }

 private:
  static void cosines(const std::vector<Real>& unit_query, const UnitKeys<Real>& unit_keys, Real* scores) {
    const Index n = unit_keys.count;
    kernels<Real>().products(unit_query.data(), unit_keys.units.data(), n, unit_keys.dimension, n, Real(1), scores);
    for (Index j = 0; j < n; ++j) {  // rounding must not lead out of the range; a NaN stays
      if (scores[j] > Real(1)) scores[j] = Real(1);
      if (scores[j] < Real(-1)) scores[j] = Real(-1);
    }
  }
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreFunction<Real>> cosine_score() {
  return std::make_shared<Cosine<Real>>();
}
template std::shared_ptr<const ScoreFunction<float>> cosine_score();
template std::shared_ptr<const ScoreFunction<double>> cosine_score();

}  // namespace fovea
