// Opens the bytes of a file in place: HDF5's core driver asks these functions for memory, and always gets the bytes
// that are there already. (H5LTopen_file_image does the same, but loses memory with each file that it refuses.)

#include "fovea/core/data/file/hdf5_handle.hpp"

namespace fovea {
namespace {

void* give_bytes(std::size_t, H5FD_file_image_op_t, void* bytes) { return static_cast<std::string*>(bytes)->data(); }

void* copy_nothing(void* target, const void* source, std::size_t, H5FD_file_image_op_t, void*) {
  return target == source ? target : nullptr;
}

void* refuse_to_grow(void*, std::size_t, H5FD_file_image_op_t, void*) { return nullptr; }

herr_t keep_bytes(void*, H5FD_file_image_op_t, void*) { return 0; }

void* same_owner(void* bytes) { return bytes; }

herr_t keep_owner(void*) { return 0; }

}  // namespace

Hdf5 open_image(std::string& bytes) {
  const std::string what = "opening it as HDF5";
  const Hdf5 access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, what);
  checked(H5Pset_fapl_core(access, 1, false), what);
  // Whatever a damaged file leaves open is closed with the file, before its bytes go.
  checked(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), what);
  H5FD_file_image_callbacks_t callbacks{give_bytes, copy_nothing, refuse_to_grow, keep_bytes,
                                        same_owner, keep_owner,   &bytes};
  checked(H5Pset_file_image_callbacks(access, &callbacks), what);
  if (bytes.empty()) throw Hdf5Error(what + " failed (it is empty)");
  checked(H5Pset_file_image(access, bytes.data(), bytes.size()), what);
  return {H5Fopen("fovea-in-memory.h5", H5F_ACC_RDONLY, access), H5Fclose, what};
}

}  // namespace fovea
