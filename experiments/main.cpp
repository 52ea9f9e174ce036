/// The command `fovea`: everything that prints or exits is in this folder.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "fovea/experiments/commands/front_door.hpp"

namespace {

bool computes(std::string_view word) {
  return word == "run" || word == "sweep" || word == "resume" || word == "verify";
}

/// OpenMP's idle threads keep a processor busy for milliseconds in the hope of more work. Where other programs want
/// that processor, a run takes two to four times as long; with a short wait it does not, and on an idle machine it is
/// as fast. The library reads this setting once, when it is loaded: hence the second start. Who has chosen is left
/// alone.
void start_with_short_waits(char* argv[]) {
  if (std::getenv("GOMP_SPINCOUNT") != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error || ::setenv("GOMP_SPINCOUNT", "1000", 1) != 0) return;
  ::execv(self.c_str(), argv);  // if it fails, all goes on as it is
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc > 1 && computes(argv[1])) start_with_short_waits(argv);
  return fovea::command::enter({argv + 1, argv + argc});
}
