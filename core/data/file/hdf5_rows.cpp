// The parent of Hdf5Rows: keeps the child, asks it, and believes nothing that it has not got.

#include "fovea/core/data/file/hdf5_rows.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/data/file/child_process.hpp"
#include "fovea/core/data/file/dataset_file_codec.hpp"
#include "fovea/core/data/file/hdf5_handle.hpp"
#include "fovea/core/data/file/hdf5_rows_child.hpp"

namespace fovea {
namespace {

using RowsClock = std::chrono::steady_clock;

// A child copies the locks that other threads hold at the fork, and nobody opens the copies: one that waits without
// computing before it has listed the file is replaced. Later it may wait for a slow disk.
constexpr std::chrono::seconds kIdleAtFirst{2}, kIdleLater{30};
constexpr int kRowChildren = 5;
constexpr std::chrono::milliseconds kRowTurn{100};
constexpr std::uint64_t kLongestList = std::uint64_t{256} << 20;
constexpr std::uint64_t kLongestRefusal = std::uint64_t{1} << 16;
constexpr std::uint64_t kAlwaysBelieved = std::uint64_t{1} << 20;
constexpr std::uint64_t kLargestChunks = std::uint64_t{1} << 30;
constexpr std::uint64_t kLongestRow = std::uint64_t{256} << 20;
constexpr const char* kRestore = "; restore it from a copy, or make it again.";

/// The child did not compute for so long.
struct Idle {};

/// The path, and what it is: a regular file.
Descriptor open_regular(const Place& place, std::uint64_t& size) {
  Descriptor file = open_place(place, O_RDONLY | O_NONBLOCK);  // a pipe must not make anybody wait
  if (!file.is_open()) refuse_input(place, errno);
  struct stat info {};
  if (::fstat(file.number(), &info) != 0) refuse_for(place, "cannot be read", errno);
  if (!S_ISREG(info.st_mode)) throw DataError(concat(place, ": is no regular file; name an HDF5 file."));
  size = static_cast<std::uint64_t>(info.st_size);
  return file;
}

/// In the child: only its end of the socket and the file stay open, so that other children end when they should.
[[noreturn]] void become_server(int socket, int file) {
  silence_child();
  const int kept_socket = ::fcntl(socket, F_DUPFD, 16), kept_file = ::fcntl(file, F_DUPFD, 16);
  ::close_range(3, static_cast<unsigned>(std::min(kept_socket, kept_file)) - 1, 0);
  ::close_range(static_cast<unsigned>(std::max(kept_socket, kept_file)) + 1, ~0U, 0);
  serve_rows(kept_socket, kept_file);
}

/// What a damaged file says may hold anything: letters that end a line or steer a terminal become question marks.
std::string one_line(std::string text) {
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < ' ' || letter == 0x7F) letter = '?';
  return text;
}

RowsNumber number_of(const float*) { return RowsNumber::float32; }
RowsNumber number_of(const double*) { return RowsNumber::float64; }
RowsNumber number_of(const std::int64_t*) { return RowsNumber::int64; }

}  // namespace

std::uint64_t Hdf5Entry::width() const {
  if (is_group || kind == Hdf5Kind::compound || shape.empty()) return 0;
  std::uint64_t numbers = 1;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) numbers *= shape[axis];
  return numbers;
}

std::string Hdf5Entry::attribute(const std::string& name) const {
  const auto found = texts.find(name);
  return found == texts.end() ? "" : found->second;
}

struct Hdf5Rows::Child {
  explicit Child(const Place& place) : path(place.path()), file(open_regular(place, size)) {
    for (int child = 1;; ++child) {
      start();
      try {
        entries = listed(child < kRowChildren ? kIdleAtFirst : kIdleLater);
        return;
      } catch (const Idle&) {
        end();
        if (child == kRowChildren) damaged("made the HDF5 library hang");
      } catch (...) {
        end();
        throw;
      }
    }
  }
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Under the lock, so that no other thread is inside of HDF5.
  void start() {
    const Hdf5Lock lock;
    int ends[2];
    const std::string what = path + ": cannot be read in a child process: ";
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw StorageError(concat(what, system_reason(errno), "."));
    id = ::fork();
    if (id == 0) become_server(ends[1], file.number());
    const int error = errno;
    ::close(ends[1]);
    socket = Descriptor(ends[0]);
    if (id < 0) throw StorageError(concat(what, system_reason(error), "."));
  }

