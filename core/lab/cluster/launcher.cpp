#include "fovea/core/lab/cluster/launcher.hpp"

#include <array>
#include <charconv>
#include <string_view>

#include "fovea/core/base/error.hpp"
#include "fovea/core/lab/arguments.hpp"

namespace fovea {

namespace {

constexpr std::size_t kMostShards = 10'000'000;  // no cluster has more processors; the product of two fits 64 bits

/// The whole number that is all of the text, or nothing.
std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > kMostShards) return {};
  return number;
}

std::optional<std::size_t> number_of(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value == nullptr ? std::nullopt : number_in(value);  // Grid Engine says "undefined" outside of arrays
}

struct StepVariables {
  const char* rank;
  const char* size;
  const char* within;  ///< set only within a step, where rank and size are also set beside one; or null
};

// mpirun within Slurm starts its daemons by srun, so that Slurm's variables number the daemons: they come last.
constexpr std::array<StepVariables, 3> kSteps{{{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", nullptr},
                                               {"PMI_RANK", "PMI_SIZE", nullptr},
                                               {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_ID"}}};

struct ArrayVariables {
  const char* task;
  const char* first;  ///< or null: arrays of this kind do not tell their ends
  const char* last;
  const char* stride;
};

constexpr std::array<ArrayVariables, 5> kArrays{
    {{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"},
     {"SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"},
     {"PBS_ARRAY_INDEX", nullptr, nullptr, nullptr},  // OpenPBS
     {"PBS_ARRAYID", nullptr, nullptr, nullptr},      // Torque
     {"LSB_JOBINDEX", nullptr, nullptr, nullptr}}};   // LSF; 0 outside of arrays

/// The task of an array of `given` tasks, or of as many as it tells (given = 0). Any `given` numbers in a row, from 0
/// or from 1, are different shards.
std::optional<ShardOf> task_of_array(const ArrayVariables& names, std::size_t given, const Environment& environment) {
  const auto task = number_of(environment, names.task);
  if (!task) return {};
  if (given > 0) return ShardOf{(*task + given - 1) % given + 1, given};
  const auto told = [&](const char* name) { return name == nullptr ? std::nullopt : number_of(environment, name); };
  const auto first = told(names.first), last = told(names.last);
  const std::size_t stride = std::max<std::size_t>(told(names.stride).value_or(1), 1);
  if (!first || !last || *task < *first || *task > *last)
    throw UsageError(
        concat("--shard auto: ", names.task, " is ", *task,
               ", but of how many tasks the environment does not tell; give their number: --shard auto/40."));
  return ShardOf{(*task - *first) / stride + 1, (*last - *first) / stride + 1};
}

std::optional<ShardOf> task_of_any_array(std::size_t given, const Environment& environment) {
  for (const ArrayVariables& names : kArrays) {
    if (std::string_view(names.task) == "LSB_JOBINDEX" && number_of(environment, names.task) == 0) continue;
    if (const auto task = task_of_array(names, given, environment)) return task;
  }
  return {};
}

ShardOf shard_of_environment(std::size_t given, const Environment& environment) {
  const auto task = task_of_any_array(given, environment);
  const auto process = process_of_step(environment);
  if (!task && given > 0)
    throw UsageError(concat("--shard auto/", given,
                            ": there is no number of a task of an array in the environment, such as ",
                            "PBS_ARRAY_INDEX; start this in an array, or give the shard: --shard 1/", given, "."));
  if (!task && !process)
    throw UsageError(
        "--shard auto: this is neither a task of an array (SLURM_ARRAY_TASK_ID, SGE_TASK_ID, PBS_ARRAY_INDEX) nor a "
        "process of srun or mpirun; give the shard: --shard 1/40.");
  const ShardOf outer = task.value_or(ShardOf{}), inner = process.value_or(ShardOf{});
  return {(outer.index - 1) * inner.count + inner.index, outer.count * inner.count};
}

}  // namespace

std::optional<ShardOf> process_of_step(const Environment& environment) {
  for (const StepVariables& names : kSteps) {
    const auto rank = number_of(environment, names.rank), size = number_of(environment, names.size);
    const bool within = names.within == nullptr || number_of(environment, names.within);
    if (within && rank && size && *rank < *size) return ShardOf{*rank + 1, *size};
  }
  return {};
}

ShardOf shard_of(const std::string& text, const Environment& environment) {
  const std::size_t slash = text.find('/');
  const std::string_view before = std::string_view(text).substr(0, slash);
  const auto count = slash == std::string::npos ? std::nullopt : number_in(std::string_view(text).substr(slash + 1));
  const bool counted = slash == std::string::npos || count.value_or(0) > 0;
  if (before == "auto" && counted) return shard_of_environment(count.value_or(0), environment);
  const auto index = number_in(before);
  if (index && count && *index >= 1 && *index <= *count) return {*index, *count};
  throw UsageError(concat("--shard ", text, ": must be I/N with I from 1 to N, such as 2/40, or auto, or auto/40."));
}

}  // namespace fovea
