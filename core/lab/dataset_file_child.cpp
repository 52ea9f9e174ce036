#include "fovea/core/lab/dataset_file_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>
#include <system_error>

#include "fovea/core/error.hpp"
#include "fovea/core/lab/dataset_bytes.hpp"
#include "fovea/core/lab/hdf5_handle.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define FOVEA_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FOVEA_SANITIZED
#endif

namespace fovea {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMemory = std::size_t{2} << 30;
// A correct file of a few MB takes some 0.01 s, a packed one of 10 MB less than 1 s.
constexpr std::size_t kBytesPerSecond = 10'000'000;
constexpr rlim_t kProcessorSeconds = 2;
constexpr std::size_t kWallSeconds = 10;
constexpr char kData = 'd', kRefused = 'r';  // the first byte of an answer: a data set, or the text of a DataError

struct Child {
  pid_t id = -1;
  int answers = -1;  ///< the pipe's end that is read
};

std::string system_reason(int error) { return std::generic_category().message(error); }

/// The address space in use, which the limit comes on top of (a sanitizer needs more than any limit).
[[maybe_unused]] std::size_t memory_in_use() {
  std::size_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void limit(int resource, rlim_t most) {
  rlimit now{};
  ::getrlimit(static_cast<__rlimit_resource>(resource), &now);
  const rlim_t value = std::min(most, now.rlim_max);
  const rlimit wanted{value, value};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &wanted);
}

void set_limits(std::size_t file_size) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, kProcessorSeconds + file_size / kBytesPerSecond);
#ifndef FOVEA_SANITIZED
  limit(RLIMIT_AS, memory_in_use() + kMemory + 4 * file_size);
#endif
  // A crash here is an answer, not news: no handler of the parent runs, and nothing is printed.
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGTERM, SIGINT})
    std::signal(signal, SIG_DFL);
  const int nowhere = ::open("/dev/null", O_RDWR);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
}

void send(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(pipe, bytes.data(), bytes.size());
    if (done < 0 && errno != EINTR) ::_exit(1);
    if (done > 0) bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

[[noreturn]] void answer(int pipe, const std::function<Dataset()>& read) {
  try {
    const Dataset data = read();
    send(pipe, {&kData, 1});
    write_canonical(data, [&](std::string_view bytes) { send(pipe, bytes); });
  } catch (const DataError& error) {
    send(pipe, {&kRefused, 1});
    send(pipe, error.what());
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);  // without the parent's exit handlers and buffers
}

/// Under the lock, so that no other thread is inside of HDF5, and no other child inherits the pipe's writing end.
Child start(const std::string& path, std::size_t file_size, const std::function<Dataset()>& read) {
  const Hdf5Lock lock;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw StorageError(concat(path, ": cannot be read apart: ", system_reason(errno), "."));
  const pid_t id = ::fork();
  if (id == 0) {
    set_limits(file_size);
    answer(ends[1], read);
  }
  const int error = errno;
  ::close(ends[1]);
  if (id > 0) return {id, ends[0]};
  ::close(ends[0]);
  throw StorageError(concat(path, ": cannot be read apart: ", system_reason(error), "."));
}

/// Everything the child sends until it ends; nothing if it takes too long (and is killed).
std::optional<std::string> listen(const Child& child, Clock::time_point deadline) {
  std::string text;
  std::string piece(std::size_t{1} << 16, '\0');
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return std::nullopt;
    pollfd waiting{child.answers, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(std::min<long long>(left, 1000))) <= 0) continue;
    const ssize_t done = ::read(child.answers, piece.data(), piece.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(done));
  }
}

/// The child's exit status as waitpid() tells it.
int finish(const Child& child, bool kill_it) {
  if (kill_it) ::kill(child.id, SIGKILL);
  ::close(child.answers);
  int status = -1;
  while (::waitpid(child.id, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

[[noreturn]] void refuse(const std::string& path, const char* what) {
  throw DataError(concat(path, ": is damaged: reading it ", what, "; restore it from a copy, or make it again."));
}

}  // namespace

Dataset in_child(const std::string& path, std::size_t file_size, const std::function<Dataset()>& read) {
  const auto deadline = Clock::now() + std::chrono::seconds(kWallSeconds + file_size / kBytesPerSecond);
  const Child child = start(path, file_size, read);
  std::optional<std::string> text;
  try {
    text = listen(child, deadline);
  } catch (...) {  // no memory for the answer
    finish(child, true);
    throw;
  }
  const int status = finish(child, !text);
  const bool ran_out = !text || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL));
  if (ran_out) refuse(path, "hung the HDF5 library");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || text->empty()) refuse(path, "crashed the HDF5 library");
  if (text->front() == kRefused) throw DataError(text->substr(1));
  try {
    return read_canonical(std::string_view(*text).substr(1));
  } catch (const std::exception&) {
    refuse(path, "crashed the HDF5 library");
  }
}

}  // namespace fovea
