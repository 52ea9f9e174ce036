#pragma once
/// The values of a sweep's axis. In a config's [sweep] table, key by key (in quotes, dotted, or in tables of their
/// own):
///
///   "temperature.low" = [0.1, 0.2]       these values
///   temperature = "log:0.01..3:12"       12 values from 0.01 to 3, equal ratios; both ends > 0
///   temperature = "lin:0..1:5"           0, 0.25, 0.5, 0.75, 1
///   seeds = 20                           20 replicas: seed, seed + 1, ...
///
/// On the command line: --grid temperature=log:0.01..3:12, --grid temperature=0.1,0.2 and --seeds 20.
/// Lists and files cannot be swept. For whole numbers the values of a grid are rounded, and repeats dropped.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/config/config.hpp"

namespace fovea {

constexpr std::int64_t kSweepPointLimit = 1000000;
constexpr std::uint64_t kSeedLimit = 0x7fffffffffffffffu;  ///< the largest seed: TOML's whole numbers end there

/// Whether the text is meant as a grid: it starts with "log:" or "lin:".
bool is_grid(std::string_view text);

/// What 0..1:5, 0:1:5 and 0.1:0.2:5 (LOW:HIGH:COUNT) are likely meant as: lin:0..1:5; 0:0.25:1 has a step in the
/// middle, as elsewhere. Empty: nothing of the kind.
std::string meant_grid(std::string_view text);

/// The values of `log:LOW..HIGH:COUNT` or `lin:LOW..HIGH:COUNT`. The ends are exact, the values between them are
/// rounded to 15 digits (so that 0.3 is 0.3, on every machine). COUNT >= 2, LOW and HIGH differ.
/// Throws ArgumentError with what is wrong.
std::vector<double> grid_values(std::string_view text);

/// Points of the sweep: the product of the axes' lengths (1 without axes) and seed_count; never more than
/// kSweepPointLimit + 1.
std::int64_t sweep_size(const Config& config);

}  // namespace fovea
