#pragma once
/// Work on files of others by a library that such a file may make crash or hang: done in a child process.

#include <cstddef>
#include <functional>
#include <string>

namespace fovea {

struct ChildTask {
  std::string path;       ///< for messages
  std::string library;    ///< "GDCM"
  std::size_t bytes = 0;  ///< of the files; time and memory grow with them
  std::function<std::string()> work;
};

/// What `work` returns in a child. Its exceptions become DataErrors with their text, to which it gives the path; a
/// crash, a hang and too much memory become one that names the path. Throws StorageError where no child can be had,
/// Interrupted.
std::string answer_of_child(const ChildTask& task);

}  // namespace fovea
