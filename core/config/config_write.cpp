#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/config.hpp"

namespace fovea {

namespace {

std::string in_quotes(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string quoted = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
      quoted += letter;
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += "\\u00";
      quoted += kHex[byte >> 4];
      quoted += kHex[byte & 15];
    } else {
      quoted += letter;
    }
  }
  return quoted + '"';
}

/// The shortest text that reads back as the same double, and never as a whole number.
std::string real_text(double value) {
  if (std::isnan(value)) return "nan";
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  std::string text(digits.data(), end);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(std::int64_t value) { return std::to_string(value); }
std::string value_text(double value) { return real_text(value); }
std::string value_text(const std::string& value) { return in_quotes(value); }

std::string value_text(const ConfigTable& table);

template <typename Element>
std::string value_text(const std::vector<Element>& values) {
  std::string text = "[";
  for (const Element& value : values) text += (text.size() == 1 ? "" : ", ") + value_text(value);
  return text + "]";
}

std::string any_text(const ConfigValue& value) {
  return std::visit([](const auto& held) { return value_text(held); }, value);
}

/// On one line, with its keys in alphabetical order.
std::string value_text(const ConfigTable& table) {
  std::string text = "{type = " + in_quotes(table.type());
  for (const std::string& key : table.keys()) text += ", " + key + " = " + any_text(table.value(key));
  return text + "}";
}

std::string table_of(const std::string& key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string::npos ? "" : key.substr(0, dot);
}

std::string name_in_table(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// Writes all parameters, grouped by table in the order of the schema; keys without a table come first, because in
/// TOML they cannot come later. Lists of tables follow the keys beside them, for the same reason.
template <typename WriteOne, typename WriteTables>
std::string grouped(const Schema& schema, const WriteOne& write_one, const WriteTables& write_tables) {
  std::vector<std::string> tables{""};
  for (const Parameter& parameter : schema.parameters()) {
    const std::string table = table_of(parameter.key);
    if (std::find(tables.begin(), tables.end(), table) == tables.end()) tables.push_back(table);
  }
  std::string text;
  for (const std::string& table : tables) {
    std::string keys, lists;
    for (const Parameter& parameter : schema.parameters()) {
      if (table_of(parameter.key) != table) continue;
      keys += write_one(parameter);
      if (parameter.type == ValueType::tables) lists += write_tables(parameter);
    }
    if (!table.empty() && !(keys.empty() && lists.empty())) text += "\n[" + table + "]\n";
    text += keys + lists;
  }
  return text;
}

/// [[model.modifiers]], with each table's keys in the order of its type.
std::string tables_text(const Parameter& list, const std::vector<ConfigTable>& tables) {
  std::string text;
  for (const ConfigTable& table : tables) {
    text += "\n[[" + list.key + "]]\ntype = " + in_quotes(table.type()) + "\n";
    for (const Parameter& parameter : list.variant(table.type())->keys.parameters())
      text += parameter.key + " = " + any_text(table.value(parameter.key)) + "\n";
  }
  return text;
}

std::string sweep_text(const Config& config) {
  if (config.sweep.empty() && !config.seed_count) return "";
  std::string text = "\n[sweep]\n";
  for (const SweepAxis& axis : config.sweep) {
    const bool dotted = axis.key.find('.') != std::string::npos;
    text += (dotted ? in_quotes(axis.key) : axis.key) + " = [";
    for (std::size_t i = 0; i < axis.values.size(); ++i) text += (i == 0 ? "" : ", ") + any_text(axis.values[i]);
    text += "]\n";
  }
  if (config.seed_count) text += "seeds = " + std::to_string(*config.seed_count) + "\n";
  return text;
}

std::string sentence_part(std::string text) {
  while (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

std::string choices_text(const Parameter& parameter) {
  std::string text;
  for (const std::string& choice : parameter.choices) text += (text.empty() ? "" : " | ") + in_quotes(choice);
  return text;
}

/// "meaning; unit days; > 0; default 0.5"
std::string described(const Parameter& parameter) {
  std::string text = sentence_part(parameter.meaning);
  if (!parameter.unit.empty()) text += "; unit " + parameter.unit;
  const std::string limits = parameter.range.text();
  if (!limits.empty()) text += limits.rfind("in ", 0) == 0 ? "; " + limits : "; must be " + limits;
  if (!parameter.choices.empty()) text += "; one of " + choices_text(parameter);
  if (parameter.type == ValueType::file) return text + "; path of a file, \"\" for none";
  if (parameter.type == ValueType::files) return text + "; a list of paths of files or folders, [] for none";
  return text + "; default " + any_text(parameter.fallback);
}

/// An example of each type, to be uncommented: "# " taken away, its lines are TOML.
std::string examples(const Parameter& list) {
  std::string text = concat("\n# ", sentence_part(list.meaning), "; up to ", kMostTables,
                            " tables, in this order; default none. The types:\n");
  for (const TableVariant& variant : list.variants) {
    if (!variant.refusal.empty()) continue;
    text += "\n# [[" + list.key + "]]\n# type = " + in_quotes(variant.type) + "  # " + sentence_part(variant.meaning) +
            "\n";
    for (const Parameter& parameter : variant.keys.parameters())
      text += "# " + parameter.key + " = " + any_text(parameter.fallback) + "  # " + described(parameter) + "\n";
  }
  return text;
}

/// The keys that a config is told by, with the values of another.
std::string keys_text(const Config& told, const Config& values) {
  const auto is_told_below = [&](const Parameter& parameter) {
    return parameter.type == ValueType::tables && !values.tables(parameter.key).empty();
  };
  const auto key_text = [&](const Parameter& parameter) {
    if (is_told_below(parameter) || (parameter.added_later && told.is_default(parameter.key))) return std::string();
    return name_in_table(parameter.key) + " = " + any_text(values.value(parameter.key)) + "\n";
  };
  return grouped(told.schema(), key_text,
                 [&](const Parameter& parameter) { return tables_text(parameter, values.tables(parameter.key)); });
}

}  // namespace

std::string to_toml(const Config& config) {
  std::string text = "experiment = " + in_quotes(config.experiment) + "\n";
  if (!config.title.empty()) text += "title = " + in_quotes(config.title) + "\n";
  if (config.seed) text += "seed = " + std::to_string(*config.seed) + "\n";
  if (config.preview) text += "preview = true\n";
  return text + keys_text(config, config) + sweep_text(config);
}

std::string defaults_toml(const Config& config) {
  return "experiment = " + in_quotes(config.experiment) + "\n" + keys_text(config, Config(config.schema()));
}

std::string init_toml(std::string_view experiment, std::string_view summary, const Schema& schema) {
  std::string text = concat("# ", experiment, ": ", summary, "\n");
  text += "experiment = " + in_quotes(experiment) + "\n";
  text += "# Title of the run, shown in the report\ntitle = \"\"\n";
  text +=
      "# Seed of all random numbers, >= 0; 1 if not given\n# seed = 1\n"
      "# Another config, beside this file: its values hold where this file gives none\n# extends = \"base.toml\"\n\n";
  const auto key_text = [](const Parameter& parameter) {
    if (parameter.type == ValueType::tables) return std::string();
    return "# " + described(parameter) + "\n" + name_in_table(parameter.key) + " = " + any_text(parameter.fallback) +
           "\n";
  };
  text += grouped(schema, key_text, &examples);
  text += "\n# Several values of a key: a list, or a grid such as \"log:0.01..3:12\" or \"lin:0..1:5\"; and replicas\n";
  text += "# [sweep]\n# seeds = 20\n";
  return text + "\n# Values of any keys for a quick run: fovea run CONFIG --quick\n# [quick]\n";
}

}  // namespace fovea
