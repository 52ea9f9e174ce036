#pragma once
/// How the command ends. A signal ends it with 128 + its number: 130 for Ctrl-C, 143 for SIGTERM.

namespace fovea::command {

enum ExitCode {
  kDone = 0,
  kFailed = 1,
  kUsage = 2,
  kConfig = 3,
  kInputData = 4,
  kSomePointsFailed = 5,
  kDiffers = 6,
  kStorage = 7,
};

}  // namespace fovea::command
