#pragma once
/// What a config holds: values by key, each with the place where it was written, and lists of tables.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fovea {

class ConfigTable;
class Schema;

/// A value as it stands in a config. Files are texts; lists have one type of element.
using ConfigValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                 std::vector<double>, std::vector<std::string>, std::vector<ConfigTable>>;

/// Where a value comes from. line 0: not from a file; then `file` holds the words of the command line, such as
/// "--set temperature=3" or "--grid temperature=1,2", or "default".
struct Source {
  std::string file;
  int line = 0;
  int column = 0;
  std::string text() const;  ///< "file:line:column", or the file word alone
};

/// Values by key. A key of a table in a list has the table's number before it, counted from 0:
/// "model.modifiers.1.half_life". Every function throws ArgumentError where there is no such key, or where it holds
/// another type.
class ConfigValues {
 public:
  bool flag(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  double real(std::string_view key) const;
  const std::string& text(std::string_view key) const;  ///< text, choice and file
  const std::vector<std::int64_t>& integers(std::string_view key) const;
  const std::vector<double>& reals(std::string_view key) const;
  const std::vector<std::string>& texts(std::string_view key) const;
  const std::vector<ConfigTable>& tables(std::string_view key) const;

  const ConfigValue& value(std::string_view key) const;
  const Source& source(std::string_view key) const;
  void set(std::string_view key, ConfigValue value, Source source);  ///< unchecked: for sweeps and readers

  /// From now on every key that is asked for is put into `asked`, a key of a table in a list as its list's; `asked`
  /// must outlive this object and its copies.
  void note_asked(std::set<std::string, std::less<>>* asked) { asked_ = asked; }

 protected:
  struct Entry {
    ConfigValue value;
    Source source;
  };
  explicit ConfigValues(const Schema& schema);  ///< every key has its default
  const Entry& entry(std::string_view key) const;
  std::map<std::string, Entry, std::less<>> entries_;

 private:
  std::set<std::string, std::less<>>* asked_ = nullptr;
};

/// One table of a list, such as one [[model.modifiers]]: its type and the values of this type's keys.
class ConfigTable : public ConfigValues {
 public:
  /// With the defaults of its keys. source: where the table begins.
  ConfigTable(std::string type, const Schema& keys, Source source);
  const std::string& type() const { return type_; }
  using ConfigValues::source;
  const Source& source() const { return source_; }
  std::vector<std::string> keys() const;  ///< in alphabetical order, without "type"

  /// Of types and values; where they were written does not matter.
  friend bool operator==(const ConfigTable& left, const ConfigTable& right);
  friend bool operator<(const ConfigTable& left, const ConfigTable& right);

 private:
  std::string type_;
  Source source_;
};

}  // namespace fovea
