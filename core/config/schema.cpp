#include "fovea/core/config/schema.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

// These words belong to every config; see config.hpp.
constexpr std::array<std::string_view, 8> kReservedKeys{"experiment", "title", "seed",  "seeds",
                                                        "extends",    "sweep", "quick", "preview"};

bool is_bare_key(std::string_view key) {
  bool part_empty = true;
  for (const char letter : key) {
    const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-';
    if (!plain && (letter != '.' || part_empty)) return false;
    part_empty = letter == '.';
  }
  return !part_empty;
}

bool is_table_of(std::string_view table, std::string_view key) {
  return key.size() > table.size() && key.substr(0, table.size()) == table && key[table.size()] == '.';
}

bool same_name(const Parameter& declared, const Parameter& added) {
  return declared.key == added.key || is_table_of(declared.key, added.key) || is_table_of(added.key, declared.key);
}

template <typename Number>
bool all_inside(const Range& range, const std::vector<Number>& values) {
  return std::all_of(values.begin(), values.end(),
                     [&](Number value) { return range.contains(static_cast<double>(value)); });
}

bool default_is_allowed(const Parameter& parameter) {
  const ConfigValue& value = parameter.fallback;
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    return parameter.range.contains(static_cast<double>(*whole));
  if (const auto* real = std::get_if<double>(&value)) return parameter.range.contains(*real);
  if (const auto* wholes = std::get_if<std::vector<std::int64_t>>(&value)) return all_inside(parameter.range, *wholes);
  if (const auto* reals = std::get_if<std::vector<double>>(&value)) return all_inside(parameter.range, *reals);
  if (parameter.type != ValueType::choice) return true;
  const auto& choices = parameter.choices;
  return std::find(choices.begin(), choices.end(), std::get<std::string>(value)) != choices.end();
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return lower;
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other
/// (Damerau 1964; the optimal string alignment distance).
std::size_t edit_distance(const std::string& from, const std::string& to) {
  std::vector<std::size_t> before(to.size() + 1), above(to.size() + 1), row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t substituted = above[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substituted});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[to.size()];
}

}  // namespace

bool Range::contains(double value) const {
  if (!std::isfinite(value)) return false;
  return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
}

std::string Range::text() const {
  const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
  if (has_low && has_high) return concat("in ", low_open ? '(' : '[', low, ", ", high, high_open ? ')' : ']');
  if (has_low) return concat(low_open ? "> " : ">= ", low);
  if (has_high) return concat(high_open ? "< " : "<= ", high);
  return "";
}

Range Range::positive() {
  Range range;
  range.low = 0;
  range.low_open = true;
  return range;
}

Range Range::at_least(double low) {
  Range range;
  range.low = low;
  return range;
}

Range Range::between(double low, double high) {
  Range range;
  range.low = low;
  range.high = high;
  return range;
}

namespace {

bool is_one_line(const std::string& meaning) { return !meaning.empty() && meaning.find('\n') == std::string::npos; }

void check_variant(const std::string& list, const TableVariant& variant) {
  const std::string& type = variant.type;
  require(is_bare_key(type) && type.find('.') == std::string::npos, "schema: the type '", type, "' of '", list,
          "' must be a word of letters, digits, _ or -.");
  require(is_one_line(variant.meaning), "schema: the type '", type, "' of '", list, "' needs a meaning of one line.");
  for (const Parameter& parameter : variant.keys.parameters()) {
    const bool single = parameter.key.find('.') == std::string::npos && parameter.key != "type";
    require(single, "schema: the key '", parameter.key, "' of the type '", type, "' of '", list,
            "' must be a single word other than 'type'.");
    require(!parameter.names_inputs() && parameter.type != ValueType::tables, "schema: the key '", parameter.key,
            "' of the type '", type, "' of '", list, "' must hold neither a file nor tables.");
  }
}

}  // namespace

const TableVariant* Parameter::variant(std::string_view name) const {
  for (const TableVariant& variant : variants)
    if (variant.type == name) return &variant;
  return nullptr;
}

std::vector<std::string> Parameter::types() const {
  std::vector<std::string> names;
  for (const TableVariant& variant : variants)
    if (variant.refusal.empty()) names.push_back(variant.type);
  return names;
}

