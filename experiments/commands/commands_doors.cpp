/// The doors of the domains as commands: options to an experiment's settings, a result to text.

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>
#include <system_error>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/commands/choose_config.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/commands/file_doors.hpp"
#include "fovea/experiments/commands/rows_output.hpp"
#include "fovea/experiments/commands/run_options.hpp"
#include "fovea/experiments/console.hpp"
#include "fovea/experiments/exit_codes.hpp"
#include "fovea/experiments/signals.hpp"

namespace fovea::command {

namespace {

/// The same complaint about the words that were given, not about the setting that they stand for.
std::string about_words(std::string complaint, const std::vector<Setting>& settings) {
  for (const Setting& one : settings) {
    const std::string setting = "--set " + one.key_and_value;
    for (std::size_t at = 0; (at = complaint.find(setting, at)) != std::string::npos; at += one.words.size())
      complaint.replace(at, setting.size(), one.words);
  }
  return complaint;
}

ChosenConfig config_of(const Catalogue& catalogue, const Request& request, Arguments arguments) {
  std::vector<std::string> set;
  for (const Setting& one : request.settings) set.push_back(one.key_and_value);
  const std::vector<std::string> further = arguments.texts("set");
  set.insert(set.end(), further.begin(), further.end());
  arguments.options["set"] = set;
  arguments.positional = {request.experiment};
  return choose_config(catalogue, arguments);
}

struct AskedRun {
  ChosenConfig chosen;
  RunSummary summary;
};

AskedRun run_asked(const Request& request, const Arguments& arguments, OpenInputs& opened, Console& console) {
  const Catalogue catalogue = all_experiments();
  try {
    const ChosenConfig chosen = config_of(catalogue, request, arguments);
    return {chosen, run_experiment(catalogue.at(request.experiment), chosen.config, chosen.text, run_options(arguments),
                                   console, opened)};
  } catch (const MissingInput& error) {
    throw MissingInput(about_words(error.what(), request.settings));
  } catch (const ConfigError& error) {
    throw ConfigError(about_words(error.what(), request.settings));
  }
}

int stream(const Door& door, const Arguments& arguments) {
  Console console(arguments);
  LazyRowsOutput rows(arguments.has("json") ? "" : arguments.text("output", ""));
  const bool holds = door.stream(arguments, rows, console);
  rows.finish();
  return holds ? kDone : kDiffers;
}

/// A folder that goes with its content when the answer is printed.
class PassingFolder {
 public:
  PassingFolder() : path_((std::filesystem::temp_directory_path() / "fovea-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      throw StorageError(concat(path_, ": cannot be created: ", std::generic_category().message(errno), "."));
  }
  ~PassingFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Whether the folder of runs that nobody chose can be written to; of a chosen one the run says what is wrong with it.
bool can_keep(const Arguments& arguments) {
  const std::string runs = run_options(arguments).output;
  std::error_code error;
  return arguments.has("output") || ::access(std::filesystem::exists(runs, error) ? runs.c_str() : ".", W_OK) == 0;
}

/// Without the lines that say where something lies below a folder.
std::string without_places(const std::string& text, const std::string& folder) {
  std::string kept, line;
  for (std::istringstream lines(text); std::getline(lines, line);)
    if (line.find(folder) == std::string::npos) kept += line + '\n';
  return kept;
}

int pass(const Domain& domain, const Door& door, const Arguments& given) {
  listen_to_signals();
  Arguments arguments = given;
  const Form form = form_of(arguments);
  if (const std::string text = door.instead == nullptr ? "" : door.instead(arguments, output_width()); !text.empty()) {
    std::cout << text;
    return kDone;
  }
  if (door.stream != nullptr) return stream(door, arguments);
  Console console(arguments);
  std::optional<PassingFolder> passing;
  OpenInputs opened;
  const Request request = door.ask(arguments, opened, console);
  const auto [chosen, summary] = [&] {
    try {
      return run_asked(request, arguments, opened, console);
    } catch (const StorageError&) {
      if (can_keep(arguments)) throw;
      arguments.options["output"] = {passing.emplace().path()};
      return run_asked(request, arguments, opened, console);
    }
  }();
  console.clear();
  if (!summary.failures.empty()) throw DataError(summary.failures.front().error);
  std::string text = door.answer(summary, {arguments, request, chosen.config}, output_width());
  if (passing) text = without_places(text, passing->path());
  std::cout << (form == Form::text ? plain_minus(std::move(text)) : text);
  for (const std::string& file : arguments.positional)
    if (const std::string doubt = doubt_about(file, domain); !doubt.empty()) console.say(doubt);
  if (passing) {
    std::cout.flush();
    console.say(concat(run_options(given).output,
                       ": cannot be written here, so no page and no result was kept; to keep them: -o FOLDER"));
  } else if (form != Form::text) {
    console.say("report  " + summary.directory.report().path());
  }
  return kDone;
}

std::vector<Option> options_of(const Door& door) {
  std::vector<Option> options = door.options;
  if (door.stream != nullptr) return options;
  for (const Option& option : config_options()) options.push_back(option);
  options.push_back({"output", 'o', "DIR", "folder of the run directory (default: runs)", false});
  options.push_back({"force", 'f', "", "recompute even if the same run is finished", false});
  options.push_back(
      {"threads", 't', "N", "number of threads (default: one per processor); does not change the result", false});
  return options;
}

}  // namespace

std::vector<Command> door_commands() {
  std::vector<Command> all;
  for (const Domain& domain : domains())
    for (const Door& door : domain.doors)
      all.push_back({door.name, door.summary, door.operands, door.fewest, door.most, door.examples, options_of(door),
                     door.details,
                     [&domain, &door](const Arguments& arguments) { return pass(domain, door, arguments); },
                     concat("domains/", domain.name, "/README.md")});
  return all;
}

}  // namespace fovea::command
