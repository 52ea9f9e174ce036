#pragma once
/// Runs an experiment with a config and leaves a run directory behind (run_directory.hpp); or finds that the same run
/// was done before. A sweep is the same over many points, several at once.
///
/// Promises: the bytes of result.h5 depend on the config, the input files and the seed alone, not on threads, jobs,
/// interruptions or the machine's clock. Every finished point stays finished, whatever happens later. A killed run goes
/// on when it is run again or resumed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/lab/cost/run_cost.hpp"
#include "fovea/core/lab/directory/manifest.hpp"
#include "fovea/core/lab/experiment_catalogue.hpp"
#include "fovea/core/lab/open_inputs.hpp"
#include "fovea/core/lab/progress.hpp"
#include "fovea/core/lab/sweep/share.hpp"
#include "fovea/core/lab/workbench.hpp"

namespace fovea {

constexpr std::uint64_t kDefaultSeed = 1;  ///< of a config that gives none: the same inputs then find the old result

struct RunOptions {
  std::string output = "runs";     ///< the folder that receives run directories
  int threads = 0;                 ///< in all, shared by the jobs; 0: one for each processor
  int jobs = 0;                    ///< points at once; 0: one for each processor when there are several points
  double checkpoint_seconds = 10;  ///< time between checkpoints of a point; 0: at every opportunity
  bool force = false;              ///< compute even if there is a finished result; that one stays until the new is done
  bool fail_fast = false;          ///< stop a sweep at its first failed point
  std::optional<Share> share;      ///< of a sweep: what this process takes of it, without waiting for others
  std::optional<double> longest;   ///< seconds; what is expected to take more (an hour, for a person) is not begun
  std::string command_line;        ///< for the manifest
  const StopFlag* stop = nullptr;
  const Ranks* ranks = &alone();  ///< who compute a single run together; rank 0 writes and speaks
};

/// How the points of a run share its threads.
ThreadShare share_threads(const RunOptions& options, std::size_t points);

struct RunSummary {
  RunDirectory directory{""};
  bool found = false;      ///< nothing was computed: the same run was finished before
  bool has_result = true;  ///< false if every point failed
  Manifest manifest;
  Results results;
  std::size_t reused_points = 0;     ///< of a sweep: finished earlier
  std::size_t computed_points = 0;   ///< of a sweep, by this call
  bool has_all = true;               ///< false: some points are left to others, and nothing was merged
  std::vector<std::string> missing;  ///< where nothing was to be computed: "7: temperature = 0.1, seed = 3"
  std::vector<PointFailure> failures;
};

/// Runs (or finds) the config in `<options.output>/<experiment>-<hash8>`. A missing seed becomes kDefaultSeed.
/// config_text: kept as config.toml. A failed point of a sweep is in the summary's failures; the others go on.
/// A sweep may be computed by several processes: each does what nobody holds, waits for the rest unless it has a share,
/// and who finds all points finished merges them.
/// Throws ConfigError (rules between keys), StorageError, Interrupted (state saved), std::runtime_error when another
/// process computes a single run there or the run is expected to take more than options.longest, UsageError for a share
/// of points that there are not, and what the experiment throws in a single run.
RunSummary run_experiment(const Experiment& experiment, Config config, const std::string& config_text,
                          const RunOptions& options, Narrator& narrator);
/// The same where the caller has opened inputs already.
RunSummary run_experiment(const Experiment& experiment, Config config, const std::string& config_text,
                          const RunOptions& options, Narrator& narrator, OpenInputs& opened);

/// Goes on with the run in a directory (options.output is not used); finds it if it is finished.
/// Throws DataError if the folder is no run, or if an input file or the experiment has changed since it began.
RunSummary resume_run(const std::string& directory, const Catalogue& catalogue, const RunOptions& options,
                      Narrator& narrator);

/// Merges the finished points of a sweep's directory; computes none. Throws as resume_run(), UsageError for no sweep.
RunSummary merge_run(const std::string& directory, const Catalogue& catalogue, const RunOptions& options,
                     Narrator& narrator);

/// Draws report.html and figures/*.svg of a run from its result file. Throws DataError, StorageError.
void redraw_report(const RunDirectory& directory);

}  // namespace fovea