Schema& Schema::add(Parameter parameter) {
  const std::string& key = parameter.key;
  require(is_bare_key(key), "schema: the key '", key, "' must be words of letters, digits, _ or -, joined by dots.");
  const bool reserved = std::any_of(kReservedKeys.begin(), kReservedKeys.end(),
                                    [&](std::string_view word) { return key == word || is_table_of(word, key); });
  require(!reserved, "schema: the key '", key, "' belongs to every config; choose another name.");
  for (const Parameter& declared : parameters_)
    require(!same_name(declared, parameter), "schema: the key '", key, "' collides with '", declared.key, "'.");
  require(is_one_line(parameter.meaning), "schema: the key '", key, "' needs a meaning of one line.");
  require(default_is_allowed(parameter), "schema: the default of '", key, "' breaks its own rule.");
  parameters_.push_back(std::move(parameter));
  return *this;
}

Schema& Schema::flag(std::string key, bool fallback, std::string meaning) {
  return add({std::move(key), ValueType::flag, fallback, "", std::move(meaning), {}, {}});
}

Schema& Schema::integer(std::string key, std::int64_t fallback, Range range, std::string unit, std::string meaning) {
  return add({std::move(key), ValueType::integer, fallback, std::move(unit), std::move(meaning), range, {}});
}

Schema& Schema::real(std::string key, double fallback, Range range, std::string unit, std::string meaning) {
  return add({std::move(key), ValueType::real, fallback, std::move(unit), std::move(meaning), range, {}});
}

Schema& Schema::text(std::string key, std::string fallback, std::string meaning) {
  return add({std::move(key), ValueType::text, std::move(fallback), "", std::move(meaning), {}, {}});
}

Schema& Schema::choice(std::string key, std::string fallback, std::vector<std::string> choices, std::string meaning) {
  return add({std::move(key), ValueType::choice, std::move(fallback), "", std::move(meaning), {}, std::move(choices)});
}

Schema& Schema::file(std::string key, std::string meaning) {
  return add({std::move(key), ValueType::file, std::string(), "", std::move(meaning), {}, {}});
}

Schema& Schema::files(std::string key, std::string meaning) {
  return add({std::move(key), ValueType::files, std::vector<std::string>(), "", std::move(meaning), {}, {}});
}

Schema& Schema::integers(std::string key, std::vector<std::int64_t> fallback, Range range, std::string unit,
                         std::string meaning) {
  return add(
      {std::move(key), ValueType::integers, std::move(fallback), std::move(unit), std::move(meaning), range, {}});
}

Schema& Schema::reals(std::string key, std::vector<double> fallback, Range range, std::string unit,
                      std::string meaning) {
  return add({std::move(key), ValueType::reals, std::move(fallback), std::move(unit), std::move(meaning), range, {}});
}

Schema& Schema::texts(std::string key, std::vector<std::string> fallback, std::string meaning) {
  return add({std::move(key), ValueType::texts, std::move(fallback), "", std::move(meaning), {}, {}});
}

Schema& Schema::tables(std::string key, std::vector<TableVariant> variants, std::string meaning) {
  Parameter list{std::move(key),     ValueType::tables, std::vector<ConfigTable>(), "", std::move(meaning), {}, {},
                 std::move(variants)};
  require(!list.types().empty(), "schema: the list of tables '", list.key, "' needs a type.");
  for (const TableVariant& variant : list.variants) {
    check_variant(list.key, variant);
    require(list.variant(variant.type) == &variant, "schema: '", list.key, "' has the type '", variant.type,
            "' twice.");
  }
  return add(std::move(list));
}

Schema& Schema::added_later() {
  require(!parameters_.empty(), "schema: added_later() applies to the key before it, but there is none.");
  parameters_.back().added_later = true;
  return *this;
}

const Parameter* Schema::find(std::string_view key) const {
  for (const Parameter& parameter : parameters_)
    if (parameter.key == key) return &parameter;
  return nullptr;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongest = 200;  // no name is longer; keeps a hostile word from costing time
  if (word.size() > kLongest) return "";
  const std::string lower = lower_case(word);
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  std::string best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    const std::size_t distance = edit_distance(lower, lower_case(candidate));
    const bool shares_a_letter = distance < std::max(word.size(), candidate.size());
    if (!shares_a_letter || distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

}  // namespace fovea
