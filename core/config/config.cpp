#include "fovea/core/config/config.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

template <typename Value>
const Value& as(const ConfigValue& value, std::string_view key, std::string_view type) {
  const Value* held = std::get_if<Value>(&value);
  require(held != nullptr, "config: the key '", key, "' does not hold ", type, ".");
  return *held;
}

bool earlier(const Source& left, const Source& right) {
  return left.line != right.line ? left.line < right.line : left.column < right.column;
}

}  // namespace

std::string Source::text() const { return line == 0 ? file : concat(file, ':', line, ':', column); }

void Complaints::add(const Source& source, std::string sentence) {
  std::string line = source.file.empty() ? std::move(sentence) : source.text() + ": " + sentence;
  const auto same_file = [&](const Source& other) { return other.file == source.file; };
  const auto last_of_file = std::find_if(sources_.rbegin(), sources_.rend(), same_file).base();
  auto place = last_of_file == sources_.begin() ? sources_.end() : last_of_file;
  while (place != sources_.begin() && same_file(*(place - 1)) && earlier(source, *(place - 1))) --place;
  const auto index = place - sources_.begin();
  if (index > 0 && lines_[static_cast<std::size_t>(index - 1)] == line) return;
  sources_.insert(place, source);
  lines_.insert(lines_.begin() + index, std::move(line));
}

void Complaints::raise() const {
  if (lines_.empty()) return;
  std::string text;
  for (const std::string& line : lines_) text += (text.empty() ? "" : "\n") + line;
  throw ConfigError(text);
}

Config::Config(const Schema& schema) : schema_(schema) {
  for (const Parameter& parameter : schema_.parameters())
    entries_.emplace(parameter.key, Entry{parameter.fallback, Source{"default", 0, 0}});
}

bool Config::flag(std::string_view key) const { return as<bool>(value(key), key, "a flag"); }

std::int64_t Config::integer(std::string_view key) const { return as<std::int64_t>(value(key), key, "a whole number"); }

double Config::real(std::string_view key) const { return as<double>(value(key), key, "a real number"); }

const std::string& Config::text(std::string_view key) const { return as<std::string>(value(key), key, "a text"); }

const std::vector<std::int64_t>& Config::integers(std::string_view key) const {
  return as<std::vector<std::int64_t>>(value(key), key, "a list of whole numbers");
}

const std::vector<double>& Config::reals(std::string_view key) const {
  return as<std::vector<double>>(value(key), key, "a list of real numbers");
}

const std::vector<std::string>& Config::texts(std::string_view key) const {
  return as<std::vector<std::string>>(value(key), key, "a list of texts");
}

const Config::Entry& Config::entry(std::string_view key) const {
  const auto found = entries_.find(key);
  require(found != entries_.end(), "config: there is no key '", key, "' in the schema.");
  return found->second;
}

const ConfigValue& Config::value(std::string_view key) const { return entry(key).value; }

const Source& Config::source(std::string_view key) const { return entry(key).source; }

bool Config::is_default(std::string_view key) const { return entry(key).value == schema_.find(key)->fallback; }

void Config::set(std::string_view key, ConfigValue value, Source source) {
  const auto found = entries_.find(key);
  require(found != entries_.end(), "config: there is no key '", key, "' in the schema.");
  found->second = {std::move(value), std::move(source)};
}

}  // namespace fovea
