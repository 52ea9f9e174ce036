#include "fovea/core/kernels/line_kernels.hpp"

#if defined(__x86_64__)

#define FOVEA_TARGET __attribute__((target("avx2,fma")))
#define FOVEA_VECTOR_BYTES 32
#include "fovea/core/kernels/line_loops.inl"

namespace fovea {

const LineKernels* line_avx2_kernels() { return &kLineTable; }

}  // namespace fovea

#else

namespace fovea {

const LineKernels* line_avx2_kernels() { return nullptr; }

}  // namespace fovea

#endif
