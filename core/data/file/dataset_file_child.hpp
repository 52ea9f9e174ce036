#pragma once
/// Work on files that this process did not write, in a child process with limits: memory, processor time, no core
/// dump.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/data/dataset.hpp"
#include "fovea/core/data/file/dataset_file_codec.hpp"

namespace fovea {

/// A file to be read by a child.
struct FileToRead {
  std::string path;      ///< for messages
  std::size_t size = 0;  ///< bytes, which set the limits
  /// The work. It says with `holds` how many bytes the arrays will take, before it unpacks them.
  std::function<DecodedFile(const TakeSize& holds)> read;
};

/// What a child found, and the content_hash() of the data set as it came over here.
struct FileRead {
  DecodedFile file;
  std::string content_hash;
};

/// Reads the files one after the other in a forked child, which hands over the data sets through a pipe.
///
/// Limits, for all files together: 2 s of processor time, a second more for each 10 MB of the files and for each 100 MB
/// that their arrays hold; 2 GiB of memory and four times the files more, and what their arrays hold as far as a
/// quarter of the machine's memory (no limit of memory under a sanitizer, which needs the address space for itself). A
/// file is believed to hold 1100 times its size at most. The child inherits one thread only: `read` must not use
/// OpenMP, and takes no lock (the Hdf5Lock is held for it). A child that does not compute for 2 s is replaced, four
/// times at most (the last has 10 s), because it may wait for a lock that another thread held at the fork: `read` may
/// be called in several children.
///
/// Throws the DataError that `read` threw, or one that says that the path is damaged if the child died or ran too long;
/// StorageError if no child can be had; Interrupted at once when process_stop_flag() is set.
std::vector<FileRead> in_child(std::span<const FileToRead> files);

}  // namespace fovea
