// What is in an HDF5 file: groups, arrays, the fields of compound rows, attributes, filters that are missing.

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

#include "fovea/core/data/file/hdf5_attributes.hpp"
#include "fovea/core/data/file/hdf5_handle.hpp"
#include "fovea/core/data/file/hdf5_rows_child.hpp"

namespace fovea {
namespace {

constexpr std::size_t kMostEntries = 20'000;
constexpr H5Z_filter_t kBlosc = 32001;
constexpr const char* kDimensionList = "DIMENSION_LIST";

struct EntryNames {
  std::vector<std::string> names{"."};
  bool too_many = false;
};

herr_t collect_entry(hid_t, const char* name, const H5L_info_t* info, void* list) {
  auto& all = *static_cast<EntryNames*>(list);
  if (info->type != H5L_TYPE_HARD) return 0;  // others lead out of the file, to what is listed anyway, or nowhere
  all.too_many = all.names.size() >= kMostEntries;
  if (!all.too_many) all.names.emplace_back(name);
  return all.too_many ? 1 : 0;
}

Hdf5Kind kind_of(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return Hdf5Kind::integers;
    case H5T_FLOAT:
      return Hdf5Kind::reals;
    case H5T_STRING:
      return Hdf5Kind::texts;
    case H5T_COMPOUND:
      return Hdf5Kind::compound;
    default:
      return Hdf5Kind::other;
  }
}

/// A field that holds one number or an array of them.
Hdf5Field field_of(hid_t row, unsigned index) {
  const std::string what = "reading a type of rows";
  Hdf5Field field;
  char* name = H5Tget_member_name(row, index);
  if (name == nullptr) throw Hdf5Error(what + " failed (a field has no name)");
  field.name = name;
  H5free_memory(name);
  const Hdf5 type(H5Tget_member_type(row, index), H5Tclose, what);
  field.kind = kind_of(type);
  if (H5Tget_class(type) == H5T_ARRAY) {
    const Hdf5 one(H5Tget_super(type), H5Tclose, what);
    const std::size_t bytes = H5Tget_size(one);
    field.kind = kind_of(one);
    field.width = bytes == 0 ? 0 : H5Tget_size(type) / bytes;
  }
  return field;
}

std::string filter_problem(H5Z_filter_t id, const char* name) {
  const std::string named = name[0] == '\0' ? "" : concat(" '", name, "'");
  const char* package =
      id == kBlosc
          ? "; install Debian's package hdf5-filter-plugin-blosc-serial"
          : "; install the HDF5 plugin of this filter, or write the file anew with deflate (h5repack -f GZIP=4)";
  return concat("is packed with the HDF5 filter ", static_cast<long>(id), named, ", which is not here", package);
}

void look_at_storage(hid_t dataset, Hdf5Entry& entry) {
  const Hdf5 properties(H5Dget_create_plist(dataset), H5Pclose, "reading a layout");
  const H5D_layout_t layout = checked(H5Pget_layout(properties), "reading a layout");
  if (layout == H5D_VIRTUAL || (layout == H5D_CONTIGUOUS && H5Pget_external_count(properties) != 0))
    entry.problem = "keeps its numbers in other files, which are not followed; write them into this one (h5repack)";
  if (layout != H5D_CHUNKED) return;
  std::vector<hsize_t> chunk(std::max<std::size_t>(entry.shape.size(), 1));
  checked(H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "reading a layout");
  entry.chunk_bytes = entry.number_bytes;
  for (std::size_t axis = 0; axis < entry.shape.size(); ++axis) {  // whole chunks, along a row as many as it crosses
    const std::uint64_t crossed =
        axis == 0 || chunk[axis] == 0 ? 1 : (entry.shape[axis] + chunk[axis] - 1) / chunk[axis];
    for (const std::uint64_t factor : {std::uint64_t{chunk[axis]}, crossed})
      if (__builtin_mul_overflow(entry.chunk_bytes, factor, &entry.chunk_bytes)) entry.chunk_bytes = UINT64_MAX / 8;
  }
  const int filters = checked(H5Pget_nfilters(properties), "reading a layout");
  for (unsigned i = 0; i < static_cast<unsigned>(filters); ++i) {
    unsigned flags = 0, settings = 0;
    std::size_t count = 0;
    char name[64] = "";
    const H5Z_filter_t id = H5Pget_filter2(properties, i, &flags, &count, nullptr, sizeof name, name, &settings);
    checked(id, "reading a layout");
    name[sizeof name - 1] = '\0';
    if (H5Zfilter_avail(id) <= 0) entry.problem = filter_problem(id, name);
  }
}

void look_at_array(hid_t dataset, Hdf5Entry& entry) {
  const Hdf5 space(H5Dget_space(dataset), H5Sclose, "reading a shape");
  const int rank = checked(H5Sget_simple_extent_ndims(space), "reading a shape");
  entry.shape.resize(rank);
  if (rank > 0)
    checked(H5Sget_simple_extent_dims(space, reinterpret_cast<hsize_t*>(entry.shape.data()), nullptr),
            "reading a shape");
  const Hdf5 type(H5Dget_type(dataset), H5Tclose, "reading a type");
  entry.kind = kind_of(type);
  entry.number_bytes = static_cast<std::uint32_t>(H5Tget_size(type));
  if (entry.kind == Hdf5Kind::compound) {
    const int fields = checked(H5Tget_nmembers(type), "reading a type");
    for (unsigned i = 0; i < static_cast<unsigned>(fields); ++i) entry.fields.push_back(field_of(type, i));
  }
  std::uint64_t numbers = 1;
  for (std::size_t axis = 1; axis < entry.shape.size(); ++axis)
    if (__builtin_mul_overflow(numbers, entry.shape[axis], &numbers))
      throw Hdf5Error("reading a shape failed (a row has more than 2^64 numbers)");
  if (__builtin_mul_overflow(numbers, std::uint64_t{entry.number_bytes}, &entry.row_bytes))
    throw Hdf5Error("reading a shape failed (a row has more than 2^64 bytes)");
  look_at_storage(dataset, entry);
}

using EntryPaths = std::map<ObjectPlace, std::string>;

struct WantedPath {
  const EntryPaths& known;
  std::string path;
};

herr_t take_scale_path(hid_t, unsigned, hid_t scale, void* wanted) {
  auto& [known, path] = *static_cast<WantedPath*>(wanted);
  const auto place = place_of(scale);
  if (const auto found = place ? known.find(*place) : known.end(); found != known.end()) path = found->second;
  return 1;  // the first scale of an axis is its dimension
}

/// The paths of an array's dimension scales, "/t, /y, /x"; "" where an axis has none, or they cannot be read.
std::string dimensions_of(hid_t dataset, std::size_t axes, const EntryPaths& known) {
  std::string list;
  for (unsigned axis = 0; axis < axes; ++axis) {
    WantedPath wanted{known, ""};
    if (H5DSiterate_scales(dataset, axis, nullptr, take_scale_path, &wanted) < 0 || wanted.path.empty()) return "";
    list += (axis == 0 ? "" : ", ") + wanted.path;
  }
  return list;
}

/// Adds to arrays that have dimension scales their paths, as the text DIMENSION_LIST.
void add_dimensions(hid_t file, std::vector<Hdf5Entry>& entries) {
  EntryPaths known;
  std::vector<Hdf5Entry*> dimensioned;
  for (Hdf5Entry& entry : entries) {
    if (entry.is_group || !entry.problem.empty() || entry.shape.empty()) continue;
    const Hdf5 object(H5Oopen(file, entry.path.c_str(), H5P_DEFAULT), H5Oclose, "opening it");
    if (const auto place = place_of(object)) known.emplace(*place, entry.path);
    if (H5Aexists(object, kDimensionList) > 0) dimensioned.push_back(&entry);
  }
  for (Hdf5Entry* entry : dimensioned) {
    const Hdf5 object(H5Oopen(file, entry->path.c_str(), H5P_DEFAULT), H5Oclose, "opening it");
    if (std::string list = dimensions_of(object, entry->shape.size(), known); !list.empty())
      entry->texts[kDimensionList] = std::move(list);
  }
}

Hdf5Entry entry_of(hid_t file, const std::string& name) {
  Hdf5Entry entry;
  entry.path = name == "." ? "/" : "/" + name;
  try {
    const Hdf5 object(H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose, "opening it");
    const H5I_type_t type = H5Iget_type(object);
    entry.is_group = type == H5I_GROUP;
    if (type == H5I_DATASET) look_at_array(object, entry);
    entry.texts = read_attributes(object);
    if (type == H5I_DATASET)
      if (auto fill = read_attribute(object, "_FillValue")) entry.texts["_FillValue"] = std::move(*fill);
  } catch (const Hdf5Error& error) {
    entry.problem = concat("is damaged: ", error.what(), "; restore the file from a copy, or make it again");
  }
  return entry;
}

// ---- as bytes ----

void put(std::string& bytes, std::uint64_t number) { bytes.append(reinterpret_cast<const char*>(&number), 8); }
void put(std::string& bytes, const std::string& text) {
  put(bytes, std::uint64_t{text.size()});
  bytes += text;
}

class EntryBytes {
 public:
  explicit EntryBytes(std::string_view bytes) : left_(bytes) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(8).data(), 8);
    return value;
  }
  std::string text() { return std::string(take(number())); }
  /// How many things follow, each of at least a byte.
  std::size_t count() {
    const std::uint64_t count = number();
    if (count > left_.size()) throw std::length_error("a list of entries is cut");
    return count;
  }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > left_.size()) throw std::length_error("a list of entries is cut");
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  std::string_view left_;
};

