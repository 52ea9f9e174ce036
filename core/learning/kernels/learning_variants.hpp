#pragma once
/// The tables of the instruction sets, each from its own file. For learning_kernels.cpp only.

#include "fovea/core/learning/kernels/learning_kernels.hpp"

namespace fovea::learning {

template <typename Real>
const LearningKernels<Real>* baseline_learning_kernels();
template <typename Real>
const LearningKernels<Real>* avx2_learning_kernels();
template <typename Real>
const LearningKernels<Real>* avx512_learning_kernels();

/// Defines one of them from the table of learning_loops.inl, or from nullptr.
#define FOVEA_LEARNING_KERNELS(name, table_of) \
  template <>                                  \
  const LearningKernels<float>* name() {       \
    return table_of(float);                    \
  }                                            \
  template <>                                  \
  const LearningKernels<double>* name() {      \
    return table_of(double);                   \
  }

}  // namespace fovea::learning
