#include "fovea/domains/fusion/maps/kernels/map_kernels.hpp"

#if defined(__x86_64__)

#define FOVEA_TARGET __attribute__((target("avx512f")))
#define FOVEA_VECTOR_BYTES 64
#include "fovea/domains/fusion/maps/kernels/map_loops.inl"

namespace fovea::fusion::maps {

const MapKernels* map_avx512_kernels() { return &kMapTable; }

}  // namespace fovea::fusion::maps

#else

namespace fovea::fusion::maps {

const MapKernels* map_avx512_kernels() { return nullptr; }

}  // namespace fovea::fusion::maps

#endif
