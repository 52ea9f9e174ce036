#pragma once
/// A learned question in one file: do the recent events of a case rise? For the tests of core/study and for README.

#include <memory>

#include "fovea/core/study/model/task.hpp"

namespace fovea::support {

/// "toy.rise": cases of 3 to 8 dated readings, simulated or from a file; target 1 where recent readings are high.
std::unique_ptr<study::LearnedTask> toy_task();

}  // namespace fovea::support
