/// For LD_PRELOAD: a disk that has no locks. REFUSED_FLOCK is the number of the error that flock() gives.

#include <cerrno>
#include <cstdlib>

extern "C" int flock(int, int) {
  const char* number = std::getenv("REFUSED_FLOCK");
  errno = number == nullptr ? ENOSYS : std::atoi(number);
  return -1;
}
