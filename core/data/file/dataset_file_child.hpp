#pragma once
/// Work on a file of unknown origin in a child process with limits: memory, processor time, wall time, no core dump.

#include <functional>
#include <string>

#include "fovea/core/data/dataset.hpp"

namespace fovea {

/// Runs `read` in a forked child, which hands the data set back through a pipe, and returns it. file_size sets the
/// limits: 2 s of processor time and 10 s in all, and a second more for each 10 MB; 2 GiB of memory and four times the
/// file more (without that limit under a sanitizer, which needs the address space for itself).
/// The child inherits one thread only: `read` must not use OpenMP, and takes no lock (the Hdf5Lock is held for it).
/// A child that does not compute for 2 s is replaced, four times at most, because it may wait for a lock that another
/// thread held at the fork: `read` may be called in several children.
/// Throws the DataError that `read` threw, or one that says that path is damaged if the child died or ran too long;
/// StorageError if no child can be had.
Dataset in_child(const std::string& path, std::size_t file_size, const std::function<Dataset()>& read);

}  // namespace fovea
