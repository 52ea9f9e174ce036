#pragma once
/// An array of numbers inside of an .npz file (a zip of .npy), read row after row. Internal to datasets/particles.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::datasets::particles::numpy {

/// What the head of an .npy says: numbers of one type in C order.
struct NpyHead {
  char kind = 'f';        ///< f: reals, i: whole numbers, u: the same from 0, b: true or false
  std::size_t bytes = 8;  ///< of a number
  std::vector<std::uint64_t> shape;
};

/// From the text "{'descr': '<f8', 'fortran_order': False, 'shape': (60, 85, 4), }". Throws std::invalid_argument with
/// what it is and what it must be, as the rest of a sentence.
NpyHead npy_head(std::string_view text);

/// The names of the members of a zip, 1000 at most; none for what is no zip. Never throws for a strange file.
std::vector<std::string> member_names(const std::string& path);

/// A member, unpacked as it is read: its size is believed only as its bytes come.
class NpyMember {
 public:
  /// Throws DataError if the file has no such member or that is no array of numbers; StorageError.
  NpyMember(const std::string& path, const std::string& name);
  ~NpyMember();
  NpyMember(const NpyMember&) = delete;
  NpyMember& operator=(const NpyMember&) = delete;

  const NpyHead& head() const { return head_; }
  std::uint64_t rows() const { return head_.shape.front(); }
  std::uint64_t width() const { return width_; }  ///< numbers in a row
  /// The next row. Throws DataError where the bytes end before the rows, or are damaged.
  const std::vector<double>& next_row();

 private:
  struct Stream;
  void take(char* target, std::size_t size);
  void read_head();
  [[noreturn]] void refuse(const std::string& what) const;

  std::string path_, name_;
  std::unique_ptr<Stream> stream_;
  NpyHead head_;
  std::uint64_t width_ = 1, row_ = 0;
  std::vector<double> numbers_;
  std::string bytes_;
};

}  // namespace fovea::datasets::particles::numpy
