#pragma once
/// How much memory the search for links takes.

#include "fovea/core/base/matrix.hpp"

namespace fovea::lag::attention {

struct TableSize {
  Index steps = 0, series = 0, targets = 0, lags = 0;
};

/// Bytes beside the table itself, of what is largest: columns and their copy by panels, products of the keys, links
/// with their tests, heads; of the search for courses before it the regressions of all series; on so many threads.
/// Within a third of what tables of 500 to 10^6 rows and 5 to 100 series took.
double memory_needed(const TableSize& size, Index threads);

/// Throws std::runtime_error where that is more than `left` bytes: how much is needed, and what needs less.
void check_memory(const TableSize& size, Index threads, double left);

}  // namespace fovea::lag::attention
