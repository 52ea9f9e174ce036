#pragma once
/// A run of several ranks: rank 0 runs it as one process does (runner.cpp), and the others follow.

#include "fovea/core/lab/directory/machine.hpp"
#include "fovea/core/lab/runner.hpp"

namespace fovea {

/// Throws UsageError and ConfigError where several ranks cannot compute it together; one rank may compute anything.
void refuse_ranks(const Experiment& experiment, const Config& config, const RunOptions& options);

/// What the ranks on this machine take of a run's cost.
RunCost cost_of_ranks(RunCost whole, const Ranks& ranks);

/// What all ranks together have used, less this one's. Every rank calls it when it has computed its part.
Usage usage_of_others(const Ranks& ranks);

BenchPlan bench_plan(const RunDirectory& directory, const RunOptions& options);

/// A rank other than 0 waits for rank 0's word, any(true): compute, or any(false): there is nothing to do. It writes
/// nothing but its rows of checkpoints.
RunSummary follow_run(const Experiment& experiment, const Config& config, OpenInputs& opened,
                      const RunDirectory& directory, const RunOptions& options);

}  // namespace fovea
