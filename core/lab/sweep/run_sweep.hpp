#pragma once
/// Computes the points of a sweep, several at once, each in a folder of its own, and merges them. Other processes may
/// do the same at the same time.

#include <vector>

#include "fovea/core/lab/sweep/point_folders.hpp"
#include "fovea/core/lab/sweep/point_pool.hpp"
#include "fovea/core/lab/sweep/sweep_figures.hpp"

namespace fovea {

struct SweepOutcome {
  std::vector<char> finished;          ///< of each point: 1 if its result is there
  std::vector<PointFailure> failures;  ///< in the order of the points
  std::size_t reused = 0;              ///< of its own: finished before this call
  std::size_t computed = 0;            ///< by this call
  bool complete = true;                ///< every point is finished or has failed
  std::vector<std::size_t> missing;    ///< points that are neither, where none were to be computed
};

/// Computes the points of the plan's share that are not finished, and then those that nobody holds and nobody finished,
/// the last first; or all, and waits for those that others hold. A point that another sweep of the same experiment
/// beside this one has finished is copied from there. A failed point leaves failed.json and does not stop the others.
/// Where the outcome is complete the results of finished points have the hashes that they should have.
/// opened: to read. Throws StorageError (the disk refused; all points stop) and Interrupted (checkpoints are saved).
SweepOutcome run_points(const Experiment& experiment, PointFolders& points, OpenInputs& opened,
                        const RunDirectory& directory, const SweepPlan& plan, Narrator& narrator);

/// Turns the coordinates of swept choices into CF flags: the form in which a result file keeps them.
void flag_axes(const Config& config, Dataset& data);

/// The finished points as one result, with a dimension for each axis; what a missing point would have is NaN (0 for
/// whole numbers, empty for texts). At least one point must be finished. Throws DataError, StorageError.
/// checks: those of the points.
Results merge_finished(PointFolders& points, const SweepOutcome& outcome, std::vector<SweptCheck>& checks);

}  // namespace fovea
