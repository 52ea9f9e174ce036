#pragma once
/// The words of a command line, checked: what commands and the doors of domains (door.hpp) are given.

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/ranks/ranks.hpp"

namespace fovea {

/// The command line is wrong: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Option {
  std::string name;      ///< without the dashes
  char letter = 0;       ///< a short name such as -o, or 0
  std::string argument;  ///< what stands behind it in the help, such as "DIR"; empty for a flag
  std::string meaning;   ///< one line; the default in it
  bool repeats = false;  ///< may be given several times
};

/// What stands on a checked command line.
class Arguments {
 public:
  std::vector<std::string> positional;
  std::map<std::string, std::vector<std::string>, std::less<>> options;  ///< flags have an empty list of values
  std::set<std::string, std::less<>> known;                              ///< the command's options
  std::string command_line;                                              ///< as it was typed, quoted for a shell
  const Ranks* ranks = &alone();                                         ///< the processes of the program

  /// Whether the command knows the option at all.
  bool accepts(std::string_view option) const { return known.find(option) != known.end(); }
  bool has(std::string_view option) const { return options.find(option) != options.end(); }
  /// The value given, or the fallback.
  std::string text(std::string_view option, const std::string& fallback) const;
  std::vector<std::string> texts(std::string_view option) const;
  /// Names given as "a,b" or one by one.
  std::vector<std::string> names(std::string_view option) const;
  /// The number given, or the fallback. Throws UsageError unless it is a number >= low.
  long long integer(std::string_view option, long long low, long long fallback) const;
  double real(std::string_view option, double low, double fallback) const;
  /// What "512M", "2G" or a number of bytes says, or the fallback as such a word. Throws UsageError.
  std::size_t bytes(std::string_view option, const std::string& fallback) const;
};

}  // namespace fovea
