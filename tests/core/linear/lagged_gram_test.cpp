#include "fovea/core/linear/lagged_gram.hpp"

#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kGramRounding = 1e-12;  // of the columns' lengths: a few hundred sums, and borders that come and go

Matrix<double> lagged_noise(Index steps, Index series, double offset = 0) {
  const Random random = Random(11).stream("lagged gram");
  Matrix<double> values(steps, series);
  for (Index t = 0; t < steps; ++t)
    for (Index i = 0; i < series; ++i)
      values(t, i) = offset + random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t)) +
                     (t > 0 ? 0.7 * (values(t - 1, i) - offset) : 0.0);
  return values;
}

/// Column by column, row by row.
Matrix<double> plain_lagged_gram(const Matrix<double>& values, const std::vector<Index>& lags, const LaggedRows& rule) {
  std::vector<Index> rows;
  for (std::size_t r = 0; r < rule.recording_starts.size(); ++r) {
    const Index end =
        r + 1 < rule.recording_starts.size() ? rule.recording_starts[r + 1] : static_cast<Index>(values.rows());
    for (Index t = rule.recording_starts[r] + std::max(rule.history, lags.back()); t < end; ++t) {
      bool known = true;
      for (const Index lag : lags) known = known && values.row(t - lag).allFinite();
      if (known) rows.push_back(t);
    }
  }
  Eigen::MatrixXd columns(static_cast<Index>(rows.size()), static_cast<Index>(lags.size()) * values.cols());
  for (Index r = 0; r < columns.rows(); ++r)
    for (Index c = 0; c < columns.cols(); ++c)
      columns(r, c) = values(rows[r] - lags[c / values.cols()], c % values.cols());
  columns.rowwise() -= columns.colwise().mean().eval();
  return columns.transpose() * columns;
}

double worst_error(const Matrix<double>& found, const Matrix<double>& wanted) {
  double worst = 0;
  for (Index a = 0; a < found.rows(); ++a)
    for (Index b = 0; b < found.cols(); ++b)
      worst = std::max(worst, std::abs(found(a, b) - wanted(a, b)) / std::sqrt(wanted(a, a) * wanted(b, b)));
  return worst;
}

}  // namespace

TEST_CASE("the products of lagged columns are those of columns written out", "[linear][lags][twin]") {
  const Matrix<double> values = lagged_noise(301, 11, 1000);
  Matrix<double> gaps = values;
  for (const Index t : {40, 41, 200}) gaps(t, t % 11) = kNan;
  Matrix<double> holes = values;
  for (Index t = 3; t < 301; t += 7) holes(t, t % 11) = kNan;
  const LaggedRows three{{0, 90, 170}, 0}, patient{{0}, 20};
  for (const std::vector<Index>& lags :
       {std::vector<Index>{0}, {3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 1, 2, 10, 11, 30}, {1, 5, 9, 13}}) {
    for (const Matrix<double>* table : std::initializer_list<const Matrix<double>*>{&values, &gaps, &holes})
      for (const LaggedRows& rows : {LaggedRows{}, three, patient}) {
        if (table == &holes && lags.size() > 5) continue;  // no row is complete
        const LaggedGram gram(*table, lags, rows);
        CHECK(worst_error(gram.products(), plain_lagged_gram(*table, lags, rows)) < kGramRounding);
        CHECK(gram.products() == gram.products().transpose());
        CHECK(LaggedGram::by_column(*table, lags, rows).products() == gram.products());
      }
  }
}

TEST_CASE("the products of lagged columns have the same bits for any number of threads", "[linear][lags][threads]") {
  const Matrix<double> values = lagged_noise(2000, 19);  // enough work to be worth threads
  const std::vector<Index> kSevenLags{0, 1, 2, 3, 4, 5, 6};
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Matrix<double> alone = LaggedGram(values, kSevenLags).products();
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    CHECK(LaggedGram(values, kSevenLags).products() == alone);
  }
  omp_set_num_threads(before);
}

TEST_CASE("a column of equal values has products 0, whatever its size", "[linear][lags][property]") {
  Matrix<double> values = lagged_noise(80, 3);
  values.col(1).setConstant(1e9 / 3);
  values.col(2).setConstant(7);
  values(0, 2) = 8;  // leaves the rows of lag 0, stays in those of lag 2
  const LaggedGram gram(values, {0, 1, 2});
  for (const Index lag : {0, 1, 2}) CHECK(gram.constant(gram.column(1, lag)));
  CHECK(gram.constant(gram.column(2, 0)));
  CHECK(gram.constant(gram.column(2, 1)));
  CHECK_FALSE(gram.constant(gram.column(2, 2)));
  CHECK(gram.products().row(gram.column(2, 1)).isZero(0));
  CHECK(gram.mean(gram.column(1, 2)) == 1e9 / 3);
}

TEST_CASE("lagged columns: what cannot be is refused by name", "[linear][lags][error]") {
  const Matrix<double> values = lagged_noise(20, 2);
  CHECK_THROWS_AS(LaggedGram(values, {}), ArgumentError);
  CHECK_THROWS_AS(LaggedGram(values, {2, 1}), ArgumentError);
  CHECK_THROWS_AS(LaggedGram(values, {-1, 1}), ArgumentError);
  CHECK_THROWS_WITH(LaggedGram(values, {0, 20}),
                    "LaggedGram: of 20 steps none has all series known at all lags up to 20 within its recording; take "
                    "shorter lags, or fill the missing values.");
  CHECK_THROWS_AS(LaggedGram(values, {0, 1}, {{1}, 0}), ArgumentError);
  CHECK_THROWS_AS(LaggedGram(values, {0, 1}, {{0, 20}, 0}), ArgumentError);
  Matrix<double> huge = values;
  huge(3, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(LaggedGram(huge, {0}),
                    "LaggedGram: series 1 is inf at step 3, but must stay below 1e150: scale it.");
  CHECK_THROWS_AS(LaggedGram(values, {0, 2}).column(0, 1), ArgumentError);
}
