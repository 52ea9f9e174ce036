// The child of Hdf5Rows: opens the file with HDF5's plain driver, so that it is never in memory as a whole.

#include "fovea/core/data/file/hdf5_rows_child.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "fovea/core/data/file/child_process.hpp"
#include "fovea/core/data/file/hdf5_handle.hpp"

namespace fovea {
namespace {

constexpr std::size_t kRowMemory = std::size_t{512} << 20;
constexpr std::size_t kPieceBytes = std::size_t{4} << 20;   // of numbers, unpacked and handed over at once
constexpr std::size_t kCacheBytes = std::size_t{16} << 20;  // of unpacked chunks, at least
constexpr std::size_t kCacheSlots = 4099;
constexpr std::uint64_t kRowSeconds = 4, kRowBytesPerSecond = 20'000'000;

hid_t memory_type_of(RowsNumber number) {
  if (number == RowsNumber::float32) return H5T_NATIVE_FLOAT;
  return number == RowsNumber::float64 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
}

/// What a request means: one number, or one field of compound rows with so many numbers.
struct RowType {
  Hdf5 type;
  std::uint64_t width = 1;  ///< numbers in a row
};

RowType row_type(const Hdf5Entry& entry, const RowsRequest& request) {
  const std::string what = "preparing to read";
  const hid_t one = memory_type_of(request.number);
  if (request.field == kNoField) return {Hdf5(H5Tcopy(one), H5Tclose, what), entry.width()};
  const Hdf5Field& field = entry.fields.at(request.field);
  const std::size_t bytes = field.width * bytes_of(request.number, entry);
  const hsize_t width = field.width;
  const Hdf5 array(field.width == 1 ? H5Tcopy(one) : H5Tarray_create2(one, 1, &width), H5Tclose, what);
  Hdf5 row(H5Tcreate(H5T_COMPOUND, bytes), H5Tclose, what);
  checked(H5Tinsert(row, field.name.c_str(), 0, array), what);
  return {std::move(row), field.width};
}

/// Texts come as they lie in the file.
RowType text_type(const Hdf5Entry& entry, hid_t from) {
  Hdf5 type(H5Dget_type(from), H5Tclose, "preparing to read");
  if (checked(H5Tis_variable_str(type), "preparing to read") > 0 || H5Tget_size(type) != entry.number_bytes)
    throw Hdf5Error(concat(entry.path, " has texts of any length"));
  return {std::move(type), entry.width()};
}

class RowServer {
 public:
  explicit RowServer(int socket) : socket_(socket) { limit_resource(RLIMIT_CORE, 0, 0); }

  [[noreturn]] void serve(int file_number) {
    try {
      allow(0, 0);
      const Hdf5 file = open(file_number);
      file_ = file;
      entries_ = list_entries(file);
      datasets_.resize(entries_.size());
      const std::string list = entries_as_bytes(entries_);
      say(RowsAnswer::entries, list.data(), list.size());
      for (RowsRequest request; take(request);) answer(request);
    } catch (const Hdf5Error& error) {
      refuse(concat("is damaged, or no HDF5 file: ", error.what(), "; restore it from a copy, or make it again."));
    } catch (const std::bad_alloc&) {
      refuse("is damaged, or too large for the available memory; restore it from a copy, or make it again.");
    } catch (const std::exception&) {
      refuse("is damaged: it gives an impossible size; restore it from a copy, or make it again.");
    }
    ::_exit(0);  // without the parent's exit handlers and buffers
  }

 private:
  static Hdf5 open(int file_number) {
    ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);  // some file systems cannot lock
    const Hdf5 access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "opening it as HDF5");
    checked(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "opening it as HDF5");
    return {H5Fopen(concat("/proc/self/fd/", file_number).c_str(), H5F_ACC_RDONLY, access), H5Fclose,
            "opening it as HDF5"};
  }

  /// Time for a request of so many unpacked bytes, and memory for chunks of so many bytes.
  void allow(std::uint64_t bytes, std::uint64_t chunk_bytes) {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto so_far = static_cast<std::uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1;
    const auto most = static_cast<rlim_t>(-1);
    limit_resource(RLIMIT_CPU, so_far + kRowSeconds + bytes / kRowBytesPerSecond, most);
    largest_chunks_ = std::max(largest_chunks_, std::min<std::uint64_t>(chunk_bytes, quarter_ / 4));
    limit_memory(memory_ + 4 * largest_chunks_, most);
  }

