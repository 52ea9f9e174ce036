#pragma once
/// The child's side of Hdf5Rows, and what both sides say to each other. Internal to core/data/file.
///
/// The child first says the list of entries (or refuses). The parent then sends requests; the answer to each is the
/// rows' bytes in as many pieces as it takes, or a refusal. Both sides are one program: structures travel as they are.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/data/file/hdf5_rows.hpp"

namespace fovea {

enum class RowsNumber : std::uint32_t { float32, float64, int64, text };  ///< text: as many bytes as in the file

inline std::size_t bytes_of(RowsNumber number, const Hdf5Entry& entry) {
  return number == RowsNumber::float32 ? 4 : number == RowsNumber::text ? entry.number_bytes : 8;
}

inline constexpr std::uint32_t kNoField = 0xFFFFFFFF;

struct RowsRequest {
  std::uint32_t entry = 0;
  std::uint32_t field = kNoField;
  RowsNumber number = RowsNumber::float64;
  std::uint32_t unused = 0;
  std::uint64_t first = 0, end = 0;
};

enum class RowsAnswer : std::uint64_t { entries, numbers, refused };

struct RowsHead {
  RowsAnswer kind = RowsAnswer::refused;
  std::uint64_t size = 0;  ///< bytes that follow
};

/// A list of entries as bytes, and back; throws std::length_error for bytes that are no such list.
std::string entries_as_bytes(const std::vector<Hdf5Entry>& entries);
std::vector<Hdf5Entry> entries_from_bytes(std::string_view bytes);

/// All groups and arrays of an open HDF5 file, sorted by path. Throws Hdf5Error.
std::vector<Hdf5Entry> list_entries(std::int64_t file);

/// Serves requests from the socket until it is closed. file: an open descriptor of the HDF5 file. Never returns.
[[noreturn]] void serve_rows(int socket, int file);

}  // namespace fovea
