#pragma once
/// Who of many processes this one is, as the programs that start them in numbers tell it by their environment:
/// arrays of Slurm, Grid Engine and PBS, and the processes of srun, mpirun (Open MPI) and of PMI (MPICH, Intel MPI).

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace fovea {

/// A name's value in the environment, or null: std::getenv, or a test's own.
using Environment = std::function<const char*(const char* name)>;

/// One of `count` processes; `index` is 1-based.
struct ShardOf {
  std::size_t index = 1;
  std::size_t count = 1;
};

/// The process among those that one launcher started for one step (srun, mpirun), or nothing outside of such a step.
std::optional<ShardOf> process_of_step(const Environment& environment);

/// The shard that the text of --shard asks for: "2/40"; "auto", what the environment tells; "auto/40", the same for an
/// array that does not tell its length, as those of PBS. A step within an array multiplies: process r of R in task i of
/// n is shard (i - 1) R + r of n R. Throws UsageError.
ShardOf shard_of(const std::string& text, const Environment& environment);

}  // namespace fovea
