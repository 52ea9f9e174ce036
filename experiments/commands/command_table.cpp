#include "fovea/experiments/commands/command_table.hpp"

namespace fovea::command {

const std::vector<Command>& commands() {
  static const std::vector<Command> table = [] {
    std::vector<Command> all;
    for (const auto& group :
         {config_commands(), example_commands(), run_commands(), cluster_commands(), predict_commands(),
          door_commands(), open_commands(), status_commands(), result_commands(), machine_commands()})
      all.insert(all.end(), group.begin(), group.end());
    return all;
  }();
  return table;
}

const Command* find_command(std::string_view name) {
  for (const Command& command : commands())
    if (command.name == name) return &command;
  return nullptr;
}

const std::vector<Option>& common_options() {
  static const std::vector<Option> options = {
      {"quiet", 'q', "", "only errors on stderr", false},
      {"verbose", 'v', "", "more details on stderr", false},
      {"help", 'h', "", "show this help", false},
  };
  return options;
}

}  // namespace fovea::command
