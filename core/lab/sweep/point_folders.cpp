#include "fovea/core/lab/sweep/point_folders.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"

namespace fovea {

namespace {

namespace fs = std::filesystem;

/// Folders beside this one in which another sweep of the same experiment may have finished some of our points.
std::vector<RunDirectory> other_sweeps(const RunDirectory& directory, const std::string& experiment) {
  std::vector<std::string> found;
  const fs::path here = fs::absolute(directory.path()).lexically_normal();
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(here.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    if (name.compare(0, experiment.size() + 1, experiment + '-') != 0 || name == here.filename()) continue;
    if (fs::is_directory(entry.path() / "points", error)) found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return {found.begin(), found.end()};
}

/// What DONE of another sweep's point says; nothing if there are links on the way, which only its own commands complain
/// of.
std::optional<Done> finished_elsewhere(const RunDirectory& source, const std::string& identity) {
  try {
    return finished(source, identity);
  } catch (const DataError&) {
    return std::nullopt;
  }
}

}  // namespace

PointFolders::PointFolders(const Experiment& experiment, const Sweep& sweep, InputFiles& files, RunDirectory directory)
    : experiment_(experiment),
      sweep_(sweep),
      files_(files),
      directory_(std::move(directory)),
      config_(sweep.config(0)),
      identities_(sweep.size()) {}

const std::string& PointFolders::identity(std::size_t point) {
  const std::lock_guard lock(mutex_);
  std::string& identity = identities_.at(point);
  if (identity.empty()) {
    sweep_.move_to(point, config_);
    identity = run_identity(experiment_, config_, files_);
  }
  return identity;
}

bool PointFolders::is_taken_over(std::size_t point) {
  const std::string& own = identity(point);
  {
    const std::lock_guard lock(mutex_);
    if (!others_) others_ = other_sweeps(directory_, std::string(experiment_.name()));
  }
  for (const RunDirectory& other : *others_) {
    const RunDirectory source = other.point(own), here = folder(point);
    const std::optional<Done> done = finished_elsewhere(source, own);
    if (!done) continue;
    make_folder(here.place());
    if (is_file(source.machine())) write_file(here.machine(), read_file(source.machine()));
    if (is_file(source.model())) write_file(here.model(), read_file(source.model()));
    write_file(here.result(), read_file(source.result()));
    write_done(here, *done);
    return true;
  }
  return false;
}

bool PointFolders::may_be_complete() const {
  const std::vector<std::string> names = names_in(directory_.points());
  const Descriptor folder = open_place(directory_.points(), O_RDONLY | O_DIRECTORY);  // one call a point, not six
  const auto has = [&](const std::string& file) {
    struct stat info {};
    return ::fstatat(folder.number(), file.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
  };
  std::size_t left = names.size();
  for (auto name = names.begin(); name != names.end() && left >= size(); ++name)
    if (!has(*name + "/DONE") && !has(*name + "/failed.json")) --left;
  return left >= size();
}

}  // namespace fovea
