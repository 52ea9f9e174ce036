#pragma once
/// A Dataset as an HDF5 file that is also netCDF-4: xarray.open_dataset(path) needs no further argument.
///
/// Every coordinate is a dimension scale attached to each axis that uses it; a dimension without coordinate has
/// netCDF's stand-in scale; text is variable-length UTF-8; no times are stored, so equal data give equal bytes.
/// Variables and attributes are in the root group, documents in the group /documents.

#include <string>

#include "fovea/core/lab/dataset.hpp"

namespace fovea {

/// Writes a new file, checks every close, reads it back and compares the content hash, then renames it into place.
/// Throws StorageError; an older file at path is then intact. Safe to call from several threads.
void write_dataset(const std::string& path, const Dataset& data);

/// Reads a file that write_dataset() wrote. Throws DataError (not such a file, damaged) or StorageError (not readable).
Dataset read_dataset(const std::string& path);

/// The same for a file of unknown origin: a child process with limits on memory and time reads it first, so that a
/// hostile file ends in a DataError and never in a crash or a hang.
Dataset read_untrusted_dataset(const std::string& path);

}  // namespace fovea
