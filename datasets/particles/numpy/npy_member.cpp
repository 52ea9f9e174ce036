#include "fovea/datasets/particles/numpy/npy_member.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::particles::numpy {

namespace {

constexpr std::size_t kZipBlock = std::size_t{1} << 16;
constexpr std::size_t kMostMembers = 1000;
constexpr std::size_t kLongestHead = std::size_t{1} << 16;
constexpr std::uint64_t kWidestRow = std::uint64_t{1} << 22;  // numbers

struct FreeZip {
  void operator()(archive* one) const { archive_read_free(one); }
};
using Zip = std::unique_ptr<archive, FreeZip>;

Zip opened_zip(const std::string& path, bool& is_open) {
  Zip zip(archive_read_new());
  archive_read_support_format_zip_seekable(zip.get());
  is_open = archive_read_open_filename(zip.get(), path.c_str(), kZipBlock) == ARCHIVE_OK;
  return zip;
}

/// The next member's name; "" at the end or where nothing more can be read.
std::string next_member(archive* zip) {
  archive_entry* entry = nullptr;
  const int state = archive_read_next_header(zip, &entry);
  if (state != ARCHIVE_OK && state != ARCHIVE_WARN) return "";
  const char* name = archive_entry_pathname(entry);
  return name == nullptr || name[0] == '\0' ? "?" : name;
}

/// What stands behind 'key': up to the comma or brace that ends it.
std::string_view value_of(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) throw std::invalid_argument(concat("has no ", key, " in its head"));
  std::string_view rest = text.substr(at + key.size());
  const std::size_t colon = rest.find_first_not_of(" ");
  if (colon == std::string_view::npos || rest[colon] != ':')
    throw std::invalid_argument(concat("has no value of ", key, " in its head"));
  rest.remove_prefix(colon + 1);
  rest.remove_prefix(std::min(rest.find_first_not_of(" "), rest.size()));
  return rest;
}

std::uint64_t size_at(std::string_view& text) {
  std::uint64_t size = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), size);
  if (parsed.ec != std::errc()) throw std::invalid_argument("has a shape in its head that is no list of sizes");
  text.remove_prefix(parsed.ptr - text.data());
  return size;
}

std::vector<std::uint64_t> shape_at(std::string_view text) {
  constexpr std::size_t kMostAxes = 8;
  std::vector<std::uint64_t> shape;
  if (!text.starts_with('(')) throw std::invalid_argument("has a shape in its head that is no list of sizes");
  text.remove_prefix(1);
  while (!text.empty() && text.front() != ')' && shape.size() < kMostAxes) {
    shape.push_back(size_at(text));
    text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
  }
  if (text.empty() || text.front() != ')') throw std::invalid_argument("has a shape in its head that does not end");
  return shape;
}

template <typename Number>
double number_as(const char* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return static_cast<double>(number);
}

double number_at(const char* bytes, char kind, std::size_t size) {
  if (kind == 'f') return size == 4 ? number_as<float>(bytes) : number_as<double>(bytes);
  const bool is_signed = kind == 'i';
  switch (size) {
    case 1:
      return is_signed ? number_as<std::int8_t>(bytes) : number_as<std::uint8_t>(bytes);
    case 2:
      return is_signed ? number_as<std::int16_t>(bytes) : number_as<std::uint16_t>(bytes);
    case 4:
      return is_signed ? number_as<std::int32_t>(bytes) : number_as<std::uint32_t>(bytes);
    default:
      return is_signed ? number_as<std::int64_t>(bytes) : number_as<std::uint64_t>(bytes);
  }
}

}  // namespace

