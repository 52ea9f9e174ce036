#include "fovea/core/kernels/line_kernels.hpp"

#if defined(__x86_64__)

#define FOVEA_TARGET __attribute__((target("avx512f")))
#define FOVEA_VECTOR_BYTES 64
#include "fovea/core/kernels/line_loops.inl"

namespace fovea {

const LineKernels* line_avx512_kernels() { return &kLineTable; }

}  // namespace fovea

#else

namespace fovea {

const LineKernels* line_avx512_kernels() { return nullptr; }

}  // namespace fovea

#endif
