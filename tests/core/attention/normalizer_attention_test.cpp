// Attention with every normaliser of the table: its gradients, and what attend() promises for all.

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/gradient_check.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

// Rounding of a few hundred terms of size 1: 1e-16 x 100, times 100 for scores divided by a small temperature.
constexpr double kPairTolerance = 1e-12;
// Central differences move a score by 1e-5 times a slope of at most 10: no key may come or go meanwhile.
constexpr double kKinkMargin = 1e-4;

Packed problem_with(const std::shared_ptr<const Normalizer<double>>& normalizer, const char* score,
                    const std::vector<const char*>& names, const std::vector<std::pair<Index, Index>>& sets,
                    unsigned salt) {
  Packed p = packed_problem(sets, 2, 3, 2, salt);
  set_score(p, score_entry(score));
  for (const char* name : names) add_modifier(p, modifier_entry(name));
  p.spec.normalizer = normalizer;
  return p;
}

std::vector<Index> all_rows(const Packed& p) {
  std::vector<Index> rows(p.queries.rows());
  std::iota(rows.begin(), rows.end(), Index(0));
  return rows;
}

struct Outcome {
  AttentionResult<double> forward;
  AttentionGradients<double> gradients;
  std::vector<Matrix<double>> weights;  ///< of each head
};

Matrix<double> costs_of(const Packed& p) {
  if (!p.spec.normalizer || !p.spec.normalizer->draws()) return {};
  return random_matrix(p.queries.rows(), p.spec.heads, 99);
}

Outcome outcome(const Packed& p) {
  Outcome all;
  all.forward = attend(p.queries, p.keys, p.values, p.spec);
  all.gradients = attend_backward(p.queries, p.keys, p.values, p.spec, all.forward, p.output_gradient, costs_of(p));
  for (Index head = 0; head < p.spec.heads; ++head)
    all.weights.push_back(attention_weights(p.queries, p.keys, p.spec, all.forward, head, all_rows(p)));
  return all;
}

bool equal_bits(const Outcome& a, const Outcome& b) {
  return test::same_bits(a.forward.outputs, b.forward.outputs) &&
         test::same_bits(a.forward.threshold, b.forward.threshold) &&
         test::same_bits(a.forward.slope_means, b.forward.slope_means) && test::same_bits(a.weights[1], b.weights[1]) &&
         test::same_bits(a.gradients.queries, b.gradients.queries) &&
         test::same_bits(a.gradients.keys, b.gradients.keys) &&
         test::same_bits(a.gradients.values, b.gradients.values) &&
         a.gradients.score_theta == b.gradients.score_theta && a.gradients.modifier_theta == b.gradients.modifier_theta;
}

/// The least distance of a score from the point where its weight becomes 0. The scores are those of a softmax.
double least_distance_from_kinks(Packed p, double factor) {
  const auto sparse = attend(p.queries, p.keys, p.values, p.spec);
  p.spec.normalizer = nullptr;
  const Outcome soft = outcome(p);
  double least = std::numeric_limits<double>::infinity();
  for (Index head = 0; head < p.spec.heads; ++head)
    for (Index i = 0; i < p.queries.rows(); ++i)
      for (Index j = 0; j < p.keys.rows(); ++j)
        if (const double w = soft.weights[head](i, j); w > 0) {
          const double score = std::log(w) + soft.forward.log_sum_exp(i, head);
          const double x = factor * (score - sparse.max_score(i, head)) - sparse.threshold(i, head);
          least = std::min(least, std::abs(x));
        }
  return least;
}

double worst_gradient_error(Packed p) {
  const auto cost = [&] {
    return (attend(p.queries, p.keys, p.values, p.spec).outputs.array() * p.output_gradient.array()).sum();
  };
  const auto gradients = outcome(p).gradients;
  double worst = gradient_error(p.queries.data(), p.queries.size(), gradients.queries.data(), cost);
  worst = std::max(worst, gradient_error(p.keys.data(), p.keys.size(), gradients.keys.data(), cost));
  worst = std::max(worst, gradient_error(p.values.data(), p.values.size(), gradients.values.data(), cost));
  const auto theta_error = [&](std::vector<double>& theta, const std::vector<double>& analytic) {
    REQUIRE(theta.size() == analytic.size());
    return gradient_error(theta.data(), static_cast<Index>(theta.size()), analytic.data(), cost);
  };
  worst = std::max(worst, theta_error(p.spec.score.theta, gradients.score_theta));
  for (std::size_t m = 0; m < p.spec.modifiers.size(); ++m)
    worst = std::max(worst, theta_error(p.spec.modifiers[m].theta, gradients.modifier_theta[m]));
  return worst;
}

