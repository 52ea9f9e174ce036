#pragma once
/// The figures of a result as files for a paper or a talk.

#include "fovea/core/data/results.hpp"
#include "fovea/core/lab/arguments.hpp"

namespace fovea::command {

/// `--figures svg|pdf|png [--width PX] [-o DIR]`: NAME.svg of each figure and beside it, for the others, NAME.pdf or
/// NAME.png, which another program draws. Prints the files. Throws UsageError, StorageError, and std::runtime_error
/// where there is no such program or it fails.
int export_figures(const Arguments& arguments, const Results& results);

}  // namespace fovea::command
