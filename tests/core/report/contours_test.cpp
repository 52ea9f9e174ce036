#include "fovea/core/report/figures/contours.hpp"

#include "fovea/tests/support/test.hpp"

TEST_CASE("the contour of a plane is its straight line, and of a cone its circle", "[report]") {
  constexpr std::size_t kSide = 41;
  std::vector<double> plane, cone;
  for (std::size_t r = 0; r < kSide; ++r)
    for (std::size_t c = 0; c < kSide; ++c) {
      const double x = static_cast<double>(c), y = static_cast<double>(r);
      plane.push_back(2 * x - y);
      cone.push_back(std::hypot(x - 20, y - 20));
    }
  const auto line = contour(plane, kSide, 10.5);
  CHECK(line.size() > 15);
  double worst = 0, length = 0;
  for (const auto& [from, to] : line)
    for (const Point& p : {from, to}) worst = std::max(worst, std::abs(2 * p.x - p.y - 10.5));
  CHECK(worst < 1e-12);  // rounding
  worst = 0;
  for (const auto& [from, to] : contour(cone, kSide, 10.3)) {
    worst = std::max(worst, std::abs(std::hypot(from.x - 20, from.y - 20) - 10.3));
    length += std::hypot(to.x - from.x, to.y - from.y);
  }
  CHECK(worst < 0.015);  // linear between neighbours: at most (1 / 8) / radius
  CHECK(std::abs(length - 2 * std::acos(-1.0) * 10.3) < 0.2);
}

TEST_CASE("a contour leaves out what is missing, and cuts a saddle without crossing itself", "[report][limit]") {
  CHECK(contour({0, 1, kNan, 1}, 2, 0.5).empty());
  CHECK(contour({}, 0, 0.5).empty());
  CHECK(contour({0, 1}, 2, 0.5).empty());
  // The mean of the four, 0.5 and above the level, joins the two high corners: the low ones are cut off.
  const auto pieces = contour({0, 1, 1, 0}, 2, 0.4);
  REQUIRE(pieces.size() == 2);
  for (const auto& [from, to] : pieces) CHECK(std::hypot(to.x - from.x, to.y - from.y) < 0.6);
}
