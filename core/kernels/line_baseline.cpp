#include "fovea/core/kernels/line_kernels.hpp"

#define FOVEA_TARGET
#define FOVEA_VECTOR_BYTES 16
#include "fovea/core/kernels/line_loops.inl"

const fovea::LineKernels* fovea::line_baseline_kernels() { return &kLineTable; }
