#include "fovea/core/learning/kernels/learning_variants.hpp"

#if defined(__x86_64__)
#define FOVEA_TARGET __attribute__((target("avx512f")))
#define FOVEA_VECTOR_BYTES 64
#include "fovea/core/learning/kernels/learning_loops.inl"
#define FOVEA_TABLE(Real) &kLearningTable<Real>
#else
#define FOVEA_TABLE(Real) nullptr
#endif

namespace fovea::learning {

FOVEA_LEARNING_KERNELS(avx512_learning_kernels, FOVEA_TABLE)

}  // namespace fovea::learning
