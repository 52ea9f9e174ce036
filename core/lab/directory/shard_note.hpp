#pragma once
/// What a shard of a sweep has done so far: shards/I-of-N.json, for people and `fovea status`.

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/lab/directory/run_directory.hpp"

namespace fovea {

struct ShardNote {
  std::size_t index = 1, count = 1;
  std::string host;
  long process = 0;
  std::size_t points = 0;    ///< its own
  std::size_t finished = 0;  ///< by it, points of others among them
  std::string last;          ///< label of the point that it finished last
  std::string at;            ///< UTC, when this was written
};

void write_shard_note(const RunDirectory& directory, const ShardNote& note);  ///< throws StorageError
/// Of all shards, in order; what is damaged is passed over. Throws DataError for a link.
std::vector<ShardNote> find_shard_notes(const RunDirectory& directory);

}  // namespace fovea
