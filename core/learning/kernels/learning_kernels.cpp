#include "fovea/core/learning/kernels/learning_kernels.hpp"

#include "fovea/core/learning/kernels/learning_variants.hpp"

namespace fovea::learning {

namespace {

template <typename Real>
const LearningKernels<Real>* table_of(InstructionSet set) {
  if (set == InstructionSet::avx512) return avx512_learning_kernels<Real>();
  return set == InstructionSet::avx2 ? avx2_learning_kernels<Real>() : baseline_learning_kernels<Real>();
}

}  // namespace

template <typename Real>
const LearningKernels<Real>* learning_kernels_for(InstructionSet set) {
  return kernels_for<Real>(set) ? table_of<Real>(set) : nullptr;  // the engine knows what the machine has
}

template <typename Real>
const LearningKernels<Real>& learning_kernels() {
  return *table_of<Real>(instruction_set());
}

template const LearningKernels<float>& learning_kernels();
template const LearningKernels<double>& learning_kernels();
template const LearningKernels<float>* learning_kernels_for(InstructionSet);
template const LearningKernels<double>* learning_kernels_for(InstructionSet);

}  // namespace fovea::learning
