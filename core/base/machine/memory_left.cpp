#include "fovea/core/base/machine/memory_left.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

std::uint64_t less(std::uint64_t limit, std::uint64_t taken) {
  return limit == kNone ? kNone : limit > taken ? limit - taken : 0;
}

/// The least of the limits `file` of a group and of those above it. "max", which is no number, is none.
std::uint64_t limit_of_groups(const std::filesystem::path& root, std::string group, const char* file) {
  std::uint64_t least = kNone;
  while (true) {
    std::uint64_t limit = kNone;
    if (std::ifstream text(root.string() + group + '/' + file); text >> limit) least = std::min(least, limit);
    if (group.empty()) return least;
    group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

std::uint64_t group_limit() {
  std::uint64_t least = kNone;
  std::ifstream groups("/proc/self/cgroup");  // "0::/group", or of version 1 "4:memory:/group"
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string kinds = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (kinds.empty()) least = std::min(least, limit_of_groups("/sys/fs/cgroup", group, "memory.max"));
    if (kinds == "memory")
      least = std::min(least, limit_of_groups("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
  }
  return least;
}

}  // namespace

std::uint64_t memory_left() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  const std::uint64_t bytes = page > 0 ? static_cast<std::uint64_t>(page) : 4096;
  std::uint64_t mapped = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> mapped >> resident;
  const std::uint64_t machine = pages > 0 ? static_cast<std::uint64_t>(pages) * bytes : kNone;
  rlimit space{};
  const bool limited = ::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
  return std::min(less(std::min(machine, group_limit()), resident * bytes),
                  less(limited ? static_cast<std::uint64_t>(space.rlim_cur) : kNone, mapped * bytes));
}

std::string memory_text(double bytes) {
  return bytes < 999.5e6 ? concat(std::ceil(bytes / 1e6), " MB") : concat(std::ceil(bytes / 1e8) / 10, " GB");
}

}  // namespace fovea
