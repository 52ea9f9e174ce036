#pragma once
/// From the words of the command line to an exit code: finds the command, runs it, turns every error into one clear
/// sentence on stderr. Errors leave stdout empty.

#include <string>
#include <vector>

#include "fovea/core/ranks/ranks.hpp"

namespace fovea::command {

/// The program that was started.
struct Program {
  std::string name = "fovea";
  const Ranks* ranks = &alone();  ///< its processes
};

/// words: without the program's name. Returns the exit code; throws nothing.
int enter(const std::vector<std::string>& words, const Program& program = {}) noexcept;

}  // namespace fovea::command
