#include <algorithm>
#include <map>
#include <sstream>

#include "fovea/core/report/page_text.hpp"

namespace fovea {
namespace {

std::string trimmed(std::string text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// What stands outside of quotes: how deep the brackets are and where a comment starts.
struct Outside {
  int depth = 0;
  std::size_t comment = std::string::npos;
};

Outside outside_quotes(const std::string& text) {
  Outside found;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\' && quote == '"') {
        ++i;
      } else if (c == quote) {
        quote = 0;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      found.comment = i;
      return found;
    } else if (c == '[' || c == '{') {
      ++found.depth;
    } else if (c == ']' || c == '}') {
      --found.depth;
    }
  }
  return found;
}

std::string without_comment(const std::string& text) { return trimmed(text.substr(0, outside_quotes(text).comment)); }

std::vector<std::pair<std::string, std::string>> key_values(const std::string& toml) {
  std::vector<std::pair<std::string, std::string>> out;
  std::map<std::string, int> counts;
  std::istringstream lines(toml);
  std::string table;
  for (std::string line; std::getline(lines, line);) {
    line = without_comment(line);
    const std::size_t equals = line.find('=');
    if (line.starts_with("[[")) {
      const std::string name = trimmed(line.substr(2, line.find(']') - 2));
      table = name + "." + std::to_string(counts[name]++) + ".";
    } else if (line.starts_with("[")) {
      table = trimmed(line.substr(1, line.find(']') - 1)) + ".";
    } else if (equals != std::string::npos) {
      std::string value = trimmed(line.substr(equals + 1));
      for (std::string more; outside_quotes(value).depth > 0 && std::getline(lines, more);)
        value += " " + without_comment(more);
      out.emplace_back(table + trimmed(line.substr(0, equals)), value);
    }
  }
  return out;
}

/// ["cooling", "heating"] as cooling, heating.
std::string list_text(std::string value) {
  if (value.size() > 1 && value.front() == '[' && value.back() == ']') value = value.substr(1, value.size() - 2);
  std::erase(value, '"');
  return trimmed(value);
}

/// The key of the first line to say so takes the sweep's values; a swept key without a single value gets a line.
void add_sweep(std::vector<ConfigLine>& lines, std::string key, const std::string& value) {
  std::erase(key, '"');
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const ConfigLine& line) { return line.key == key; });
  ConfigLine& line = found == lines.end() ? lines.emplace_back(ConfigLine{key, "", "", false, true}) : *found;
  line.value = list_text(value);
  line.swept = true;
  line.changed = !line.standard.empty();
}

}  // namespace

std::vector<ConfigLine> config_lines(const std::string& resolved, const std::string& defaults) {
  constexpr std::string_view kSweep = "sweep.";
  std::map<std::string, std::string> standard;
  for (const auto& [key, value] : key_values(defaults)) standard[key] = value;
  std::vector<ConfigLine> lines;
  for (const auto& [key, value] : key_values(resolved)) {
    if (key.starts_with(kSweep)) {
      add_sweep(lines, key.substr(kSweep.size()), value);
      continue;
    }
    const auto found = standard.find(key);
    const bool known = found != standard.end();
    lines.push_back({key, value, known ? found->second : "", known && found->second != value});
  }
  return lines;
}

}  // namespace fovea
