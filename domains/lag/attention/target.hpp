#pragma once
/// One target of the attention over the past: its heads, its chosen keys, its tests.

#include "fovea/core/base/missing.hpp"
#include "fovea/core/linear/common_conditions.hpp"
#include "fovea/core/linear/single_effects.hpp"
#include "fovea/core/linear/sparse_tests.hpp"
#include "fovea/domains/lag/attention/columns.hpp"

namespace fovea::lag::attention {

struct TargetModel {
  SingleEffects heads;
  SparseTests tests;
  Index rows = 0;
};

/// Learns the heads, takes the target's shortest own lag and the key of each head with enough evidence, and tests.
TargetModel learn_target(const KeyProducts& products, Index target, Index series, std::size_t lags);

/// The tests again, given all plain keys. Targets without gaps share one factorisation.
class DenseTests {
 public:
  DenseTests(const KeyProducts& products, Index series, std::size_t lags);
  SparseTests of(Index target) const;

 private:
  const KeyProducts& products_;
  std::vector<Index> plain_;
  CommonConditions shared_;
};

/// What a target's tests say of one (source, lag), and which content decided.
struct LinkTest {
  double correlation = 0, t = 0, p_value = 1;
  double plain_t = 0;
  double log10_p = kNan;  ///< of a p_value that is too small for a double; NaN elsewhere
};
/// Two slow series share few independent moments m (KeyProducts::effective_rows), and an autoregression's t is then
/// spread as Student's with about m degrees: t is shrunk by its deviation, sqrt(m / (m - 2)).
LinkTest test_link(const SparseTests& tests, const KeyProducts& products, Index source, std::size_t lag_place,
                   Index target, Index rows);

/// The residuals of each target given its chosen keys, in standard deviations and with outliers pulled in:
/// steps_with_past x series; NaN where the
/// target is missing.
Matrix<double> residuals_of(const std::vector<TargetModel>& models, const Matrix<double>& columns,
                            const datasets::series::SeriesTable& table, const std::vector<Index>& lags);

}  // namespace fovea::lag::attention
