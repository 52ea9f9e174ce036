#include "fovea/core/base/machine/memory_left.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "fovea/tests/support/test.hpp"

TEST_CASE("of a limit of the address space that is left which is not mapped", "[memory]") {
  constexpr std::uint64_t kRoom = 100'000'000;
  rlimit kept{};
  REQUIRE(::getrlimit(RLIMIT_AS, &kept) == 0);
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit small = kept;
  small.rlim_cur = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + kRoom;
  const std::uint64_t before = memory_left();
  ::setrlimit(RLIMIT_AS, &small);
  const std::uint64_t left = memory_left();
  ::setrlimit(RLIMIT_AS, &kept);
  CHECK(left <= std::min(kRoom, before));
  CHECK(left > kRoom / 2);
}

TEST_CASE("bytes are said in MB and GB, rounded up", "[memory]") {
  CHECK(memory_text(819.2e6) == "820 MB");
  CHECK(memory_text(1.21e9) == "1.3 GB");
}
