#include "fovea/core/lab/directory/run_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/lab/directory/manifest.hpp"

namespace fovea {

namespace {

std::string lock_file(const RunDirectory& directory) { return directory.file("lock"); }

/// "process 4711 on host", as the holder wrote it; may be empty if it is just being written.
std::string holder(const RunDirectory& directory) {
  try {
    const std::string text = read_file(lock_file(directory));
    return text.substr(0, text.find('\n'));
  } catch (const StorageError&) {
    return "";
  }
}

void sign(int file) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const std::string text = concat("process ", ::getpid(), " on ", host.data(), '\n');
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
  std::error_code error;
  if (!std::filesystem::exists(directory.done(), error)) return std::nullopt;
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

FolderLock::FolderLock(const RunDirectory& directory) {
  const std::string path = lock_file(directory);
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw StorageError(concat(path, ": cannot be created: ", std::generic_category().message(errno), "."));
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0) {
    sign(file_);
    return;
  }
  const int reason = errno;
  ::close(file_);
  if (reason != EWOULDBLOCK)
    throw StorageError(concat(path, ": cannot be locked: ", std::generic_category().message(reason), "."));
  const std::string who = holder(directory);
  throw std::runtime_error(concat(directory.path(), ": is being computed by ", who.empty() ? "another process" : who,
                                  "; wait for it, or choose another folder with -o."));
}

FolderLock::~FolderLock() { ::close(file_); }

bool FolderLock::held(const RunDirectory& directory) {
  const int file = ::open(lock_file(directory).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool taken = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return taken;
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
