#pragma once
/// The most that a processor can do in single precision: a loop of fused multiply-adds on registers alone (portable: of
/// multiplications and additions).

#include "fovea/core/base/instruction_set.hpp"

namespace fovea {

/// run() gives back its sum, so that no compiler drops it; flops counts the operations of one call, a quarter of a
/// millisecond or more.
struct FmaLoop {
  float (*run)(float factor);
  double flops;
};

/// set: one of instruction_sets().
FmaLoop fma_loop(InstructionSet set);

/// GFLOP/s of this thread, by its processor time, over so many seconds.
double measured_fma_peak(InstructionSet set, double seconds);

}  // namespace fovea
