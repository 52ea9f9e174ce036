#include "fovea/domains/fusion/maps/kernels/map_kernels.hpp"

#if defined(__x86_64__)

#define FOVEA_TARGET __attribute__((target("avx2,fma")))
#define FOVEA_VECTOR_BYTES 32
#include "fovea/domains/fusion/maps/kernels/map_loops.inl"

namespace fovea::fusion::maps {

const MapKernels* map_avx2_kernels() { return &kMapTable; }

}  // namespace fovea::fusion::maps

#else

namespace fovea::fusion::maps {

const MapKernels* map_avx2_kernels() { return nullptr; }

}  // namespace fovea::fusion::maps

#endif
