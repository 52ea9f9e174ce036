#include "fovea/domains/opinion/phase/sizes/size_limit.hpp"

#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

phase::SizeLimit limit_of(const std::vector<Index>& sizes, const std::vector<double>& places, double half_width) {
  return phase::size_limit(sizes, places, std::vector<double>(sizes.size(), half_width));
}

}  // namespace

TEST_CASE("places that move as a power of the size are carried to infinitely many agents", "[phase][sizes]") {
  for (const double b : {0.3, 0.5, 1.0, 2.0})
    for (const double a : {-4.0, 3.0})
      for (const std::vector<Index>& sizes : {std::vector<Index>{100, 200, 400}, {50, 130, 900}, {7, 100, 200, 400}}) {
        CAPTURE(b, a, sizes.size());
        std::vector<double> places;
        for (const Index n : sizes) places.push_back(0.7 + a * std::pow(static_cast<double>(n), -b));
        const phase::SizeLimit limit = limit_of(sizes, places, 1e-9);
        CHECK(limit.converges);
        CHECK(std::abs(limit.value - 0.7) < 1e-9);                            // b is bisected to 1e-17
        CHECK(std::abs(limit.error - std::abs(places.back() - 0.7)) < 1e-9);  // the whole step counts
      }
}

TEST_CASE("sizes that do not converge are not carried on, and the error is the last change", "[phase][sizes]") {
  const std::vector<double> too_fast{0.261, 0.143, 0.133};  // the last step as N^-3.5 would have it; 8000 agents: 0.125
  for (const std::vector<double>& places :
       {std::vector<double>{0.1, 0.2, 0.4}, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.15}, too_fast}) {
    const phase::SizeLimit limit = limit_of({100, 200, 400}, places, 0.001);
    CHECK_FALSE(limit.converges);
    CHECK(limit.value == places.back());
    CHECK(std::abs(limit.error - std::hypot(0.001, places[2] - places[1])) < 1e-15);
  }
  CHECK_FALSE(limit_of({100, 200}, {0.1, 0.2}, 0.001).converges);  // two sizes do not show how the change shrinks
  const phase::SizeLimit alone = limit_of({100}, {0.1}, 0.001);
  CHECK_FALSE(alone.converges);
  CHECK(alone.error == 0.001);
  CHECK(std::isnan(limit_of({}, {}, 0).value));
}

TEST_CASE("changes below the brackets are as good as none", "[phase][sizes]") {
  const phase::SizeLimit limit = limit_of({100, 200, 400}, {0.1, 0.1005, 0.1}, 0.001);
  CHECK(limit.converges);
  CHECK(limit.value == 0.1);
  CHECK(std::abs(limit.error - std::hypot(0.001, 0.0005)) < 1e-15);
}
