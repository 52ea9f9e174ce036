/// slurm: a sweep as a job that a cluster's own scheduler starts, and starts again.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <regex>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/sweep_grid.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/commands/choose_config.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/commands/run_options.hpp"
#include "fovea/experiments/exit_codes.hpp"

namespace fovea::command {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSecondsToSave = "120";  // the largest checkpoint takes a minute on a slow shared disk

/// What `sbatch` takes as --time: minutes, or parts of days-hours:minutes:seconds.
std::string asked_time(const Arguments& arguments) {
  const std::string time = arguments.text("time", "");
  static const std::regex form(R"(\d+(:\d+){0,2}|\d+-\d+(:\d+){0,2})");
  if (!std::regex_match(time, form))
    throw UsageError(concat("--time ", time.empty() ? "is missing" : time,
                            ": must be minutes or HOURS:MINUTES:SECONDS or DAYS-HOURS, such as 4:00:00."));
  return time;
}

std::int64_t asked_shards(const Arguments& arguments, std::int64_t points, const std::string& operand) {
  if (points < 2)
    throw UsageError(concat("'slurm' was given nothing to sweep; add --grid KEY=0.1,0.2 or --seeds N, or a table ",
                            "[sweep] to ", operand, "."));
  const std::int64_t shards = arguments.integer("shards", 1, 0);
  if (shards == 0) throw UsageError("--shards is missing: how many processes share the points, such as 40.");
  if (shards > points)
    throw UsageError(concat("--shards ", shards, ": there are ", points, " points; at most one shard each."));
  return shards;
}

/// The sweep's command as it stands in the script: the options given here, the config by its full path.
std::string sweep_command_line(const Arguments& arguments, const ChosenConfig& chosen) {
  std::string line = shell_word(fs::read_symlink("/proc/self/exe").string()) + " sweep ";
  line += shell_word(chosen.path.empty() ? arguments.positional.at(0) : fs::absolute(chosen.path).string());
  for (const char* repeated : {"set", "grid"})
    for (const std::string& text : arguments.texts(repeated)) line += concat(" --", repeated, ' ', shell_word(text));
  if (arguments.has("seed")) line += concat(" --seed ", *chosen.config.seed);
  if (arguments.has("seeds")) line += " --seeds " + arguments.text("seeds", "");
  if (arguments.has("quick")) line += " --quick";
  return line + " --output " + shell_word(fs::absolute(arguments.text("output", "runs")).lexically_normal().string()) +
         " --threads \"${SLURM_CPUS_PER_TASK:-1}\" --shard auto\n";
}

std::string memory_line(const Arguments& arguments) {
  constexpr std::size_t kMebibyte = 1u << 20;
  if (!arguments.has("memory")) return "";
  return concat("\n#SBATCH --mem=", (arguments.bytes("memory", "") + kMebibyte - 1) / kMebibyte, 'M');
}

int slurm(const Arguments& arguments) {
  const ChosenConfig chosen = choose_config(all_experiments(), arguments);
  const std::int64_t points = sweep_size(chosen.config);
  const std::int64_t shards = asked_shards(arguments, points, arguments.positional.at(0));
  const std::string script =
      concat("#!/bin/bash\n# Written by: ", arguments.command_line, "\n# ", points, " points in ", shards,
             " shards. What a lost shard leaves the others compute; who finishes the last point merges the result.\n",
             "# Points left when the time is over, or failed: submit this file again.\n#SBATCH --job-name=",
             chosen.config.experiment, "\n#SBATCH --array=1-", shards, "\n#SBATCH --time=", asked_time(arguments),
             "\n#SBATCH --cpus-per-task=", arguments.integer("threads", 1, 1), memory_line(arguments),
             "\n#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --signal=B:USR1@", kSecondsToSave, "\ncd ",
             shell_word(fs::current_path().string()), " || exit\nexec ", sweep_command_line(arguments, chosen));
  std::cout << script;
  return kDone;
}

std::vector<Option> slurm_options() {
  std::vector<Option> options{
      {"shards", 0, "N", "processes that share the points: tasks of the array", false},
      {"time", 0, "TIME", "limit of each task, as for sbatch: 4:00:00; checkpoints are saved two minutes before",
       false},
      {"threads", 't', "N", "threads of each task (default 1)", false},
      {"memory", 0, "SIZE", "memory of each task, such as 2G (default: the cluster's)", false}};
  for (const auto& more : {config_options(), sweep_options()}) options.insert(options.end(), more.begin(), more.end());
  options.insert(options.end(), {kQuick, kOutput});
  return options;
}

}  // namespace

std::vector<Command> cluster_commands() {
  return {{"slurm",
           "print the job script of a sweep for a Slurm cluster",
           "CONFIG|EXPERIMENT",
           1,
           1,
           {"fovea slurm my.toml --shards 40 --time 4:00:00 > job.sh && sbatch job.sh",
            "fovea slurm my.toml --seeds 200 --shards 10 --time 1-0 --threads 4 --memory 8G > job.sh"},
           slurm_options(),
           "Result and command have to lie on a disk that all nodes see. The result has the bytes that one process\n"
           "writes.",
           &slurm,
           "core/lab/cluster/README.md"}};
}

}  // namespace fovea::command
