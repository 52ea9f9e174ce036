#pragma once
/// What an experiment may be told: each parameter declared once, in one visible place. The parser, the error messages,
/// `fovea init`, `fovea list` and the resolved config all come from this table.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/config/config_value.hpp"

namespace fovea {

enum class ValueType { flag, integer, real, text, choice, file, integers, reals, texts, tables, files };

/// Limits of a number, each inclusive or exclusive.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;              ///< true: must be > low
  bool high_open = false;             ///< true: must be < high
  bool contains(double value) const;  ///< never true of NaN or an infinity
  std::string text() const;           ///< "> 0", "in [0, 1)", ...; empty when anything goes
  static Range any() { return {}; }
  static Range positive();                        ///< > 0
  static Range at_least(double low);              ///< >= low
  static Range between(double low, double high);  ///< [low, high]
};

struct TableVariant;

struct Parameter {
  std::string key;  ///< dotted path, such as "temperature.low"
  ValueType type = ValueType::real;
  ConfigValue fallback;                  ///< the default
  std::string unit;                      ///< empty for none
  std::string meaning;                   ///< one line
  Range range;                           ///< numbers, and each element of a list
  std::vector<std::string> choices;      ///< for choice
  std::vector<TableVariant> variants{};  ///< for tables
  bool added_later = false;              ///< see Schema::added_later()
  /// The variant of that type, or nullptr.
  const TableVariant* variant(std::string_view name) const;
  /// The types that a config may give, in the order of declaration.
  std::vector<std::string> types() const;
  /// Whether its value is the path of an input, or a list of them.
  bool names_inputs() const { return type == ValueType::file || type == ValueType::files; }
};

/// The most tables that a list may hold.
constexpr std::size_t kMostTables = 64;

/// Throws ArgumentError for a key that is declared twice, is also a table, or belongs to every config ("seed", ...),
/// for a default outside its range or choices, for a meaning that is empty or longer than a line, and for types of
/// tables that are none, or have the same name.
class Schema {
 public:
  Schema& flag(std::string key, bool fallback, std::string meaning);
  Schema& integer(std::string key, std::int64_t fallback, Range range, std::string unit, std::string meaning);
  Schema& real(std::string key, double fallback, Range range, std::string unit, std::string meaning);
  Schema& text(std::string key, std::string fallback, std::string meaning);
  Schema& choice(std::string key, std::string fallback, std::vector<std::string> choices, std::string meaning);
  /// A path to an input file, "" for none. Relative paths count from the config's folder (from the current folder when
  /// given with --set). The file must exist; its size and SHA-256 go into the run's hash and manifest.
  Schema& file(std::string key, std::string meaning);
  /// Paths of files and folders, by default none; a single one may stand without the brackets of a list. Each is found
  /// and hashed as that of file(); a folder by the names and contents of all files in it and below.
  Schema& files(std::string key, std::string meaning);
  Schema& integers(std::string key, std::vector<std::int64_t> fallback, Range range, std::string unit,
                   std::string meaning);
  Schema& reals(std::string key, std::vector<double> fallback, Range range, std::string unit, std::string meaning);
  Schema& texts(std::string key, std::vector<std::string> fallback, std::string meaning);
  /// A list of tables [[key]], by default empty: up to kMostTables, each with a `type` and that type's own keys. The
  /// keys of a type are single words, and hold neither files nor tables.
  Schema& tables(std::string key, std::vector<TableVariant> variants, std::string meaning);
  /// Of the key before: it came when the experiment had results already. Where it has its default, to_toml() leaves it
  /// out, so those results keep their hashes, and a finished run is found again.
  Schema& added_later();

  const std::vector<Parameter>& parameters() const { return parameters_; }  ///< in the order of declaration
  const Parameter* find(std::string_view key) const;

 private:
  Schema& add(Parameter parameter);
  std::vector<Parameter> parameters_;
};

/// One type of table in a list.
struct TableVariant {
  std::string type;
  std::string meaning;    ///< one line
  Schema keys;            ///< besides `type`
  std::string refusal{};  ///< why a config cannot give this type, as the rest of "but ..."; empty: it can
};

/// The candidate nearest to the word by edit distance (Damerau-Levenshtein), or "" if none is near (more than a third
/// of the letters, at least 2).
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace fovea
