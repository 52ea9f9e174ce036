#pragma once
/// manifest.json: how a result came about. Written when a run starts, and again when it ends in whatever way; never
/// part of result.h5, so that equal runs have equal results on every machine.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/lab/directory/machine.hpp"
#include "fovea/core/lab/directory/run_digest.hpp"
#include "fovea/core/lab/directory/run_directory.hpp"
#include "fovea/core/lab/directory/run_identity.hpp"

namespace fovea {

/// How a run stands. `running` in a file whose lock nobody holds: the process was killed.
enum class RunState { running, finished, incomplete, interrupted, failed };
std::string to_text(RunState state);

struct OutputFile {
  std::string path;  ///< relative to the run directory
  std::uint64_t size = 0;
  std::string sha256;
};

struct Manifest {
  std::string experiment;
  int result_version = 0;
  std::string title;
  std::string identity;      ///< run_identity()
  std::string content_hash;  ///< of the result; empty before there is one
  std::uint64_t seed = 0;
  RunState state = RunState::running;
  std::string error;       ///< why it failed
  std::size_t points = 1;  ///< 1 for a single run
  bool sweep = false;
  std::size_t failed_points = 0;
  int starts = 1;           ///< 1 + how often it was resumed
  std::string started;      ///< UTC, of the first start
  std::string ended;        ///< UTC; empty while it runs
  double wall_seconds = 0;  ///< of all starts that ended in an orderly way
  double cpu_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  int threads = 1;  ///< of each point
  int jobs = 1;     ///< points at once
  int ranks = 1;    ///< processes that computed a single run together; times and memory are those of all
  std::string command_line;
  std::string folder;  ///< the working folder
  std::map<std::string, std::string> environment;
  std::vector<InputFile> inputs;
  std::vector<OutputFile> outputs;
  std::optional<RunDigest> digest;  ///< before there is a result: title and keys alone; none: an older version's
};

/// The whole manifest with build, libraries and machine as JSON.
std::string to_json(const Manifest& manifest);
/// Throws DataError that starts with `name` if it is not a manifest. Build, libraries and machine are not read back.
Manifest parse_manifest(const std::string& json, const std::string& name);

void write_manifest(const RunDirectory& directory, const Manifest& manifest);  ///< throws StorageError
/// Puts the digest into the manifest that is there, and leaves the rest as it is. Throws StorageError, DataError.
void write_digest(const RunDirectory& directory, const RunDigest& digest);
/// Empty if absent or damaged. Throws DataError for a link.
std::optional<Manifest> find_manifest(const RunDirectory& directory);
/// Size and hash of the files of a run directory, as far as they exist: result, report, figures, configs.
std::vector<OutputFile> output_files(const RunDirectory& directory);
/// A point of a sweep that failed, as failed.json in its folder says it.
struct PointFailure {
  std::string label;  ///< "temperature = 0.1, seed = 3"
  std::string error;
  std::string at;         ///< UTC
  std::string directory;  ///< the point's folder (not in the file)
};
void write_failure(const RunDirectory& point, const PointFailure& failure);  ///< throws StorageError
std::optional<PointFailure> find_failure(const RunDirectory& point);         ///< empty if absent or damaged

/// The environment variables that can change a run.
std::map<std::string, std::string> relevant_environment();

}  // namespace fovea
