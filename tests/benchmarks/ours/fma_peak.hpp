#pragma once
/// The most that this processor can do in single precision: a loop of fused multiply-adds on registers alone, with the
/// widest vectors it has (without FMA: a multiplication and an addition).

#include <string_view>

namespace fovea::bench {

/// GFLOP/s of all OpenMP threads together. One thread: by its processor time; more: by the wall's.
double measured_fma_peak(double seconds);

/// "AVX-512", "AVX2" or "portable": what the loop uses.
std::string_view fma_vectors();

/// Whether the processor multiplies bf16 tiles (AMX).
bool has_amx();

}  // namespace fovea::bench
