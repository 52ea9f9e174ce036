#include "fovea/core/kernels/variants.hpp"

#define FOVEA_TARGET
#define FOVEA_VECTOR_BYTES 16
#include "fovea/core/kernels/loops.inl"

template <typename Real>
const fovea::Kernels<Real>* fovea::baseline_kernels() {
  return &kTable<Real>;
}
template const fovea::Kernels<float>* fovea::baseline_kernels();
template const fovea::Kernels<double>* fovea::baseline_kernels();
