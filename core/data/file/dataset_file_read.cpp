#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "fovea/core/data/file/dataset_file_codec.hpp"
#include "fovea/core/data/file/hdf5_attributes.hpp"
#include "fovea/core/data/file/hdf5_handle.hpp"

namespace fovea {
namespace {

// With this a damaged size is refused before memory is asked for.
constexpr std::size_t kAlwaysAllowed = std::size_t{64} << 20;

/// A dataset of the file, before its axes have names.
struct Array {
  Variable variable;
  std::vector<std::size_t> shape;
  std::vector<std::string> axes;  ///< the attached scale of each axis, "" for none
  bool is_scale = false;
  bool is_stand_in = false;                                        ///< a dimension without values
  std::int64_t number = std::numeric_limits<std::int64_t>::max();  ///< netCDF's number of the dimension
};

struct Link {
  std::string name;
  bool is_hard = false;  ///< others lead out of the file, or nowhere
};

herr_t collect_link(hid_t, const char* name, const H5L_info_t* info, void* list) {
  static_cast<std::vector<Link>*>(list)->push_back({name, info->type == H5L_TYPE_HARD});
  return 0;
}

/// The names in a group in the order of their creation if the file keeps it, else in that of the alphabet.
std::vector<Link> links_of(hid_t group) {
  std::vector<Link> links;
  const herr_t done = H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect_link, &links);
  if (done >= 0) return links;
  links.clear();
  checked(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_link, &links), "listing the file");
  return links;
}

/// Data outside of the file (external files, virtual datasets) is not followed: a file must not make us read others.
bool is_inside(hid_t dataset) {
  const Hdf5 properties(H5Dget_create_plist(dataset), H5Pclose, "reading a layout");
  const H5D_layout_t layout = checked(H5Pget_layout(properties), "reading a layout");
  if (layout == H5D_VIRTUAL) return false;
  return layout != H5D_CONTIGUOUS || checked(H5Pget_external_count(properties), "reading a layout") == 0;
}

template <typename Number>
std::vector<Number> read_numbers(hid_t dataset, hid_t memory_type, std::size_t count, const std::string& what) {
  std::vector<Number> values(count);
  if (count > 0) checked(H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what);
  return values;
}

Values read_integers(hid_t dataset, hid_t type, std::size_t count, const std::string& what) {
  const bool is_unsigned = H5Tget_class(type) == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE;
  const std::size_t width = H5Tget_size(type);
  if (width == 1 && (is_unsigned || H5Tget_class(type) == H5T_ENUM))
    return read_numbers<std::uint8_t>(dataset, H5T_NATIVE_UINT8, count, what);
  auto values = read_numbers<std::int64_t>(dataset, H5T_NATIVE_INT64, count, what);
  // HDF5 clips a number that does not fit to the largest that does.
  if (is_unsigned && width >= 8 &&
      std::find(values.begin(), values.end(), std::numeric_limits<std::int64_t>::max()) != values.end())
    throw Hdf5Error(what + " failed (a whole number is 2^63 or more)");
  return values;
}

std::vector<std::string> read_texts(hid_t dataset, hid_t type, std::size_t count, const std::string& what) {
  return texts_of(type, count, what, [&](hid_t memory_type, void* buffer) {
    return H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, text_transfer(), buffer);
  });
}

/// Nothing for a type that a Dataset does not have.
std::optional<Values> read_values(hid_t dataset, std::size_t count, const std::string& what) {
  const Hdf5 type(H5Dget_type(dataset), H5Tclose, what);
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      if (H5Tget_size(type) <= sizeof(float)) return read_numbers<float>(dataset, H5T_NATIVE_FLOAT, count, what);
      return read_numbers<double>(dataset, H5T_NATIVE_DOUBLE, count, what);
    case H5T_INTEGER:
    case H5T_ENUM:
      return read_integers(dataset, type, count, what);
    case H5T_STRING:
      return read_texts(dataset, type, count, what);
    default:
      return std::nullopt;
  }
}

