#include "fovea/core/base/machine/processes.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
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
  if (number <= 0) return false;
  if (::kill(static_cast<pid_t>(number), 0) != 0) return errno == ESRCH;
  std::ifstream file("/proc/" + std::to_string(number) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name = line.rfind(") ");  // "4711 (its name) Z ...": killed, and not yet asked for by its parent
  return name != std::string::npos && line.compare(name, 3, ") Z") == 0;
}

}  // namespace fovea
