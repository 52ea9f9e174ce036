#pragma once
/// One point: the experiment is asked once, in a folder, and its results are labelled so that they explain themselves.

#include <string>

#include "fovea/core/lab/directory/run_directory.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/lab/workbench.hpp"

namespace fovea {

/// Runs the experiment with the config (no sweep; seed set) on a workbench in plan.folder, going on from a checkpoint
/// there. Throws what the experiment throws, and Interrupted.
Results compute_point(const Experiment& experiment, const Config& config, BenchPlan plan);

/// Writes what the results say about themselves into their data: title, Conventions, source, experiment,
/// result_version, seed; and the documents resolved_toml and presentation. Nothing of time or machine.
void label_results(const Experiment& experiment, const Config& config, Results& results);

/// Writes machine.h5 if anything depends on the machine. Throws StorageError.
void write_machine(const RunDirectory& directory, const Results& results);

/// Results as they stand in a file that the lab wrote, and in the machine.h5 beside it if there is one. Throws
/// DataError, StorageError.
Results read_results(const std::string& path);

/// The same, from any file: read_untrusted_dataset().
Results read_untrusted_results(const std::string& path);

/// Computes the point in its folder: machine.h5 and result.h5, then DONE, then the checkpoints go. Throws like
/// compute_point(), and StorageError.
void finish_point(const Experiment& experiment, const Config& config, const std::string& identity,
                  const RunDirectory& folder, BenchPlan plan);

}  // namespace fovea
