#pragma once
/// A Dataset as an HDF5 file that is also netCDF-4: xarray.open_dataset(path) needs no further argument.
///
/// Every coordinate is a dimension scale attached to each axis that uses it; a dimension without coordinate has
/// netCDF's stand-in scale; text is variable-length UTF-8; no times are stored, so equal data give equal bytes.
/// Variables and attributes are in the root group, documents in the group /documents.

#include <string>

#include "fovea/core/data/dataset.hpp"

namespace fovea {

/// Arrays above 64 KiB are stored in checksummed chunks, packed (deflate, shuffle) if samples of them shrink by a
/// fifth. What a file cannot hold (a NUL byte in a text, a '/' in a name, ...) is refused with an ArgumentError.

/// Writes a new file, checks every step, reads it back and compares the content hash, then renames it into place.
/// The attribute Conventions = "CF-1.10" is added if there is none. Needs memory for two copies of the file.
/// Throws StorageError; an older file at path is then intact. Safe to call from several threads.
void write_dataset(const std::string& path, const Dataset& data);

/// Reads a file that write_dataset() wrote, and refuses it if its content no longer has the hash that stands in it.
/// Throws DataError (not such a file, damaged, changed) or StorageError (not readable).
Dataset read_dataset(const std::string& path);

/// The same for a file of unknown origin: a child process with limits on memory and time reads it and hands over what
/// it found, so that a hostile file ends in a DataError and never in a crash or a hang.
/// Files of other tools are read too: axes without scale get the names dim_0, dim_1, ...; text of fixed length, bools
/// (as flags) and numeric attributes (as text) are understood; the rest is named in the attribute "not_read". A file
/// with all its arrays in groups is a DataError.
Dataset read_untrusted_dataset(const std::string& path);

}  // namespace fovea
