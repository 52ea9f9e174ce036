#include "fovea/core/config/config.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/inner_key.hpp"

namespace fovea {

namespace {

bool earlier(const Source& left, const Source& right) {
  return left.line != right.line ? left.line < right.line : left.column < right.column;
}

}  // namespace

void Complaints::add(const Source& source, std::string sentence) {
  only_missing_ = false;
  add_missing(source, std::move(sentence));
}

void Complaints::add_missing(const Source& source, std::string sentence) {
  std::string line = source.file.empty() ? std::move(sentence) : source.text() + ": " + sentence;
  const auto same_file = [&](const Source& other) { return other.file == source.file; };
  const auto last_of_file = std::find_if(sources_.rbegin(), sources_.rend(), same_file).base();
  auto place = last_of_file == sources_.begin() ? sources_.end() : last_of_file;
  while (place != sources_.begin() && same_file(*(place - 1)) && earlier(source, *(place - 1))) --place;
  const auto index = place - sources_.begin();
  if (index > 0 && lines_[index - 1] == line) return;
  sources_.insert(place, source);
  lines_.insert(lines_.begin() + index, std::move(line));
}

void Complaints::raise() const {
  if (lines_.empty()) return;
  std::string text;
  for (const std::string& line : lines_) text += (text.empty() ? "" : "\n") + line;
  if (only_missing_) throw MissingInput(text);
  throw ConfigError(text);
}

bool Config::is_default(std::string_view key) const { return value(key) == schema_.find(key)->fallback; }

const Parameter* Config::parameter(std::string_view key) const {
  if (const Parameter* declared = schema_.find(key)) return declared;
  for (const Parameter& list : schema_.parameters()) {
    if (list.type != ValueType::tables) continue;
    const std::optional<InnerKey> inner = inner_key(list.key, key);
    const std::vector<ConfigTable>& held = tables(list.key);
    if (!inner || inner->table >= held.size()) continue;
    return list.variant(held[inner->table].type())->keys.find(inner->key);
  }
  return nullptr;
}

std::vector<std::string> paths_of(const ConfigValues& config, const Parameter& parameter) {
  if (parameter.type == ValueType::files) return config.texts(parameter.key);
  const std::string& path = config.text(parameter.key);
  return path.empty() ? std::vector<std::string>() : std::vector<std::string>{path};
}

void set_paths(ConfigValues& config, const Parameter& parameter, const std::vector<std::string>& paths,
               const Source& source) {
  if (parameter.type == ValueType::files) return config.set(parameter.key, paths, source);
  require(paths.size() <= 1, "config: '", parameter.key, "' names one file, but ", paths.size(), " are given.");
  config.set(parameter.key, paths.empty() ? std::string() : paths[0], source);
}

}  // namespace fovea
