/// The portable loops with a fused multiply-add: registers of 16 bytes, and else the code of every processor. They show
/// that the width of the registers changes no bit.

#include "fovea/tests/support/kernels/fused_portable_kernels.hpp"

#if defined(__x86_64__)
#define FOVEA_TARGET __attribute__((target("fma")))
#else
#define FOVEA_TARGET
#endif
#define FOVEA_VECTOR_BYTES 16
#define FOVEA_FUSED
#include "fovea/core/kernels/loops.inl"

namespace fovea::test {

template <typename Real>
const Kernels<Real>& fused_portable_kernels() {
  return kTable<Real>;
}
template const Kernels<float>& fused_portable_kernels();
template const Kernels<double>& fused_portable_kernels();

}  // namespace fovea::test
