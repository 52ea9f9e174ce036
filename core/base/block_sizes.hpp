#pragma once
/// Eigen cuts large products into blocks that fit into the caches it finds, and the sums of a product are grouped by
/// its blocks: without this, results end in other last places on a processor with other caches.

namespace fovea {

/// From now on Eigen takes caches of 32 KiB, 1 MiB and 32 MiB, whatever the processor has. To be called before the
/// first product; the lab does it for every run. Safe to call from several threads.
void fix_block_sizes();

}  // namespace fovea
