#pragma once
/// A thin layer over the HDF5 C API: handles that close themselves, calls that are checked. Only for the sources of
/// dataset_file; whoever uses it holds the Hdf5Lock, since the library may be built without its own.

#include <hdf5.h>
#include <hdf5_hl.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "fovea/core/base/error.hpp"

namespace fovea {

/// A call into HDF5 failed. The sources of dataset_file turn it into DataError or StorageError with the file's name.
class Hdf5Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The one mutex around HDF5, and silence: the library's habit of printing its errors is off while one is held.
class Hdf5Lock {
 public:
  Hdf5Lock();
  ~Hdf5Lock();
  Hdf5Lock(const Hdf5Lock&) = delete;
  Hdf5Lock& operator=(const Hdf5Lock&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t printer_ = nullptr;
  void* printer_data_ = nullptr;
};

/// What the library says about its last failure: the innermost message, one line.
std::string hdf5_reason();

enum class StoredNumber : std::uint32_t;
hid_t stored_number_type(StoredNumber stored);  ///< in a file

/// The result of a call that says failure with a negative number; what: "writing variable 'x'".
template <typename Result>
Result checked(Result result, std::string_view what) {
  if (result < 0) throw Hdf5Error(concat(what, " failed (", hdf5_reason(), ")"));
  return result;
}

/// An HDF5 id that is closed at the end of its life. close() is for the good case and is checked.
class Hdf5 {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5(hid_t id, Close closing, std::string_view what) : id_(checked(id, what)), close_(closing) {}
  Hdf5(Hdf5&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5(const Hdf5&) = delete;
  Hdf5& operator=(const Hdf5&) = delete;
  Hdf5& operator=(Hdf5&&) = delete;
  ~Hdf5() {
    if (id_ >= 0) close_(id_);
  }

  operator hid_t() const { return id_; }
  void close(std::string_view what) { checked(close_(std::exchange(id_, -1)), what); }

 private:
  hid_t id_;
  Close close_;
};

/// Opens a file that is in memory, for reading; the bytes must outlive the handle.
Hdf5 open_image(std::string& bytes);

/// Variable-length UTF-8 text: the only text that netCDF-C and h5py both read without trouble.
inline Hdf5 text_type() {
  Hdf5 type(H5Tcopy(H5T_C_S1), H5Tclose, "making the text type");
  checked(H5Tset_size(type, H5T_VARIABLE), "making the text type");
  checked(H5Tset_cset(type, H5T_CSET_UTF8), "making the text type");
  return type;
}

/// How texts are read and written: through a small buffer, which HDF5 clears for each array (its own has 1 MiB).
inline Hdf5 text_transfer() {
  constexpr std::size_t kBufferBytes = std::size_t{16} << 10;
  Hdf5 transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "preparing texts");
  checked(H5Pset_buffer(transfer, kBufferBytes, nullptr, nullptr), "preparing texts");
  return transfer;
}

/// The group of the documents and its attribute with the content hash of the whole.
inline constexpr const char* kDocuments = "documents";
inline constexpr const char* kContentHash = "content_hash";
/// netCDF's own marks: the number of a dimension, and the name of a dimension without values.
inline constexpr const char* kDimensionNumber = "_Netcdf4Dimid";
inline constexpr std::string_view kStandIn = "This is a netCDF dimension but not a netCDF variable.";

}  // namespace fovea
