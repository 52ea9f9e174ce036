#include "fovea/core/lab/directory/run_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <thread>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/lab/directory/manifest.hpp"

namespace fovea {

namespace {

/// "process 4711 on host", as the holder wrote it; may be empty if it is just being written.
std::string holder(const RunDirectory& directory) {
  try {
    const std::string text = read_file(directory.lock());
    return text.substr(0, text.find('\n'));
  } catch (const std::runtime_error&) {
    return "";
  }
}

std::string this_host() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return host.data();
}

std::string signature(pid_t process) { return concat("process ", process, " on ", this_host()); }

/// Whether the process that signed was one of this machine, and is no more.
bool has_ended(const std::string& holder) {
  constexpr std::string_view kStart = "process ";
  if (!holder.starts_with(kStart)) return false;
  const auto process = static_cast<pid_t>(std::strtol(holder.c_str() + kStart.size(), nullptr, 10));
  return process > 0 && holder == signature(process) && ::kill(process, 0) != 0 && errno == ESRCH;
}

/// Locks, or says no. What a killed process leaves is waited for: a child that reads a file for it has the lock as well
/// until the system ends it.
bool lock(const RunDirectory& directory, int file) {
  constexpr int kTurns = 200;
  constexpr std::chrono::milliseconds kTurn{10};
  for (int turn = 0; ::flock(file, LOCK_EX | LOCK_NB) != 0; ++turn) {
    if (errno != EWOULDBLOCK) refuse_for(directory.lock(), "cannot be locked", errno);
    if (turn == kTurns || !has_ended(holder(directory))) return false;
    std::this_thread::sleep_for(kTurn);
  }
  return true;
}

void sign(int file) {
  const std::string text = signature(::getpid()) + '\n';
  // The lock is what counts; who holds it is only told for the message, so a full disk must not stop anything here.
  if (::ftruncate(file, 0) != 0 || ::write(file, text.data(), text.size()) < 0) return;
}

bool is_hash(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

RunDirectory run_directory(const std::string& output, const std::string& experiment, const std::string& identity) {
  const std::string folder = output.empty() ? "." : output;
  RunDirectory directory(folder + '/' + experiment + '-' + identity.substr(0, 8));
  const std::optional<Manifest> there = find_manifest(directory);
  if (!there || there->identity == identity) return directory;
  return RunDirectory(folder + '/' + experiment + '-' + identity.substr(0, 16));
}

void write_done(const RunDirectory& directory, const Done& done) {
  write_file(directory.done(), concat("identity ", done.identity, "\ncontent ", done.content_hash, "\nresult.h5 ",
                                      done.result_hash, "\nfinished ", done.finished_at, '\n'));
}

std::optional<Done> read_done(const RunDirectory& directory) {
  if (!exists(directory.done())) return std::nullopt;
  try {
    std::istringstream text(read_file(directory.done()));
    Done done;
    std::string word;
    text >> word >> done.identity >> word >> done.content_hash >> word >> done.result_hash >> word >> done.finished_at;
    const bool whole = text && is_hash(done.identity) && is_hash(done.content_hash) && is_hash(done.result_hash);
    return whole ? std::optional(done) : std::nullopt;
  } catch (const StorageError&) {
    return std::nullopt;
  }
}

std::optional<Done> finished(const RunDirectory& directory, const std::string& identity) {
  const std::optional<Done> done = read_done(directory);
  if (!done || done->identity != identity) return std::nullopt;
  try {
    return sha256_of_file(directory.result()) == done->result_hash ? done : std::nullopt;
  } catch (const StorageError&) {
    return std::nullopt;
  }
}

void refuse_links(const RunDirectory& directory) {
  for (const Place& place : {directory.config(), directory.resolved(), directory.manifest(), directory.result(),
                             directory.machine(), directory.model(), directory.report(), directory.figures(),
                             directory.points(), directory.done(), directory.failure()})
    refuse_link(place);
  for (const Place& place : {directory.log(), directory.lock()})
    if (const Descriptor file = open_place(place, O_RDONLY); file.is_open()) refuse_second_name(place, file);
}

FolderLock::FolderLock(const RunDirectory& directory) : file_(open_place(directory.lock(), O_RDWR | O_CREAT)) {
  if (!file_.is_open()) refuse_for(directory.lock(), "cannot be created", errno);
  refuse_second_name(directory.lock(), file_);
  if (lock(directory, file_.number())) {
    sign(file_.number());
    return;
  }
  const std::string who = holder(directory);
  throw std::runtime_error(concat(directory.path(), ": is being computed by ", who.empty() ? "another process" : who,
                                  "; wait for it, or choose another folder with -o."));
}

bool FolderLock::held(const RunDirectory& directory) {
  try {
    const Descriptor file = open_place(directory.lock(), O_RDONLY);
    return file.is_open() && ::flock(file.number(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  } catch (const DataError&) {
    return false;
  }
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace fovea