void check_sparse_gradients(const std::shared_ptr<const Normalizer<double>>& normalizer, double factor) {
  for (const char* score : {"general", "gaussian_widths", "additive"})
    for (const char* mask : {"causal", "neighbour_list", "time_decay"}) {
      INFO(score << " behind " << mask);
      const Packed p = problem_with(normalizer, score, {"temperature", mask}, {{5, 4}, {1, 1}, {9, 11}, {2, 0}}, 107);
      REQUIRE(least_distance_from_kinks(p, factor) > kKinkMargin);
      CHECK(worst_gradient_error(p) < kGradientTolerance);
    }
}

}  // namespace

TEST_CASE("sparsemax and entmax-1.5 agree with central differences behind masks and lists, parameters included",
          "[attention][normalizer][gradient]") {
  check_sparse_gradients(sparsemax<double>(), 1);
  check_sparse_gradients(entmax15<double>(), 0.5);
}

TEST_CASE("hard attention learns its scores exactly as a softmax does, and its values from the chosen keys",
          "[attention][normalizer][gradient]") {
  for (const char* mask : {"causal", "neighbour_list"}) {
    Packed p = problem_with(hard_attention<double>(), "general", {"temperature", mask}, {{20, 40}, {3, 1}}, 117);
    const Outcome hard = outcome(p);
    p.spec.normalizer = nullptr;
    const Outcome soft = outcome(p);
    const auto error = [](const auto& a, const auto& b) { return (a - b).cwiseAbs().maxCoeff(); };
    CHECK(error(hard.forward.slope_means, soft.forward.outputs) < kPairTolerance);
    CHECK(error(hard.gradients.queries, soft.gradients.queries) < kPairTolerance);
    CHECK(error(hard.gradients.keys, soft.gradients.keys) < kPairTolerance);
    for (std::size_t k = 0; k < hard.gradients.score_theta.size(); ++k)
      CHECK(std::abs(hard.gradients.score_theta[k] - soft.gradients.score_theta[k]) < kPairTolerance);
    CHECK(std::abs(hard.gradients.modifier_theta[0][0] - soft.gradients.modifier_theta[0][0]) < kPairTolerance);
    for (Index head = 0; head < 2; ++head) {
      const Matrix<double>& weights = hard.weights[head];
      CHECK(((weights.array() == 0) || (weights.array() == 1)).all());
      CHECK(error(hard.gradients.values.middleCols(2 * head, 2),
                  weights.transpose() * p.output_gradient.middleCols(2 * head, 2)) < kPairTolerance);
    }
  }
}

TEST_CASE("with every normaliser, outputs are the weighted values, rows sum to 1, masked keys weigh 0",
          "[attention][normalizer][twin]") {
  for (const auto& entry : normalizers<double>())
    for (const char* mask : {"causal", "neighbour_list", "time_decay"})
      for (const Index value_columns : {2, 16}) {
        INFO(entry.name << " behind " << mask << ", " << value_columns << " columns of values");
        Packed p = problem_with(entry.make(), "dot_product", {mask}, {{31, 600}, {2, 1}}, 127);
        p.values = random_matrix(601, 2 * value_columns, 128);
        p.output_gradient = random_matrix(33, 2 * value_columns, 129);
        const Outcome found = outcome(p);
        p.spec.normalizer = nullptr;
        const Outcome soft = outcome(p);
        for (Index head = 0; head < 2; ++head) {
          const Matrix<double>& weights = found.weights[head];
          const Matrix<double> expected = weights * p.values.middleCols(head * value_columns, value_columns);
          CHECK(
              (expected - found.forward.outputs.middleCols(head * value_columns, value_columns)).cwiseAbs().maxCoeff() <
              kPairTolerance);
          const Matrix<double>& soft_weights = soft.weights[head];
          for (Index i = 0; i < 33; ++i) {  // a list may leave a query no key
            const double sum = soft.forward.sum_exp(i, head) > 0 ? 1 : 0;
            CHECK(std::abs(weights.row(i).sum() - sum) < kPairTolerance);
          }
          CHECK(weights.minCoeff() >= 0);
          CHECK((soft_weights.array() == 0).select(weights.array(), 0).abs().maxCoeff() == 0);
          CHECK((found.forward.log_sum_exp - soft.forward.log_sum_exp).array().isNaN().count() +
                    ((found.forward.log_sum_exp - soft.forward.log_sum_exp).array().abs() < kPairTolerance).count() ==
                found.forward.log_sum_exp.size());  // -inf - -inf is NaN
        }
      }
}

