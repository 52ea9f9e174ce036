#pragma once
/// From the words of the command line to an exit code: finds the command, runs it, turns every error into one clear
/// sentence on stderr. Errors leave stdout empty.

#include <string>
#include <vector>

namespace fovea::command {

/// words: without the program's name. Returns the exit code; throws nothing.
int enter(const std::vector<std::string>& words) noexcept;

}  // namespace fovea::command
