#include "fovea/experiments/commands/front_door.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

#include "fovea/core/base/block_sizes.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/base/instruction_set.hpp"
#include "fovea/core/base/stop_flag.hpp"
#include "fovea/core/config/schema.hpp"
#include "fovea/core/lab/door.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/command.hpp"
#include "fovea/experiments/commands/file_doors.hpp"
#include "fovea/experiments/exit_codes.hpp"
#include "fovea/experiments/signals.hpp"

namespace fovea::command {

namespace {

std::vector<std::string> command_names() {
  std::vector<std::string> names = {"help"};
  for (const Command& command : commands()) names.push_back(command.name);
  return names;
}

const Command& known_command(const std::string& word) {
  if (const Command* found = find_command(word)) return *found;
  if (word.compare(0, 1, "-") == 0)
    throw UsageError(concat("'", word, "' is an option, but a command must come first. ",
                            nearest(word, {"--version"}).empty() ? "See: fovea --help" : "Did you mean '--version'?"));
  const std::string close = nearest(word, command_names());
  const bool a_config = word.size() > 5 && word.compare(word.size() - 5, 5, ".toml") == 0;
  const std::string hint = a_config        ? "to run a config: fovea run " + shell_word(word)
                           : close.empty() ? "see: fovea --help"
                                           : "did you mean '" + close + "'?";
  throw UsageError(concat("there is no command '", word, "'; ", hint));
}

int show_help(const std::vector<std::string>& words) {
  if (words.size() > 2) throw UsageError("'help' takes one command or domain. See: fovea --help");
  const Domain* const domain = words.size() == 2 ? find_domain(words[1]) : nullptr;
  std::cout << (domain != nullptr ? help(*domain) : words.size() == 2 ? help(known_command(words[1])) : help());
  return kDone;
}

/// Several processes compute one run; whatever else there is would be done by each.
void refuse_together(const Program& program, const std::string& command) {
  if (program.ranks->alone() || command == "run" || command == "resume") return;
  throw UsageError(concat(program.ranks->size(), " processes compute one run together: run or resume; ", "'", command,
                          "' is for one process: fovea ", command, '.'));
}

int dispatch(const std::vector<std::string>& words, const Program& program) {
  if (words.empty()) return show_help({"help"});
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") return show_help(words);
  if (words[0] == "--version" && words.size() == 1) return dispatch({"version"}, program);
  const Command& command = known_command(words[0]);
  Arguments arguments = parse(command, {words.begin() + 1, words.end()});
  if (arguments.has("help")) return show_help({"help", command.name});
  refuse_together(program, command.name);
  arguments.ranks = program.ranks;
  arguments.command_line = program.name;
  for (const std::string& word : words) arguments.command_line += ' ' + shell_word(word);
  return command.run(arguments);
}

/// Whether the command can do several things at a time.
bool has_jobs(const std::vector<std::string>& words) {
  const Command* const command = words.empty() ? nullptr : find_command(words[0]);
  return command != nullptr && std::any_of(command->options.begin(), command->options.end(),
                                           [](const Option& option) { return option.name == "jobs"; });
}

/// One line for each mistake, each with our name.
int report(ExitCode code, const std::string& sentences) {
  std::string text = "fovea: ";
  for (const char letter : sentences) text += letter == '\n' ? std::string("\nfovea: ") : std::string(1, letter);
  std::cerr << text << '\n';
  return code;
}

/// A wrong FOVEA_INSTRUCTIONS is refused before anything is done.
void check_instructions() {
  try {
    check_instruction_choice();
  } catch (const ArgumentError& error) {
    throw UsageError(error.what());
  }
}

int run_and_report(const std::vector<std::string>& words, const Program& program) {
  try {
    check_instructions();
    const int code = dispatch(words, program);
    std::cout.flush();
    return std::cout ? code : report(kStorage, "stdout: cannot be written; the disk may be full.");
  } catch (const UsageError& error) {
    return report(kUsage, error.what());
  } catch (const MissingInput& error) {
    return report(kInputData, error.what());
  } catch (const ConfigError& error) {
    return report(kConfig, error.what());
  } catch (const DamagedFile& error) {
    return report(kInputData, error.what());
  } catch (const DataError& error) {
    return report(kInputData, with_other_way(error.what(), words));
  } catch (const StorageError& error) {
    return report(kStorage, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return report(kStorage, error.what());
  } catch (const Interrupted& error) {
    report(kFailed, error.what());
    return 128 + process_stop_flag().load();
  } catch (const std::bad_alloc&) {
    return report(kFailed, concat("there was not enough memory; make the problem smaller",
                                  has_jobs(words) ? ", or use fewer --jobs." : "."));
  } catch (const std::exception& error) {
    return report(kFailed, error.what());
  }
}

}  // namespace

namespace {

/// Where memory ends inside a parallel loop, no exception can leave it: the same line and status as outside.
[[noreturn]] void end_without_memory() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    std::fputs("fovea: there was not enough memory; make the problem smaller.\n", stderr);
    std::_Exit(kFailed);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fovea: %s\n", error.what());
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int enter(const std::vector<std::string>& words, const Program& program) noexcept {
  std::set_terminate(end_without_memory);
  try {
    let_writes_fail();
    fix_block_sizes();
    return run_and_report(words, program);
  } catch (...) {
    std::fputs("fovea: out of memory, also for the message of the error.\n", stderr);
    return kFailed;
  }
}

}  // namespace fovea::command
