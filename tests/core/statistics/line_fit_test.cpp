#include "fovea/core/statistics/line_fit.hpp"

#include "fovea/core/statistics/distributions/student.hpp"
#include "fovea/tests/support/test.hpp"

TEST_CASE("Student's t has the published quantiles", "[statistics]") {
  // Abramowitz and Stegun 1964, table 26.10, A = 0.95; three decimals
  for (const auto& [degrees, width] : std::vector<std::pair<int, double>>{
           {1, 12.706}, {2, 4.303}, {3, 3.182}, {4, 2.776}, {5, 2.571}, {10, 2.228}, {30, 2.042}, {120, 1.980}})
    CHECK(std::abs(student_width(0.95, degrees) - width) < 6e-4);
  CHECK(std::abs(student_within(1, 1) - 0.5) < 1e-15);                 // Cauchy
  CHECK(std::abs(student_within(1, 2) - 1 / std::sqrt(3.0)) < 1e-15);  // t / sqrt(2 + t^2)
  CHECK(student_width(0, 3) < 1e-300);
  CHECK_THROWS_AS(student_width(1, 3), ArgumentError);
  CHECK_THROWS_AS(student_within(1, 0), ArgumentError);
}

TEST_CASE("a line through points on a line is that line, and has no width", "[statistics]") {
  const std::vector<double> x{1, 2, 3, 5, kNan}, y{5, 7, 9, 13, 1};
  const LineFit fit = fit_line(x, y);
  CHECK(std::abs(fit.slope - 2) < 1e-14);
  CHECK(std::abs(fit.intercept - 3) < 1e-14);
  CHECK(fit.half_width < 1e-13);
  CHECK(fit.count == 4);
  CHECK(std::isnan(fit_line(std::vector<double>{1, 2}, std::vector<double>{1, 2}).half_width));
  CHECK_THROWS_AS(fit_line(std::vector<double>{1, 1}, std::vector<double>{1, 2}), ArgumentError);
}

TEST_CASE("a power law has its exponent, whatever its factor", "[statistics]") {
  const std::vector<double> x{1, 10, 100, -1}, y{7, 7e-3, 7e-6, 1};
  CHECK(std::abs(fit_power(x, y).slope + 3) < 1e-14);
}

TEST_CASE("19 of 20 intervals hold the true slope", "[statistics]") {
  constexpr int kTrials = 4000;
  const Random random(7);
  int inside = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> x, y;
    for (std::uint64_t i = 0; i < 6; ++i) {
      x.push_back(static_cast<double>(i * i));
      y.push_back(0.5 * x.back() + random.normal(static_cast<std::uint64_t>(trial), i));
    }
    const LineFit fit = fit_line(x, y);
    inside += std::abs(fit.slope - 0.5) < fit.half_width ? 1 : 0;
  }
  // 3800 of 4000 expected, standard deviation 14; four of them
  CHECK(std::abs(inside - 0.95 * kTrials) < 56);
}
