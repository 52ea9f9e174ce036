#include "fovea/core/learning/kernels/learning_variants.hpp"

#if defined(__x86_64__)
#define FOVEA_TARGET __attribute__((target("avx2,fma")))
#define FOVEA_VECTOR_BYTES 32
#include "fovea/core/learning/kernels/learning_loops.inl"
#define FOVEA_TABLE(Real) &kLearningTable<Real>
#else
#define FOVEA_TABLE(Real) nullptr
#endif

namespace fovea::learning {

FOVEA_LEARNING_KERNELS(avx2_learning_kernels, FOVEA_TABLE)

}  // namespace fovea::learning
