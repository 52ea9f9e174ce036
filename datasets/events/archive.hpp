#pragma once
/// Members of an archive, one after the other, without unpacking it to disk. Internal to datasets/events.

#include <functional>
#include <string>

namespace fovea::datasets::events {

constexpr std::size_t kLargestMember = std::size_t{64} << 20;  ///< bytes, of a member that is read

/// Whether the file begins as .zip, or as .tar after gzip, xz, bzip2 or nothing; false for a file that cannot be read.
bool is_archive(const std::string& path);

/// Gives the name and the bytes of each regular member that is wanted by its name, in their order. Throws DataError for
/// a damaged or cut archive, a link, a name that leaves the archive ("../x", "/x") and a larger member; StorageError.
void for_each_member(const std::string& path, const std::function<bool(const std::string& name)>& wanted,
                     const std::function<void(const std::string& name, std::string bytes)>& take);

}  // namespace fovea::datasets::events
