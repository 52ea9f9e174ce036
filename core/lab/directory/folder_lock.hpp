#pragma once
/// Who computes where: locks (flock) that the system gives back however a process ends.
///
///   a run of one point     its `lock`, alone
///   a sweep                its `lock`, together with every other process that computes points of it
///   a point of a sweep     the `lock` in its folder, alone, until the point is finished
///   a turn                 the run's `log`, alone, while config, manifest or the merged result are written
///
/// Some disks refuse locks (ENOSYS, ENOLCK, EOPNOTSUPP, ENOTSUPP). Everything then goes on without: a point's bytes
/// follow from its config, so who computes one twice puts the same bytes in its place.

#include <functional>
#include <optional>
#include <string>

#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/lab/directory/run_directory.hpp"

namespace fovea {

class FolderLock {
 public:
  enum class Who { alone, together };

  /// Throws std::runtime_error that names the process that computes there, StorageError if the file cannot be made,
  /// DataError if it is a link.
  FolderLock(const RunDirectory& directory, Who who);

  /// Of a point; nothing while another process has it. The file goes with the lock. Throws likewise.
  static std::optional<FolderLock> of_point(const RunDirectory& point);

  /// Waits for the turn to write in a run's folder, until `give_up` says that it is not worth it. Nothing then.
  static std::optional<FolderLock> turn(const RunDirectory& directory, const std::function<bool()>& give_up);

  /// Whether some process computes in the folder now; nothing where the disk refuses to tell.
  static std::optional<bool> held(const RunDirectory& directory);

  /// Why the disk refuses locks; empty: it does not.
  const std::string& refused() const { return refused_; }

  FolderLock(FolderLock&&) noexcept = default;
  ~FolderLock();

 private:
  explicit FolderLock(const Place& file);
  bool take(int how, int looks);

  Place place_;
  Descriptor file_;
  std::string refused_;
  bool passing_ = false;  ///< the file goes with the lock
};

}  // namespace fovea
