#include "fovea/core/lab/checkpoint/sealed_file.hpp"

#include <sstream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/dataset_file.hpp"

namespace fovea {
namespace {

Place file_of(const Place& folder, const std::string& name) { return folder / (name + ".h5"); }
Place seal_of(const Place& folder, const std::string& name) { return folder / (name + ".seal"); }

}  // namespace

void write_sealed(const Place& folder, const std::string& name, std::uint64_t number, const Dataset& data) {
  const Place file = file_of(folder, name);
  write_dataset(file, data);
  try {
    write_file(seal_of(folder, name), concat(number, ' ', sha256_of_file(file), '\n'));
  } catch (const StorageError&) {
    if (exists(file)) throw;
  }
}

std::optional<std::uint64_t> sealed_number(const Place& folder, const std::string& name) {
  if (!is_sealed(folder, name)) return std::nullopt;
  try {
    std::uint64_t number = 0;
    std::string hash;
    std::istringstream(read_file(seal_of(folder, name))) >> number >> hash;
    if (sha256_of_file(file_of(folder, name)) == hash) return number;
  } catch (const std::runtime_error&) {  // unreadable, or a link: damaged
  }
  return std::nullopt;
}

Dataset read_sealed(const Place& folder, const std::string& name) { return read_own_dataset(file_of(folder, name)); }

bool is_sealed(const Place& folder, const std::string& name) { return exists(seal_of(folder, name)); }

void remove_sealed(const Place& folder, const std::string& name) {
  remove_file(seal_of(folder, name));
  remove_file(file_of(folder, name));
}

}  // namespace fovea
