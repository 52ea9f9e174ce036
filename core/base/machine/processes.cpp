#include "fovea/core/base/machine/processes.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <random>

namespace fovea {

const std::string& process_host() {
  static const std::string name = [] {
    constexpr ino_t kFirstNamespace = 0xEFFFFFFC;  // of a machine's own processes, on every Linux
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    std::string text = host.data();
    struct stat own {};
    if (::stat("/proc/self/ns/pid", &own) == 0 && own.st_ino != kFirstNamespace)
      text += '-' + std::to_string(own.st_ino);
    return text;
  }();
  return name;
}

const std::string& process_word() {
  static const std::string word = [] {
    std::random_device draw;
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%08x%08x", draw(), draw());
    return std::string(text.data());
  }();
  return word;
}

bool process_ended(long number) {
  return number > 0 && ::kill(static_cast<pid_t>(number), 0) != 0 && errno == ESRCH;
}

}  // namespace fovea
