#pragma once
/// A Dataset as an HDF5 file that is also netCDF-4: xarray.open_dataset(path) needs no further argument.
///
/// Every coordinate is a dimension scale attached to each axis that uses it; a dimension without coordinate has
/// netCDF's stand-in scale; text is variable-length UTF-8; no times are stored, so equal data give equal bytes.
/// Variables and attributes are in the root group, documents in the group /documents.

#include <string>
#include <vector>

#include "fovea/core/base/place.hpp"
#include "fovea/core/data/dataset.hpp"

namespace fovea {

/// Arrays above 64 KiB are stored in checksummed chunks, packed (deflate, shuffle) if samples of them shrink by a
/// fifth. What a file cannot hold (a NUL byte in a text, a '/' in a name, ...) is refused with an ArgumentError.

/// Writes a new file, checks every step, reads it back and compares the content hash, then renames it into place.
/// The attribute Conventions = "CF-1.10" is added if there is none. Needs memory for two copies of the file.
/// Throws StorageError; an older file at path is then intact. Safe to call from several threads.
void write_dataset(const Place& place, const Dataset& data);

/// Reads a file, whoever wrote it: a child process with limits on memory and time (dataset_file_child.hpp) unpacks it
/// and hands over what it found, so that a damaged or hostile file ends in a DataError and never in a crash or a hang.
/// A file that write_dataset() wrote comes back with the same types and bits, and is refused if its content no longer
/// has the hash that stands in it.
/// Files of other tools are read too: axes without scale get the names dim_0, dim_1, ...; text of fixed length, bools
/// (as flags) and numeric attributes (as text) are understood; the rest is named in the attribute "not_read". A file
/// with all its arrays in groups is a DataError.
/// Throws DataError (not such a file, damaged, changed), StorageError (not readable), Interrupted (asked to stop
/// meanwhile).
Dataset read_dataset(const Place& place);

/// The same for a file that write_dataset() must have written: one without the hash of its content is damaged.
Dataset read_own_dataset(const Place& place);

/// The same for many files: one child reads as many as come to 32 MB, since a fork takes 3 to 20 ms.
std::vector<Dataset> read_datasets(const std::vector<Place>& places);

}  // namespace fovea
