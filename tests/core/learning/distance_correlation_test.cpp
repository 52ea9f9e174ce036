#include "fovea/core/learning/distance_correlation.hpp"

#include "fovea/tests/support/test.hpp"

namespace fovea::learning::test {
namespace {

constexpr double kRoundingOfSums = 1e-13;  // sums of some hundred terms of a few units, relative

double found(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& weights = {}) {
  Tape<double> tape;
  tape.begin(nullptr, {});
  const Matrix<double> column = Eigen::Map<const Matrix<double>>(x.data(), std::ssize(x), 1);
  return distance_correlation<double>(tape.variable(column), y, weights).data()[0];
}

std::vector<double> drawn(Index count, std::uint64_t seed) {
  std::vector<double> numbers;
  for (Index i = 0; i < count; ++i) numbers.push_back(Random(seed).uniform(static_cast<std::uint64_t>(i)));
  return numbers;
}

/// Without centring: V = mean(a b) + mean(a) mean(b) - 2 mean_i(mean_j a_ij mean_j b_ij), Szekely et al. 2007, (2.18).
double plain(const std::vector<double>& x, const std::vector<double>& y) {
  const auto v = [](const std::vector<double>& u, const std::vector<double>& w) {
    const double n = static_cast<double>(u.size());
    double both = 0, one = 0, other = 0, rows = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      double a = 0, b = 0;
      for (std::size_t j = 0; j < u.size(); ++j) {
        both += std::abs(u[i] - u[j]) * std::abs(w[i] - w[j]);
        a += std::abs(u[i] - u[j]), b += std::abs(w[i] - w[j]);
      }
      one += a, other += b, rows += a * b;
    }
    return both / (n * n) + one * other / (n * n * n * n) - 2 * rows / (n * n * n);
  };
  return v(x, y) / std::sqrt(v(x, x) * v(y, y));
}

}  // namespace

TEST_CASE("distance correlation is that of the formula without centring", "[twin]") {
  const std::vector<double> x = drawn(40, 1);
  std::vector<double> y = drawn(40, 2);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += (x[i] - 0.5) * (x[i] - 0.5);
  CHECK(found(x, y) == Approx(plain(x, y)).epsilon(kRoundingOfSums));
}

TEST_CASE("distance correlation is 1 of a line, 0 of a grid, and small but above 1/n of independent numbers",
          "[limit]") {
  const std::vector<double> x = drawn(60, 1);
  std::vector<double> line;
  for (const double one : x) line.push_back(3 - 2 * one);
  CHECK(found(x, line) == Approx(1).epsilon(kRoundingOfSums));
  CHECK(std::abs(found({0, 0, 1, 1, 3, 3}, {0, 5, 0, 5, 0, 5})) < kRoundingOfSums);
  const double independent = found(x, drawn(60, 2));
  CHECK(independent > 1.0 / 60);
  CHECK(independent < 0.15);
  CHECK(found({2, 2, 2}, {1, 2, 3}) == 0);
  CHECK(found({1}, {1}) == 0);
}

TEST_CASE("a row of distance correlation with the weight 2 counts as two, one with 0 not at all", "[property]") {
  const std::vector<double> x{0.2, -1, 3, 0.7}, y{1, 2, 2.5, -1};
  CHECK(found({0.2, -1, 3, 0.7, 0.7, 50}, {1, 2, 2.5, -1, -1, std::nan("")}, {1, 1, 1, 1, 1, 0}) ==
        Approx(found(x, y, {1, 1, 1, 2})).epsilon(kRoundingOfSums));
  CHECK(found(x, y, {0.5, 0.5, 0.5, 0.5}) == Approx(found(x, y)).epsilon(kRoundingOfSums));
}

TEST_CASE("distance correlation refuses what does not fit", "[errors]") {
  CHECK_THROWS_AS(found({1, 2}, {1}), ArgumentError);
  CHECK_THROWS_AS(found({1, 2}, {1, 2}, {1}), ArgumentError);
  CHECK_THROWS_AS(found({1, 2}, {1, 2}, {1, -1}), ArgumentError);
}

}  // namespace fovea::learning::test