Hdf5Kind kind_from(std::uint64_t number) {
  return number > static_cast<std::uint64_t>(Hdf5Kind::other) ? Hdf5Kind::other : static_cast<Hdf5Kind>(number);
}

Hdf5Entry entry_from(EntryBytes& from) {
  Hdf5Entry entry;
  entry.path = from.text();
  entry.is_group = from.number() != 0;
  entry.kind = kind_from(from.number());
  entry.number_bytes = static_cast<std::uint32_t>(from.number());
  for (std::size_t left = from.count(); left > 0; --left) entry.shape.push_back(from.number());
  for (std::size_t left = from.count(); left > 0; --left) {
    Hdf5Field field;
    field.name = from.text();
    field.kind = kind_from(from.number());
    field.width = from.number();
    entry.fields.push_back(std::move(field));
  }
  entry.row_bytes = from.number();
  entry.chunk_bytes = from.number();
  for (std::size_t left = from.count(); left > 0; --left) {
    std::string name = from.text();
    entry.texts[std::move(name)] = from.text();
  }
  entry.problem = from.text();
  return entry;
}

}  // namespace

std::string entries_as_bytes(const std::vector<Hdf5Entry>& entries) {
  std::string bytes;
  put(bytes, entries.size());
  for (const Hdf5Entry& entry : entries) {
    put(bytes, entry.path);
    put(bytes, std::uint64_t{entry.is_group});
    put(bytes, static_cast<std::uint64_t>(entry.kind));
    put(bytes, std::uint64_t{entry.number_bytes});
    put(bytes, entry.shape.size());
    for (const std::uint64_t size : entry.shape) put(bytes, size);
    put(bytes, entry.fields.size());
    for (const Hdf5Field& field : entry.fields) {
      put(bytes, field.name);
      put(bytes, static_cast<std::uint64_t>(field.kind));
      put(bytes, field.width);
    }
    put(bytes, entry.row_bytes);
    put(bytes, entry.chunk_bytes);
    put(bytes, entry.texts.size());
    for (const auto& [name, text] : entry.texts) put(bytes, name), put(bytes, text);
    put(bytes, entry.problem);
  }
  return bytes;
}

std::vector<Hdf5Entry> entries_from_bytes(std::string_view bytes) {
  EntryBytes from(bytes);
  std::vector<Hdf5Entry> entries;
  for (std::size_t left = from.count(); left > 0; --left) entries.push_back(entry_from(from));
  return entries;
}

std::vector<Hdf5Entry> list_entries(std::int64_t file) {
  EntryNames found;
  checked(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, collect_entry, &found), "listing the file");
  if (found.too_many) throw Hdf5Error(concat("listing the file failed (it has more than ", kMostEntries, " entries)"));
  std::vector<Hdf5Entry> entries;
  for (const std::string& name : found.names) entries.push_back(entry_of(file, name));
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  add_dimensions(file, entries);
  return entries;
}

}  // namespace fovea
