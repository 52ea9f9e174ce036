#pragma once
/// A command of `fovea` as one table entry: the parser, the help and the suggestions all come from it.

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::command {

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

/// Of every command that reads.
inline const Option kJson{"json", 0, "", "as one JSON object", false};

/// What stands on a checked command line.
class Arguments {
 public:
  std::vector<std::string> positional;
  std::map<std::string, std::vector<std::string>, std::less<>> options;  ///< flags have an empty list of values
  std::set<std::string, std::less<>> known;                              ///< the command's options
  std::string command_line;                                              ///< as it was typed, quoted for a shell

  /// Whether the command knows the option at all.
  bool accepts(std::string_view option) const { return known.find(option) != known.end(); }
  bool has(std::string_view option) const { return options.find(option) != options.end(); }
  /// The value given, or the fallback.
  std::string text(std::string_view option, const std::string& fallback) const;
  std::vector<std::string> texts(std::string_view option) const;
  /// The number given, or the fallback. Throws UsageError unless it is a number >= low.
  long long integer(std::string_view option, long long low, long long fallback) const;
  double real(std::string_view option, double low, double fallback) const;
};

struct Command {
  std::string name;
  std::string summary;                ///< one line
  std::string operands;               ///< behind the name in the help: "CONFIG|EXPERIMENT"
  std::size_t fewest = 0, most = 0;   ///< operands
  std::vector<std::string> examples;  ///< each a line for a shell
  std::vector<Option> options;        ///< its own; those every command has are added
  std::string details;                ///< what the help says after the options
  int (*run)(const Arguments&) = nullptr;
};

/// All commands, in the order of the help.
const std::vector<Command>& commands();
const Command* find_command(std::string_view name);

/// Options that every command understands.
const std::vector<Option>& common_options();

/// Checks the words after the command's name. No prefix is guessed and no word dropped. Throws UsageError.
Arguments parse(const Command& command, const std::vector<std::string>& words);

/// The help of the whole, and of one command.
std::string help();
std::string help(const Command& command);

}  // namespace fovea::command