NpyHead npy_head(std::string_view text) {
  NpyHead head;
  const std::string_view type = value_of(text, "'descr'");
  if (type.size() < 5 || type[0] != '\'' || type[4] != '\'')
    throw std::invalid_argument("holds records or objects, but must hold plain numbers; write it with astype(float)");
  const std::string_view word = type.substr(1, 3);
  head.kind = word[1];
  head.bytes = word[2] - '0';
  const bool sized = head.kind == 'f' ? head.bytes == 4 || head.bytes == 8
                                      : head.bytes == 1 || head.bytes == 2 || head.bytes == 4 || head.bytes == 8;
  const bool known = std::string_view("fiub").find(head.kind) != std::string_view::npos;
  if (!known || !sized || (head.kind == 'b' && head.bytes != 1) || (word[0] != '<' && word[0] != '|'))
    throw std::invalid_argument(concat("holds numbers of the type '", word,
                                       "', but must hold little-endian reals or whole numbers; write it with "
                                       "astype('<f8')"));
  if (!value_of(text, "'fortran_order'").starts_with("False"))
    throw std::invalid_argument("is in Fortran's order, but must be in C's; write it with numpy.ascontiguousarray");
  head.shape = shape_at(value_of(text, "'shape'"));
  return head;
}

std::vector<std::string> member_names(const std::string& path) {
  bool is_open = false;
  const Zip zip = opened_zip(path, is_open);
  std::vector<std::string> names;
  while (is_open && names.size() < kMostMembers) {
    const std::string name = next_member(zip.get());
    if (name.empty()) break;
    names.push_back(name);
  }
  return names;
}

struct NpyMember::Stream {
  Zip zip;
};

NpyMember::NpyMember(const std::string& path, const std::string& name)
    : path_(path), name_(name), stream_(std::make_unique<Stream>()) {
  bool is_open = false;
  stream_->zip = opened_zip(path, is_open);
  if (!is_open) refuse("cannot be found: the zip is damaged or was cut; get it again");
  for (std::size_t member = 0; member < kMostMembers; ++member) {
    const std::string found = next_member(stream_->zip.get());
    if (found == name) {
      read_head();
      return;
    }
    if (found.empty()) break;
  }
  refuse("is not there, or the zip is damaged or was cut; get it again");
}

NpyMember::~NpyMember() = default;

void NpyMember::refuse(const std::string& what) const {
  throw DataError(concat(path_, ": its array '", name_, "' ", what, "."));
}

void NpyMember::take(char* target, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const la_ssize_t got = archive_read_data(stream_->zip.get(), target + done, size - done);
    if (got == 0) refuse(concat("ends after row ", row_, " of ", head_.shape.empty() ? 0 : rows(), "; get it again"));
    if (got < 0) {
      const char* reason = archive_error_string(stream_->zip.get());
      refuse(concat("is damaged in row ", row_, " (", reason == nullptr ? "unknown" : reason, "); get it again"));
    }
    done += got;
  }
}

void NpyMember::read_head() {
  char start[8];
  take(start, sizeof start);
  if (std::memcmp(start, "\x93NUMPY", 6) != 0 || start[6] < 1 || start[6] > 3)
    refuse("is no .npy of version 1, 2 or 3; write it with numpy.savez");
  unsigned char length[4] = {0, 0, 0, 0};
  take(reinterpret_cast<char*>(length), start[6] == 1 ? 2 : 4);
  const std::size_t size =
      length[0] + (std::size_t{length[1]} << 8) + (std::size_t{length[2]} << 16) + (std::size_t{length[3]} << 24);
  if (size > kLongestHead) refuse(concat("has a head of ", size, " bytes; at most ", kLongestHead, " are read"));
  std::string text(size, '\0');
  take(text.data(), size);
  try {
    head_ = npy_head(text);
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  }
  if (head_.shape.empty()) refuse("is a single number, but must have rows");
  for (std::size_t axis = 1; axis < head_.shape.size(); ++axis) {
    if (head_.shape[axis] > kWidestRow || width_ * head_.shape[axis] > kWidestRow)
      refuse(concat("has rows of more than ", kWidestRow, " numbers, which are not read; write it with shorter rows"));
    width_ *= head_.shape[axis];
  }
  if (rows() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / 2))
    refuse(concat("claims ", rows(), " rows, which no file holds; get it again"));
}

const std::vector<double>& NpyMember::next_row() {
  bytes_.resize(width_ * head_.bytes);
  numbers_.resize(width_);
  take(bytes_.data(), bytes_.size());
  for (std::size_t i = 0; i < numbers_.size(); ++i)
    numbers_[i] = number_at(bytes_.data() + i * head_.bytes, head_.kind, head_.bytes);
  ++row_;
  return numbers_;
}

}  // namespace fovea::datasets::particles::numpy
