#pragma once
/// Rows of an HDF5 file of any size, whoever wrote it, in blocks.
///
/// A child process with limits opens the file, says what is in it and unpacks ranges of rows when asked; it lives as
/// long as the object. The file is never in memory as a whole: what is kept are the rows asked for and, in the child,
/// the chunks they lie in. A damaged or hostile file ends in a DataError, never in a crash or a hang.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/place.hpp"

namespace fovea {

/// What the numbers of an array, or of a field of its rows, are in the file.
enum class Hdf5Kind : std::uint32_t { integers, reals, texts, compound, other };

/// A field of compound rows.
struct Hdf5Field {
  std::string name;
  Hdf5Kind kind = Hdf5Kind::other;
  std::uint64_t width = 1;  ///< numbers of it in a row
};

/// A group or an array of the file.
struct Hdf5Entry {
  std::string path;  ///< "/table/table"; the root group is "/"
  bool is_group = false;
  Hdf5Kind kind = Hdf5Kind::other;
  std::uint32_t number_bytes = 0;    ///< of one number in the file
  std::vector<std::uint64_t> shape;  ///< of an array; the first is its rows
  std::vector<Hdf5Field> fields;     ///< of compound rows
  std::uint64_t row_bytes = 0;       ///< unpacked
  std::uint64_t chunk_bytes = 0;     ///< unpacked, of the chunks that a row lies in; 0: not in chunks
  /// Attributes, _FillValue too: texts as they are, lists as "0, 1, 2"; DIMENSION_LIST: paths of the axes, "/t, /y,
  /// /x".
  std::map<std::string, std::string> texts;
  std::string problem;  ///< why it cannot be read, with the way out; else empty

  std::uint64_t rows() const { return shape.empty() ? 0 : shape.front(); }
  /// Numbers in a row of an array, 0 for groups and compound rows.
  std::uint64_t width() const;
  std::string attribute(const std::string& name) const;  ///< "" if there is none
};

/// One thread at a time may use it.
class Hdf5Rows {
 public:
  /// Opens a file and lists what is in it (what lies outside of it, behind links or as external or virtual data, is
  /// not followed). Throws DataError for what is no HDF5 file or a damaged one, StorageError if it cannot be read.
  ///
  /// Limits of the child: 4 s of processor time for the list and for each call of read(), a second more for each 20 MB
  /// asked for; 512 MiB of memory and four times the chunks that a row lies in. A file is believed to hold 1100 times
  /// its size at most, and chunks of a row above 1 GiB are not read.
  explicit Hdf5Rows(const Place& place);
  ~Hdf5Rows();
  Hdf5Rows(Hdf5Rows&&) noexcept;
  Hdf5Rows& operator=(Hdf5Rows&&) = delete;

  const std::string& path() const;
  /// All groups and arrays, by their names; 20,000 at most.
  const std::vector<Hdf5Entry>& entries() const;
  /// The entry of this path ("/particles"); nullptr if there is none.
  const Hdf5Entry* find(std::string_view path) const;

  /// Rows [first, end) of an array, or of one field of its compound rows, row after row; whole numbers as doubles or
  /// floats if that is asked for, but never reals as integers. Throws ArgumentError for rows that are not there, an
  /// array of texts and the like; DataError if the file is damaged (or a missing filter is needed: named with Debian's
  /// package where there is one), Interrupted when process_stop_flag() is set. Asking for other fields of the same 8 MB
  /// of rows right after costs no second unpacking. Number: float, double or std::int64_t.
  template <typename Number>
  std::vector<Number> read(const Hdf5Entry& entry, std::uint64_t first, std::uint64_t end,
                           std::string_view field = {}) const;
  /// The same of texts of a fixed length, without what fills them up (zeros, spaces). Throws DataError for texts of any
  /// length.
  std::vector<std::string> read_texts(const Hdf5Entry& entry, std::uint64_t first, std::uint64_t end) const;

 private:
  struct Child;
  std::unique_ptr<Child> child_;
};

extern template std::vector<float> Hdf5Rows::read(const Hdf5Entry&, std::uint64_t, std::uint64_t,
                                                  std::string_view) const;
extern template std::vector<double> Hdf5Rows::read(const Hdf5Entry&, std::uint64_t, std::uint64_t,
                                                   std::string_view) const;
extern template std::vector<std::int64_t> Hdf5Rows::read(const Hdf5Entry&, std::uint64_t, std::uint64_t,
                                                         std::string_view) const;

}  // namespace fovea