  bool take(RowsRequest& request) {
    auto* bytes = reinterpret_cast<char*>(&request);
    for (std::size_t done = 0; done < sizeof request;) {
      const ssize_t got = ::read(socket_, bytes + done, sizeof request - done);
      if (got == 0 || (got < 0 && errno != EINTR)) return false;  // the parent wants no more, or is gone
      if (got > 0) done += got;
    }
    return true;
  }

  void send(const char* bytes, std::size_t size) {
    while (size > 0) {
      const ssize_t done = ::send(socket_, bytes, size, MSG_NOSIGNAL);
      if (done < 0 && errno != EINTR) ::_exit(1);
      if (done > 0) bytes += done, size -= done;
    }
  }
  void say(RowsAnswer kind, const char* bytes, std::size_t size) {
    const RowsHead head{kind, size};
    send(reinterpret_cast<const char*>(&head), sizeof head);
    send(bytes, size);
  }
  void refuse(const std::string& sentence) { say(RowsAnswer::refused, sentence.data(), sentence.size()); }

  /// The array, kept open, since its unpacked chunks are kept with it: those that a block of rows crosses.
  hid_t dataset(std::uint32_t number) {
    std::vector<Hdf5>& kept = datasets_.at(number);
    if (kept.empty()) {
      const Hdf5Entry& entry = entries_[number];
      const std::uint64_t across = entry.chunk_bytes;
      const Hdf5 access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "preparing to read");
      // All that a row lies in is kept, or each block would unpack it again.
      const std::uint64_t most = std::max<std::uint64_t>(16 * kCacheBytes, across);
      const std::uint64_t cache = std::clamp<std::uint64_t>(2 * across, kCacheBytes, most);
      checked(H5Pset_chunk_cache(access, kCacheSlots, cache, 1.0), "preparing to read");
      allow(across, across);
      kept.emplace_back(H5Dopen2(file_, entry.path.c_str(), access), H5Dclose, "opening it");
    }
    return kept.front();
  }

  void answer(const RowsRequest& request) {
    const Hdf5Entry& entry = entries_.at(request.entry);
    const std::string what = concat("reading ", entry.path);
    const hid_t from = dataset(request.entry);
    const RowType row = request.number == RowsNumber::text ? text_type(entry, from) : row_type(entry, request);
    const std::uint64_t rows = request.end - request.first, row_bytes = row.width * bytes_of(request.number, entry);
    const std::uint64_t piece = std::max<std::uint64_t>(1, kPieceBytes / std::max<std::uint64_t>(row_bytes, 1));
    allow(rows * std::max(entry.row_bytes, row_bytes) + entry.chunk_bytes, entry.chunk_bytes);
    const Hdf5 space(H5Dget_space(from), H5Sclose, what);
    for (std::uint64_t first = request.first; first < request.end; first += piece) {
      const std::uint64_t count = std::min(piece, request.end - first);
      std::vector<hsize_t> start(entry.shape.size(), 0), counts(entry.shape.begin(), entry.shape.end());
      start.front() = first;
      counts.front() = count;
      checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, counts.data(), nullptr), what);
      // Of the shape of the selection: HDF5 would go through any other shape number by number.
      const Hdf5 memory(H5Screate_simple(static_cast<int>(counts.size()), counts.data(), nullptr), H5Sclose, what);
      buffer_.resize(count * row_bytes);
      checked(H5Dread(from, row.type, memory, space, H5P_DEFAULT, buffer_.data()), what);
      say(RowsAnswer::numbers, buffer_.data(), buffer_.size());
    }
  }

  int socket_;
  hid_t file_ = -1;
  std::vector<Hdf5Entry> entries_;
  std::vector<std::vector<Hdf5>> datasets_;
  std::string buffer_;
  std::size_t quarter_ = quarter_of_the_machine();
  std::size_t memory_ = address_space_in_use() + kRowMemory;
  std::uint64_t largest_chunks_ = 0;
};

}  // namespace

void serve_rows(int socket, int file) { RowServer(socket).serve(file); }

}  // namespace fovea
