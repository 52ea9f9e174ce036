#include "fovea/core/linear/sparse_tests.hpp"

#include "fovea/core/linear/partial_correlation.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kFactorisedTwice = 1e-9;  // two factorisations of a well-conditioned 12 x 12 matrix

Matrix<double> products_of_noise(std::uint64_t seed) {
  Matrix<double> columns(150, 12);
  const Random random(seed);
  for (Index t = 0; t < columns.rows(); ++t)
    for (Index k = 0; k < columns.cols(); ++k)
      columns(t, k) = random.normal(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(t)) +
                      0.5 * random.normal(99, static_cast<std::uint64_t>(t));
  columns.col(11) += columns.col(3) - columns.col(7);
  columns.rowwise() -= columns.colwise().mean().eval();
  return columns.transpose() * columns;
}

}  // namespace

TEST_CASE("The tests of all keys are the partial correlations given the chosen ones", "[sparse_tests]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Matrix<double> all = products_of_noise(seed);
    const SparseTests tests =
        sparse_tests(WholeProducts(all.topLeftCorner(11, 11)), all.col(11).head(11), all(11, 11), 150, {0});
    CHECK(std::find(tests.chosen.begin(), tests.chosen.end(), 3) != tests.chosen.end());
    CHECK(std::find(tests.chosen.begin(), tests.chosen.end(), 7) != tests.chosen.end());
    for (Index key = 0; key < 11; ++key) {
      std::vector<Index> given = tests.chosen;
      std::erase(given, key);
      CHECK(tests.correlations[key] == Approx(partial_correlation(all, key, 11, given)).margin(kFactorisedTwice));
      CHECK(tests.degrees(key, 150) == 150 - 2 - static_cast<Index>(given.size()));
    }
  }
}

TEST_CASE("A key that the chosen ones determine says nothing and is not chosen", "[sparse_tests]") {
  Matrix<double> all = products_of_noise(6);
  all.row(5) = all.row(3);
  all.col(5) = all.col(3);
  all(5, 5) = all(3, 3);
  const SparseTests tests =
      sparse_tests(WholeProducts(all.topLeftCorner(11, 11)), all.col(11).head(11), all(11, 11), 150, {3, 5});
  CHECK(tests.chosen.front() == 3);
  CHECK(std::find(tests.chosen.begin(), tests.chosen.end(), 5) == tests.chosen.end());
  CHECK(tests.correlations[5] == 0);
}

TEST_CASE("Where the chosen keys determine the target, they alone are correlated with it", "[sparse_tests]") {
  Matrix<double> all = products_of_noise(7);  // the target becomes key 3
  all.row(11) = all.row(3);
  all.col(11) = all.col(3);
  all(11, 11) = all(3, 3);
  const SparseTests tests =
      sparse_tests(WholeProducts(all.topLeftCorner(11, 11)), all.col(11).head(11), all(11, 11), 150, {0, 3, 5});
  CHECK(tests.residual_square == 0);
  for (Index key = 0; key < 11; ++key) CHECK(tests.correlations[key] == (key == 3 ? 1 : 0));
}
