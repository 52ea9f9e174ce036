#include "fovea/core/data/file/dataset_file_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <system_error>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/dataset_bytes.hpp"
#include "fovea/core/data/file/hdf5_handle.hpp"

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
// A child copies the locks that other threads hold at the fork, and nobody opens the copies: glibc's malloc takes care
// of its own, a sanitizer's allocator before version 14 of GCC does not. A child that waits without computing is
// replaced; the last one has all the time, because a slow disk makes it wait too.
constexpr std::chrono::seconds kIdle{2};
constexpr int kChildren = 5;
constexpr std::chrono::milliseconds kTurn{100};
constexpr char kData = 'd', kRefused = 'r';  // the first byte of a reply: a data set, or the text of a DataError

struct Child {
  pid_t id = -1;
  int answers = -1;  ///< the pipe's end that is read
};

/// How long a child may take: in all, and without computing.
struct Patience {
  Clock::duration all, idle;
};

struct Answer {
  std::string text;   ///< everything that the child sent
  int status = 0;     ///< as waitpid() tells it
  bool ended = true;  ///< by itself; else it was killed
  bool idle = false;  ///< it was killed because it did not compute
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
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody is left to end it if the parent dies
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

[[noreturn]] void reply(int pipe, const std::function<Dataset()>& read) {
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
    reply(ends[1], read);
  }
  const int error = errno;
  ::close(ends[1]);
  if (id > 0) return {id, ends[0]};
  ::close(ends[0]);
  throw StorageError(concat(path, ": cannot be read apart: ", system_reason(error), "."));
}

Clock::duration processor_time(const Child& child) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(child.id, &clock) == 0) ::clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Everything the child sends until it ends or the patience does. A turn counts as kTurn at most: the time in which
/// this process was stopped is not the child's.
Answer listen(const Child& child, const Patience& patience) {
  Answer answer;
  std::string piece(std::size_t{1} << 16, '\0');
  Clock::duration all{0}, idle{0}, computed{0};
  while (all < patience.all && idle < patience.idle) {
    const auto start = Clock::now();
    pollfd waiting{child.answers, POLLIN, 0};
    const bool ready = ::poll(&waiting, 1, static_cast<int>(kTurn.count())) > 0;
    if (ready) {
      const ssize_t done = ::read(child.answers, piece.data(), piece.size());
      if (done == 0 || (done < 0 && errno != EINTR)) return answer;
      if (done > 0) answer.text.append(piece.data(), static_cast<std::size_t>(done));
    }
    const auto turn = std::min<Clock::duration>(Clock::now() - start, kTurn);
    const auto computed_before = std::exchange(computed, processor_time(child));
    all += turn;
    idle = ready || computed != computed_before ? Clock::duration{0} : idle + turn;
  }
  answer.ended = false;
  answer.idle = all < patience.all;
  return answer;
}

/// The child's exit status as waitpid() tells it.
int finish(const Child& child, bool kill_it) {
  if (kill_it) ::kill(child.id, SIGKILL);
  ::close(child.answers);
  int status = -1;
  while (::waitpid(child.id, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

Answer ask_child(const std::string& path, std::size_t file_size, const std::function<Dataset()>& read,
                 const Patience& patience) {
  const Child child = start(path, file_size, read);
  try {
    Answer answer = listen(child, patience);
    answer.status = finish(child, !answer.ended);
    return answer;
  } catch (...) {  // no memory for the answer
    finish(child, true);
    throw;
  }
}

Answer ask(const std::string& path, std::size_t file_size, const std::function<Dataset()>& read) {
  const Clock::duration all = std::chrono::seconds(kWallSeconds + file_size / kBytesPerSecond);
  for (int child = 1; child < kChildren; ++child)
    if (Answer answer = ask_child(path, file_size, read, {all, kIdle}); !answer.idle) return answer;
  return ask_child(path, file_size, read, {all, all});
}

[[noreturn]] void refuse(const std::string& path, const char* what) {
  throw DataError(concat(path, ": is damaged: reading it ", what, "; restore it from a copy, or make it again."));
}

}  // namespace

Dataset in_child(const std::string& path, std::size_t file_size, const std::function<Dataset()>& read) {
  const Answer answer = ask(path, file_size, read);
  const int status = answer.status;
  const bool killed = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  if (!answer.ended || killed) refuse(path, "hung the HDF5 library");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer.text.empty()) refuse(path, "crashed the HDF5 library");
  const std::string_view text = answer.text;
  if (text.front() == kRefused) throw DataError(std::string(text.substr(1)));
  try {
    return read_canonical(text.substr(1));
  } catch (const std::exception&) {
    refuse(path, "crashed the HDF5 library");
  }
}

}  // namespace fovea
