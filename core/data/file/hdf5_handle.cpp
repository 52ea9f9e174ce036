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
