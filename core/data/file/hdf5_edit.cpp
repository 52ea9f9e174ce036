#include "fovea/core/data/file/hdf5_edit.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <new>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/child_process.hpp"
#include "fovea/core/data/file/hdf5_handle.hpp"

namespace fovea {
namespace {

constexpr std::size_t kEditMemory = std::size_t{1} << 30;
constexpr std::size_t kEditCache = std::size_t{64} << 20;  // of unpacked chunks
constexpr std::uint64_t kEditSeconds = 20, kEditBytesPerSecond = 5'000'000;
constexpr std::chrono::seconds kEditIdle{30};
constexpr std::chrono::milliseconds kEditTurn{100};
constexpr unsigned kEditDeflate = 4;
constexpr std::size_t kLongestEditRefusal = 4096;

/// What is wrong with the file, as the rest of a sentence that begins with its path.
struct EditRefusal {
  std::string sentence;
};

std::uint64_t count_of(const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  return count;
}

std::size_t count_of(const Hdf5Addition& addition) {
  return std::visit([](const auto& numbers) { return numbers.size(); }, addition.numbers);
}

void check_changes(const std::vector<Hdf5Edit>& edits, const std::vector<Hdf5Addition>& additions) {
  for (const Hdf5Edit& edit : edits) {
    require(edit.places.size() == edit.numbers.size(), "write_edited_copy: ", edit.path, " has ", edit.places.size(),
            " places but ", edit.numbers.size(), " numbers; each place needs one.");
    require(std::is_sorted(edit.places.begin(), edit.places.end()), "write_edited_copy: the places of ", edit.path,
            " are not ascending; sort them.");
  }
  for (const Hdf5Addition& addition : additions)
    require(!addition.shape.empty() && count_of(addition.shape) == count_of(addition),
            "write_edited_copy: ", addition.path, " has ", count_of(addition), " numbers, but its shape holds ",
            count_of(addition.shape), "; they must be the same, along one axis at least.");
}

// ---- in the child

/// One row after another is read, changed and written.
void edit_array(hid_t file, const Hdf5Edit& edit) {
  const std::string what = "changing " + edit.path;
  if (H5Lexists(file, edit.path.c_str(), H5P_DEFAULT) <= 0) throw EditRefusal{concat("has no ", edit.path, ".")};
  const Hdf5 access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, what);
  checked(H5Pset_chunk_cache(access, 521, kEditCache, 1), what);
  Hdf5 array(H5Dopen2(file, edit.path.c_str(), access), H5Dclose, what);
  const Hdf5 type(H5Dget_type(array), H5Tclose, what), space(H5Dget_space(array), H5Sclose, what);
  const H5T_class_t kind = H5Tget_class(type);
  std::array<hsize_t, H5S_MAX_RANK> shape{};
  const int axes = checked(H5Sget_simple_extent_dims(space, shape.data(), nullptr), what);
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || axes < 1)
    throw EditRefusal{concat(edit.path, " holds no array of numbers.")};
  hsize_t width = 1;
  for (int axis = 1; axis < axes; ++axis) width *= shape.at(axis);
  if (width == 0 || edit.places.back() / width >= shape[0])
    throw EditRefusal{concat(edit.path, " has fewer numbers than are to be changed.")};
  std::vector<double> row(width);
  const Hdf5 memory(H5Screate_simple(1, &width, nullptr), H5Sclose, what);
  std::array<hsize_t, H5S_MAX_RANK> start{}, count = shape;
  count[0] = 1;
  for (std::size_t k = 0; k < edit.places.size();) {
    start[0] = edit.places[k] / width;
    checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), what);
    checked(H5Dread(array, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, row.data()), what);
    for (; k < edit.places.size() && edit.places[k] / width == start[0]; ++k)
      row[edit.places[k] % width] = edit.numbers[k];
    checked(H5Dwrite(array, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, row.data()), what);
  }
  array.close(what);
}

void write_attribute(hid_t array, const std::string& name, const std::string& text, const std::string& what) {
  const Hdf5 type = text_type();
  const Hdf5 space(H5Screate(H5S_SCALAR), H5Sclose, what);
  Hdf5 attribute(H5Acreate2(array, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  const char* pointer = text.c_str();
  checked(H5Awrite(attribute, type, &pointer), what);
  attribute.close(what);
}

/// Whether the path leads to anything; asked group by group, as HDF5 wants it.
bool is_taken(hid_t file, const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

void add_array(hid_t file, const Hdf5Addition& addition) {
  const std::string what = "adding " + addition.path;
  if (is_taken(file, addition.path))
    throw EditRefusal{concat("has ", addition.path, " already, which would be added; give a file without it.")};
  const Hdf5 links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, what), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  checked(H5Pset_create_intermediate_group(links, 1), what);
  checked(H5Pset_obj_track_times(creation, false), what);
  std::vector<hsize_t> shape(addition.shape.begin(), addition.shape.end()), chunk = shape;
  if (shape.size() > 1 && count_of(addition.shape) > 0) {
    chunk[0] = 1;
    checked(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), what);
    checked(H5Pset_shuffle(creation), what);
    checked(H5Pset_deflate(creation, kEditDeflate), what);
  }
  const Hdf5 space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose, what);
  Hdf5 array(
      H5Dcreate2(file, addition.path.c_str(), stored_number_type(addition.stored), space, links, creation, H5P_DEFAULT),
      H5Dclose, what);
  const bool floats = addition.numbers.index() == 0;
  const void* numbers =
      std::visit([](const auto& list) { return static_cast<const void*>(list.data()); }, addition.numbers);
  checked(H5Dwrite(array, floats ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), what);
  for (const auto& [name, text] : addition.attributes) write_attribute(array, name, text, what);
  array.close(what);
}