/// The sizes of the axes; nothing for a dataset without data space. file_size bounds what can be in it.
std::optional<std::vector<std::size_t>> read_shape(hid_t dataset, std::size_t file_size, const std::string& what) {
  const Hdf5 space(H5Dget_space(dataset), H5Sclose, what);
  if (H5Sget_simple_extent_type(space) == H5S_NULL) return std::nullopt;
  std::array<hsize_t, H5S_MAX_RANK> sizes{};
  const int rank = checked(H5Sget_simple_extent_dims(space, sizes.data(), nullptr), what);
  const std::size_t most = kAlwaysAllowed + kLargestPacking * file_size;
  std::size_t count = 1;
  for (int axis = 0; axis < rank; ++axis) {
    const hsize_t size = sizes[axis];
    if (size != 0 && count > most / size)
      throw Hdf5Error(concat(what, " failed (it claims more values than ", file_size, " bytes can hold)"));
    count *= size;
  }
  return std::vector<std::size_t>(sizes.begin(), sizes.begin() + rank);
}

/// The names of the root group's objects; the library would look through the whole file for each.
using ObjectNames = std::map<ObjectPlace, std::string>;

struct WantedName {
  const ObjectNames& known;
  std::string& name;
};

herr_t take_scale_name(hid_t, unsigned, hid_t scale, void* wanted) {
  const auto& [known, name] = *static_cast<WantedName*>(wanted);
  std::array<char, 1024> path{};
  const auto place = place_of(scale);
  if (const auto found = place ? known.find(*place) : known.end(); found != known.end()) {
    name = found->second;
  } else {
    if (H5Iget_name(scale, path.data(), path.size()) <= 0) return 0;
    const std::string text = path.data();
    name = text.substr(text.rfind('/') + 1);
  }
  return 1;  // the first scale of an axis is its dimension
}

void read_axes(hid_t dataset, const ObjectNames& names, Array& array) {
  const std::string what = "reading the dimensions of '" + array.variable.name + "'";
  array.is_scale = checked(H5DSis_scale(dataset), what) > 0;
  array.axes.resize(array.shape.size());
  if (array.is_scale) {
    std::array<char, 256> label{};
    if (H5DSget_scale_name(dataset, label.data(), label.size()) > 0)
      array.is_stand_in = std::string_view(label.data()).starts_with(kStandIn);
    if (array.axes.size() == 1) array.axes[0] = array.variable.name;
    return;
  }
  for (unsigned axis = 0; axis < array.axes.size(); ++axis) {
    WantedName wanted{names, array.axes[axis]};
    if (H5DSget_num_scales(dataset, axis) > 0)
      checked(H5DSiterate_scales(dataset, axis, nullptr, take_scale_name, &wanted), what);
  }
}

std::optional<Array> read_array(hid_t dataset, const std::string& name, const ObjectNames& names,
                                std::size_t file_size) {
  const std::string what = "reading '" + name + "'";
  Array array;
  array.variable.name = name;
  if (!is_inside(dataset)) return std::nullopt;
  const auto shape = read_shape(dataset, file_size, what);
  if (!shape) return std::nullopt;
  array.shape = *shape;
  read_axes(dataset, names, array);
  array.number = read_integer_attribute(dataset, kDimensionNumber).value_or(array.number);
  if (array.is_stand_in) return array;
  std::size_t count = 1;
  for (const std::size_t size : array.shape) count *= size;
  auto values = read_values(dataset, count, what);
  if (!values) return std::nullopt;
  array.variable.values = std::move(*values);
  array.variable.attributes = read_attributes(dataset);
  add_enum_meanings(dataset, array.variable.attributes);
  if (auto units = array.variable.attributes.extract("units")) array.variable.units = units.mapped();
  if (auto text = array.variable.attributes.extract("long_name")) array.variable.long_name = text.mapped();
  return array;
}

/// Names for axes without scale, as xarray would: dim_0, dim_1, ..., the same for the same size in other variables.
class AxisNames {
 public:
  explicit AxisNames(const std::vector<Array>& arrays) {
    for (const Array& array : arrays) {
      taken_.insert(array.variable.name);
      taken_.insert(array.axes.begin(), array.axes.end());
    }
  }
  void complete(Array& array) {
    for (std::size_t axis = 0; axis < array.axes.size(); ++axis)
      if (array.axes[axis].empty()) array.axes[axis] = name_for(array.shape[axis], array.axes);
  }

 private:
  std::string name_for(std::size_t size, const std::vector<std::string>& used) {
    for (const Dimension& dimension : made_)
      if (dimension.size == size && std::find(used.begin(), used.end(), dimension.name) == used.end())
        return dimension.name;
    std::string name;
    do name = "dim_" + std::to_string(next_++);
    while (taken_.contains(name));
    made_.push_back({name, size});
    return name;
  }
  std::set<std::string> taken_;
  std::vector<Dimension> made_;
  std::size_t next_ = 0;
};

