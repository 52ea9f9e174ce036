/// The only file that sees the TOML parser.

#include "fovea/core/config/config_document.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

// Some damaged texts make toml++ 3.3 break its own assertions (`[1, }`, for one). They are
// kept in every build and turned into a syntax error: neither an abort nor, without them, undefined behaviour.
namespace {
struct BrokenAssertion {};
constexpr void keep(bool condition) {
  if (!condition) throw BrokenAssertion();
}
}  // namespace
#undef NDEBUG
#define TOML_ASSERT(condition) keep(static_cast<bool>(condition))
#include <toml++/toml.h>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

/// Finds the text between two places, which the parser gives as line and column (in letters, from 1).
class Slicer {
 public:
  explicit Slicer(std::string_view text) : text_(text) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') starts_.push_back(i + 1);
  }

  std::string between(const toml::source_region& region) const {
    const std::size_t begin = offset(region.begin), end = offset(region.end);
    return begin < end ? shown(text_.substr(begin, end - begin)) : "";
  }

 private:
  std::size_t offset(const toml::source_position& place) const {
    if (place.line == 0 || place.line > starts_.size()) return text_.size();
    const std::size_t start = starts_[place.line - 1];
    const std::size_t end = place.line < starts_.size() ? starts_[place.line] : text_.size();
    constexpr std::size_t kLongestLine = 65536;  // counting letters from the line's start would cost too much
    if (end - start > kLongestLine) return text_.size();
    std::size_t at = start;
    for (toml::source_index column = 1; column < place.column && at < end; ++column)
      for (++at; at < end && (static_cast<unsigned char>(text_[at]) & 0xc0u) == 0x80u;) ++at;
    return at;
  }

  std::string_view text_;
  std::vector<std::size_t> starts_;
};

class Converter {
 public:
  Converter(std::string_view text, const std::string& name) : slicer_(text), name_(name) {}

  ConfigNode node(const toml::node& parsed) const {
    ConfigNode result;
    result.source = place(parsed.source());
    result.written = slicer_.between(parsed.source());
    fill(result, parsed);
    return result;
  }

 private:
  using Kind = ConfigNode::Kind;

  Source place(const toml::source_region& region) const {
    return {name_, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
  }

  void fill(ConfigNode& result, const toml::node& parsed) const {
    switch (parsed.type()) {
      case toml::node_type::table:
        return fill_table(result, *parsed.as_table());
      case toml::node_type::array:
        return fill_list(result, *parsed.as_array());
      case toml::node_type::string:
        result.kind = Kind::text;
        result.text = parsed.as_string()->get();
        return;
      case toml::node_type::integer:
        result.kind = Kind::integer;
        result.integer = parsed.as_integer()->get();
        return;
      case toml::node_type::floating_point:
        result.kind = Kind::real;
        result.real = parsed.as_floating_point()->get();
        return;
      case toml::node_type::boolean:
        result.kind = Kind::flag;
        result.flag = parsed.as_boolean()->get();
        return;
      default:
        result.kind = Kind::time;
    }
  }

  void fill_list(ConfigNode& result, const toml::array& list) const {
    result.kind = Kind::list;
    result.items.reserve(list.size());
    for (const toml::node& item : list) result.items.push_back(node(item));
  }

  void fill_table(ConfigNode& result, const toml::table& table) const {
    result.kind = Kind::table;
    for (const auto& [key, value] : table)
      result.members.push_back({std::string(key.str()), place(key.source()), node(value)});
    std::stable_sort(result.members.begin(), result.members.end(), [](const auto& left, const auto& right) {
      return std::tie(left.source.line, left.source.column) < std::tie(right.source.line, right.source.column);
    });
  }

  Slicer slicer_;
  const std::string& name_;
};

void give_place(ConfigNode& node, const Source& source) {
  node.source = source;
  for (ConfigNode& item : node.items) give_place(item, source);
  for (ConfigMember& member : node.members) {
    member.source = source;
    give_place(member.value, source);
  }
}

/// Numbers that TOML writes otherwise, such as `.5` and `1.`.
bool read_loose_number(std::string_view words, double& number) {
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), number);
  return error == std::errc() && end == words.data() + words.size() &&
         words.find_first_of("0123456789") != std::string_view::npos;
}

