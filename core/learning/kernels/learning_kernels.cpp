#include "fovea/core/learning/kernels/learning_kernels.hpp"

#include "fovea/core/learning/kernels/learning_variants.hpp"

namespace fovea::learning {

namespace {

template <typename Real>
const LearningKernels<Real>& best_learning_kernels() {
  for (const InstructionSet set : {InstructionSet::avx512, InstructionSet::avx2})
    if (const LearningKernels<Real>* found = learning_kernels_for<Real>(set)) return *found;
  return *baseline_learning_kernels<Real>();
}

}  // namespace

template <typename Real>
const LearningKernels<Real>* learning_kernels_for(InstructionSet set) {
  if (!kernels_for<Real>(set)) return nullptr;  // the engine knows what the machine has
  if (set == InstructionSet::avx512) return avx512_learning_kernels<Real>();
  return set == InstructionSet::avx2 ? avx2_learning_kernels<Real>() : baseline_learning_kernels<Real>();
}

template <typename Real>
const LearningKernels<Real>& learning_kernels() {
  static const LearningKernels<Real>& best = best_learning_kernels<Real>();
  return best;
}

template const LearningKernels<float>& learning_kernels();
template const LearningKernels<double>& learning_kernels();
template const LearningKernels<float>* learning_kernels_for(InstructionSet);
template const LearningKernels<double>* learning_kernels_for(InstructionSet);

}  // namespace fovea::learning
