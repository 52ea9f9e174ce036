#include "fovea/core/statistics/tests/neighbour_information.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kSameSum = 1e-12;  // one sum of n numbers below log n, in two orders

RankColumn ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  RankColumn ranks(values.size());
  for (std::size_t k = 0; k < order.size(); ++k) ranks[order[k]] = static_cast<std::int16_t>(k);
  return ranks;
}

std::vector<double> normal_values(std::size_t n, std::uint64_t entity) {
  std::vector<double> values(n);
  for (std::size_t k = 0; k < n; ++k) values[k] = Random(21).normal(entity, k);
  return values;
}

double plain_digamma(std::size_t m) {
  double sum = -0.57721566490153286061;
  for (std::size_t k = 1; k < m; ++k) sum += 1 / static_cast<double>(k);
  return sum;
}

int ranks_apart(const RankColumn& x, std::size_t a, std::size_t b) { return std::abs(x[a] - x[b]); }

/// Every distance of every pair.
double plain_information(const RankColumn& x, const RankColumn& y, const std::vector<RankColumn>& z, std::size_t k) {
  double sum = 0;
  for (std::size_t a = 0; a < x.size(); ++a) {
    const auto in_z = [&](std::size_t b) {
      int most = 0;
      for (const RankColumn& one : z) most = std::max(most, ranks_apart(one, a, b));
      return most;
    };
    std::vector<int> joint;
    for (std::size_t b = 0; b < x.size(); ++b)
      if (b != a) joint.push_back(std::max({ranks_apart(x, a, b), ranks_apart(y, a, b), in_z(b)}));
    std::nth_element(joint.begin(), joint.begin() + static_cast<std::ptrdiff_t>(k - 1), joint.end());
    const int e = joint[k - 1];
    std::size_t n_z = 0, n_xz = 0, n_yz = 0;
    for (std::size_t b = 0; b < x.size(); ++b) {
      if (b == a || in_z(b) >= e) continue;
      ++n_z;
      n_xz += ranks_apart(x, a, b) < e ? 1U : 0U;
      n_yz += ranks_apart(y, a, b) < e ? 1U : 0U;
    }
    sum += plain_digamma(n_z + 1) - plain_digamma(n_xz + 1) - plain_digamma(n_yz + 1);
  }
  return plain_digamma(k) + sum / static_cast<double>(x.size());
}

}  // namespace

TEST_CASE("information from neighbours is what all distances of all pairs give", "[neighbour_information][twin]") {
  for (const std::size_t n : {5U, 16U, 97U, 300U})
    for (const std::size_t conditions : {1U, 3U}) {
      const RankColumn y = ranks_of(normal_values(n, 1));
      std::vector<RankColumn> z;
      for (std::size_t c = 0; c < conditions; ++c) z.push_back(ranks_of(normal_values(n, 2 + c)));
      for (const Index k : {Index{1}, Index{4}}) {
        const NeighbourInformation information(y, z, k);
        const std::vector<RankColumn> xs{ranks_of(normal_values(n, 9)), y, z.front()};
        const std::vector<double> found = information(xs);
        for (std::size_t m = 0; m < xs.size(); ++m)
          CHECK(std::abs(found[m] - plain_information(xs[m], y, z, k)) < kSameSum);
      }
    }
}

TEST_CASE("information from neighbours is that of normal variables, and none given the common cause",
          "[neighbour_information][statistics]") {
  constexpr std::size_t kPoints = 1000;
  std::vector<double> x = normal_values(kPoints, 1), y = normal_values(kPoints, 2);
  const std::vector<double> z = normal_values(kPoints, 3);
  for (std::size_t t = 0; t < kPoints; ++t) y[t] += x[t];
  // -log(1 - 1 / 2) / 2 = .347; the estimator's deviation at 1000 points is .03 and its bias towards 0 as large
  CHECK(NeighbourInformation(ranks_of(y), {ranks_of(z)}, 4)({ranks_of(x)}).front() == Approx(0.347).margin(0.1));
  x = normal_values(kPoints, 4), y = normal_values(kPoints, 5);
  for (std::size_t t = 0; t < kPoints; ++t) x[t] = 0.5 * x[t] + z[t], y[t] = 0.5 * y[t] + z[t];
  CHECK(std::abs(NeighbourInformation(ranks_of(y), {ranks_of(z)}, 4)({ranks_of(x)}).front()) < 0.1);
}

TEST_CASE("information from neighbours refuses what are no ranks", "[neighbour_information][error]") {
  const RankColumn three{0, 2, 1}, twice{0, 1, 1}, beyond{1, 2, 3}, two{0, 1};
  CHECK_THROWS_AS(NeighbourInformation(three, {}, 1), ArgumentError);
  CHECK_THROWS_AS(NeighbourInformation(three, {three}, 3), ArgumentError);
  CHECK_THROWS_AS(NeighbourInformation(twice, {three}, 1), ArgumentError);
  CHECK_THROWS_AS(NeighbourInformation(three, {two}, 1), ArgumentError);
  CHECK_THROWS_WITH(NeighbourInformation(three, {three}, 1)({three, beyond}),
                    "NeighbourInformation: x must have each of the ranks 0 to 2 once.");
}
