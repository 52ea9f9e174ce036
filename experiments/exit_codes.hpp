#pragma once
/// How the command ends. 4 also stands for an input that is not there, be it data or a config; 5 for points that are
/// missing where a sweep is merged; 6 for a check that does not hold: what was measured differs from what is known. A
/// signal ends it with 128 + its number: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP, ...

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
