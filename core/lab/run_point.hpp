#pragma once
/// One point: the experiment is asked once, in a folder, and its results are labelled so that they explain themselves.

#include <string>

#include "fovea/core/lab/directory/run_directory.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/lab/workbench.hpp"

namespace fovea {

/// Runs the experiment with the config (no sweep; seed set) on a workbench in plan.folder, going on from a checkpoint
/// there. inputs: what its open() gave. Throws what the experiment throws, and Interrupted.
Results compute_point(const Experiment& experiment, const Config& config, Inputs inputs, BenchPlan plan);

/// Writes what the results say about themselves into their data: title, Conventions, source, experiment,
/// result_version, seed; and the documents resolved_toml (files by their names alone) and presentation. Nothing of time
/// or machine.
void label_results(const Experiment& experiment, const Config& config, Results& results);

/// Writes machine.h5 if anything depends on the machine. Throws StorageError.
void write_machine(const RunDirectory& directory, const Results& results);
/// Writes model.h5 if the experiment left a model. Throws StorageError.
void write_model(const RunDirectory& directory, const Results& results);

/// Results as they stand in a directory's result.h5, and in machine.h5 if there is one; whoever wrote them:
/// read_dataset(). Throws DataError, StorageError, Interrupted.
Results read_results(const RunDirectory& directory);
std::vector<Results> read_results(const std::vector<RunDirectory>& directories);  ///< of many: read_datasets()

/// Computes the point in its folder: machine.h5 and result.h5, then DONE, then the checkpoints go. Throws like
/// compute_point(), and StorageError.
void finish_point(const Experiment& experiment, const Config& config, Inputs inputs, const std::string& identity,
                  const RunDirectory& folder, BenchPlan plan);

/// The point as a copy of one with another seed from which nothing was drawn: the same bytes as finish_point(). False,
/// and nothing is written, where the other left more than a result (a model, times). Throws StorageError, DataError.
bool copy_point(const Config& config, const std::string& identity, const RunDirectory& other,
                const RunDirectory& folder);

}  // namespace fovea
