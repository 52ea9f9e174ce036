// The bytes of a file are made in memory (HDF5's core driver) and written by storage.cpp: HDF5 itself never meets a
// full disk, where it may report success, and never leaves a file half open.

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <set>

#include <zlib.h>

#include "fovea/core/data/dataset_bytes.hpp"
#include "fovea/core/data/file/dataset_file_codec.hpp"
#include "fovea/core/data/file/hdf5_handle.hpp"

namespace fovea {
namespace {

constexpr std::size_t kPackAbove = std::size_t{64} << 10;    // bytes; smaller arrays are stored as they are
constexpr std::size_t kChunkBytes = std::size_t{1} << 20;    // of a packed array
constexpr std::size_t kSampleBytes = std::size_t{16} << 10;  // of each of the four samples that decide on packing
constexpr double kWorthPacking = 0.8;                        // of the size: below it, deflate is worth its time
constexpr std::size_t kMemoryStep = std::size_t{1} << 20;    // by which the file in memory grows

hid_t stored_type(const Values& values) {
  const std::array<hid_t, 4> types{H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_STD_I64LE, H5T_STD_U8LE};
  return types.at(values.index());
}

hid_t memory_type(const Values& values) {
  const std::array<hid_t, 4> types{H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT64, H5T_NATIVE_UINT8};
  return types.at(values.index());
}

void check_text(const std::string& text, const std::string& where) {
  require(text.find('\0') == std::string::npos, "write_dataset: ", where,
          " holds a NUL byte, which HDF5 text cannot; remove it.");
}

void check_name(const std::string& name, const std::string& what) {
  check_text(name, what);
  require(!name.empty() && name != "." && name.find('/') == std::string::npos, "write_dataset: ", what, " '", name,
          "' is no HDF5 name; it must not be empty, '.' or hold a '/'.");
}

void check_attribute(const std::string& name, const std::string& text, const std::string& owner) {
  static const std::set<std::string_view> kReserved{"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST",
                                                    kDimensionNumber};
  check_text(name, "an attribute's name of " + owner);
  check_text(text, "attribute '" + name + "' of " + owner);
  require(!name.empty() && !kReserved.contains(name), "write_dataset: attribute '", name, "' of ", owner,
          " is reserved by HDF5; rename it.");
}

void check_variable(const Variable& variable) {
  const std::string what = "variable '" + variable.name + "'";
  check_name(variable.name, "variable");
  require(variable.name != kDocuments, "write_dataset: ", what, " has the name of the documents' group; rename it.");
  check_text(variable.units, "the unit of " + what);
  check_text(variable.long_name, "the long name of " + what);
  for (const auto& [name, text] : variable.attributes) {
    check_attribute(name, text, what);
    require(name != "units" && name != "long_name", "write_dataset: ", what, " has attribute '", name,
            "'; use its member of that name.");
  }
  if (const auto* texts = std::get_if<std::vector<std::string>>(&variable.values))
    for (const std::string& text : *texts) check_text(text, what);
}

void check_storable(const Dataset& data) {
  for (const Dimension& dimension : data.dimensions()) {
    check_name(dimension.name, "dimension");
    require(dimension.name != kDocuments, "write_dataset: a dimension has the name of the documents' group, '",
            kDocuments, "'; rename it.");
  }
  for (const Variable& variable : data.variables()) check_variable(variable);
  for (const auto& [name, text] : data.attributes) check_attribute(name, text, "the data set");
  for (const auto& [name, text] : data.documents) {
    check_name(name, "document");
    check_text(text, "document '" + name + "'");
  }
}

/// Creation order makes variables come back in their order; without times, equal data give equal bytes.
Hdf5 creation_properties(hid_t kind) {
  Hdf5 properties(H5Pcreate(kind), H5Pclose, "preparing a file");
  constexpr unsigned kOrder = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  checked(H5Pset_obj_track_times(properties, false), "preparing a file");
  checked(H5Pset_attr_creation_order(properties, kOrder), "preparing a file");
  if (kind != H5P_DATASET_CREATE) checked(H5Pset_link_creation_order(properties, kOrder), "preparing a file");
  return properties;
}

void write_text_attribute(hid_t object, const std::string& name, const std::string& text) {
  const std::string what = "writing attribute '" + name + "'";
  const Hdf5 type = text_type();
  const Hdf5 space(H5Screate(H5S_SCALAR), H5Sclose, what);
  Hdf5 attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  const char* pointer = text.c_str();
  checked(H5Awrite(attribute, type, &pointer), what);
  attribute.close(what);
}

void write_byte_attribute(hid_t object, const std::string& name, const std::vector<std::uint8_t>& bytes) {
  const std::string what = "writing attribute '" + name + "'";
  const hsize_t size = bytes.size();
  const Hdf5 space(H5Screate_simple(1, &size, nullptr), H5Sclose, what);
  Hdf5 attribute(H5Acreate2(object, name.c_str(), H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  checked(H5Awrite(attribute, H5T_NATIVE_UINT8, bytes.data()), what);
  attribute.close(what);
}

/// "0, 1, 2" as numbers, if it is exactly that (so that it comes back as the same text).
std::optional<std::vector<std::uint8_t>> flag_values(const std::string& text) {
  std::vector<std::uint8_t> numbers;
  std::string again;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(", ", start), text.size());
    const std::string word = text.substr(start, end - start);
    if (word.empty() || word.size() > 3 || word.find_first_not_of("0123456789") != std::string::npos) return {};
    const int number = std::stoi(word);
    if (number > 255) return {};
    numbers.push_back(static_cast<std::uint8_t>(number));
    again += (again.empty() ? "" : ", ") + std::to_string(number);
    start = end + 2;
  }
  return again == text ? std::optional(numbers) : std::nullopt;
}

void write_attributes(hid_t object, const Variable& variable) {
  if (!variable.units.empty()) write_text_attribute(object, "units", variable.units);
  if (!variable.long_name.empty()) write_text_attribute(object, "long_name", variable.long_name);
  for (const auto& [name, text] : variable.attributes) {
    const auto flags = name == "flag_values" ? flag_values(text) : std::nullopt;
    if (flags)
      write_byte_attribute(object, name, *flags);
    else
      write_text_attribute(object, name, text);
  }
}

/// The bytes of `size` values, those of equal rank side by side, as HDF5's shuffle filter would put them.
std::string shuffled(const char* bytes, std::size_t count, std::size_t width) {
  std::string out(count * width, '\0');
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < width; ++k) out[k * count + i] = bytes[i * width + k];
  return out;
}

/// Whether deflate makes an array smaller by enough, judged by four samples spread over it: the same for equal data.
bool worth_packing(const char* bytes, std::size_t count, std::size_t width) {
  const std::size_t sample = std::min(count, kSampleBytes / width);
  std::size_t packed = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::string piece = shuffled(bytes + (count - sample) * k / 3 * width, sample, width);
    uLongf size = compressBound(static_cast<uLong>(piece.size()));
    std::string buffer(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(buffer.data()), &size, reinterpret_cast<const Bytef*>(piece.data()),
                  static_cast<uLong>(piece.size()), 1) != Z_OK)
      return false;
    packed += size;
  }
  return static_cast<double>(packed) < kWorthPacking * static_cast<double>(4 * sample * width);
}

