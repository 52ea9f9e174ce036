/// What the attention over the past looks at: outliers pulled in, gaps bridged and filled.

#include "fovea/domains/lag/attention/columns.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

datasets::series::SeriesTable numbers_table(Matrix<double> values, std::vector<Index> starts = {0}) {
  datasets::series::SeriesTable table;
  for (Index i = 0; i < values.cols(); ++i) table.names.push_back("x" + std::to_string(i));
  table.values = std::move(values);
  table.recording_starts = std::move(starts);
  return table;
}

}  // namespace

TEST_CASE("outliers are pulled in to four robust deviations, and nothing else is", "[attention_links]") {
  Vector<double> x(9);
  x << -1, 0, 1000, 1, kNan, -2, 2, -3000, 3;  // median 1, absolute deviations 0 1 1 2 2 3 999 3001
  Vector<double> pulled(9);
  pulled = x;
  attention::pull_in_outliers(pulled);
  const double bound = 4 * 1.4826 * 2;
  for (const Index k : {0, 1, 3, 5, 6, 8}) CHECK(pulled[k] == x[k]);
  CHECK(pulled[2] == 1 + bound);
  CHECK(pulled[7] == 1 - bound);
  CHECK(std::isnan(pulled[4]));
}

TEST_CASE("gaps are bridged by straight lines inside a recording", "[attention_links]") {
  Matrix<double> values(9, 1);
  values << kNan, 0, kNan, kNan, 3, kNan, /* next recording */ kNan, 7, kNan;
  const Matrix<double> filled = attention::bridged(numbers_table(values, {0, 6}));
  const std::vector<double> wanted{0, 0, 1, 2, 3, 3, 7, 7, 7};
  for (Index t = 0; t < 9; ++t) CHECK(filled(t, 0) == Approx(wanted[t]));
  values << 1, 2, 3, 4, 5, 6, kNan, kNan, kNan;
  CHECK(attention::bridged(numbers_table(values, {0, 6}))(7, 0) == Approx(3.5));  // a recording without any: the mean
}

TEST_CASE("a gap is filled from its own past and future, and never from what it may drive", "[attention_links]") {
  Matrix<double> values(9, 2);
  values.col(0) << 1, -2, 3, -1, kNan, 2, -3, 1, -1;
  values.col(1) << 2, 1, -1, 0, 5, 4, -2, 1, -1;
  const std::vector<std::vector<attention::ForecastTerm>> forecasts{{{0, 1, 0.8}}, {{0, 1, 0.9}}};
  const auto filled_with = [&](double effect) {
    datasets::series::SeriesTable table = numbers_table(values);
    table.values(5, 1) = effect;
    Matrix<double> filled = attention::bridged(table);
    const double mean = filled.col(0).mean();
    attention::fill_by_forecast(filled, table, forecasts);
    // the conditional mean of an autoregression of order 1: b (before + after) / (1 + b^2)
    CHECK(filled(4, 0) - mean == Approx(0.8 * (-1 - mean + 2 - mean) / (1 + 0.64)));
    return filled(4, 0);
  };
  CHECK(filled_with(4) == filled_with(400));
}
