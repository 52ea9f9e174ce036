#include "fovea/core/linear/product_rows.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kTwoOrders = 1e-11;  // of sums of up to 80 products of numbers near 1, scaled to 80

/// 80 rows of 7 columns about their means; column 3 is 0, column 4 differs from 0 in the first row only.
Matrix<double> part_columns() {
  Matrix<double> columns(80, 7);
  for (Index t = 0; t < columns.rows(); ++t)
    for (Index k = 0; k < columns.cols(); ++k)
      columns(t, k) = Random(31).normal(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(t)) +
                      0.5 * Random(31).normal(9, static_cast<std::uint64_t>(t));
  columns.col(3).setZero();
  columns.col(4).setZero();
  columns(0, 4) = 1;
  columns.rowwise() -= columns.colwise().mean().eval();
  return columns;
}

/// Of the rows written out; the last column is the target.
Matrix<double> plain_products(Matrix<double> rows) {
  const auto n = static_cast<double>(rows.rows());
  rows.rowwise() -= rows.colwise().mean().eval();
  for (Index k = 0; k < rows.cols(); ++k) {
    const double length = rows.col(k).norm();
    rows.col(k) *= length > 1e-6 ? std::sqrt(n) / length : 0.0;
  }
  return rows.transpose() * rows;
}

void check_products(const PartProducts& part, const PartProducts::Another& target, const Matrix<double>& wanted) {
  const Index keys = wanted.cols() - 1;
  REQUIRE(part.size() == keys);
  const Vector<double> coefficients = Vector<double>::LinSpaced(keys, -1, 2);
  Vector<double> sum = Vector<double>::Zero(keys);
  for (Index k = 0; k < keys; ++k) {
    CHECK((part.row(k).transpose() - wanted.row(k).head(keys)).cwiseAbs().maxCoeff() < kTwoOrders);
    CHECK(std::abs(part.diagonal()[k] - wanted(k, k)) < kTwoOrders);
    CHECK(part.row(k)[k] == part.diagonal()[k]);
    sum += coefficients[k] * wanted.row(k).head(keys).transpose();
  }
  CHECK((part.combined(coefficients) - sum).cwiseAbs().maxCoeff() < kTwoOrders);
  CHECK((target.products - wanted.col(keys).head(keys)).cwiseAbs().maxCoeff() < kTwoOrders);
  CHECK(std::abs(target.square - wanted(keys, keys)) < kTwoOrders);
}

}  // namespace

TEST_CASE("products over some rows are those of the rows written out, by the rows kept or those left out",
          "[linear][lags][twin]") {
  const Matrix<double> columns = part_columns(), keys = columns.leftCols(6);
  const Matrix<double> whole = keys.transpose() * keys;
  const Vector<double> target = columns.col(6), with_target = keys.transpose() * target;
  for (const Index out : {1, 20, 70}) {  // column 4 is constant without the first row
    const Index kept = 80 - out;
    const Matrix<double> wanted = plain_products(columns.bottomRows(kept));
    const PartProducts by_kept(keys.bottomRows(kept)), by_out(whole, keys.topRows(out), kept);
    check_products(by_kept, by_kept.another(target.tail(kept)), wanted);
    check_products(by_out, by_out.another(target.head(out), with_target, target.squaredNorm()), wanted);
    CHECK(by_out.diagonal()[3] == 0);
    CHECK(by_out.diagonal()[4] == 0);
    CHECK(by_out.row(4).isZero(0));
  }
}

TEST_CASE("no rows at all have products 0, and shapes must fit", "[linear][lags][limit]") {
  const PartProducts none{Matrix<double>(0, 3)};
  CHECK(none.diagonal().isZero(0));
  CHECK(none.row(1).isZero(0));
  CHECK(none.another(Vector<double>(0)).square == 0);
  CHECK_THROWS_AS(PartProducts(Matrix<double>::Zero(2, 2), Matrix<double>::Zero(1, 3), 4), ArgumentError);
}