/// Whole rows of the slowest dimensions, as many as fit into a chunk.
std::vector<hsize_t> chunk_shape(const std::vector<hsize_t>& shape, std::size_t width) {
  std::vector<hsize_t> chunk(shape.size(), 1);
  hsize_t room = kChunkBytes / width;
  for (std::size_t axis = shape.size(); axis-- > 0 && room > 0; room /= chunk[axis])
    chunk[axis] = std::min(shape[axis], room);
  return chunk;
}

void pack_if_worth(hid_t properties, const Values& values, const std::vector<hsize_t>& shape) {
  std::visit(
      [&](const auto& list) {
        using Item = typename std::decay_t<decltype(list)>::value_type;
        if constexpr (!std::is_same_v<Item, std::string>) {
          if (shape.empty() || list.size() * sizeof(Item) <= kPackAbove) return;
          const std::vector<hsize_t> chunk = chunk_shape(shape, sizeof(Item));
          checked(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "choosing chunks");
          if (worth_packing(reinterpret_cast<const char*>(list.data()), list.size(), sizeof(Item))) {
            checked(H5Pset_shuffle(properties), "choosing the shuffle filter");
            checked(H5Pset_deflate(properties, 4), "choosing the deflate filter");
          }
          checked(H5Pset_fletcher32(properties), "choosing the checksum");
        }
      },
      values);
}

Hdf5 make_space(const std::vector<hsize_t>& shape) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose, "making a shape"};
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose, "making a shape"};
}

void write_values(hid_t target, const Values& values, const std::string& what) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&values)) {
    std::vector<const char*> pointers;
    for (const std::string& text : *texts) pointers.push_back(text.c_str());
    checked(H5Dwrite(target, text_type(), H5S_ALL, H5S_ALL, text_transfer(), pointers.data()), what);
    return;
  }
  const void* bytes = std::visit([](const auto& list) -> const void* { return list.data(); }, values);
  checked(H5Dwrite(target, memory_type(values), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes), what);
}

