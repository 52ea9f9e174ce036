#include "fovea/core/study/trees/summary_columns.hpp"

#include "fovea/tests/support/tasks/record_task.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::study {
namespace {

const SummarySettings kOneHalfLife{{2}, 3};
constexpr Index kClassWidth = 2 + 1 + 13 + 1;  // count, age, mass; thirteen of the values and one decayed mean

/// One case: class "a" has 5 at hour 1, 1 at hour 3 and an event without a value at hour 4, class "b" nothing.
Cases small_case() {
  Cases cases;
  cases.features = {{"value", "1", {}}};
  cases.classes = {"a", "b"};
  cases.offsets = {0, 3};
  cases.values.resize(3, 1);
  cases.values << 5, 1, std::numeric_limits<float>::quiet_NaN();
  cases.times = {1, 3, 4};
  cases.time_unit = "h";
  cases.kinds = {0, 0, 0};
  cases.ends = {5};
  cases.ids = {"one"};
  return cases;
}

void check_row(const Matrix<float>& row, const std::vector<double>& expected) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    INFO("column " << k);
    if (std::isnan(expected[k]))
      CHECK(std::isnan(row(0, static_cast<Index>(k))));
    else
      CHECK(std::abs(static_cast<double>(row(0, static_cast<Index>(k))) - expected[k]) < 1e-6);
  }
}

}  // namespace

TEST_CASE("the columns of a class are those worked out by hand", "[study][trees]") {
  const Cases cases = small_case();
  const Matrix<float> row = summary_columns(cases, std::vector<Index>{0}, {}, kOneHalfLife);
  REQUIRE(row.cols() == 2 * kClassWidth + 1);
  REQUIRE(row.cols() == summary_width(2, 1, kOneHalfLife));
  const double w1 = std::exp2(-2.0), w3 = std::exp2(-1.0), w4 = std::exp2(-0.5);
  check_row(row, {std::log(4.0), 1, std::log(w1 + w3 + w4), 1, 5, 1, 5, 3, 2, (5 * w1 + w3) / (w1 + w3), 1, 1, 1, -4,
                  -2, -4, -2});
  for (Index k = kClassWidth; k < 2 * kClassWidth; ++k) CHECK(std::isnan(row(0, k)));
  CHECK(row(0, 2 * kClassWidth) == 5);
}

TEST_CASE("what is later than the time asked does not exist", "[study][trees]") {
  const Cases cases = small_case();
  const std::vector<double> at{2};
  check_row(summary_columns(cases, std::vector<Index>{0}, at, kOneHalfLife),
            {std::log(2.0), 1, -0.5 * std::log(2.0), 5, 5, 5, 5, 5, 0, 5, 5, 5, 5, 0, 0, kNan, kNan});
  const std::vector<double> before{0.5};
  const Matrix<float> none = summary_columns(cases, std::vector<Index>{0}, before, kOneHalfLife);
  for (Index k = 0; k < 2 * kClassWidth; ++k) CHECK(std::isnan(none(0, k)));
}

TEST_CASE("a row of columns depends on its case and time alone, for any number of threads", "[study][trees][threads]") {
  const Cases cases = support::simulated_records(300, Random(8));
  std::vector<Index> items(300);
  for (std::size_t b = 0; b < items.size(); ++b) items[b] = static_cast<Index>(b);
  const std::vector<double> at{2.5, 7};
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 3, 5}) {
    omp_set_num_threads(threads);
    const Matrix<float> all = summary_columns(cases, items, at, {});
    for (const Index item : {Index{0}, Index{17}, Index{299}}) {
      const Matrix<float> alone = summary_columns(cases, {&item, 1}, {&at[1], 1}, {});
      for (Index k = 0; k < all.cols(); ++k) {
        const float x = all(2 * item + 1, k), y = alone(0, k);
        CHECK(((std::isnan(x) && std::isnan(y)) || x == y));
      }
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("cases without classes or times have the columns that need neither", "[study][trees]") {
  Cases cases = small_case();
  cases.classes.clear();
  cases.kinds.clear();
  cases.times.clear();
  cases.ends.clear();
  const Matrix<float> row = summary_columns(cases, std::vector<Index>{0}, {}, kOneHalfLife);
  check_row(row, {std::log(4.0), kNan, kNan, 1, 5, 1, 5, 3, 2, kNan, kNan, kNan, kNan, -4, -2, kNan, kNan, kNan});
}

}  // namespace fovea::study
