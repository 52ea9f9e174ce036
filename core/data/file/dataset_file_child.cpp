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
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/dataset_bytes.hpp"
#include "fovea/core/data/file/dataset_file_messages.hpp"
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
// A correct file of a few MB takes some 0.01 s, a packed one of 10 MB less than 1 s. Zeros, which pack best, are
// unpacked and handed over at 400 MB a second.
constexpr std::size_t kBytesPerSecond = 10'000'000, kHeldPerSecond = 100'000'000;
constexpr std::size_t kProcessorSeconds = 2;
// A child copies the locks that other threads hold at the fork, and nobody opens the copies: glibc's malloc takes care
// of its own, a sanitizer's allocator before version 14 of GCC does not. A child that waits without computing is
// replaced; the last one has more time, because a machine short of memory makes it wait too.
constexpr std::chrono::seconds kIdle{2}, kIdleOfLast{10};
constexpr int kChildren = 5;
constexpr std::chrono::milliseconds kTurn{100};
constexpr int kPipe = 1 << 20;  // bytes that wait in it: a large array is handed over in fewer turns

using Files = std::span<const FileToRead>;

std::size_t size_of(Files files) {
  std::size_t total = 0;
  for (const FileToRead& file : files) total += file.size;
  return total;
}

/// The seconds that files of so many bytes, which hold so many, are given on top of the first ones.
std::size_t further_seconds(std::size_t size, std::uint64_t held) {
  const std::uint64_t most = kLargestPacking * static_cast<std::uint64_t>(size);
  return size / kBytesPerSecond + static_cast<std::size_t>(std::min(held, most) / kHeldPerSecond);
}

struct Child {
  pid_t id = -1;
  int answers = -1;  ///< the pipe's end that is read
};

struct Answer {
  Inbox inbox;        ///< everything that the child sent
  int status = 0;     ///< as waitpid() tells it
  bool ended = true;  ///< by itself; else it was killed because it did not compute
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

[[maybe_unused]] std::size_t quarter_of_the_machine() {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 4;
}

/// Now, and the most that may be asked for later.
void limit(int resource, rlim_t now, rlim_t later) {
  rlimit before{};
  ::getrlimit(static_cast<__rlimit_resource>(resource), &before);
  const rlimit wanted{std::min(now, before.rlim_max), std::min(later, before.rlim_max)};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &wanted);
}

/// The child's limits of time and memory; they grow with what the files say they hold.
class Limits {
 public:
  explicit Limits(std::size_t size) : size_(size) {
    limit(RLIMIT_CORE, 0, 0);
    set();
  }
  void hold(std::uint64_t bytes) {
    held_ += std::min(bytes, std::numeric_limits<std::uint64_t>::max() - held_);
    set();
  }

 private:
  void set() const {
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    limit(RLIMIT_CPU, kProcessorSeconds + further_seconds(size_, held_),
          kProcessorSeconds + further_seconds(size_, most));
#ifndef FOVEA_SANITIZED
    limit(RLIMIT_AS, memory_ + std::min<std::uint64_t>(held_, quarter_), memory_ + quarter_);
#endif
  }

  std::size_t size_;
  std::uint64_t held_ = 0;
  [[maybe_unused]] std::size_t quarter_ = quarter_of_the_machine();
  [[maybe_unused]] std::size_t memory_ = memory_in_use() + kMemory + 4 * size_;
};

/// Whatever happens in the child is an answer, not news: no handler of the parent runs, and nothing is printed. Signals
/// that ask to stop are the parent's to hear; it ends the child.
void become_silent() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody is left to end it if the parent dies
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) std::signal(signal, SIG_DFL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) std::signal(signal, SIG_IGN);
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

[[noreturn]] void reply(int pipe, Files files) {
  const TakeBytes take = [pipe](std::string_view bytes) { send(pipe, bytes); };
  Limits limits(size_of(files));
  try {
    for (const FileToRead& file : files) {
      const TakeSize holds = [&](std::uint64_t bytes) {
        limits.hold(bytes);
        say_size(bytes, take);
      };
      say_file(file.read(holds), take);
    }
  } catch (const DataError& error) {
    say_refusal(error.what(), take);
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);  // without the parent's exit handlers and buffers
}

