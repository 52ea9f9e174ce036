#pragma once
/// The bytes of an HDF5 file from a Dataset and back, in memory: the middle of dataset_file.hpp, without the disk.
/// Whoever calls these holds an Hdf5Lock; both throw Hdf5Error when the library fails.

#include <cstdint>
#include <functional>
#include <string>

#include "fovea/core/data/dataset.hpp"

namespace fovea {

/// The file's bytes; the content hash goes into it. Throws ArgumentError for data that no such file can hold (a NUL
/// byte in a text, a '/' in a name).
std::string encode_hdf5(const Dataset& data, const std::string& content_hash);

struct DecodedFile {
  Dataset data;
  std::string content_hash;  ///< as written; empty for a file from elsewhere
};

/// deflate packs at most 1032 to 1: more than this times its size a file does not hold.
inline constexpr std::size_t kLargestPacking = 1100;

using TakeSize = std::function<void(std::uint64_t bytes)>;

/// Reads all variables of the root group. What has no counterpart in a Dataset (groups, compound types, ...) is named
/// in the attribute "not_read". The bytes are changed by nobody, but HDF5 wants to be able to.
/// holds: told once, before any array is unpacked, how many bytes all of them will take (kLargestPacking times the
/// file's size at most).
DecodedFile decode_hdf5(std::string& bytes, const TakeSize& holds);

}  // namespace fovea
