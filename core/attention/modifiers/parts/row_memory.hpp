#pragma once
/// Memory for one row of numbers, kept by each thread. Internal to core/attention.

#include <vector>

#include "fovea/core/base/matrix.hpp"

namespace fovea {

/// At least `count` numbers, whose content does not matter; another Purpose has other memory. Valid until the thread
/// asks for the same purpose again.
template <typename Purpose, typename Real>
Real* row_memory(Index count) {
  static thread_local std::vector<Real> memory;
  if (static_cast<Index>(memory.size()) < count) memory.resize(count);
  return memory.data();
}

}  // namespace fovea
