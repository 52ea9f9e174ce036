#include "fovea/core/learning/kernels/learning_variants.hpp"

#define FOVEA_TARGET
#define FOVEA_VECTOR_BYTES 16
#include "fovea/core/learning/kernels/learning_loops.inl"
#define FOVEA_TABLE(Real) &kLearningTable<Real>

namespace fovea::learning {

FOVEA_LEARNING_KERNELS(baseline_learning_kernels, FOVEA_TABLE)

}  // namespace fovea::learning
