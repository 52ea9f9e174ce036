#include "fovea/domains/fusion/maps/kernels/map_kernels.hpp"

#if defined(__x86_64__)
#define FOVEA_TARGET __attribute__((target("avx512f")))
#define FOVEA_VECTOR_BYTES 64
#include "fovea/domains/fusion/maps/kernels/map_loops.inl"
#define FOVEA_TABLE &kMapTable
#else
#define FOVEA_TABLE nullptr
#endif

const fovea::fusion::maps::MapKernels* fovea::fusion::maps::map_avx512_kernels() { return FOVEA_TABLE; }
