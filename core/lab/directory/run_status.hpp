#pragma once
/// How runs stand, read from their directories alone, without disturbing them.

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/lab/directory/manifest.hpp"
#include "fovea/core/lab/directory/shard_note.hpp"

namespace fovea {

struct RunStatus {
  std::string directory;
  Manifest manifest;
  /// running: some process holds its lock; finished, incomplete (points failed), interrupted (also a sweep whose shards
  /// ended with points missing), failed, or killed: it says running, but nobody holds its lock. Where the disk refuses
  /// locks, what the manifest says.
  std::string state;
  std::size_t finished_points = 0;
  std::vector<PointFailure> failures;
  std::vector<ShardNote> shards;
};

/// Empty if the folder is no run directory. Throws DataError if there are links in it. Costs one look at each point's
/// folder: 10,000 take well under 0.5 s.
std::optional<RunStatus> find_status(const std::string& directory);

/// The same without a look at the points: none is counted as finished or failed.
std::optional<RunStatus> find_brief_status(const std::string& directory);

/// All run directories directly in a folder, by name; empty if there are none. briefly: find_brief_status().
std::vector<RunStatus> statuses_in(const std::string& folder, bool briefly = false);

}  // namespace fovea
