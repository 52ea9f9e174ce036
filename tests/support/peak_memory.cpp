#include "fovea/tests/support/peak_memory.hpp"

#include <fstream>
#include <string>

namespace fovea::test {

double peak_mebibytes(bool restart) {
  if (restart) std::ofstream("/proc/self/clear_refs") << 5;
  std::ifstream status("/proc/self/status");
  double kibibytes = 0;
  for (std::string word; status >> word;)
    if (word == "VmHWM:") status >> kibibytes;
  return kibibytes / 1024;
}

}  // namespace fovea::test