void assemble(std::vector<Array>& arrays, Dataset& data) {
  std::vector<const Array*> scales;
  for (const Array& array : arrays)
    if (array.is_scale && array.shape.size() == 1) scales.push_back(&array);
  std::stable_sort(scales.begin(), scales.end(), [](auto* a, auto* b) { return a->number < b->number; });
  for (const Array* scale : scales) data.dimension(scale->variable.name, scale->shape[0]);
  AxisNames names(arrays);
  for (Array& array : arrays) {
    if (array.is_stand_in) continue;
    names.complete(array);
    for (std::size_t axis = 0; axis < array.axes.size(); ++axis) data.dimension(array.axes[axis], array.shape[axis]);
    array.variable.dimensions = array.axes;
    data.add(std::move(array.variable));
  }
}

/// The texts of the group of documents, and the content hash.
void read_documents(hid_t group, DecodedFile& file, std::size_t file_size) {
  auto attributes = read_attributes(group);
  file.content_hash = attributes[kContentHash];
  for (const Link& link : links_of(group)) {
    if (!link.is_hard) continue;
    const Hdf5 object(H5Oopen(group, link.name.c_str(), H5P_DEFAULT), H5Oclose, "opening '" + link.name + "'");
    if (H5Iget_type(object) != H5I_DATASET) continue;
    const auto array = read_array(object, link.name, {}, file_size);
    const auto* texts = array ? std::get_if<std::vector<std::string>>(&array->variable.values) : nullptr;
    if (texts != nullptr && texts->size() == 1) file.data.documents[link.name] = texts->front();
  }
}

/// The bytes that a dataset takes in memory, but no more than `most`; 0 for all else.
std::uint64_t bytes_of(hid_t object, std::uint64_t most) {
  if (H5Iget_type(object) != H5I_DATASET) return 0;
  const Hdf5 space(H5Dget_space(object), H5Sclose, "reading a size");
  const Hdf5 type(H5Dget_type(object), H5Tclose, "reading a size");
  const std::uint64_t width = std::max<std::size_t>(H5Tget_size(type), sizeof(double));
  const hssize_t count = checked(H5Sget_simple_extent_npoints(space), "reading a size");
  return static_cast<std::uint64_t>(count) > most / width ? most : static_cast<std::uint64_t>(count) * width;
}

/// Of all objects; keeps their names.
std::uint64_t bytes_of_all(hid_t file, const std::vector<Link>& links, std::uint64_t most, ObjectNames& names) {
  std::uint64_t sum = 0;
  for (const Link& link : links) {
    if (!link.is_hard) continue;
    const Hdf5 object(H5Oopen(file, link.name.c_str(), H5P_DEFAULT), H5Oclose, "opening '" + link.name + "'");
    if (const auto place = place_of(object)) names.emplace(*place, link.name);
    sum += std::min(bytes_of(object, most), most - sum);
  }
  return sum;
}

}  // namespace

DecodedFile decode_hdf5(std::string& bytes, const TakeSize& holds) {
  Hdf5 file = open_image(bytes);
  DecodedFile decoded;
  std::vector<Array> arrays;
  std::string not_read;
  const std::vector<Link> links = links_of(file);
  ObjectNames names;
  holds(bytes_of_all(file, links, kLargestPacking * bytes.size(), names));
  for (const Link& link : links) {
    std::optional<Array> array;
    if (link.is_hard) {
      const Hdf5 object(H5Oopen(file, link.name.c_str(), H5P_DEFAULT), H5Oclose, "opening '" + link.name + "'");
      if (link.name == kDocuments && H5Iget_type(object) == H5I_GROUP) {
        read_documents(object, decoded, bytes.size());
        continue;
      }
      if (H5Iget_type(object) == H5I_DATASET) array = read_array(object, link.name, names, bytes.size());
    }
    if (array)
      arrays.push_back(std::move(*array));
    else
      not_read += (not_read.empty() ? "" : ", ") + link.name;
  }
  // Reading nothing at all from a file full of groups would look like success.
  if (arrays.empty() && !not_read.empty())
    throw Hdf5Error("there is no array in its root group, only " + not_read + ", which fovea does not read");
  assemble(arrays, decoded.data);
  decoded.data.attributes = read_attributes(file);
  if (!not_read.empty()) decoded.data.attributes["not_read"] = not_read;
  file.close("closing the file");
  return decoded;
}

}  // namespace fovea
