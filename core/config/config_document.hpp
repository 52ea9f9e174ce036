#pragma once
/// A config file as a tree of values with their places: what the TOML parser found, without the parser's own types.
/// Internal to the config reader; use config.hpp.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/config/config.hpp"

namespace fovea {

constexpr std::size_t kConfigByteLimit = std::size_t{1} << 20;
constexpr int kConfigDepthLimit = 64;

struct ConfigMember;

struct ConfigNode {
  enum class Kind { flag, integer, real, text, time, list, table };
  Kind kind = Kind::table;
  bool flag = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;
  std::vector<ConfigNode> items;      ///< of a list
  std::vector<ConfigMember> members;  ///< of a table, in the order of the file
  std::string written;                ///< as it stands in the file, on one line, cut after 60 letters
  Source source;

  const ConfigNode* find(std::string_view key) const;  ///< a member's value, or nullptr
  std::string kind_text() const;                       ///< "a whole number", "a list", ...
};

struct ConfigMember {
  std::string key;
  Source source;
  ConfigNode value;
};

/// All bytes of a file, at most kConfigByteLimit. Throws ConfigError, with the nearest name in the folder if the file
/// cannot be read.
std::string read_config_text(const Place& place);

/// Refuses what the parser must not see: too many bytes, NUL, nesting or dotted keys deeper than kConfigDepthLimit,
/// letters beyond ASCII outside of strings and comments or after a backslash.
/// Throws ConfigError with the place.
void refuse_unsafe(std::string_view text, const std::string& name);

/// Parses TOML (a byte order mark and CRLF are fine). Throws ConfigError.
ConfigNode parse_document(std::string_view text, const std::string& name);

/// One value of the command line: a TOML value, or else the words themselves as a text. Throws ConfigError only for
/// bytes that are not UTF-8. `text` of the node holds the words themselves if they are no text in quotes.
ConfigNode parse_words(std::string_view words, const Source& source);

/// A list of the command line: a TOML list, or values joined by commas (a comma in quotes does not count).
ConfigNode parse_word_list(std::string_view words, const Source& source);

/// The names next to `path` for "did you mean": the file name in its folder that is nearest, or "".
std::string nearest_file(const std::string& path);

/// For messages: printable, on one line, at most so many letters.
std::string shown(std::string_view text, std::size_t most_letters = 60);

/// "; did you mean 'x'?" or, if there is no suggestion, ".".
std::string suggestion(const std::string& nearest_name);

}  // namespace fovea
