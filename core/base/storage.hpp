#pragma once
/// Files that are either whole or not there: write a new file, check every step, fsync, rename, fsync the folder.
/// SHA-256 of bytes and files. All functions throw DataError for what may not be below a chosen path (place.hpp).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fovea/core/base/place.hpp"

namespace fovea {

/// Writes the bytes to a place so that a reader, a crash or a full disk sees either the old file or the whole new one.
/// Throws StorageError with the file's name, the bytes and the system's reason; the old file is then intact (but if
/// only the last step, the fsync of the folder, failed: the place is the whole new file, and a power cut may take it
/// back). Safe to call from several threads and processes, for the same place too: one of them wins.
void write_file(const Place& place, std::string_view bytes);

/// All bytes of a file. Throws StorageError.
std::string read_file(const Place& place);

/// Writes the bytes to a new file beside a place, fsyncs and closes it. Returns where, which no other thread or
/// process uses, be it on another host (".NAME.HOST.PID.WORD-COUNT.tmp", machine/processes.hpp). Throws StorageError;
/// nothing is left then.
Place write_temporary(const Place& place, std::string_view bytes);

/// Takes a file away that nobody needs any more; if it cannot be, it only takes space.
void discard(const Place& place) noexcept;

/// Removes what writers left in the folder that were killed on this host, or wrote it a day ago. Safe beside living
/// writers. A folder or file that is gone, or refuses, is passed over.
void remove_temporaries(const Place& folder) noexcept;

/// fsync of a finished file, rename over `place`, fsync of the folder: the last step of every write. Throws
/// StorageError, and removes the temporary file then.
void publish_file(const Place& temporary, const Place& place);

/// Lower-case hexadecimal SHA-256 (FIPS 180-4).
std::string sha256(std::string_view bytes);
/// The same of a file, read in pieces. Throws StorageError.
std::string sha256_of_file(const Place& place);

/// SHA-256 of bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void add(std::string_view bytes);
  std::string hex();  ///< once, at the end

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fovea
