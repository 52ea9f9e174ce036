#pragma once
/// A copy of an HDF5 file, whoever wrote it, in which some numbers are others and new arrays stand beside the old.

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "fovea/core/base/place.hpp"
#include "fovea/core/data/file/hdf5_columns.hpp"

namespace fovea {

/// Other numbers of an array of numbers, which keeps its type, chunks and filters.
struct Hdf5Edit {
  std::string path;                   ///< "/s2/r10m"
  std::vector<std::uint64_t> places;  ///< ascending; counted over all axes, the last one fastest
  std::vector<double> numbers;        ///< one a place; must fit the array's type
};

/// A new array, packed in chunks of a row where it has several axes; its groups are made where there are none.
struct Hdf5Addition {
  std::string path;
  std::vector<std::uint64_t> shape;
  StoredNumber stored = StoredNumber::float32;
  std::variant<std::vector<float>, std::vector<double>> numbers;
  std::map<std::string, std::string> attributes;
};

/// Writes the copy to `to`, whole or not at all; all else in it is as in `from`. A child process with limits of time
/// and memory works on the copy, so a damaged or hostile file ends in a DataError. Throws ArgumentError for places or
/// sizes that do not fit each other; DataError for an array to edit that is not there or holds no numbers, and for a
/// new one whose name is taken; StorageError; Interrupted.
void write_edited_copy(const Place& from, const Place& to, const std::vector<Hdf5Edit>& edits,
                       const std::vector<Hdf5Addition>& additions);

}  // namespace fovea