TEST_CASE("with every normaliser, 1, 2, 3 and 5 threads give the same bits, forward and every gradient",
          "[attention][normalizer][threads]") {
  const int before = omp_get_max_threads();
  for (const auto& entry : normalizers<double>())
    for (const char* mask : {"causal", "neighbour_list"}) {
      const Packed p = problem_with(entry.make(), "gaussian", {"temperature", mask}, {{70, 600}, {3, 5}}, 137);
      omp_set_num_threads(1);
      const Outcome alone = outcome(p);
      for (const int threads : {2, 3, 5}) {
        omp_set_num_threads(threads);
        INFO(entry.name << " behind " << mask << ", " << threads << " threads");
        CHECK(equal_bits(alone, outcome(p)));
      }
    }
  omp_set_num_threads(before);
}

TEST_CASE("with every normaliser, a query has the same bits alone as among others", "[attention][normalizer]") {
  for (const auto& entry : normalizers<double>())
    for (const Index value_columns : {2, 16})
      for (const double log_tau : {-3.0, 2.0}) {              // few keys and many
        if (entry.make() && entry.make()->draws()) continue;  // by row number
        Packed p = problem_with(entry.make(), "gaussian", {"temperature"}, {{37, 700}}, 147);
        p.spec.modifiers[0].theta = {log_tau};
        p.values = random_matrix(700, 2 * value_columns, 148);
        p.output_gradient = random_matrix(37, 2 * value_columns, 149);
        const Outcome all = outcome(p);
        for (const Index i : {0, 13, 14, 36}) {
          Packed one = p;
          one.queries = p.queries.middleRows(i, 1);
          one.output_gradient = p.output_gradient.middleRows(i, 1);
          one.spec.query_offsets = {0, 1};
          const Outcome alone = outcome(one);
          INFO(entry.name << ", query " << i << ", log tau " << log_tau);
          CHECK(test::same_bits<double>(alone.forward.outputs, all.forward.outputs.middleRows(i, 1)));
          CHECK(test::same_bits<double>(alone.gradients.queries, all.gradients.queries.middleRows(i, 1)));
        }
      }
}

TEST_CASE("with every normaliser, a query whose keys are all masked has output, weights and gradients 0",
          "[attention][normalizer][limit]") {
  for (const auto& entry : normalizers<double>()) {
    INFO(entry.name);
    Packed p = problem_with(entry.make(), "dot_product", {"temperature"}, {{10, 6}, {2, 0}}, 157);
    p.spec.modifiers.push_back({window<double>(2), {}});  // queries 8 and 9 see no key
    const Outcome all = outcome(p);
    for (const Index i : {8, 9, 10, 11}) {
      CHECK(all.forward.outputs.row(i).cwiseAbs().maxCoeff() == 0);
      CHECK(all.forward.log_sum_exp(i, 1) == -std::numeric_limits<double>::infinity());
      CHECK(all.gradients.queries.row(i).cwiseAbs().maxCoeff() == 0);
      CHECK(all.weights[0].row(i).cwiseAbs().maxCoeff() == 0);
    }
    CHECK(all.forward.outputs.row(7).cwiseAbs().maxCoeff() > 0);
    CHECK(all.gradients.keys.allFinite());
    CHECK(std::isfinite(all.gradients.modifier_theta[0][0]));
  }
}

TEST_CASE("with every normaliser, scores of 1e30 stay finite and a NaN reaches the outputs of its row alone",
          "[attention][normalizer][limit]") {
  for (const auto& entry : normalizers<double>()) {
    INFO(entry.name);
    Packed p = problem_with(entry.make(), "unscaled_dot_product", {"temperature"}, {{4, 9}}, 167);
    p.queries *= 1e30;
    const Outcome huge = outcome(p);
    CHECK(huge.forward.outputs.allFinite());
    CHECK((huge.weights[0].rowwise().sum().array() - 1).abs().maxCoeff() < kPairTolerance);
    CHECK(huge.gradients.values.allFinite());
    p.queries *= 1e-30;
    p.queries(1, 0) = std::numeric_limits<double>::quiet_NaN();
    const auto spoilt = attend(p.queries, p.keys, p.values, p.spec);
    CHECK(spoilt.outputs.row(1).head(2).array().isNaN().all());
    CHECK(spoilt.outputs.row(0).allFinite());
    CHECK(spoilt.outputs.bottomRows(2).allFinite());
  }
}

