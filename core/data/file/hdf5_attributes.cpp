#include "fovea/core/data/file/hdf5_attributes.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "fovea/core/base/words.hpp"
#include "fovea/core/data/file/hdf5_handle.hpp"

namespace fovea {
namespace {

constexpr std::size_t kLongestAttribute = std::size_t{1} << 20;  // values; more is damage, not an attribute

/// Texts that HDF5 allocated, given back even when an error comes.
struct BorrowedTexts {
  explicit BorrowedTexts(std::size_t count) : pointers(count, nullptr) {}
  ~BorrowedTexts() {
    for (char* pointer : pointers)
      if (pointer != nullptr) H5free_memory(pointer);
  }
  BorrowedTexts(const BorrowedTexts&) = delete;
  BorrowedTexts& operator=(const BorrowedTexts&) = delete;
  std::vector<char*> pointers;
};

std::string trimmed(const char* bytes, std::size_t size, bool space_padded) {
  std::string_view text(bytes, size);
  text = text.substr(0, text.find('\0'));
  if (space_padded) text = text.substr(0, text.find_last_not_of(' ') + 1);
  return std::string(text);
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : between) + words[i];
  return text;
}

template <typename Number>
std::string numbers_text(hid_t attribute, hid_t memory_type, std::size_t count, const std::string& what) {
  std::vector<Number> numbers(count);
  if (count > 0) checked(H5Aread(attribute, memory_type, numbers.data()), what);
  std::vector<std::string> words;
  for (const Number number : numbers) words.push_back(exact_text(number));
  return joined(words, ", ");
}

std::optional<std::string> attribute_text(hid_t attribute, const std::string& what) {
  const Hdf5 type(H5Aget_type(attribute), H5Tclose, what);
  const Hdf5 space(H5Aget_space(attribute), H5Sclose, what);
  const std::size_t count = checked(H5Sget_simple_extent_npoints(space), what);
  if (count > kLongestAttribute) throw Hdf5Error(what + " failed (it claims more than a million values)");
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      return joined(texts_of(type, count, what, [&](hid_t memory, void* b) { return H5Aread(attribute, memory, b); }),
                    ", ");
    case H5T_INTEGER:
      return numbers_text<std::int64_t>(attribute, H5T_NATIVE_INT64, count, what);
    case H5T_FLOAT:
      if (H5Tget_size(type) <= sizeof(float)) return numbers_text<float>(attribute, H5T_NATIVE_FLOAT, count, what);
      return numbers_text<double>(attribute, H5T_NATIVE_DOUBLE, count, what);
    default:
      return std::nullopt;
  }
}

herr_t take_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->push_back(name);
  return 0;
}

bool is_own_mark(const std::string& name) {
  static const std::set<std::string_view> kMarks{
      "CLASS",          "NAME",          "DIMENSION_LIST",      "REFERENCE_LIST",
      kDimensionNumber, "_NCProperties", "_Netcdf4Coordinates", "_FillValue"};
  return kMarks.contains(name);
}

}  // namespace

std::vector<std::string> texts_of(hid_t type, std::size_t count, const std::string& what,
                                  const std::function<herr_t(hid_t, void*)>& read) {
  std::vector<std::string> texts;
  if (count == 0) return texts;
  if (checked(H5Tis_variable_str(type), what) > 0) {
    const Hdf5 memory_type(H5Tcopy(type), H5Tclose, what);
    BorrowedTexts borrowed(count);
    checked(read(memory_type, borrowed.pointers.data()), what);
    for (const char* pointer : borrowed.pointers) texts.emplace_back(pointer == nullptr ? "" : pointer);
    return texts;
  }
  const std::size_t width = H5Tget_size(type);
  if (width == 0 || width > kLongestAttribute) throw Hdf5Error(what + " failed (a text of impossible length)");
  std::string buffer(count * width, '\0');
  checked(read(type, buffer.data()), what);
  const bool space_padded = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
  for (std::size_t i = 0; i < count; ++i) texts.push_back(trimmed(buffer.data() + i * width, width, space_padded));
  return texts;
}

std::map<std::string, std::string> read_attributes(hid_t object) {
  std::vector<std::string> names;
  checked(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, take_attribute, &names), "listing attributes");
  std::map<std::string, std::string> attributes;
  for (const std::string& name : names) {
    if (is_own_mark(name)) continue;
    const std::string what = "reading attribute '" + name + "'";
    const Hdf5 attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, what);
    if (auto text = attribute_text(attribute, what)) attributes[name] = std::move(*text);
  }
  return attributes;
}

std::optional<std::string> read_attribute(hid_t object, const char* name) {
  const std::string what = concat("reading attribute '", name, "'");
  if (checked(H5Aexists(object, name), what) == 0) return std::nullopt;
  const Hdf5 attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, what);
  return attribute_text(attribute, what);
}

std::optional<std::int64_t> read_integer_attribute(hid_t object, const char* name) {
  const std::string what = concat("reading attribute '", name, "'");
  if (checked(H5Aexists(object, name), what) == 0) return std::nullopt;
  const Hdf5 attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, what);
  const Hdf5 type(H5Aget_type(attribute), H5Tclose, what);
  const Hdf5 space(H5Aget_space(attribute), H5Sclose, what);
  if (H5Tget_class(type) != H5T_INTEGER || H5Sget_simple_extent_npoints(space) != 1) return std::nullopt;
  std::int64_t value = 0;
  checked(H5Aread(attribute, H5T_NATIVE_INT64, &value), what);
  return value;
}

void add_enum_meanings(hid_t dataset, std::map<std::string, std::string>& attributes) {
  const Hdf5 type(H5Dget_type(dataset), H5Tclose, "reading a type");
  if (H5Tget_class(type) != H5T_ENUM || H5Tget_size(type) != 1) return;
  std::vector<std::string> values, meanings;
  const int members = checked(H5Tget_nmembers(type), "reading a type");
  for (unsigned i = 0; i < static_cast<unsigned>(members); ++i) {
    std::uint8_t value = 0;
    checked(H5Tget_member_value(type, i, &value), "reading a type");
    char* name = H5Tget_member_name(type, i);
    if (name == nullptr) throw Hdf5Error("reading a type failed (" + hdf5_reason() + ")");
    values.push_back(std::to_string(value));
    meanings.emplace_back(name);
    H5free_memory(name);
  }
  attributes["flag_values"] = joined(values, ", ");
  attributes["flag_meanings"] = joined(meanings, " ");
}

std::optional<ObjectPlace> place_of(hid_t object) noexcept {
  H5O_info_t info;
  ObjectPlace place{};
#if H5_VERSION_GE(1, 12, 0)
  if (H5Oget_info(object, &info, H5O_INFO_BASIC) < 0) return std::nullopt;
  std::memcpy(place.data(), &info.token, std::min(sizeof(info.token), place.size()));
#else
  if (H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0) return std::nullopt;
  std::memcpy(place.data(), &info.addr, sizeof(info.addr));
#endif
  return place;
}

}  // namespace fovea
