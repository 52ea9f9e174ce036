#pragma once
/// Computes the points of a sweep, several at once, each in a folder of its own, and merges them.

#include <string>
#include <vector>

#include "fovea/core/lab/directory/manifest.hpp"
#include "fovea/core/lab/directory/run_identity.hpp"
#include "fovea/core/lab/progress.hpp"
#include "fovea/core/lab/sweep.hpp"
#include "fovea/core/lab/sweep/sweep_figures.hpp"
#include "fovea/core/lab/workbench.hpp"

namespace fovea {

struct SweepPlan {
  int jobs = 1;         ///< points at once
  int threads = 1;      ///< of each point
  int all_threads = 1;  ///< in all: what finished jobs leave free, the last points take
  double checkpoint_seconds = 10;
  bool force = false;      ///< compute finished points again
  bool fail_fast = false;  ///< begin no point after one has failed
  const StopFlag* stop = nullptr;
};

struct SweepOutcome {
  std::vector<RunDirectory> folders;   ///< of each point
  std::vector<char> finished;          ///< of each point: 1 if its result is there
  std::vector<PointFailure> failures;  ///< in the order of the points
  std::size_t reused = 0;              ///< finished before this call
  std::size_t copied = 0;              ///< of another seed from which nothing was drawn
};

/// Computes every point that is not finished in its folder below `directory`. A point that another sweep of the same
/// experiment beside `directory` has finished is copied from there. A failed point leaves failed.json and does not stop
/// the others. files: to hash; opened: to read. Throws StorageError (the disk refused; all points stop) and Interrupted
/// (checkpoints are saved).
SweepOutcome run_points(const Experiment& experiment, const Sweep& sweep, InputFiles& files, OpenInputs& opened,
                        const RunDirectory& directory, const SweepPlan& plan, Narrator& narrator);

/// Turns the coordinates of swept choices into CF flags: the form in which a result file keeps them.
void flag_axes(const Config& config, Dataset& data);

/// The finished points as one result, with a dimension for each axis; what a missing point would have is NaN (0 for
/// whole numbers, empty for texts). At least one point must be finished. Throws DataError, StorageError.
/// checks: those of the points.
Results merge_finished(const Sweep& sweep, const SweepOutcome& outcome, std::vector<SweptCheck>& checks);

}  // namespace fovea