TEST_CASE("with every normaliser, single precision agrees with double", "[attention][normalizer][twin]") {
  for (std::size_t e = 0; e < normalizers<double>().size(); ++e) {
    Packed p = problem_with(normalizers<double>()[e].make(), "gaussian", {}, {{20, 30}, {5, 600}}, 177);
    AttentionSpec<float> spec;
    spec.score = {gaussian_score<float>(), {}};
    spec.heads = 2;
    spec.query_offsets = p.spec.query_offsets;
    spec.key_offsets = p.spec.key_offsets;
    spec.normalizer = normalizers<float>()[e].make();
    const Matrix<float> queries = p.queries.cast<float>(), keys = p.keys.cast<float>(), values = p.values.cast<float>();
    const auto single = attend(queries, keys, values, spec);
    const auto gradients = attend_backward(queries, keys, values, spec, single, p.output_gradient.cast<float>().eval(),
                                           costs_of(p).cast<float>().eval());
    const Outcome expected = outcome(p);
    const auto error = [](const Matrix<float>& a, const Matrix<double>& b) {
      return (a.cast<double>() - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
    };
    constexpr double kSingleTolerance = 2e-5;  // 600 roundings at 6e-8
    INFO(normalizers<double>()[e].name);
    CHECK(error(single.outputs, expected.forward.outputs) < kSingleTolerance);
    CHECK(error(gradients.queries, expected.gradients.queries) < kSingleTolerance);
    CHECK(error(gradients.values, expected.gradients.values) < kSingleTolerance);
  }
}

TEST_CASE("the gradient of sampled attention is that of the expected cost, on the mean of 20000 seeds",
          "[attention][normalizer][statistics]") {
  Packed p = problem_with(nullptr, "gaussian", {"temperature", "causal"}, {{3, 4}}, 187);
  // The cost of a drawn value v: sum_c (v_c^3 - v_c / 2). Expected cost: a softmax over the costs of the values.
  Matrix<double> costs(4, 2), slopes = 3 * p.values.array().square() - 0.5;
  const Matrix<double> cost_terms = p.values.array().cube() - p.values.array() / 2;
  for (Index head = 0; head < 2; ++head) costs.col(head) = cost_terms.middleCols(2 * head, 2).rowwise().sum();
  const Matrix<double> ones = Matrix<double>::Ones(3, 2);
  const auto soft = attend(p.queries, p.keys, costs, p.spec);
  const auto exact = attend_backward(p.queries, p.keys, costs, p.spec, soft, ones);
  Matrix<double> exact_values = slopes;
  for (Index c = 0; c < 4; ++c) exact_values.col(c).array() *= exact.values.col(c / 2).array();

  constexpr std::uint64_t kSeeds = 20000;
  constexpr double kBaseline = 0.2, kCount = 20000;
  Matrix<double> expected(1, 49), sum = Matrix<double>::Zero(1, 49), squares = sum;
  const auto flat = [](const AttentionGradients<double>& gradients, const Matrix<double>& values) {
    Matrix<double> all(1, 49);
    all << gradients.queries.reshaped<Eigen::RowMajor>().transpose(),
        gradients.keys.reshaped<Eigen::RowMajor>().transpose(), gradients.modifier_theta[0][0],
        values.topRows(3).leftCols(2).reshaped<Eigen::RowMajor>().transpose();
    return all;
  };
  expected = flat(exact, exact_values);
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    p.spec.normalizer = sampled_attention<double>(seed);
    const auto drawn = attend(p.queries, p.keys, p.values, p.spec);
    const Matrix<double> output_slopes = 3 * drawn.outputs.array().square() - 0.5;
    Matrix<double> draw_costs(3, 2);
    for (Index head = 0; head < 2; ++head) {
      const auto o = drawn.outputs.middleCols(2 * head, 2).array();
      draw_costs.col(head) = (o.cube() - o / 2).rowwise().sum() - kBaseline;
    }
    const auto gradients = attend_backward(p.queries, p.keys, p.values, p.spec, drawn, output_slopes, draw_costs);
    const Matrix<double> estimate = flat(gradients, gradients.values);
    sum += estimate;
    squares += estimate.cwiseAbs2();
  }
  const Matrix<double> mean = sum / kCount;
  for (Index k = 0; k < 49; ++k) {  // 4 standard errors: a chance of 6e-5 each, 0.3 % for all 49
    const double variance = squares(0, k) / kCount - mean(0, k) * mean(0, k);
    CHECK(std::abs(mean(0, k) - expected(0, k)) <= 4 * std::sqrt(variance / kCount) + kPairTolerance);
  }
  CHECK(expected.cwiseAbs().maxCoeff() > 0.05);
}
