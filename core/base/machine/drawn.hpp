#pragma once
/// Which seeds random numbers have been drawn from (random.hpp).

#include <cstdint>

namespace fovea {

/// Whether this process has drawn a number from a seed, in any stream of any Random. Seeds share 256 places, so it may
/// also be true where none was drawn; what was computed while it is false does not depend on the seed, as far as seeds
/// are for Random alone.
bool drawn_from(std::uint64_t seed);

}  // namespace fovea