ConfigNode bare_words(std::string_view words) {
  ConfigNode node;
  node.text = words;
  node.kind = read_loose_number(words, node.real) ? ConfigNode::Kind::real : ConfigNode::Kind::text;
  return node;
}

std::string_view trimmed(std::string_view words) {
  while (!words.empty() && words.front() == ' ') words.remove_prefix(1);
  while (!words.empty() && words.back() == ' ') words.remove_suffix(1);
  return words;
}

void refuse_broken_letters(std::string_view words, const Source& source) {
  try {
    std::string comment = "#";
    comment += words;
    const auto is_control = [](char letter) { return (letter >= 0 && letter < ' ') || letter == 0x7f; };
    std::replace_if(comment.begin(), comment.end(), is_control, ' ');
    (void)toml::parse(comment);
  } catch (const toml::parse_error&) {
    throw ConfigError(source.text() + ": is not text in UTF-8.");
  }
}

/// The line at which the parser gives up on a text that breaks its assertions: the fewest lines that do so, too.
std::size_t breaking_line(std::string_view text) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') ends.push_back(i + 1);
  const auto is_parsed = [&](std::size_t end) {
    try {
      (void)toml::parse(text.substr(0, end));
    } catch (const toml::parse_error&) {
      return true;
    } catch (const BrokenAssertion&) {
      return false;
    }
    return true;
  };
  return std::partition_point(ends.begin(), ends.end(), is_parsed) - ends.begin() + 1;
}

}  // namespace

const ConfigNode* ConfigNode::find(std::string_view key) const {
  for (const ConfigMember& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

std::string ConfigNode::kind_text() const {
  switch (kind) {
    case Kind::flag:
      return "true or false";
    case Kind::integer:
      return "a whole number";
    case Kind::real:
      return "a real number";
    case Kind::text:
      return "a text";
    case Kind::time:
      return "a date or time";
    case Kind::list:
      return "a list";
    default:
      return "a table";
  }
}

ConfigNode parse_document(std::string_view text, const std::string& name) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  refuse_unsafe(text, name);
  try {
    return Converter(text, name).node(toml::parse(text, name));
  } catch (const toml::parse_error& error) {
    const toml::source_position place = error.source().begin;
    const bool may_be_open = error.description().find("unescaped control characters") != std::string_view::npos;
    throw ConfigError(concat(name, ':', place.line, ':', place.column, ": ", shown(error.description(), 400),
                             may_be_open ? "; is the closing quote missing?" : ""));
  } catch (const BrokenAssertion&) {
    throw ConfigError(concat(name, ':', breaking_line(text), ":1: not valid TOML; often a '[' closed by a '}'."));
  }
}

ConfigNode parse_words(std::string_view words, const Source& source) {
  refuse_broken_letters(words, source);
  ConfigNode node = bare_words(words);
  try {
    const std::string line = "value = " + std::string(words);
    refuse_unsafe(line, source.text());
    const toml::table parsed = toml::parse(line);
    if (parsed.size() == 1) node = Converter(line, "").node(*parsed.get("value"));
  } catch (const ConfigError&) {
    // not to be shown to the parser: the bare words stand
  } catch (const BrokenAssertion&) {
    // not TOML either
  } catch (const toml::parse_error&) {
    // nor here
  }
  node.written = shown(words);
  if (node.kind != ConfigNode::Kind::text) node.text = words;
  give_place(node, source);
  return node;
}

ConfigNode parse_word_list(std::string_view words, const Source& source) {
  ConfigNode list = parse_words(words, source);
  if (list.kind == ConfigNode::Kind::list) return list;
  list.kind = ConfigNode::Kind::list;
  char quote = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= words.size(); ++at) {
    const bool ends = at == words.size() || (words[at] == ',' && quote == 0);
    if (ends) {
      list.items.push_back(parse_words(trimmed(words.substr(begin, at - begin)), source));
      begin = at + 1;
    } else if (quote == 0 && (words[at] == '"' || words[at] == '\'')) {
      quote = words[at];
    } else if (words[at] == quote) {
      quote = 0;
    }
  }
  return list;
}

}  // namespace fovea
