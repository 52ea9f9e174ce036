#pragma once
/// Attributes and texts of an HDF5 file, whoever wrote it. Only for the sources of dataset_file; see hdf5_handle.hpp.

#include <hdf5.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fovea {

/// `count` texts of a file's string type, of fixed or variable length. read: reads them as the given memory type into
/// the buffer. Throws Hdf5Error with `what` in it.
std::vector<std::string> texts_of(hid_t type, std::size_t count, const std::string& what,
                                  const std::function<herr_t(hid_t memory_type, void* buffer)>& read);

/// All attributes as texts: numbers and lists as "0, 1, 2". The marks of HDF5 and netCDF themselves are left out, and
/// so are types that have no text.
std::map<std::string, std::string> read_attributes(hid_t object);

/// One attribute as text, a mark such as _FillValue too; nothing if it is not there or has no text.
std::optional<std::string> read_attribute(hid_t object, const char* name);

/// A whole number kept as attribute; nothing if there is none.
std::optional<std::int64_t> read_integer_attribute(hid_t object, const char* name);

/// For a dataset of an enumerated type (h5py's bool, for one): its names as CF's flag_values and flag_meanings.
void add_enum_meanings(hid_t dataset, std::map<std::string, std::string>& attributes);

/// Where an object lies in its file, whatever name it was opened by; nothing where that cannot be read.
using ObjectPlace = std::array<unsigned char, 16>;
std::optional<ObjectPlace> place_of(hid_t object) noexcept;

}  // namespace fovea
