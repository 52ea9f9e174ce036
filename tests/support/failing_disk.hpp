#pragma once
/// A disk that fails: the k-th write, fsync, rename or close of this thread is refused. The test program replaces the
/// C library's calls (failing_disk.cpp), so no special file system is needed.

namespace fovea::support {

/// While alive, counts this thread's calls and lets the k-th (from 1; 0: none) fail with the error number. When a write
/// is to fail with ENOSPC, it first takes half of its bytes in the call before, as a filling disk does.
class FailingDisk {
 public:
  FailingDisk(int kth_call, int error);
  ~FailingDisk();
  FailingDisk(const FailingDisk&) = delete;
  FailingDisk& operator=(const FailingDisk&) = delete;
  int calls() const;    ///< so far
  bool failed() const;  ///< whether the k-th call came
};

}  // namespace fovea::support
