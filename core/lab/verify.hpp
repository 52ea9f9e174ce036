#pragma once
/// Computes a finished run again from its own resolved.toml and compares, bit for bit.

#include <string>
#include <vector>

#include "fovea/core/data/dataset_compare.hpp"
#include "fovea/core/lab/runner.hpp"

namespace fovea {

struct Verification {
  bool identical = false;
  std::string stored_hash;                     ///< content hash of the directory's result
  std::string recomputed_hash;                 ///< and of the new one
  std::vector<Difference> differences;         ///< arrays that differ
  std::vector<std::string> other_differences;  ///< attributes and documents that differ, and a damaged file
};

/// The new run is made in a folder beside the directory and removed at the end, whatever happens. options.output and
/// options.force are not used. Throws DataError if the directory holds no finished run, and like run_experiment().
Verification verify_run(const std::string& directory, const Catalogue& catalogue, const RunOptions& options,
                        Narrator& narrator);

/// Attributes and documents that differ, one line each.
std::vector<std::string> compare_texts(const Dataset& a, const Dataset& b);

}  // namespace fovea
