#include "fovea/core/lab/directory/machine.hpp"

#include <hdf5.h>
#include <omp.h>
#include <openssl/crypto.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include <Eigen/Core>
#include <algorithm>
#include <fstream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/instruction_set.hpp"
#include "fovea_build_info.hpp"

namespace fovea {

namespace {

std::string hdf5_running() {
  unsigned major = 0, minor = 0, release = 0;
  if (H5get_libversion(&major, &minor, &release) < 0) return "";
  return concat(major, '.', minor, '.', release);
}

/// The value of the first line `key : value` of /proc/cpuinfo.
std::string cpu_line(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.compare(0, key.size(), key) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

std::string known_flags() {
  const std::string flags = ' ' + cpu_line("flags") + ' ';
  std::string known;
  for (const char* set : {"sse4_2", "avx", "avx2", "fma", "avx512f"})
    if (flags.find(concat(' ', set, ' ')) != std::string::npos) known += (known.empty() ? "" : " ") + std::string(set);
  return known;
}

}  // namespace

Build build() { return {kVersion, kCommit, kCompiler, kFlags, kBuildType}; }

std::vector<Library> libraries() {
  return {{"eigen", concat(EIGEN_WORLD_VERSION, '.', EIGEN_MAJOR_VERSION, '.', EIGEN_MINOR_VERSION), ""},
          {"hdf5", concat(H5_VERS_MAJOR, '.', H5_VERS_MINOR, '.', H5_VERS_RELEASE), hdf5_running()},
          {"openmp", concat(_OPENMP), ""},
          {"openssl", OPENSSL_VERSION_TEXT, OpenSSL_version(OPENSSL_VERSION)},
          {"zlib", ZLIB_VERSION, zlibVersion()}};
}

Machine machine() {
  Machine here;
  utsname system{};
  if (::uname(&system) == 0) {
    here.host = system.nodename;
    here.kernel = concat(system.sysname, ' ', system.release, ' ', system.machine);
  }
  here.cpu = cpu_line("model name");
  here.instructions = known_flags();
  here.kernels = name_of(instruction_set());
  here.processors = processors();
  const long pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_bytes > 0)
    here.memory_bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
  return here;
}

Usage usage() {
  rusage used{};
  if (::getrusage(RUSAGE_SELF, &used) != 0) return {};
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return {seconds(used.ru_utime) + seconds(used.ru_stime), static_cast<std::uint64_t>(used.ru_maxrss) * 1024};
}

int processors() { return std::max(1, omp_get_num_procs()); }

}  // namespace fovea
