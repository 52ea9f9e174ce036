#include "fovea/core/data/file/dataset_file.hpp"

#include <new>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/dataset_file_child.hpp"
#include "fovea/core/data/file/dataset_file_codec.hpp"
#include "fovea/core/data/file/hdf5_handle.hpp"

namespace fovea {
namespace {

constexpr std::size_t kBatch = 32'000'000;  // bytes of the files that one child reads; a larger one has its own
constexpr const char* kWayOut = "; restore it from a copy, or make it again.";

/// HDF5's own complaints as a DataError about the file.
DecodedFile decode(const std::string& path, std::string& bytes, const TakeSize& holds) {
  try {
    return decode_hdf5(bytes, holds);
  } catch (const Hdf5Error& error) {
    throw DataError(concat(path, ": is damaged, or no HDF5 file: ", error.what(), kWayOut));
  } catch (const ArgumentError& error) {
    throw DataError(concat(path, ": is inconsistent: ", error.what(), " Restore it from a copy."));
  } catch (const std::bad_alloc&) {
    throw DataError(concat(path, ": is damaged, or too large for the available memory", kWayOut));
  } catch (const std::length_error&) {
    throw DataError(concat(path, ": is damaged: it gives an impossible size", kWayOut));
  }
}

std::string encode(const std::string& path, const Dataset& data, const std::string& hash) {
  const Hdf5Lock lock;
  try {
    return encode_hdf5(data, hash);
  } catch (const Hdf5Error& error) {
    throw StorageError(concat(path, ": cannot be made: ", error.what(), "."));
  }
}

[[noreturn]] void refuse_disk(const std::string& path, std::size_t size) {
  throw StorageError(concat(path, ": cannot be written (", size,
                            " bytes): reading it back gives other data; check the disk, or choose another folder."));
}

/// Reads a file just written, compares its bytes with those meant, and then, as these are our own, what HDF5 makes of
/// them with what it should be.
void verify(const std::string& path, const Place& temporary, std::string meant, const std::string& hash) {
  std::string bytes = read_file(temporary);
  if (bytes != meant) refuse_disk(path, meant.size());
  std::string().swap(meant);
  const Hdf5Lock lock;
  try {
    if (content_hash(decode(path, bytes, [](std::uint64_t) {}).data) == hash) return;
  } catch (const DataError&) {
    // told below
  }
  refuse_disk(path, bytes.size());
}

enum class Origin { any, written_here };

/// The files from places[first] on, whose bytes are here, by one child.
void read_batch(const std::vector<Place>& places, std::vector<std::string>& bytes, std::size_t first, Origin origin,
                std::vector<Dataset>& all) {
  std::vector<FileToRead> files;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::string path = places[first + i].path();
    files.push_back(
        {path, bytes[i].size(), [path, &text = bytes[i]](const TakeSize& holds) { return decode(path, text, holds); }});
  }
  for (FileRead& read : in_child(files)) {
    if (origin == Origin::written_here && read.file.content_hash.empty())
      throw DataError(concat(places[all.size()], ": is damaged: the hash of its content is missing", kWayOut));
    if (!read.file.content_hash.empty() && read.content_hash != read.file.content_hash)
      throw DataError(concat(places[all.size()],
                             ": was changed or damaged after it was written: its content does not match its hash",
                             kWayOut));
    all.push_back(std::move(read.file.data));
  }
}

}  // namespace

void write_dataset(const Place& place, const Dataset& data) {
  const std::string hash = content_hash(data);
  std::string bytes = encode(place.path(), data, hash);
  const Place temporary = write_temporary(place, bytes);
  try {
    verify(place.path(), temporary, std::move(bytes), hash);
  } catch (...) {
    discard(temporary);
    throw;
  }
  publish_file(temporary, place);
}

std::vector<Dataset> read_datasets(const std::vector<Place>& places) {
  std::vector<Dataset> all;
  std::vector<std::string> bytes;
  std::size_t size = 0;
  for (const Place& place : places) {
    bytes.push_back(read_file(place));
    size += bytes.back().size();
    if (size < kBatch && all.size() + bytes.size() < places.size()) continue;
    read_batch(places, bytes, all.size(), Origin::any, all);
    bytes.clear();
    size = 0;
  }
  return all;
}

Dataset read_dataset(const Place& place) { return std::move(read_datasets({place}).front()); }

Dataset read_own_dataset(const Place& place) {
  std::vector<Dataset> all;
  std::vector<std::string> bytes{read_file(place)};
  read_batch({place}, bytes, 0, Origin::written_here, all);
  return std::move(all.front());
}

}  // namespace fovea
