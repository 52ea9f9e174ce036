#include "fovea/experiments/commands/choose_config.hpp"

#include <filesystem>
#include <random>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/lab/door.hpp"
#include "fovea/datasets/recognise/file_kind.hpp"
#include "fovea/datasets/text/file_format.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/commands/file_doors.hpp"
#include "fovea/experiments/commands/find/bundled_configs.hpp"

namespace fovea::command {

namespace {

/// A seed that nobody chose, short enough to be typed again.
std::uint64_t drawn_seed() { return std::random_device{}(); }

Overrides overrides(const Arguments& arguments) {
  Overrides given;
  given.set = arguments.texts("set");
  given.grid = arguments.texts("grid");
  if (arguments.text("seed", "") == "random") {
    given.seed = drawn_seed();
  } else if (arguments.has("seed")) {
    given.seed = static_cast<std::uint64_t>(arguments.integer("seed", 0, 0));
  }
  given.quick = arguments.has("quick");
  if (arguments.has("seeds")) given.seeds = arguments.integer("seeds", 1, 1);
  return given;
}

bool looks_like_file(const std::string& operand) {
  std::error_code error;
  return std::filesystem::exists(operand, error) || operand.find('/') != std::string::npos ||
         (operand.size() > 5 && operand.compare(operand.size() - 5, 5, ".toml") == 0);
}

}  // namespace

std::vector<Option> config_options() {
  return {{"set", 's', "KEY=VALUE", "set one key, as in a config: --set agents.count=100", true},
          {"seed", 0, "N|random", "seed of all random numbers (default: the config's, else 1); it is always recorded",
           false}};
}

std::vector<Option> sweep_options() {
  return {{"grid", 'g', "KEY=VALUES", "sweep a key: log:0.01..3:12, lin:0..1:5 or a,b,c", true},
          {"seeds", 0, "N", "sweep over N consecutive seeds, from the seed on", false}};
}

namespace {

/// A file that is no config but data is named as such before a parser of configs finds fault with it.
void check_is_config(const std::string& path) {
  if (path.ends_with(".toml") || !std::filesystem::is_regular_file(path)) return;
  const std::vector<std::string> ways = ways_with(path);
  const std::string foreign = datasets::text::foreign_format(datasets::text::front_of(path), path);
  const datasets::FileKind kind = datasets::kind_of_file(path);
  if (ways.empty() && !foreign.empty()) throw ConfigError(concat(path, ": ", foreign));
  if (foreign.empty() && (kind == datasets::FileKind::unknown || kind == datasets::FileKind::config)) return;
  throw ConfigError(concat(path, ": is no config. ",
                           ways.empty() ? "What it holds: fovea inspect " + shell_word(path) : ways.front()));
}

[[noreturn]] void refuse_name(const Catalogue& catalogue, const std::string& name) {
  std::vector<std::string> names = catalogue.names();
  const std::vector<std::string> configs = config_names();
  for (const std::string& config : configs) {
    names.push_back(config);
    names.push_back(config.substr(config.find('/') + 1));
  }
  for (const Domain& domain : domains()) names.push_back(domain.name);
  const std::string close = nearest(name, names);
  throw MissingInput(concat(name, ": there is no such file, and no experiment, config or domain of that name; ",
                            close.empty() ? "see: fovea list" : "did you mean '" + close + "'?"));
}

}  // namespace

ChosenConfig read_chosen(const Catalogue& catalogue, const std::string& path, const Arguments& arguments) {
  check_is_config(path);
  Config config = catalogue.read(path, overrides(arguments));
  return {std::move(config), read_file(path), path};
}

ChosenConfig choose_config(const Catalogue& catalogue, const Arguments& arguments) {
  const std::string& operand = arguments.positional.at(0);
  const Overrides given = overrides(arguments);
  if (catalogue.find(operand) != nullptr && !std::filesystem::exists(operand))
    return {default_config(operand, *catalogue.find_schema(operand), given), "experiment = \"" + operand + "\"\n"};
  std::error_code error;
  if (!std::filesystem::exists(operand, error))
    if (const std::string bundled = config_path(operand); !bundled.empty())
      return read_chosen(catalogue, bundled, arguments);
  if (find_domain(operand) != nullptr && !std::filesystem::is_regular_file(operand, error))
    throw ConfigError(concat(operand, ": is a domain with several configs; give one of: fovea list configs ", operand));
  const bool of_domain = find_domain(operand.substr(0, operand.find('/'))) != nullptr;  // as "opinion/temprature"
  if (!looks_like_file(operand) || (of_domain && !std::filesystem::exists(operand, error)))
    refuse_name(catalogue, operand);
  return read_chosen(catalogue, operand, arguments);
}

}  // namespace fovea::command
