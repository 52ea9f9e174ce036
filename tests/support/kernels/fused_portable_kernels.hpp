#pragma once
/// The portable loops of the engine, compiled with a fused multiply-add.

#include "fovea/core/kernels/kernels.hpp"

namespace fovea::test {

/// For processors with AVX2, whose bits they give.
template <typename Real>
const Kernels<Real>& fused_portable_kernels();

}  // namespace fovea::test
