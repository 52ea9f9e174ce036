#include <boost/program_options.hpp>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/schema.hpp"
#include "fovea/experiments/command.hpp"

namespace fovea::command {

namespace {

namespace po = boost::program_options;

constexpr const char* kOperands = " operands";  // a name that nobody can type

std::vector<Option> all_options(const Command& command) {
  std::vector<Option> all = command.options;
  all.insert(all.end(), common_options().begin(), common_options().end());
  return all;
}

po::options_description described(const std::vector<Option>& options) {
  po::options_description description;
  for (const Option& option : options) {
    const std::string names = option.letter == 0 ? option.name : concat(option.name, ',', option.letter);
    if (option.argument.empty()) {
      description.add_options()(names.c_str(), po::bool_switch(), "");
    } else {
      description.add_options()(names.c_str(), po::value<std::vector<std::string>>()->composing(), "");
    }
  }
  description.add_options()(kOperands, po::value<std::vector<std::string>>(), "");
  return description;
}

std::string without_dashes(const std::string& word) {
  const std::size_t start = word.find_first_not_of('-');
  return start == std::string::npos ? "" : word.substr(start, word.find('=') - start);
}

[[noreturn]] void refuse_unknown(const Command& command, const std::string& word) {
  std::vector<std::string> names;
  for (const Option& option : all_options(command)) names.push_back(option.name);
  std::string others;
  std::size_t count = 0;
  for (const Command& other : commands())
    for (const Option& option : other.options)
      if (option.name == without_dashes(word)) others += (count++ == 0 ? "" : " or ") + ("fovea help " + other.name);
  constexpr std::size_t kFew = 3;
  if (count > 0 && count <= kFew)
    throw UsageError(
        concat("'", command.name, "' has no option '", word, "'; for commands that have it see: ", others));
  const std::string close = nearest(without_dashes(word), names);
  throw UsageError(concat("'", command.name, "' has no option '", word, "'; ",
                          close.empty() ? "see: fovea help " + command.name : "did you mean '--" + close + "'?"));
}

po::parsed_options parsed(const Command& command, const po::options_description& description,
                          const std::vector<std::string>& words) {
  po::positional_options_description positions;
  positions.add(kOperands, -1);
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  try {
    return po::command_line_parser(words).options(description).positional(positions).style(style).run();
  } catch (const po::unknown_option& error) {
    refuse_unknown(command, error.get_option_name());
  } catch (const po::invalid_command_line_syntax& error) {
    const bool flag = error.kind() == po::invalid_syntax::extra_parameter;
    throw UsageError(concat("'", error.get_option_name(), flag ? "' takes no value." : "' needs a value.",
                            " See: fovea help ", command.name));
  }
}

void check_count(const Command& command, std::size_t given) {
  if (given >= command.fewest && given <= command.most) return;
  const std::string wanted = command.operands.empty() ? "no operands" : command.operands;
  throw UsageError(concat("'", command.name, "' takes ", wanted, ", but ", given, given == 1 ? " was" : " were",
                          " given. See: fovea help ", command.name));
}

}  // namespace

Arguments parse(const Command& command, const std::vector<std::string>& words) {
  const std::vector<Option> options = all_options(command);
  const po::options_description description = described(options);
  Arguments arguments;
  for (const Option& option : options) arguments.known.insert(option.name);
  for (const po::option& given : parsed(command, description, words).options) {
    if (given.string_key == kOperands) {
      arguments.positional.insert(arguments.positional.end(), given.value.begin(), given.value.end());
      continue;
    }
    auto& values = arguments.options[given.string_key];
    values.insert(values.end(), given.value.begin(), given.value.end());
  }
  for (const Option& option : options)
    if (!option.repeats && arguments.texts(option.name).size() > 1)
      throw UsageError(concat("'--", option.name, "' is given ", arguments.texts(option.name).size(),
                              " times; it may be given once."));
  for (const std::string& operand : arguments.positional)
    if (operand.empty()) throw UsageError(concat("'", command.name, "' was given an empty word."));
  if (!arguments.has("help")) check_count(command, arguments.positional.size());
  return arguments;
}

}  // namespace fovea::command
