#pragma once
/// Which build this is, on which machine it runs, and what it has used so far.

#include <cstdint>
#include <string>
#include <vector>

namespace fovea {

struct Build {
  std::string version;   ///< "0.1.0"
  std::string commit;    ///< git commit, "+changes" if the checkout had any, "unknown" outside of git
  std::string compiler;  ///< name and version
  std::string flags;
  std::string build_type;  ///< "Release"
};
Build build();

struct Library {
  std::string name;
  std::string compiled;  ///< the version whose headers this build saw
  std::string running;   ///< the version in use now; empty if the library cannot tell
};
std::vector<Library> libraries();

struct Machine {
  std::string host;
  std::string cpu;           ///< model name; empty if the system does not tell
  std::string instructions;  ///< "avx2 fma": of the sets that matter for speed, those the CPU has
  std::string kernels;       ///< "avx2": the set whose inner loops are used, see core/base/instruction_set.hpp
  std::string kernel;        ///< "Linux 6.1.0 x86_64"
  int processors = 1;        ///< that this process may use
  std::uint64_t memory_bytes = 0;
};
Machine machine();

struct Usage {
  double cpu_seconds = 0;               ///< user and system, all threads
  std::uint64_t peak_memory_bytes = 0;  ///< largest resident set
};
Usage usage();

/// Processors that this process may use (its affinity), at least 1.
int processors();

}  // namespace fovea
