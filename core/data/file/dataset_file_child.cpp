#include "fovea/core/data/file/dataset_file_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/dataset_bytes.hpp"
#include "fovea/core/data/file/child_process.hpp"
#include "fovea/core/data/file/dataset_file_messages.hpp"
#include "fovea/core/data/file/hdf5_handle.hpp"

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
// A sanitizer's allocator computes while it waits for such a lock: there a child at its limit is replaced once, too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLocksCompute = true;
#else
constexpr bool kLocksCompute = false;
#endif
constexpr std::chrono::milliseconds kTurn{100};
constexpr std::size_t kTogether = 1 << 16;
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
  return size / kBytesPerSecond + std::min(held, most) / kHeldPerSecond;
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

/// The child's limits of time and memory; they grow with what the files say they hold.
class Limits {
 public:
  explicit Limits(std::size_t size) : size_(size) {
    limit_resource(RLIMIT_CORE, 0, 0);
    set();
  }
  void hold(std::uint64_t bytes) {
    held_ += std::min(bytes, std::numeric_limits<std::uint64_t>::max() - held_);
    set();
  }

 private:
  void set() const {
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    limit_resource(RLIMIT_CPU, kProcessorSeconds + further_seconds(size_, held_),
                   kProcessorSeconds + further_seconds(size_, most));
    limit_memory(memory_ + std::min<std::uint64_t>(held_, quarter_), memory_ + quarter_);
  }

  std::size_t size_;
  std::uint64_t held_ = 0;
  std::size_t quarter_ = quarter_of_the_machine();
  std::size_t memory_ = address_space_in_use() + kMemory + 4 * size_;
};

void send(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(pipe, bytes.data(), bytes.size());
    if (done < 0 && errno != EINTR) ::_exit(1);
    if (done > 0) bytes.remove_prefix(done);
  }
}

[[noreturn]] void reply(int pipe, Files files) {
  std::string waiting;  // small pieces go together: each turn of the pipe costs both sides a switch
  const auto flush = [&] {
    send(pipe, waiting);
    waiting.clear();
  };
  const TakeBytes take = [&](std::string_view bytes) {
    if (waiting.size() + bytes.size() > kTogether) flush();
    if (bytes.size() > kTogether) return send(pipe, bytes);
    waiting += bytes;
  };
  Limits limits(size_of(files));
  try {
    for (const FileToRead& file : files) {
      const TakeSize holds = [&](std::uint64_t bytes) {
        limits.hold(bytes);
        say_size(bytes, take);
      };
      say_file(file.read(holds), take);
      flush();  // should the next file end this process, this one is there
    }
  } catch (const DataError& error) {
    say_refusal(error.what(), take);
    flush();
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
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody is left to end it if the parent dies
    silence_child();
    reply(ends[1], files);
  }
  const int error = errno;
  ::close(ends[1]);
  if (id > 0) return {id, ends[0]};
  ::close(ends[0]);
  throw StorageError(concat(files.front().path, ": cannot be read in a child process: ", system_reason(error), "."));
}

/// Waits for a turn at most, and takes what has come. Whether something came, or nothing if that was the end.
std::optional<bool> take_piece(const Child& child, std::string& piece, Inbox& inbox) {
  pollfd waiting{child.answers, POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(kTurn.count())) <= 0) return false;
  const ssize_t done = ::read(child.answers, piece.data(), piece.size());
  if (done == 0 || (done < 0 && errno != EINTR)) return std::nullopt;
  if (done > 0) inbox.add(std::string_view(piece.data(), done));
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
    const auto computed_before = std::exchange(computed, processor_time_of(child.id));
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
  return wait_for_child(child.id, false);
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

bool is_at_its_limit(int status) {
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
}

Answer ask(Files files) {
  bool spare = kLocksCompute;
  for (int child = 1; child < kChildren; ++child) {
    Answer answer = ask_child(files, kIdle);
    const bool replaced = !answer.ended || (is_at_its_limit(answer.status) && std::exchange(spare, false));
    if (!replaced) return answer;
  }
  return ask_child(files, kIdleOfLast);
}

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
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
  refuse(files[std::min(read.size(), files.size() - 1)].path, what_happened(status, answer.ended));
}

}  // namespace fovea
