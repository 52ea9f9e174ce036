#include "fovea/core/kernels/kernels.hpp"

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/variants.hpp"

namespace fovea {
namespace {

bool machine_has(InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return __builtin_cpu_supports("avx512f");
  if (set == InstructionSet::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  return set == InstructionSet::baseline;
}

template <typename Real>
const Kernels<Real>& best_kernels() {
  for (const InstructionSet set : {InstructionSet::avx512, InstructionSet::avx2})
    if (const Kernels<Real>* found = kernels_for<Real>(set)) return *found;
  return *baseline_kernels<Real>();
}

}  // namespace

template <typename Real>
const Kernels<Real>* kernels_for(InstructionSet set) {
  if (!machine_has(set)) return nullptr;
  if (set == InstructionSet::avx512) return avx512_kernels<Real>();
  return set == InstructionSet::avx2 ? avx2_kernels<Real>() : baseline_kernels<Real>();
}

template <typename Real>
const Kernels<Real>& kernels() {
  static const Kernels<Real>& best = best_kernels<Real>();
  return best;
}

template <typename Real>
Real exponential(Real x) {
  constexpr Real kHighest = sizeof(Real) == 8 ? 709 : 88;
  if (x > kHighest) x = kHighest;
  Real y = 0;
  kernels<Real>().exponentials(&x, 1, Real(0), &y);
  return y;
}

template <typename Real>
Real logarithm(Real x) {
  kernels<Real>().logarithms(&x, 1);
  return x;
}

template const Kernels<float>& kernels();
template const Kernels<double>& kernels();
template const Kernels<float>* kernels_for(InstructionSet);
template const Kernels<double>* kernels_for(InstructionSet);
template float exponential(float);
template double exponential(double);
template float logarithm(float);
template double logarithm(double);

}  // namespace fovea
