#include "fovea/core/kernels/kernels.hpp"

#include <algorithm>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/variants.hpp"

namespace fovea {
namespace {

template <typename Real>
const Kernels<Real>* table_of(InstructionSet set) {
  if (set == InstructionSet::avx512) return avx512_kernels<Real>();
  return set == InstructionSet::avx2 ? avx2_kernels<Real>() : baseline_kernels<Real>();
}

}  // namespace

template <typename Real>
const Kernels<Real>* kernels_for(InstructionSet set) {
  const std::vector<InstructionSet> here = instruction_sets();
  return std::find(here.begin(), here.end(), set) == here.end() ? nullptr : table_of<Real>(set);
}

template <typename Real>
const Kernels<Real>& kernels() {
  return *table_of<Real>(instruction_set());
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
