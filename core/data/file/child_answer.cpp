#include "fovea/core/data/file/child_answer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/place.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/data/file/child_process.hpp"

namespace fovea {
namespace {

using AnswerClock = std::chrono::steady_clock;

// A child copies the locks that other threads hold at the fork; one that waits without computing is replaced.
constexpr std::chrono::seconds kIdleAnswer{2}, kIdleLastAnswer{30};
constexpr int kAnswerChildren = 3;
constexpr std::chrono::milliseconds kAnswerTurn{100};
constexpr std::size_t kFirstSeconds = 2, kBytesASecond = 1'000'000, kUnpacking = 64;
constexpr std::size_t kFirstMemory = std::size_t{1} << 30;
constexpr char kAnswered = 'a', kRefused = 'r';

/// In the child: never returns.
[[noreturn]] void answer(const ChildTask& task, int pipe) {
  silence_child();
  limit_resource(RLIMIT_CORE, 0, 0);
  const std::size_t seconds = kFirstSeconds + task.bytes / kBytesASecond;
  limit_resource(RLIMIT_CPU, seconds, seconds);
  const std::size_t memory = std::min(kFirstMemory + task.bytes * kUnpacking, 2 * quarter_of_the_machine());
  limit_memory(address_space_in_use() + memory, RLIM_INFINITY);
  std::string bytes(1, kAnswered);
  try {
    bytes += task.work();
  } catch (const std::exception& error) {
    bytes = kRefused + std::string(error.what());
  }
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t done = ::write(pipe, bytes.data() + at, bytes.size() - at);
    if (done < 0 && errno != EINTR) ::_exit(1);
    if (done > 0) at += static_cast<std::size_t>(done);
  }
  ::_exit(0);
}

/// All that comes until the pipe ends; false if the child did not compute for so long.
bool receive_answer(const ChildTask& task, int pipe, pid_t child, AnswerClock::duration most_idle, std::string& bytes) {
  AnswerClock::duration idle{0}, computed{0};
  std::string piece(1 << 16, '\0');
  while (true) {
    if (process_stop_flag().load() != 0) throw Interrupted(task.path + ": stopped while it was read.");
    pollfd waiting{pipe, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(kAnswerTurn.count())) <= 0) {
      const auto now = processor_time_of(child);
      idle = now == computed ? idle + kAnswerTurn : AnswerClock::duration{0};
      computed = now;
      if (idle > most_idle) return false;
      continue;
    }
    const ssize_t done = ::read(pipe, piece.data(), piece.size());
    if (done == 0) return true;
    if (done < 0 && errno != EINTR) return true;
    if (done > 0) bytes.append(piece, 0, static_cast<std::size_t>(done));
    idle = AnswerClock::duration{0};
  }
}

/// False if the child did not compute.
bool ask_child(const ChildTask& task, AnswerClock::duration most_idle, std::string& bytes) {
  int ends[2];
  const std::string what = task.path + ": cannot be read in a child process: ";
  if (::pipe2(ends, O_CLOEXEC) != 0) throw StorageError(concat(what, system_reason(errno), "."));
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) answer(task, to.number());
  if (child < 0) throw StorageError(concat(what, system_reason(errno), "."));
  to.close();
  bool done = false;
  try {
    done = receive_answer(task, from.number(), child, most_idle, bytes);
  } catch (...) {
    wait_for_child(child, true);
    throw;
  }
  const int status = wait_for_child(child, !done);
  if (done && (status != 0 || bytes.empty()))
    throw DataError(concat(task.path, ": is damaged: reading it ", what_happened(status, true, task.library),
                           "; restore it from a copy, or make it again."));
  return done;
}

}  // namespace

std::string answer_of_child(const ChildTask& task) {
  for (int child = 1;; ++child) {
    const bool last = child == kAnswerChildren;
    std::string bytes;
    if (!ask_child(task, last ? kIdleLastAnswer : kIdleAnswer, bytes)) {
      if (last)
        throw DataError(concat(task.path, ": is damaged: reading it ", what_happened(0, false, task.library),
                               "; restore it from a copy, or make it again."));
      continue;
    }
    if (bytes.front() == kRefused) throw DataError(bytes.substr(1));
    return bytes.substr(1);
  }
}

}  // namespace fovea
