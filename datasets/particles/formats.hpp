#pragma once
/// How a format of particle files takes part in open_particles(): one line in the table of open.cpp. Internal to
/// datasets/particles.

#include <string>

#include "fovea/datasets/particles/particles.hpp"

namespace fovea::datasets::particles {

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;

/// The beginning of a file, by which formats are told apart; its name says nothing.
struct FileHead {
  std::string path;
  std::string bytes;    ///< kHeadBytes at most; of a file packed by gzip what its beginning unpacks to
  bool packed = false;  ///< by gzip

  bool starts_with(std::string_view text) const { return std::string_view(bytes).starts_with(text); }
  bool is_whole() const { return bytes.size() < kHeadBytes; }  ///< the file has no more than this
};

/// Formats are asked one after the other; the first that knows a file opens it.
struct ParticleFormat {
  const char* name;                     ///< for sentences: "HepMC 3 ASCII"
  bool (*knows)(const FileHead& head);  ///< never throws for a strange file
  std::unique_ptr<ParticleReader> (*open)(const FileHead& head, const ReadOptions& options);
  /// Whether what it knows is a file of particles: nullptr where knows() decides that (an HDF5 file may hold anything).
  bool (*holds_particles)(const FileHead& head) = nullptr;
};

/// The beginning of a file. Throws StorageError if it cannot be read; DataError for a folder or a pipe.
FileHead head_of(const std::string& path);

}  // namespace fovea::datasets::particles
