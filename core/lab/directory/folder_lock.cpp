#include "fovea/core/lab/directory/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/machine/processes.hpp"
#include "fovea/core/base/storage.hpp"

namespace fovea {

namespace {

constexpr std::chrono::milliseconds kTurn{10};

/// What disks without locks say; 524 is the kernel's ENOTSUPP, for which the C library has no name.
bool refuses_locks(int error) {
  constexpr std::array kRefusals{ENOSYS, ENOLCK, EOPNOTSUPP, 524};
  return std::find(kRefusals.begin(), kRefusals.end(), error) != kRefusals.end();
}

/// "process 4711 on host", as the holder wrote it; may be empty if it is just being written.
std::string holder(const Place& lock) {
  try {
    const std::string text = read_file(lock);
    return text.substr(0, text.find('\n'));
  } catch (const std::runtime_error&) {
    return "";
  }
}

std::string signature(long process) { return concat("process ", process, " on ", process_host()); }

/// Whether the process that signed was one of this machine, and is no more.
bool has_ended(const std::string& holder) {
  constexpr std::string_view kStart = "process ";
  if (!holder.starts_with(kStart)) return false;
  const long process = std::strtol(holder.c_str() + kStart.size(), nullptr, 10);
  return holder == signature(process) && process_ended(process);
}

void sign(int file) {
  const std::string text = signature(::getpid()) + '\n';
  // The lock is what counts; who holds it is only told for the message, so a full disk must not stop anything here.
  if (::ftruncate(file, 0) != 0 || ::write(file, text.data(), text.size()) < 0) return;
}

bool is_removed(const Descriptor& file) {
  struct stat info {};
  return ::fstat(file.number(), &info) == 0 && info.st_nlink == 0;
}

}  // namespace

FolderLock::FolderLock(const Place& file) : place_(file), file_(open_place(file, O_RDWR | O_CREAT)) {
  if (!file_.is_open()) refuse_for(place_, "cannot be created", errno);
}

FolderLock::~FolderLock() {
  if (passing_ && file_.is_open()) discard(place_);
}

/// Locks, or says no. What a killed process leaves is waited for: a child that reads a file for it has the lock as well
/// until the system ends it. So is a look at who holds it (held()), which takes it for a moment.
bool FolderLock::take(int how, int looks) {
  constexpr int kTurns = 200;
  for (int turn = 0; ::flock(file_.number(), how | LOCK_NB) != 0; ++turn) {
    if (refuses_locks(errno)) {
      refused_ = std::generic_category().message(errno);
      return true;
    }
    if (errno != EWOULDBLOCK) refuse_for(place_, "cannot be locked", errno);
    if (turn == kTurns || (turn >= looks && !has_ended(holder(place_)))) return false;
    std::this_thread::sleep_for(kTurn);
  }
  return true;
}

FolderLock::FolderLock(const RunDirectory& directory, Who who) : FolderLock(directory.lock()) {
  refuse_second_name(place_, file_);
  constexpr int kLooks = 3;
  if (take(who == Who::alone ? LOCK_EX : LOCK_SH, kLooks)) {
    sign(file_.number());
    return;
  }
  const std::string who_holds = holder(place_);
  throw std::runtime_error(concat(directory.path(), ": is being computed by ",
                                  who_holds.empty() ? "another process" : who_holds,
                                  "; wait for it, or choose another folder with -o."));
}

std::optional<FolderLock> FolderLock::of_point(const RunDirectory& point) {
  for (;;) {
    FolderLock lock(point.lock());
    const bool removed = is_removed(lock.file_);
    if (!removed) refuse_second_name(lock.place_, lock.file_);
    if (!removed && !lock.take(LOCK_EX, 0)) return std::nullopt;
    if (removed || is_removed(lock.file_)) continue;  // by the process that had it
    sign(lock.file_.number());
    lock.passing_ = true;
    return lock;
  }
}

std::optional<FolderLock> FolderLock::turn(const RunDirectory& directory, const std::function<bool()>& give_up) {
  FolderLock lock(directory.log());
  refuse_second_name(lock.place_, lock.file_);
  while (::flock(lock.file_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (give_up()) return std::nullopt;
    std::this_thread::sleep_for(kTurn);
  }
  return lock;
}

std::optional<bool> FolderLock::held(const RunDirectory& directory) {
  try {
    const Descriptor file = open_place(directory.lock(), O_RDONLY);
    if (!file.is_open() || ::flock(file.number(), LOCK_EX | LOCK_NB) == 0) return false;
    return refuses_locks(errno) ? std::nullopt : std::optional(errno == EWOULDBLOCK);
  } catch (const DataError&) {
    return false;
  }
}

}  // namespace fovea