  int end() {
    if (id <= 0) return 0;
    socket.close();
    return wait_for_child(std::exchange(id, -1), true);
  }

  [[noreturn]] void damaged(const std::string& what) const {
    throw DataError(concat(path, ": is damaged: reading it ", what, kRestore));
  }

  /// The child is at its end before it said all: why.
  [[noreturn]] void ended() {
    socket.close();
    damaged(what_happened(wait_for_child(std::exchange(id, -1), false), true));
  }

  /// Fills the bytes. A turn counts as kRowTurn at most: the time in which this process was stopped is not the child's.
  void receive(char* bytes, std::size_t wanted, RowsClock::duration most_idle) {
    RowsClock::duration idle{0}, computed{0};
    while (wanted > 0) {
      if (process_stop_flag().load() != 0) throw Interrupted(path + ": stopped while it was read.");
      const auto before = RowsClock::now();
      pollfd waiting{socket.number(), POLLIN, 0};
      if (::poll(&waiting, 1, static_cast<int>(kRowTurn.count())) <= 0) {
        const auto computed_before = std::exchange(computed, processor_time_of(id));
        if (computed != computed_before) idle = RowsClock::duration{0};
        idle += std::min<RowsClock::duration>(RowsClock::now() - before, kRowTurn);
        if (idle > most_idle) throw Idle{};
        continue;
      }
      const ssize_t done = ::read(socket.number(), bytes, wanted);
      if (done == 0 || (done < 0 && errno != EINTR)) ended();
      if (done > 0) bytes += done, wanted -= done;
      idle = RowsClock::duration{0};
    }
  }

  /// The head of the next answer; a refusal is thrown.
  RowsHead next(RowsAnswer wanted, std::uint64_t most, RowsClock::duration most_idle) {
    RowsHead head;
    receive(reinterpret_cast<char*>(&head), sizeof head, most_idle);
    if (head.kind == RowsAnswer::refused && head.size <= kLongestRefusal) {
      std::string sentence(head.size, '\0');
      receive(sentence.data(), sentence.size(), most_idle);
      throw DataError(concat(path, ": ", one_line(sentence)));
    }
    if (head.kind != wanted || head.size > most || head.size == 0) damaged("made the HDF5 library crash");
    return head;
  }

  /// What the child says first.
  std::vector<Hdf5Entry> listed(RowsClock::duration most_idle) {
    std::string list(next(RowsAnswer::entries, kLongestList, most_idle).size, '\0');
    receive(list.data(), list.size(), most_idle);
    try {
      std::vector<Hdf5Entry> found = entries_from_bytes(list);
      for (Hdf5Entry& entry : found) entry.problem = one_line(std::move(entry.problem));
      return found;
    } catch (const std::length_error&) {
      damaged("made the HDF5 library crash");
    }
  }

  void ask(const RowsRequest& request, char* bytes, std::uint64_t wanted) {
    try {
      if (id <= 0) start(), listed(kIdleLater);  // after a failure, which other rows need not have
      const auto* text = reinterpret_cast<const char*>(&request);
      if (::send(socket.number(), text, sizeof request, MSG_NOSIGNAL) != sizeof request) ended();
      while (wanted > 0) {
        const RowsHead head = next(RowsAnswer::numbers, wanted, kIdleLater);
        receive(bytes, head.size, kIdleLater);
        bytes += head.size, wanted -= head.size;
      }
    } catch (const Idle&) {
      end();
      damaged("made the HDF5 library hang");
    } catch (...) {
      end();
      throw;
    }
  }

  std::string path;
  std::uint64_t size = 0;
  Descriptor file, socket;
  pid_t id = -1;
  std::vector<Hdf5Entry> entries;
};

