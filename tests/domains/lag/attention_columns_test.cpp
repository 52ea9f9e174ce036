/// What the attention over the past looks at: outliers pulled in, gaps bridged and filled.

#include "fovea/domains/lag/attention/columns.hpp"
#include "fovea/domains/lag/attention/memory_needed.hpp"
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

TEST_CASE("products of more keys than rows, made when they are asked for, are those of the columns written out",
          "[attention_links][twin]") {
  constexpr Index kSeries = 1700, kSteps = 60;  // 5100 keys
  constexpr double kRounding = 1e-10;
  const Random random = Random(5).stream("wide");
  Matrix<double> values(kSteps, kSeries);
  for (Index t = 0; t < kSteps; ++t)
    for (Index i = 0; i < kSeries; ++i)
      values(t, i) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t));
  values.col(9).setConstant(4);
  datasets::series::SeriesTable table = numbers_table(values);
  table.values(30, 1) = kNan;
  const Eigen::MatrixXd columns = attention::content_columns(attention::bridged(table));
  const attention::KeyProducts products(columns, table, {2});
  REQUIRE(attention::products_on_demand(static_cast<double>(products.keys()), kSteps - 2));
  for (const Index target : {0, 1}) {
    std::vector<Index> rows;
    for (Index t = 2; t < kSteps; ++t)
      if (!std::isnan(table.values(t, target))) rows.push_back(t);
    const auto n = static_cast<double>(rows.size());
    const auto scaled = [&](Index column, Index lag) {
      Vector<double> x(std::ssize(rows));
      for (Index r = 0; r < x.size(); ++r) x[r] = columns(rows[r] - lag, column);
      x.array() -= x.mean();
      return Vector<double>(x.norm() > 0 ? Vector<double>(x * (std::sqrt(n) / x.norm())) : x);
    };
    const attention::KeyProducts::Of of = products.of(target);
    CHECK(of.rows == std::ssize(rows));
    CHECK(of.target_square == Approx(n));
    for (const Index a : {Index{0}, Index{7}, Index{9}, kSeries + 3}) {
      CHECK(std::abs(of.with_target[a] - scaled(target, 0).dot(scaled(a, 2))) < kRounding * n);
      for (const Index b : {Index{0}, Index{7}, Index{9}, kSeries + 3, 2 * kSeries - 1})
        CHECK(std::abs(of.keys->row(a)[b] - scaled(a, 2).dot(scaled(b, 2))) < kRounding * n);
    }
  }
}

TEST_CASE("a table too large for what memory is left is refused before the search, with what needs less",
          "[attention_links][error]") {
  const attention::TableSize wide{200, 2000, 2000, 1}, long_one{1'000'000, 10, 10, 5};
  for (const attention::TableSize& size : {wide, long_one}) {
    const double needed = attention::memory_needed(size, 2);
    CHECK(needed > 5e8);
    CHECK(needed < 2.2e9);  // 2000 series of 200 steps take 2.04 GB
    CHECK_NOTHROW(attention::check_memory(size, 2, needed));
    try {
      attention::check_memory(size, 2, 1e8);
      FAIL("not refused");
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      for (const char* part : {" of memory, but only 100 MB are left", "--columns", "--targets", "--max-lag"})
        CHECK(text.find(part) != std::string::npos);
    }
  }
  const attention::TableSize few{200, 2000, 20, 1};
  CHECK(attention::memory_needed(few, 2) < attention::memory_needed(wide, 2));
}
