#pragma once
/// Files that are either whole or not there: write a new file, check every step, fsync, rename, fsync the folder.

#include <string>
#include <string_view>

namespace fovea {

/// Writes the bytes to path so that a reader, a crash or a full disk sees either the old file or the whole new one.
/// Throws StorageError with the file's name and the system's reason; the old file is then intact.
void write_file(const std::string& path, std::string_view bytes);

/// All bytes of a file. Throws StorageError.
std::string read_file(const std::string& path);

/// Creates the folder and its parents. Throws StorageError.
void make_folder(const std::string& path);

/// fsync of a finished file, rename over `path`, fsync of the folder: the last step of every write. Throws
/// StorageError.
void publish_file(const std::string& temporary, const std::string& path);

/// Lower-case hexadecimal SHA-256 (FIPS 180-4).
std::string sha256(std::string_view bytes);
std::string sha256_of_file(const std::string& path);

}  // namespace fovea
