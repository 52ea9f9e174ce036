#include "fovea/core/data/file/dataset_file.hpp"

#include <unistd.h>

#include <new>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/dataset_file_child.hpp"
#include "fovea/core/data/file/dataset_file_codec.hpp"
#include "fovea/core/data/file/hdf5_handle.hpp"

namespace fovea {
namespace {

constexpr const char* kWayOut = "; restore it from a copy, or make it again.";

/// HDF5's own complaints as a DataError about the file.
DecodedFile decode(const std::string& path, std::string& bytes) {
  try {
    return decode_hdf5(bytes);
  } catch (const Hdf5Error& error) {
    throw DataError(concat(path, ": is damaged, or no HDF5 file: ", error.what(), kWayOut));
  } catch (const ArgumentError& error) {
    throw DataError(concat(path, ": contradicts itself: ", error.what(), " Restore it from a copy."));
  } catch (const std::bad_alloc&) {
    throw DataError(concat(path, ": is damaged, or too large for the memory there is", kWayOut));
  } catch (const std::length_error&) {
    throw DataError(concat(path, ": is damaged: it states an impossible size", kWayOut));
  }
}

Dataset checked_against_hash(const std::string& path, DecodedFile&& file) {
  if (!file.content_hash.empty() && content_hash(file.data) != file.content_hash)
    throw DataError(
        concat(path, ": was changed or damaged after it was written: its content does not match its hash", kWayOut));
  return std::move(file.data);
}

std::string encode(const std::string& path, const Dataset& data, const std::string& hash) {
  const Hdf5Lock lock;
  try {
    return encode_hdf5(data, hash);
  } catch (const Hdf5Error& error) {
    throw StorageError(concat(path, ": cannot be made: ", error.what(), "."));
  }
}

/// Reads a file just written as anyone else would, and compares it with what it should be.
void verify(const std::string& path, const std::string& temporary, const std::string& hash) {
  std::string bytes = read_file(temporary);
  const Hdf5Lock lock;
  try {
    if (content_hash(decode(path, bytes).data) == hash) return;
  } catch (const DataError&) {
    // told below: the disk gave back other bytes than it was given
  }
  throw StorageError(concat(path, ": cannot be written (", bytes.size(),
                            " bytes): reading it back gives other data; check the disk, or choose another folder."));
}

}  // namespace

void write_dataset(const std::string& path, const Dataset& data) {
  const std::string hash = content_hash(data);
  const std::string temporary = write_temporary(path, encode(path, data, hash));
  try {
    verify(path, temporary, hash);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  publish_file(temporary, path);
}

Dataset read_dataset(const std::string& path) {
  std::string bytes = read_file(path);
  const Hdf5Lock lock;
  return checked_against_hash(path, decode(path, bytes));
}

Dataset read_untrusted_dataset(const std::string& path) {
  std::string bytes = read_file(path);
  return in_child(path, bytes.size(), [&] { return checked_against_hash(path, decode(path, bytes)); });
}

}  // namespace fovea