void change_file(const std::string& path, const std::vector<Hdf5Edit>& edits,
                 const std::vector<Hdf5Addition>& additions) {
  const std::string what = "opening it as HDF5";
  const Hdf5 access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, what);
  checked(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), what);
  Hdf5 file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose, what);
  for (const Hdf5Edit& edit : edits)
    if (!edit.places.empty()) edit_array(file, edit);
  for (const Hdf5Addition& addition : additions) add_array(file, addition);
  file.close("closing it");
}

/// What is wrong; empty if nothing is.
std::string changed_or_why(const std::string& path, const std::vector<Hdf5Edit>& edits,
                           const std::vector<Hdf5Addition>& additions) {
  try {
    change_file(path, edits, additions);
    return "";
  } catch (const EditRefusal& refusal) {
    return refusal.sentence;
  } catch (const Hdf5Error& error) {
    return concat("cannot be changed: ", error.what(), "; restore it from a copy, or make it again.");
  } catch (const std::bad_alloc&) {
    return "cannot be changed: it needs more memory than is allowed; restore it from a copy, or make it again.";
  }
}

// ---- in the parent

/// All that the child says until it ends; nothing if it did not compute for too long.
std::string hear(int pipe, pid_t child, const std::string& path, bool& idle_too_long) {
  std::string said;
  std::array<char, 512> bytes{};
  std::chrono::steady_clock::duration idle{0}, computed{0};
  for (;;) {
    if (process_stop_flag().load() != 0) {
      wait_for_child(child, true);
      throw Interrupted(path + ": stopped while its copy was written.");
    }
    pollfd waiting{pipe, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(kEditTurn.count())) <= 0) {
      const auto before = std::exchange(computed, processor_time_of(child));
      idle = computed != before ? std::chrono::steady_clock::duration{0} : idle + kEditTurn;
      if (idle > kEditIdle) return idle_too_long = true, "";
      continue;
    }
    const ssize_t done = ::read(pipe, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return said;
    if (said.size() < kLongestEditRefusal) said.append(bytes.data(), done);
  }
}

/// Changes the file in a child; throws DataError that speaks of `source`.
void change_in_child(const std::string& source, const std::string& path, std::size_t size,
                     const std::vector<Hdf5Edit>& edits, const std::vector<Hdf5Addition>& additions) {
  std::array<int, 2> ends{};
  pid_t child = -1;
  {
    const Hdf5Lock lock;  // so that no other thread is inside of HDF5 at the fork
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      throw StorageError(concat(source, ": cannot be changed in a child process: ", system_reason(errno), "."));
    child = ::fork();
    if (child == 0) {
      silence_child();
      limit_resource(RLIMIT_CORE, 0, 0);
      const rlim_t seconds = kEditSeconds + size / kEditBytesPerSecond, memory = address_space_in_use() + kEditMemory;
      limit_resource(RLIMIT_CPU, seconds, seconds);
      limit_memory(memory, memory);
      const std::string why = changed_or_why(path, edits, additions);
      const ssize_t told = why.empty() ? 0 : ::write(ends[1], why.data(), why.size());
      ::_exit(why.empty() ? 0 : told > 0 ? 1 : 2);
    }
  }
  const int error = errno;
  Descriptor hearing(ends[0]);
  ::close(ends[1]);
  if (child < 0)
    throw StorageError(concat(source, ": cannot be changed in a child process: ", system_reason(error), "."));
  bool idle = false;
  std::string said = hear(hearing.number(), child, source, idle);
  const int status = wait_for_child(child, idle);
  if (status == 0) return;
  for (char& letter : said)
    if (static_cast<unsigned char>(letter) < ' ' || letter == 0x7F) letter = '?';
  if (said.empty())
    throw DataError(concat(source, ": is damaged: changing a copy of it ", what_happened(status, !idle),
                           "; restore it from a copy, or make it again."));
  throw DataError(concat(source, ": ", said));
}

std::size_t bytes_to_write(const std::vector<Hdf5Edit>& edits, const std::vector<Hdf5Addition>& additions) {
  std::size_t bytes = 0;
  for (const Hdf5Edit& edit : edits) bytes += sizeof(double) * edit.numbers.size();
  for (const Hdf5Addition& addition : additions) bytes += sizeof(double) * count_of(addition);
  return bytes;
}

}  // namespace

void write_edited_copy(const Place& from, const Place& to, const std::vector<Hdf5Edit>& edits,
                       const std::vector<Hdf5Addition>& additions) {
  check_changes(edits, additions);
  const std::string bytes = read_file(from);
  const Place temporary = write_temporary(to, bytes);
  try {
    change_in_child(from.path(), temporary.path(), bytes.size() + bytes_to_write(edits, additions), edits, additions);
  } catch (...) {
    discard(temporary);
    throw;
  }
  publish_file(temporary, to);
}

}  // namespace fovea
