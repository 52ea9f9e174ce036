#include "fovea/core/kernels/line_kernels.hpp"

#if defined(__x86_64__)
#define FOVEA_TARGET __attribute__((target("avx2,fma")))
#define FOVEA_VECTOR_BYTES 32
#include "fovea/core/kernels/line_loops.inl"
#define FOVEA_TABLE &kLineTable
#else
#define FOVEA_TABLE nullptr
#endif

const fovea::LineKernels* fovea::line_avx2_kernels() { return FOVEA_TABLE; }
