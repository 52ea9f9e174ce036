#include "fovea/domains/fusion/maps/kernels/map_kernels.hpp"

#define FOVEA_TARGET
#define FOVEA_VECTOR_BYTES 16
#include "fovea/domains/fusion/maps/kernels/map_loops.inl"

const fovea::fusion::maps::MapKernels* fovea::fusion::maps::map_baseline_kernels() { return &kMapTable; }
