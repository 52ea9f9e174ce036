#pragma once
/// How much memory this process may still take.

#include <cstdint>
#include <string>

namespace fovea {

/// Bytes: the least of what the machine has, what a control group may have (memory.max of version 2, or
/// memory.limit_in_bytes of version 1, of the group or one above it) and the limit of the address space (ulimit -v),
/// each less what this process has of it already. Limits that cannot be read do not count.
std::uint64_t memory_left();

/// "820 MB", "1.3 GB".
std::string memory_text(double bytes);

}  // namespace fovea
