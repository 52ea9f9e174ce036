#include "fovea/core/base/block_sizes.hpp"

#include <Eigen/Core>

#include "fovea/tests/support/test.hpp"

TEST_CASE("products are cut into the same blocks on every processor", "[base]") {
  fovea::fix_block_sizes();
  CHECK(Eigen::l1CacheSize() == 32 << 10);
  CHECK(Eigen::l2CacheSize() == 1 << 20);
  CHECK(Eigen::l3CacheSize() == 32 << 20);
}
