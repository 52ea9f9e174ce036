#include "fovea/core/data/file/child_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <system_error>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define FOVEA_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FOVEA_SANITIZED
#endif

namespace fovea {

void silence_child() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) std::signal(signal, SIG_DFL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) std::signal(signal, SIG_IGN);
  const int nowhere = ::open("/dev/null", O_RDWR);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
}

void limit_resource(int resource, rlim_t now, rlim_t later) {
  rlimit before{};
  ::getrlimit(static_cast<__rlimit_resource>(resource), &before);
  const rlimit wanted{std::min(now, before.rlim_max), std::min(later, before.rlim_max)};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &wanted);
}

#ifdef FOVEA_SANITIZED
void limit_memory(rlim_t, rlim_t) {}
#else
void limit_memory(rlim_t now, rlim_t later) { limit_resource(RLIMIT_AS, now, later); }
#endif

std::size_t address_space_in_use() {
  std::size_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * ::sysconf(_SC_PAGESIZE);
}

std::size_t quarter_of_the_machine() { return ::sysconf(_SC_PHYS_PAGES) * ::sysconf(_SC_PAGESIZE) / 4; }

std::chrono::steady_clock::duration processor_time_of(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) == 0) ::clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

int wait_for_child(pid_t child, bool kill_it) {
  if (kill_it) ::kill(child, SIGKILL);
  int status = -1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

std::string what_happened(int status, bool ended_by_itself, const std::string& library) {
  const bool killed = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  return "made the " + library + (!ended_by_itself || killed ? " library hang" : " library crash");
}

std::string system_reason(int error) { return std::generic_category().message(error); }

}  // namespace fovea
