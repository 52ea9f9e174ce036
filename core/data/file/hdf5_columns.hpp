#pragma once
/// An HDF5 file whose arrays grow row by row, in the memory of a chunk each: for files of any size.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "fovea/core/base/place.hpp"

namespace fovea {

/// How the numbers of an array are stored.
enum class StoredNumber : std::uint32_t { float32, float64, int8, int32, int64 };

/// The file is written beside its place and renamed into it by finish(), so that a reader, a crash or a full disk sees
/// the old file or the whole new one. Arrays stand in the root group, packed (deflate, shuffle) in chunks of a column;
/// no times are stored, so equal calls give equal bytes. All functions throw StorageError when the disk refuses; the
/// file is then given up, and nothing is left of it.
class Hdf5Columns {
 public:
  explicit Hdf5Columns(const Place& place);
  /// What was not finished is taken away.
  ~Hdf5Columns();
  Hdf5Columns(const Hdf5Columns&) = delete;
  Hdf5Columns& operator=(const Hdf5Columns&) = delete;

  /// A new array of `width` >= 1 numbers a row (1: of one axis).
  /// Returns its number for append() and attribute().
  std::size_t add(const std::string& name, StoredNumber stored, std::size_t width);

  /// Adds rows to an array, as many as its width divides the numbers into. Reals go into arrays of reals, whole numbers
  /// into arrays of whole numbers; one that does not fit is an ArgumentError.
  void append(std::size_t array, std::span<const double> numbers);
  void append(std::size_t array, std::span<const std::int64_t> numbers);

  /// A new array of texts (UTF-8, of any length), one a row, and rows of it. A text ends at its first NUL.
  std::size_t add_texts(const std::string& name);
  void append(std::size_t array, std::span<const std::string> texts);

  /// Text attributes of an array, and of the file.
  void attribute(std::size_t array, const std::string& name, const std::string& text);
  void attribute(const std::string& name, const std::string& text);

  /// Writes what is left, closes the file, brings it to the disk and into place. Nothing can be added then.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fovea
