#pragma once
/// From the operands and options of a command line to a checked config.

#include <string>

#include "fovea/core/lab/experiment_catalogue.hpp"
#include "fovea/experiments/command.hpp"

namespace fovea::command {

/// --set and --seed; for commands that take a config.
std::vector<Option> config_options();
/// --quick, for commands that take a config from a file.
inline const Option kQuick{
    "quick", 0, "", "use the values of the config's table [quick]: a preview, from which nothing is concluded", false};
/// --grid and --seeds.
std::vector<Option> sweep_options();

struct ChosenConfig {
  Config config;
  std::string text;       ///< the file as given; for an experiment's name, a config that says so
  std::string path = {};  ///< of the file; empty: an experiment's defaults
};

/// The first operand is a config file, the name of an experiment (then its defaults), or that of a bundled config. A
/// file that exists wins. `--seed random` draws one.
/// Throws ConfigError, UsageError.
ChosenConfig choose_config(const Catalogue& catalogue, const Arguments& arguments);

/// The config of a file with the options of the command line. Throws ConfigError, UsageError.
ChosenConfig read_chosen(const Catalogue& catalogue, const std::string& path, const Arguments& arguments);

}  // namespace fovea::command
