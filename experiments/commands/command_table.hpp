#pragma once
/// Where the commands are made: one function for each group, in the file of that name (commands_run.cpp, ...).

#include <vector>

#include "fovea/experiments/command.hpp"

namespace fovea::command {

std::vector<Command> run_commands();      ///< run, sweep, resume, verify
std::vector<Command> cluster_commands();  ///< slurm
std::vector<Command> predict_commands();  ///< predict
std::vector<Command> door_commands();     ///< those of the domains, such as lags
std::vector<Command> example_commands();  ///< example
std::vector<Command> config_commands();   ///< list, init, check
std::vector<Command> result_commands();   ///< report, compare, inspect, export
std::vector<Command> open_commands();     ///< open
std::vector<Command> status_commands();   ///< status
Command compare_command();                ///< among the result_commands()
std::vector<Command> machine_commands();  ///< doctor, version

}  // namespace fovea::command
