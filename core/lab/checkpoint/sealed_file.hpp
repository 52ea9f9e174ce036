#pragma once
/// Files that are believed only with their seal: NAME.h5, and NAME.seal with a number and the file's SHA-256.
///
/// The seal is written after its file, so a file that was cut off or damaged does not match its seal; bytes that match
/// no seal are never given to HDF5.

#include <cstdint>
#include <optional>
#include <string>

#include "fovea/core/base/place.hpp"
#include "fovea/core/data/dataset.hpp"

namespace fovea {

/// Where the disk has no locks, and another process has finished the point and removed its checkpoints meanwhile, the
/// seal may be missing. Throws StorageError.
void write_sealed(const Place& folder, const std::string& name, std::uint64_t number, const Dataset& data);

/// The number on the seal; nothing where there is none, or the file is not what it says.
std::optional<std::uint64_t> sealed_number(const Place& folder, const std::string& name);

/// As read_own_dataset().
Dataset read_sealed(const Place& folder, const std::string& name);

bool is_sealed(const Place& folder, const std::string& name);  ///< whether there is a seal, whatever it says

/// Seal first. Throws StorageError.
void remove_sealed(const Place& folder, const std::string& name);

}  // namespace fovea
