#pragma once
/// Asking a process to stop. A signal handler sets the flag; what takes long looks at it and throws Interrupted.

#include <atomic>

namespace fovea {

/// 0, or the number of the signal that asked to stop (SIGINT, SIGTERM, ...).
using StopFlag = std::atomic<int>;

/// The one flag of this process. Waiting for a child that reads a file (dataset_file_child.hpp) ends when it is set.
StopFlag& process_stop_flag();

/// How many checkpoints are being written: a bad moment to end at once.
StopFlag& process_saving();

}  // namespace fovea
