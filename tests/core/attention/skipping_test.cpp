// Skipping with a tolerance: nothing without one, and within the bound that the result carries with one.

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/processor_time.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

// The bound is on exact sums; theirs are rounded.
constexpr double kBoundSlack = 1e-12;

struct SkippingCase {
  const char* name;
  Matrix<double> queries, keys, values, output_gradient;
  AttentionSpec<double> spec;
};

/// Points along a line, so that the keys of a tile are near each other.
SkippingCase sorted_points(Index n) {
  SkippingCase c{"gaussian", Matrix<double>(n, 3), {}, random_matrix(n, 4, 3), random_matrix(n, 4, 4), {}};
  for (Index i = 0; i < n; ++i)
    c.queries.row(i) << 20.0 * static_cast<double>(i) / static_cast<double>(n), std::sin(0.01 * static_cast<double>(i)),
        0.3;
  c.keys = c.queries + 0.01 * random_matrix(n, 3, 5);
  c.spec.score = {gaussian_score<double>(), {}};
  c.spec.modifiers = {{temperature<double>(), {std::log(0.05)}}};
  return c;
}

SkippingCase events(Index n, bool past_only) {
  SkippingCase c{"time decay",           random_matrix(n, 4, 6), random_matrix(n, 4, 7),
                 random_matrix(n, 4, 8), random_matrix(n, 4, 9), {}};
  Vector<double> times(n);
  for (Index i = 0; i < n; ++i) times[i] = 0.1 * static_cast<double>(i) + 0.05 * std::sin(static_cast<double>(i));
  c.spec.heads = 2;
  c.spec.score = {dot_product_score<double>(), {}};
  TimeDecayOptions options;
  options.past_only = past_only;
  c.spec.modifiers = {{time_decay<double>(times, times, options), {std::log(0.8)}}};
  return c;
}

std::vector<SkippingCase> skipping_cases(Index n) { return {sorted_points(n), events(n, false), events(n, true)}; }

double largest_row(const Matrix<double>& values) { return values.rowwise().norm().maxCoeff(); }

}  // namespace

TEST_CASE("with a tolerance the error of every row stays within the bound that the result carries",
          "[attention][skipping][property]") {
  for (SkippingCase& c : skipping_cases(3000)) {
    INFO(c.name);
    const auto exact = attend(c.queries, c.keys, c.values, c.spec);
    CHECK(exact.skipped.size() == 0);
    for (const double tolerance : {1e-3, 1e-9}) {
      c.spec.tolerance = tolerance;
      const auto found = attend(c.queries, c.keys, c.values, c.spec);
      CHECK(found.skipped.maxCoeff() > 0);
      CHECK(found.skipped.maxCoeff() <= tolerance);
      const Index columns = c.values.cols() / c.spec.heads;
      for (Index h = 0; h < c.spec.heads; ++h) {
        const double most = largest_row(c.values.middleCols(h * columns, columns));
        const Matrix<double> change = (found.outputs - exact.outputs).middleCols(h * columns, columns);
        for (Index i = 0; i < change.rows(); ++i)
          if (!(change.row(i).norm() <= 2 * found.skipped(i, h) * most + kBoundSlack))
            FAIL_CHECK("row " << i << " is off by " << change.row(i).norm() << ", bound " << found.skipped(i, h));
      }
    }
    c.spec.tolerance = 0;
  }
}

TEST_CASE("a tolerance leaves out most keys that are far: the same work takes a fraction of the time",
          "[attention][skipping]") {
  SkippingCase c = sorted_points(6000);
  const auto seconds = [&](double tolerance) {
    c.spec.tolerance = tolerance;
    return support::least_processor_seconds([&] { attend(c.queries, c.keys, c.values, c.spec); });
  };
  const double with = seconds(1e-6), without = seconds(0);
  CHECK(with < 0.6 * without);  // 0.4 was measured
}

TEST_CASE("a row decides by itself what it skips: same bits alone, forward and backward, for any number of threads",
          "[attention][skipping][property][threads]") {
  const int before = omp_get_max_threads();
  for (SkippingCase& c : skipping_cases(1200)) {
    INFO(c.name);
    c.spec.tolerance = 1e-4;
    const auto all = attend(c.queries, c.keys, c.values, c.spec);
    const auto gradients = attend_backward(c.queries, c.keys, c.values, c.spec, all, c.output_gradient);
    for (const int threads : {1, 3}) {
      omp_set_num_threads(threads);
      const auto again = attend(c.queries, c.keys, c.values, c.spec);
      const auto same = attend_backward(c.queries, c.keys, c.values, c.spec, again, c.output_gradient);
      CHECK(same_bits(again.outputs, all.outputs));
      CHECK(same_bits(same.queries, gradients.queries));
      CHECK(same_bits(same.keys, gradients.keys));
    }
    omp_set_num_threads(before);
  }
  SkippingCase c = sorted_points(1200);
  c.spec.tolerance = 1e-4;
  const auto all = attend(c.queries, c.keys, c.values, c.spec);
  const auto gradients = attend_backward(c.queries, c.keys, c.values, c.spec, all, c.output_gradient);
  for (const Index i : {0, 13, 14, 600, 1199}) {
    const Matrix<double> query = c.queries.middleRows(i, 1), output = c.output_gradient.middleRows(i, 1);
    const auto alone = attend(query, c.keys, c.values, c.spec);
    CHECK(same_bits(alone.outputs, Matrix<double>(all.outputs.middleRows(i, 1))));
    CHECK(same_bits(attend_backward(query, c.keys, c.values, c.spec, alone, output).queries,
                    Matrix<double>(gradients.queries.middleRows(i, 1))));
  }
}

TEST_CASE("gradients with a tolerance are those without, up to what was left out", "[attention][skipping]") {
  for (SkippingCase& c : skipping_cases(1200)) {
    INFO(c.name);
    const auto exact = attend(c.queries, c.keys, c.values, c.spec);
    const auto expected = attend_backward(c.queries, c.keys, c.values, c.spec, exact, c.output_gradient);
    c.spec.tolerance = 1e-8;
    const auto found = attend(c.queries, c.keys, c.values, c.spec);
    const auto gradients = attend_backward(c.queries, c.keys, c.values, c.spec, found, c.output_gradient);
    constexpr double kLeftOut = 1e-5;  // 1200 rows of 1e-8 times gradients of size 20 / 0.05
    CHECK((gradients.queries - expected.queries).cwiseAbs().maxCoeff() < kLeftOut);
    CHECK((gradients.keys - expected.keys).cwiseAbs().maxCoeff() < kLeftOut);
    CHECK((gradients.values - expected.values).cwiseAbs().maxCoeff() < kLeftOut);
  }
}

TEST_CASE("a tolerance that cannot be is refused", "[attention][skipping][errors]") {
  SkippingCase c = sorted_points(10);
  c.spec.tolerance = 1;
  CHECK_THROWS_WITH(attend(c.queries, c.keys, c.values, c.spec),
                    "attend: tolerance = 1, but must be in [0, 1): the weight of a row that may be skipped.");
  c.spec.tolerance = 0;
  const auto without = attend(c.queries, c.keys, c.values, c.spec);
  c.spec.tolerance = 1e-3;
  CHECK_THROWS_AS(attend_backward(c.queries, c.keys, c.values, c.spec, without, c.output_gradient), ArgumentError);
}
