#include "fovea/core/base/ordering.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/tests/support/test.hpp"

namespace {

/// Of many kinds: spread over the reals, far from 0 and close together, with ties, in steps, of both zeros.
std::vector<std::vector<double>> kinds_of_values(std::size_t count) {
  const Random random = Random(6).stream("ordering");
  std::vector<std::vector<double>> kinds(6, std::vector<double>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const double z = random.normal(i);
    kinds[0][i] = z;
    kinds[1][i] = 1e6 + 1e-7 * z;
    kinds[2][i] = std::round(2 * z);
    kinds[3][i] = z > 0 ? 0.0 : -0.0;
    kinds[4][i] = std::exp(30 * z);
    kinds[5][i] = 7;
  }
  return kinds;
}

}  // namespace

TEST_CASE("the order by digits is that of a stable sort, and the values are those of a sort", "[ordering][twin]") {
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{2}, std::size_t{399}, std::size_t{5000}, std::size_t{60000}})
    for (const std::vector<double>& values : kinds_of_values(count)) {
      std::vector<std::uint32_t> wanted(count);
      std::iota(wanted.begin(), wanted.end(), 0u);
      std::stable_sort(wanted.begin(), wanted.end(), [&](auto a, auto b) { return values[a] < values[b]; });
      CHECK(ascending_order(values) == wanted);
      std::vector<double> sorted = values;
      std::sort(sorted.begin(), sorted.end());
      CHECK(ascending(values) == sorted);
    }
}

TEST_CASE("NaN has no place in an order", "[ordering]") {
  const std::vector<double> values{1, kNan};
  CHECK_THROWS_AS(ascending_order(values), ArgumentError);
  CHECK_THROWS_AS(ascending(values), ArgumentError);
}
