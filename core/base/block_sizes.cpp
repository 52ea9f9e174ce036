#include "fovea/core/base/block_sizes.hpp"

#include <Eigen/Core>
#include <mutex>

namespace fovea {

void fix_block_sizes() {
  static std::once_flag once;
  std::call_once(once, [] { Eigen::setCpuCacheSizes(32 << 10, 1 << 20, 32 << 20); });
}

}  // namespace fovea
