#include "fovea/core/statistics/tests/two_classes.hpp"

#include "fovea/tests/support/test.hpp"

TEST_CASE("Two classes are parted halfway between them, in any order", "[two_classes]") {
  CHECK(two_class_cut(std::vector<double>{9, 1, 2, 1, 10, 2, 11}) == 5.5);
  CHECK(two_class_cut(std::vector<double>{3, 3, 3}) == 3);
  CHECK(two_class_cut(std::vector<double>{0, 4}) == 2);
  CHECK_THROWS_AS(two_class_cut(std::vector<double>{1}), ArgumentError);
}
