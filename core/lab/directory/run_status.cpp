#include "fovea/core/lab/directory/run_status.hpp"

#include <algorithm>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/lab/directory/folder_lock.hpp"

namespace fovea {

namespace {

namespace fs = std::filesystem;

void count_points(const RunDirectory& directory, RunStatus& status) {
  for (const std::string& name : names_in(directory.points())) {
    const RunDirectory point(directory.points() / name);
    if (exists(point.done())) {
      ++status.finished_points;
    } else if (std::optional<PointFailure> failure = find_failure(point)) {
      status.failures.push_back(std::move(*failure));
    }
  }
  std::sort(status.failures.begin(), status.failures.end(),
            [](const PointFailure& a, const PointFailure& b) { return a.label < b.label; });
}

}  // namespace

std::optional<RunStatus> find_brief_status(const std::string& path) {
  const RunDirectory directory(path);
  std::optional<Manifest> manifest = find_manifest(directory);
  if (!manifest) return std::nullopt;
  RunStatus status;
  status.directory = path;
  status.state = to_text(manifest->state);
  const bool ended = manifest->state == RunState::finished || manifest->state == RunState::incomplete;
  if (const std::optional<bool> held = FolderLock::held(directory); held && !ended) {
    if (*held) status.state = to_text(RunState::running);
    if (!*held && manifest->state == RunState::running) status.state = "killed";
  }
  status.manifest = std::move(*manifest);
  return status;
}

std::optional<RunStatus> find_status(const std::string& path) {
  const RunDirectory directory(path);
  std::optional<RunStatus> status = find_brief_status(path);
  if (!status) return status;
  if (status->manifest.sweep) {
    count_points(directory, *status);
    status->shards = find_shard_notes(directory);
  } else if (exists(directory.done())) {
    status->finished_points = 1;
  }
  return status;
}

std::vector<RunStatus> statuses_in(const std::string& folder, bool briefly) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    paths.push_back(entry->path().string());
  std::sort(paths.begin(), paths.end());
  std::vector<RunStatus> all;
  for (const std::string& path : paths) {
    try {
      if (std::optional<RunStatus> status = briefly ? find_brief_status(path) : find_status(path))
        all.push_back(std::move(*status));
    } catch (const DataError&) {
      continue;  // with links in it, it is no run directory
    }
  }
  return all;
}

}  // namespace fovea