/// Under the lock, so that no other thread is inside of HDF5, and no other child inherits the pipe's writing end.
Child start(Files files) {
  const Hdf5Lock lock;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw StorageError(concat(files.front().path, ": cannot be read in a child process: ", system_reason(errno), "."));
  ::fcntl(ends[1], F_SETPIPE_SZ, kPipe);  // may be refused: then it is smaller
  const pid_t id = ::fork();
  if (id == 0) {
    become_silent();
    reply(ends[1], files);
  }
  const int error = errno;
  ::close(ends[1]);
  if (id > 0) return {id, ends[0]};
  ::close(ends[0]);
  throw StorageError(concat(files.front().path, ": cannot be read in a child process: ", system_reason(error), "."));
}

Clock::duration processor_time(const Child& child) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(child.id, &clock) == 0) ::clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Waits for a turn at most, and takes what has come. Whether something came, or nothing if that was the end.
std::optional<bool> take_piece(const Child& child, std::string& piece, Inbox& inbox) {
  pollfd waiting{child.answers, POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(kTurn.count())) <= 0) return false;
  const ssize_t done = ::read(child.answers, piece.data(), piece.size());
  if (done == 0 || (done < 0 && errno != EINTR)) return std::nullopt;
  if (done > 0) inbox.add({piece.data(), static_cast<std::size_t>(done)});
  return true;
}

/// Everything the child sends until it ends, or has not computed for so long. A turn counts as kTurn at most: the time
/// in which this process was stopped is not the child's. A busy machine slows the child and ends it not: what it
/// computes, its own limit ends.
Answer listen(const Child& child, const std::string& path, Clock::duration most_idle) {
  Answer answer;
  std::string piece(std::size_t{1} << 18, '\0');
  Clock::duration idle{0}, computed{0};
  while (idle < most_idle) {
    if (process_stop_flag().load() != 0) throw Interrupted(path + ": stopped while it was read.");
    const auto start = Clock::now();
    const std::optional<bool> came = take_piece(child, piece, answer.inbox);
    if (!came) return answer;
    const auto computed_before = std::exchange(computed, processor_time(child));
    const bool works = *came || computed != computed_before;
    idle = works ? Clock::duration{0} : idle + std::min<Clock::duration>(Clock::now() - start, kTurn);
  }
  answer.ended = false;
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

Answer ask_child(Files files, Clock::duration most_idle) {
  const Child child = start(files);
  try {
    Answer answer = listen(child, files.front().path, most_idle);
    answer.status = finish(child, !answer.ended);
    return answer;
  } catch (...) {  // asked to stop, or no memory for the answer
    finish(child, true);
    throw;
  }
}

Answer ask(Files files) {
  for (int child = 1; child < kChildren; ++child)
    if (Answer answer = ask_child(files, kIdle); answer.ended) return answer;
  return ask_child(files, kIdleOfLast);
}

[[noreturn]] void refuse(const std::string& path, const char* what) {
  throw DataError(concat(path, ": is damaged: reading it ", what, "; restore it from a copy, or make it again."));
}

FileRead file_of(const std::string& path, std::string_view stated, std::string_view bytes) {
  try {
    return {{read_canonical(bytes), std::string(stated)}, sha256(bytes)};
  } catch (const std::exception&) {
    refuse(path, "made the HDF5 library crash");
  }
}

}  // namespace

std::vector<FileRead> in_child(Files files) {
  std::vector<FileRead> read;
  if (files.empty()) return read;
  const Answer answer = ask(files);
  std::string_view stated;
  for (const Inbox::Message& message : answer.inbox.messages()) {
    const std::string_view text = answer.inbox.text(message);
    if (message.kind == MessageKind::refused) throw DataError(std::string(text));
    if (message.kind == MessageKind::stated) stated = text;
    if (message.kind == MessageKind::data && read.size() < files.size())
      read.push_back(file_of(files[read.size()].path, stated, text));
  }
  const int status = answer.status;
  const bool whole = answer.ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (whole && read.size() == files.size()) return read;
  const bool killed = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  refuse(files[std::min(read.size(), files.size() - 1)].path,
         !answer.ended || killed ? "made the HDF5 library hang" : "made the HDF5 library crash");
}

}  // namespace fovea
