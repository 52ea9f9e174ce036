#include "fovea/tests/support/failing_disk.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace {

thread_local bool armed = false;
thread_local int kth = 0;
thread_local int error_number = 0;
thread_local int seen = 0;

/// What a child process does is not this thread's.
[[maybe_unused]] const int in_children = ::pthread_atfork(nullptr, nullptr, [] { armed = false; });

/// Whether this call is to fail; errno is set then.
bool refuse() {
  if (!armed || ++seen != kth) return false;
  errno = error_number;
  return true;
}

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" ssize_t write(int file, const void* bytes, size_t size) {
  static auto* const call = real<ssize_t(int, const void*, size_t)>("write");
  if (refuse()) return -1;
  const bool next_fails = armed && error_number == ENOSPC && seen + 1 == kth && size > 1;
  return call(file, bytes, next_fails ? size / 2 : size);
}

extern "C" int fsync(int file) {
  static auto* const call = real<int(int)>("fsync");
  return refuse() ? -1 : call(file);
}

extern "C" int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  static auto* const call = real<int(int, const char*, int, const char*)>("renameat");
  return refuse() ? -1 : call(from_folder, from, to_folder, to);
}

extern "C" int close(int file) {
  static auto* const call = real<int(int)>("close");
  if ((::fcntl(file, F_GETFL) & O_PATH) != 0) return call(file);  // it only names a folder: nothing can be lost
  const bool refused = refuse();
  const int wanted = errno;
  const int done = call(file);  // a failing close frees the number all the same
  errno = refused ? wanted : errno;
  return refused ? -1 : done;
}

namespace fovea::support {

FailingDisk::FailingDisk(int kth_call, int error) {
  armed = true;
  kth = kth_call;
  error_number = error;
  seen = 0;
}

FailingDisk::~FailingDisk() { armed = false; }

int FailingDisk::calls() const { return seen; }

bool FailingDisk::failed() const { return kth > 0 && seen >= kth; }

}  // namespace fovea::support
