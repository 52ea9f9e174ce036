#include "fovea/core/data/file/hdf5_handle.hpp"

namespace fovea {
namespace {

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

herr_t take_message(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr && error->desc[0] != '\0') *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

Hdf5Lock::Hdf5Lock() : lock_(hdf5_mutex()) {
  // Files are closed where they are used. A file that a full disk did not let close would crash the library at its
  // exit.
  [[maybe_unused]] static const herr_t no_exit_handler = H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Lock::~Hdf5Lock() { H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_); }

std::string hdf5_reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, take_message, &text);
  return text.empty() ? "no reason given" : text;
}

}  // namespace fovea
