#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/experiments/command.hpp"
#include "fovea/experiments/commands/find/bundled_configs.hpp"
#include "fovea/experiments/console.hpp"

namespace fovea::command {

namespace {

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string option_words(const Option& option) {
  std::string words = option.letter == 0 ? "    --" + option.name : concat('-', option.letter, ", --", option.name);
  if (!option.argument.empty()) words += ' ' + option.argument;
  return words;
}

std::string option_lines(const Command& command) {
  std::vector<Option> options = command.options;
  options.insert(options.end(), common_options().begin(), common_options().end());
  std::size_t width = 0;
  for (const Option& option : options) width = std::max(width, option_words(option).size());
  std::string text;
  for (const Option& option : options)
    text += sentence(
        concat("  ", padded(option_words(option), width + 2), option.meaning, option.repeats ? "; repeatable" : ""),
        width + 4);
  return text;
}

/// Where more is written, if it is there.
std::string document_lines(const std::string& document) {
  const std::string path = document.empty() ? "" : document_path(document);
  return path.empty() ? "" : "\nMore: " + path + '\n';
}

std::string example_lines(const std::vector<std::string>& examples) {
  std::string text;
  for (const std::string& example : examples) text += "  " + example + '\n';
  return text;
}

}  // namespace

std::string help() {
  std::string text =
      "fovea: attention for the sciences\n\nExamples:\n"
      "  fovea run temperature                                compute a result, or find it; then: fovea open\n"
      "  fovea lags gauges.csv                                a question of your own file; fovea example gauges.csv "
      "makes one\n"
      "  fovea sweep my.toml --grid model.stubbornness=0.05,0.1 --seeds 8\n"
      "  fovea init opinion.temperature > my.toml             a config with every key explained\n"
      "  fovea check my.toml --set agents.count=100           report all mistakes; nothing is computed\n"
      "  fovea resume runs/opinion.temperature-1a2b3c4d       continue after Ctrl-C, a crash or a power cut\n"
      "\nCommands:\n";
  for (const Command& command : commands()) text += "  " + padded(command.name, 10) + command.summary + '\n';
  text +=
      "\n'fovea help COMMAND' explains one; 'fovea example' writes data to try them on.\n"
      "Results go to stdout, everything else to stderr.\n\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 wrong "
      "config, 4 bad input data or none there, 5 some points of a sweep failed or are missing,\n6 a comparison differs "
      "or a check "
      "does not hold, 7 "
      "disk full or not writable,"
      "\n128 + N stopped by signal N (resumable): 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP, 138 SIGUSR1, 140 SIGUSR2, 152 "
      "SIGXCPU.\n";
  return text + document_lines("README.md");
}

std::string help(const Command& command) {
  std::string text =
      concat("fovea ", command.name, ": ", command.summary, "\n\nExamples:\n", example_lines(command.examples),
             "\nUsage: fovea ", command.name, command.operands.empty() ? "" : " " + command.operands,
             " [OPTIONS]\n\nOptions:\n", option_lines(command));
  if (!command.details.empty()) text += '\n' + command.details + '\n';
  return text + document_lines(command.document);
}

std::string help(const Domain& domain) {
  std::string text = concat("fovea run ", domain.name, ": ", domain.summary, "\n\nConfigs: fovea list configs ",
                            domain.name, "\nCommands:");
  for (const Door& door : domain.doors) text += concat(" fovea ", door.name, ",");
  return text + concat(" fovea run ", domain.name, '\n') +
         document_lines(concat("domains/", domain.name, "/README.md"));
}

}  // namespace fovea::command
