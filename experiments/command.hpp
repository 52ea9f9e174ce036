#pragma once
/// A command of `fovea` as one table entry: the parser, the help and the suggestions all come from it.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/lab/domain.hpp"

namespace fovea::command {

/// Of every command that reads.
inline const Option kJson{"json", 0, "", "as one JSON object", false};

struct Command {
  std::string name;
  std::string summary;                ///< one line
  std::string operands;               ///< behind the name in the help: "CONFIG|EXPERIMENT"
  std::size_t fewest = 0, most = 0;   ///< operands
  std::vector<std::string> examples;  ///< each a line for a shell
  std::vector<Option> options;        ///< its own; those every command has are added
  std::string details;                ///< what the help says after the options
  std::function<int(const Arguments&)> run;
  std::string document = {};  ///< where more is written: "domains/lag/README.md"
};

/// All commands, in the order of the help.
const std::vector<Command>& commands();
const Command* find_command(std::string_view name);

/// Options that every command understands.
const std::vector<Option>& common_options();

/// Checks the words after the command's name. No prefix is guessed and no word dropped. Throws UsageError.
Arguments parse(const Command& command, const std::vector<std::string>& words);

/// The help of the whole, of one command, and of a domain: what it asks, and where more is written.
std::string help();
std::string help(const Command& command);
std::string help(const Domain& domain);

}  // namespace fovea::command
