// Attention on the circle against loops over all pairs in long double.

#include "fovea/core/attention/fast/circle_attention.hpp"

#include "fovea/tests/core/attention/fast/fast_attention_support.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

constexpr double kExactCircleSum = 1e-13;  // of the sum of weights; mostly 1e-15

/// The worst error of both sums, as a part of the sum of weights.
double circle_error(CircleAttention& circle, const Numbers& queries, const Numbers& keys, const Numbers& g,
                    double beta) {
  Numbers weights(queries.size()), forces(queries.size());
  circle.sums(queries, keys, g, beta, weights, forces);
  double worst = 0;
  for (std::size_t i = 0; i < queries.size(); i += 9) {
    long double weight = 0, force = 0;
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const long double d = static_cast<long double>(keys[j]) - static_cast<long double>(queries[i]);
      const long double half = std::sin(d / 2), strength = g.empty() ? 1.0L : static_cast<long double>(g[j]);
      const long double e = strength * std::exp(-2 * static_cast<long double>(beta) * half * half);
      weight += e;
      force += e * std::sin(d);
    }
    const double error =
        static_cast<double>(std::max(std::abs(weights[i] - weight), std::abs(forces[i] - force)) / weight);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

}  // namespace

TEST_CASE("attention on the circle is that of all pairs, whatever beta and the crowd", "[fast][twin]") {
  CircleAttention circle;
  const Numbers around = uniform_numbers(300, "crowd", -3.14159, 3.14159),
                turns = uniform_numbers(300, "crowd", -20, 20);
  Numbers camps = uniform_numbers(300, "camps");
  for (double& x : camps) x = std::floor(x * 3) * 2 + 0.01 * x;
  for (const double beta : {1e-3, 1.0, 5.0, 30.0, 1e3, 1e5}) {
    INFO("beta " << beta);
    CHECK(circle_error(circle, around, around, {}, beta) < kExactCircleSum);
    CHECK(circle_error(circle, turns, turns, uniform_numbers(300, "strengths"), beta) < 10 * kExactCircleSum);
    CHECK(circle_error(circle, camps, camps, {}, beta) < kExactCircleSum);
  }
}

TEST_CASE("one angle hears another as the formula says", "[fast]") {
  const Numbers x{0.5}, y{1.5};
  Numbers weight(1), force(1);
  CircleAttention().sums(x, y, {}, 2, weight, force);
  CHECK(weight[0] == Approx(std::exp(2 * (std::cos(1.0) - 1))).epsilon(1e-14));
  CHECK(force[0] == Approx(std::exp(2 * (std::cos(1.0) - 1)) * std::sin(1.0)).epsilon(1e-14));
}

TEST_CASE("a whole turn changes nothing, and the seam at pi is none", "[fast][property]") {
  Numbers x = uniform_numbers(200, "crowd", 2.6, 3.6), moved = x, weights(200), forces(200), others(200), pulls(200);
  for (double& angle : moved) angle -= 3.0;
  CircleAttention circle;
  circle.sums(x, x, {}, 40, weights, forces);
  circle.sums(moved, moved, {}, 40, others, pulls);
  CHECK(worst_difference(weights, others, largest_size(weights)) < kExactCircleSum);
  CHECK(worst_difference(forces, pulls, largest_size(weights)) < kExactCircleSum);
}

TEST_CASE("attention on the circle has the same bits for 1, 2, 3 and 5 threads", "[fast][threads]") {
  const int before = omp_get_max_threads();
  const Numbers x = uniform_numbers(40000, "crowd", -3, 3);
  Numbers weights(x.size()), forces(x.size()), others(x.size()), pulls(x.size());
  for (const double beta : {2.0, 1e4}) {
    omp_set_num_threads(1);
    CircleAttention().sums(x, x, {}, beta, weights, forces);
    for (const int threads : {2, 3, 5}) {
      omp_set_num_threads(threads);
      CircleAttention().sums(x, x, {}, beta, others, pulls);
      CHECK(others == weights);
      CHECK(pulls == forces);
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("attention on the circle refuses what does not fit", "[fast][errors]") {
  CircleAttention circle;
  const Numbers x{1, 2};
  Numbers weights(2), forces(2), one(1);
  CHECK_THROWS_WITH(circle.sums(x, x, {}, -1, weights, forces),
                    "attention on the circle: beta is -1, but must be finite and above 0.");
  CHECK_THROWS_AS(circle.sums(x, x, one, 1, weights, forces), ArgumentError);
  CHECK_THROWS_AS(circle.sums(x, x, {}, 1, one, forces), ArgumentError);
}
