#pragma once
/// The most that this processor can do in single precision with the instruction set in use (core/kernels/fma_peak.hpp).

namespace fovea::bench {

/// GFLOP/s of all OpenMP threads together. One thread: by its processor time; more: by the wall's.
double fma_peak_of_threads(double seconds);

}  // namespace fovea::bench
