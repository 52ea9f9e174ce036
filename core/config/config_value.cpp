#include "fovea/core/config/config_value.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/inner_key.hpp"
#include "fovea/core/config/schema.hpp"

namespace fovea {

namespace {

template <typename Value>
const Value& as(const ConfigValue& value, std::string_view key, std::string_view type) {
  const Value* held = std::get_if<Value>(&value);
  require(held != nullptr, "config: the key '", key, "' does not hold ", type, ".");
  return *held;
}

}  // namespace

std::string Source::text() const { return line == 0 ? file : concat(file, ':', line, ':', column); }

bool lies_in(std::string_view list, std::string_view key) {
  return key.size() > list.size() && key.substr(0, list.size()) == list && key[list.size()] == '.';
}

std::optional<InnerKey> inner_key(std::string_view list, std::string_view key) {
  if (!lies_in(list, key)) return std::nullopt;
  constexpr std::size_t kMostDigits = 6;
  const std::string_view rest = key.substr(list.size() + 1);
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const bool ends = digits == rest.size() || rest[digits] == '.';
  if (digits == 0 || digits > kMostDigits || !ends) return std::nullopt;
  InnerKey inner;
  std::from_chars(rest.data(), rest.data() + digits, inner.table);
  inner.key = rest.substr(std::min(digits + 1, rest.size()));
  return inner;
}

ConfigValues::ConfigValues(const Schema& schema) {
  for (const Parameter& parameter : schema.parameters())
    entries_.emplace(parameter.key, Entry{parameter.fallback, Source{"default", 0, 0}});
}

bool ConfigValues::flag(std::string_view key) const { return as<bool>(value(key), key, "a flag"); }

std::int64_t ConfigValues::integer(std::string_view key) const {
  return as<std::int64_t>(value(key), key, "a whole number");
}

double ConfigValues::real(std::string_view key) const { return as<double>(value(key), key, "a real number"); }

const std::string& ConfigValues::text(std::string_view key) const { return as<std::string>(value(key), key, "a text"); }

const std::vector<std::int64_t>& ConfigValues::integers(std::string_view key) const {
  return as<std::vector<std::int64_t>>(value(key), key, "a list of whole numbers");
}

const std::vector<double>& ConfigValues::reals(std::string_view key) const {
  return as<std::vector<double>>(value(key), key, "a list of real numbers");
}

const std::vector<std::string>& ConfigValues::texts(std::string_view key) const {
  return as<std::vector<std::string>>(value(key), key, "a list of texts");
}

const std::vector<ConfigTable>& ConfigValues::tables(std::string_view key) const {
  return as<std::vector<ConfigTable>>(value(key), key, "a list of tables");
}

const ConfigValues::Entry& ConfigValues::entry(std::string_view key) const {
  const auto found = entries_.find(key);
  if (found != entries_.end()) {
    if (asked_ != nullptr) asked_->insert(found->first);
    return found->second;
  }
  for (const auto& [name, held] : entries_) {
    const auto* tables = std::get_if<std::vector<ConfigTable>>(&held.value);
    const std::optional<InnerKey> inner = inner_key(name, key);
    if (tables == nullptr || !inner || inner->table >= tables->size()) continue;
    if (asked_ != nullptr) asked_->insert(name);
    const ConfigValues& table = (*tables)[inner->table];
    return table.entry(inner->key);
  }
  throw ArgumentError(concat("config: there is no key '", key, "' in the schema."));
}

const ConfigValue& ConfigValues::value(std::string_view key) const { return entry(key).value; }

const Source& ConfigValues::source(std::string_view key) const { return entry(key).source; }

void ConfigValues::set(std::string_view key, ConfigValue value, Source source) {
  const_cast<Entry&>(entry(key)) = {std::move(value), std::move(source)};  // of this object, which is not const
}

ConfigTable::ConfigTable(std::string type, const Schema& keys, Source source)
    : ConfigValues(keys), type_(std::move(type)), source_(std::move(source)) {}

std::vector<std::string> ConfigTable::keys() const {
  std::vector<std::string> names;
  for (const auto& [key, held] : entries_) names.push_back(key);
  return names;
}

bool operator==(const ConfigTable& left, const ConfigTable& right) {
  const auto same = [](const auto& one, const auto& other) {
    return one.first == other.first && one.second.value == other.second.value;
  };
  return left.type_ == right.type_ &&
         std::equal(left.entries_.begin(), left.entries_.end(), right.entries_.begin(), right.entries_.end(), same);
}

bool operator<(const ConfigTable& left, const ConfigTable& right) {
  if (left.type_ != right.type_) return left.type_ < right.type_;
  const auto before = [](const auto& one, const auto& other) {
    return one.first != other.first ? one.first < other.first : one.second.value < other.second.value;
  };
  return std::lexicographical_compare(left.entries_.begin(), left.entries_.end(), right.entries_.begin(),
                                      right.entries_.end(), before);
}

}  // namespace fovea