Hdf5 write_array(hid_t group, const std::string& name, const Values& values, const std::vector<hsize_t>& shape) {
  const std::string what = "writing '" + name + "'";
  const bool is_text = std::holds_alternative<std::vector<std::string>>(values);
  const Hdf5 properties = creation_properties(H5P_DATASET_CREATE);
  pack_if_worth(properties, values, shape);
  const Hdf5 type = is_text ? text_type() : Hdf5(H5Tcopy(stored_type(values)), H5Tclose, what);
  const Hdf5 space = make_space(shape);
  Hdf5 target(H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose, what);
  if (std::visit([](const auto& list) { return !list.empty(); }, values)) write_values(target, values, what);
  return target;
}

void mark_as_scale(hid_t object, const std::string& label, std::int32_t number) {
  const std::string what = "writing dimension '" + label + "'";
  checked(H5DSset_scale(object, label.c_str()), what);
  const Hdf5 space(H5Screate(H5S_SCALAR), H5Sclose, what);
  Hdf5 attribute(H5Acreate2(object, kDimensionNumber, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  checked(H5Awrite(attribute, H5T_NATIVE_INT32, &number), what);
  attribute.close(what);
}

/// netCDF's own way to keep a dimension that has a size but no values.
Hdf5 write_stand_in(hid_t file, const Dimension& dimension, std::int32_t number) {
  const std::string what = "writing dimension '" + dimension.name + "'";
  const Hdf5 properties = creation_properties(H5P_DATASET_CREATE);
  const Hdf5 space = make_space({dimension.size});
  Hdf5 target(H5Dcreate2(file, dimension.name.c_str(), H5T_IEEE_F32BE, space, H5P_DEFAULT, properties, H5P_DEFAULT),
              H5Dclose, what);
  char label[80];
  std::snprintf(label, sizeof label, "%s%10zu", std::string(kStandIn).c_str(), dimension.size);
  mark_as_scale(target, label, number);
  return target;
}

void write_variables(hid_t file, const Dataset& data) {
  std::map<std::string, Hdf5> open;
  std::map<std::string, std::int32_t> number;
  for (const Dimension& dimension : data.dimensions()) {
    const std::int32_t next = static_cast<std::int32_t>(number.size());
    number[dimension.name] = next;
    if (!data.has(dimension.name)) open.emplace(dimension.name, write_stand_in(file, dimension, next));
  }
  for (const Variable& variable : data.variables()) {
    const std::vector<std::size_t> shape = data.shape(variable);
    Hdf5 array = write_array(file, variable.name, variable.values, {shape.begin(), shape.end()});
    write_attributes(array, variable);
    if (data.is_coordinate(variable)) mark_as_scale(array, variable.name, number.at(variable.name));
    open.emplace(variable.name, std::move(array));
  }
  for (const Variable& variable : data.variables()) {
    if (data.is_coordinate(variable)) continue;
    for (unsigned axis = 0; axis < variable.dimensions.size(); ++axis)
      checked(H5DSattach_scale(open.at(variable.name), open.at(variable.dimensions[axis]), axis),
              "attaching dimension '" + variable.dimensions[axis] + "' to '" + variable.name + "'");
  }
  for (auto& [name, array] : open) array.close("closing '" + name + "'");
}

void write_documents(hid_t file, const Dataset& data, const std::string& content_hash) {
  const Hdf5 properties = creation_properties(H5P_GROUP_CREATE);
  Hdf5 group(H5Gcreate2(file, kDocuments, H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose, "writing the documents");
  write_text_attribute(group, kContentHash, content_hash);
  for (const auto& [name, text] : data.documents)
    write_array(group, name, std::vector<std::string>{text}, {}).close("closing document '" + name + "'");
  group.close("closing the documents");
}

}  // namespace

std::string encode_hdf5(const Dataset& data, const std::string& content_hash) {
  check_storable(data);
  const Hdf5 access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "preparing a file");
  checked(H5Pset_fapl_core(access, kMemoryStep, false), "preparing a file in memory");
  // The oldest format that tracks creation order: the widest choice of readers.
  checked(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST), "preparing a file");
  const Hdf5 creation = creation_properties(H5P_FILE_CREATE);
  Hdf5 file(H5Fcreate("fovea-in-memory.h5", H5F_ACC_TRUNC, creation, access), H5Fclose, "creating a file in memory");
  write_variables(file, data);
  auto attributes = data.attributes;
  attributes.try_emplace("Conventions", kConventions);
  for (const auto& [name, text] : attributes) write_text_attribute(file, name, text);
  write_documents(file, data, content_hash);
  checked(H5Fflush(file, H5F_SCOPE_GLOBAL), "finishing the file");
  std::string bytes(checked(H5Fget_file_image(file, nullptr, 0), "sizing the file"), '\0');
  checked(H5Fget_file_image(file, bytes.data(), bytes.size()), "taking the file's bytes");
  file.close("closing the file");
  return bytes;
}

}  // namespace fovea
