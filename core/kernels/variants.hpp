#pragma once
/// The tables of the instruction sets, each from its own file. For kernels.cpp only.

#include "fovea/core/kernels/kernels.hpp"

namespace fovea {

template <typename Real>
const Kernels<Real>* baseline_kernels();
template <typename Real>
const Kernels<Real>* avx2_kernels();
template <typename Real>
const Kernels<Real>* avx512_kernels();

}  // namespace fovea
