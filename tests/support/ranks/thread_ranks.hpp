#pragma once
/// Ranks that are threads of one process.

#include <functional>

#include "fovea/core/ranks/ranks.hpp"

namespace fovea::support {

/// Calls work(ranks) in `size` threads at once, each as one rank with `threads` threads of OpenMP. An exception of
/// work() ends the process: the other ranks would wait for ever.
void as_ranks(int size, int threads, const std::function<void(const Ranks&)>& work);

}  // namespace fovea::support
