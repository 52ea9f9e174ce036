#pragma once
/// One target of the attention over the past: its heads, its chosen keys, its tests.

#include <memory>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/linear/common_conditions.hpp"
#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/core/linear/single_effects.hpp"
#include "fovea/core/linear/sparse_tests.hpp"
#include "fovea/domains/lag/attention/columns.hpp"
#include "fovea/domains/lag/attention/row_tests.hpp"
#include "fovea/domains/lag/attention/second/second_key.hpp"

namespace fovea::lag::attention {

struct TargetModel {
  SingleEffects heads;
  SparseTests tests;
  Index rows = 0;
};

/// Learns the heads, takes the target's shortest own lag, the keys `required` and the key of each head with enough
/// evidence, and tests.
TargetModel learn_target(const KeyProducts& products, Index target, Index series, std::size_t lags,
                         const std::vector<Index>& required = {});

/// The conditions but for what says nearly the same as a key: the same value with outliers pulled in, or as it is.
std::vector<Index> without_twin(const std::vector<Index>& conditions, Index key, Index series);

/// The tests of all keys given these and no others.
SparseTests tests_given(const KeyProducts& products, Index target, const std::vector<Index>& conditions);

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

/// The tests of one (source, lag), one a content. Two slow series share few independent moments m
/// (KeyProducts::effective_rows), and an autoregression's t is then spread as Student's with about m degrees: t is
/// shrunk by its deviation, sqrt(m / (m - 2)).
struct ContentTests {
  std::array<CorrelationTest, kContents> tests;
  std::array<methods::DecidingTest, kContents> decided = {
      methods::DecidingTest::student, methods::DecidingTest::student, methods::DecidingTest::student};
  std::array<double, kContents> shares = {};  ///< that sum to 1; 0 for a content that holds nothing
  std::shared_ptr<SecondTest> second;         ///< beside them; null: no second key became a condition
  CorrelationTest& of(Content content) { return tests[static_cast<std::size_t>(content)]; }
  const CorrelationTest& of(Content content) const { return tests[static_cast<std::size_t>(content)]; }
  methods::DecidingTest& decider(Content content) { return decided[static_cast<std::size_t>(content)]; }
  methods::DecidingTest decider(Content content) const { return decided[static_cast<std::size_t>(content)]; }
  double& share(Content content) { return shares[static_cast<std::size_t>(content)]; }
  double share(Content content) const { return shares[static_cast<std::size_t>(content)]; }
};
/// The share of a content of a source in its test; nothing for those that hold nothing.
double share_of(const KeyProducts& products, Index source, Content content);
ContentTests test_contents(const SparseTests& tests, const KeyProducts& products, Index source, std::size_t lag_place,
                           Index target, Index rows);

/// What they say together, 1 - prod_c (1 - s_c u) for u the least of p_c / s_c with the shares s_c, and which content
/// decided: uniform under the null where the tests are independent. Both stages together likewise, by their shares.
struct LinkTest {
  double correlation = 0, t = 0, p_value = 1;
  double plain_t = 0;
  double log10_p = kNan;  ///< of a p_value that is too small for a double; NaN elsewhere
  methods::DecidingTest decided = methods::DecidingTest::student;
  bool bent = false;    ///< the bent content decided, or a shape of the second stage
  bool second = false;  ///< the second stage decided
};
LinkTest combined(const ContentTests& contents);
LinkTest test_link(const SparseTests& tests, const KeyProducts& products, Index source, std::size_t lag_place,
                   Index target, Index rows);

/// The residuals of each target given its chosen keys, in standard deviations and with outliers pulled in where
/// these are at most a twentieth:
/// steps_with_past x series; NaN where the
/// target is missing.
Matrix<double> residuals_of(const std::vector<TargetModel>& models, const Eigen::MatrixXd& columns,
                            const datasets::series::SeriesTable& table, const std::vector<Index>& lags);

}  // namespace fovea::lag::attention