namespace {

/// What a request must be of an array: there, of numbers that fit, and of a size that the file can hold.
void check_request(const std::string& path, std::uint64_t size, const Hdf5Entry& entry, Hdf5Kind kind,
                   const RowsRequest& request) {
  if (!entry.problem.empty()) throw DataError(concat(path, ": ", entry.path, " ", entry.problem, "."));
  const bool texts = request.number == RowsNumber::text;
  require(texts ? kind == Hdf5Kind::texts
                : kind == Hdf5Kind::integers || (kind == Hdf5Kind::reals && request.number != RowsNumber::int64),
          "Hdf5Rows: ", entry.path, " of ", path,
          texts ? " holds no texts" : " holds no numbers of the kind that is asked for", "; look at its entry.");
  require(request.first <= request.end && request.end <= entry.rows(), "Hdf5Rows: rows ", request.first, " to ",
          request.end, " are asked of ", entry.path, ", which has ", entry.rows(), "; ask for rows that it has.");
  const std::uint64_t most = std::max(kAlwaysBelieved, size * kLargestPacking);
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(entry.rows(), entry.row_bytes, &bytes) || bytes > most)
    throw DataError(concat(path, ": ", entry.path, " claims ", entry.rows(), " rows of ", entry.row_bytes,
                           " bytes, more than a file of ", size, " bytes can hold", kRestore));
  if (entry.chunk_bytes > kLargestChunks)
    throw DataError(concat(path, ": ", entry.path, " has rows in chunks of ", entry.chunk_bytes, " bytes; at most ",
                           kLargestChunks, " are read. Write it with smaller chunks (h5repack -l)."));
  if (entry.row_bytes > kLongestRow)
    throw DataError(concat(path, ": ", entry.path, " has rows of ", entry.row_bytes, " bytes; at most ", kLongestRow,
                           " are read. Write it with shorter rows."));
}

}  // namespace

Hdf5Rows::Hdf5Rows(const Place& place) : child_(std::make_unique<Child>(place)) {}
Hdf5Rows::~Hdf5Rows() = default;
Hdf5Rows::Hdf5Rows(Hdf5Rows&&) noexcept = default;

const std::string& Hdf5Rows::path() const { return child_->path; }
const std::vector<Hdf5Entry>& Hdf5Rows::entries() const { return child_->entries; }

const Hdf5Entry* Hdf5Rows::find(std::string_view path) const {
  for (const Hdf5Entry& entry : child_->entries)
    if (entry.path == path) return &entry;
  return nullptr;
}

template <typename Number>
std::vector<Number> Hdf5Rows::read(const Hdf5Entry& entry, std::uint64_t first, std::uint64_t end,
                                   std::string_view field) const {
  RowsRequest request;
  request.number = number_of(static_cast<const Number*>(nullptr));
  request.entry = static_cast<std::uint32_t>(&entry - child_->entries.data());
  request.first = first, request.end = end;
  require(request.entry < child_->entries.size(), "Hdf5Rows: the entry is none of ", path(), "; take it from find().");
  Hdf5Kind kind = entry.kind;
  std::uint64_t width = entry.width();
  if (!field.empty()) {
    const auto found = std::find_if(entry.fields.begin(), entry.fields.end(), [&](auto& f) { return f.name == field; });
    require(found != entry.fields.end(), "Hdf5Rows: ", entry.path, " of ", path(), " has no field '", field, "'.");
    request.field = static_cast<std::uint32_t>(found - entry.fields.begin());
    kind = found->kind, width = found->width;
  }
  check_request(path(), child_->size, entry, kind, request);
  std::vector<Number> numbers((end - first) * width);
  if (!numbers.empty()) child_->ask(request, reinterpret_cast<char*>(numbers.data()), numbers.size() * sizeof(Number));
  return numbers;
}

std::vector<std::string> Hdf5Rows::read_texts(const Hdf5Entry& entry, std::uint64_t first, std::uint64_t end) const {
  RowsRequest request;
  request.number = RowsNumber::text;
  request.entry = static_cast<std::uint32_t>(&entry - child_->entries.data());
  request.first = first, request.end = end;
  require(request.entry < child_->entries.size(), "Hdf5Rows: the entry is none of ", path(), "; take it from find().");
  check_request(path(), child_->size, entry, entry.kind, request);
  const std::size_t bytes = entry.number_bytes;
  std::string all((end - first) * entry.width() * bytes, '\0');
  if (!all.empty()) child_->ask(request, all.data(), all.size());
  std::vector<std::string> texts;
  for (std::size_t k = 0; bytes > 0 && k < all.size(); k += bytes) {
    std::string text = one_line(all.substr(k, std::min(bytes, all.find('\0', k) - k)));
    text.erase(text.find_last_not_of(' ') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

template std::vector<float> Hdf5Rows::read(const Hdf5Entry&, std::uint64_t, std::uint64_t, std::string_view) const;
template std::vector<double> Hdf5Rows::read(const Hdf5Entry&, std::uint64_t, std::uint64_t, std::string_view) const;
template std::vector<std::int64_t> Hdf5Rows::read(const Hdf5Entry&, std::uint64_t, std::uint64_t,
                                                  std::string_view) const;

}  // namespace fovea
