#include "fovea/core/config/config_check.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>

#include "fovea/core/base/error.hpp"

namespace fovea {

namespace {

namespace fs = std::filesystem;
using Kind = ConfigNode::Kind;

constexpr std::size_t kMostElementComplaints = 10;

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

std::string with_range(const std::string& what, const Range& range, const std::string& link) {
  const std::string limits = range.text();
  return limits.empty() ? what : what + link + limits;
}

bool from_command_line(const ConfigNode& node) { return node.source.line == 0; }

/// Checks one value and says what is wrong with it.
class Checker {
 public:
  Checker(const Parameter& parameter, const std::string& folder, Complaints& complaints)
      : parameter_(parameter), folder_(folder), complaints_(complaints) {}

  std::optional<ConfigValue> value(const std::string& name, const ConfigNode& node) {
    switch (parameter_.type) {
      case ValueType::flag:
        return flag(name, node);
      case ValueType::integer:
        return whole_number(name, node, rule_text(parameter_));
      case ValueType::real:
        return real_number(name, node, rule_text(parameter_));
      case ValueType::text:
        return text(name, node);
      case ValueType::choice:
        return choice(name, node);
      case ValueType::file:
        return file(name, node);
      case ValueType::files:
        return files(name, node);
      case ValueType::integers:
        return list(name, node, &Checker::whole_number);
      case ValueType::reals:
        return list(name, node, &Checker::real_number);
      case ValueType::tables:
        return check_tables(parameter_, name, node, folder_, complaints_);
      default:
        return list(name, node, &Checker::words);
    }
  }

 private:
  void complain(const ConfigNode& node, const std::string& what, const std::string& must, const std::string& hint) {
    std::string meaning = parameter_.meaning;
    while (!meaning.empty() && meaning.back() == '.') meaning.pop_back();
    complaints_.add(node.source, concat(what, ", but must be ", must, " (", meaning, ")", hint));
  }

  std::nullopt_t wrong_type(const std::string& name, const ConfigNode& node, const std::string& rule,
                            const std::string& hint = ".") {
    const bool empty = node.written.empty();
    const bool says_itself = empty || node.kind == Kind::table || node.kind == Kind::list;
    const std::string what = empty ? "empty" : node.kind_text();
    complain(node, says_itself ? name + " is " + what : name + " = " + node.written + " is " + what, rule, hint);
    return std::nullopt;
  }

  std::optional<ConfigValue> flag(const std::string& name, const ConfigNode& node) {
    if (node.kind != Kind::flag) return wrong_type(name, node, "true or false");
    return node.flag;
  }

  /// The text a node stands for; on the command line, `--set name=12` is a text as well.
  const std::string* as_text(const std::string& name, const ConfigNode& node, const std::string& rule) {
    if (node.kind == Kind::text || (from_command_line(node) && !node.text.empty())) return &node.text;
    wrong_type(name, node, rule);
    return nullptr;
  }

  std::optional<ConfigValue> text(const std::string& name, const ConfigNode& node) {
    const std::string* words = as_text(name, node, rule_text(parameter_));
    if (words == nullptr) return std::nullopt;
    return *words;
  }

  std::optional<ConfigValue> choice(const std::string& name, const ConfigNode& node) {
    const std::string* words = as_text(name, node, rule_text(parameter_));
    if (words == nullptr) return std::nullopt;
    const auto& choices = parameter_.choices;
    if (std::find(choices.begin(), choices.end(), *words) != choices.end()) return *words;
    complain(node, name + " = " + node.written, rule_text(parameter_), suggestion(nearest(*words, choices)));
    return std::nullopt;
  }

  std::optional<ConfigValue> file(const std::string& name, const ConfigNode& node) {
    const std::string* words = as_text(name, node, rule_text(parameter_));
    if (words == nullptr) return std::nullopt;
    if (words->empty()) return *words;
    const std::optional<std::string> path = existing(name, node, *words);
    if (!path) return std::nullopt;
    return *path;
  }

  std::optional<std::string> existing(const std::string& name, const ConfigNode& node, const std::string& words) {
    const std::string folder = from_command_line(node) ? "" : folder_;
    const std::string path = (fs::path(folder) / words).string();
    std::error_code error;
    const bool unclean = words.find('\0') != std::string::npos;
    if (unclean || !fs::exists(path, error)) {
      complaints_.add_missing(node.source,
                              concat(name, " = ", node.written, ", but there is no file '", shown(path, 300), "'",
                                     unclean ? "." : suggestion(nearest_file(path))));
      return std::nullopt;
    }
    return readable_file(name, node, path);
  }

  std::optional<std::string> readable_file(const std::string& name, const ConfigNode& node, const std::string& path) {
    std::error_code error;
    std::string problem;
    if (parameter_.type == ValueType::files && fs::is_directory(path, error)) {
      fs::directory_iterator(path, error);
      if (error) problem = "cannot be read.";
    } else if (!fs::is_regular_file(path, error)) {
      problem = fs::is_directory(path, error) ? "is a folder; it must be a file." : "is not a regular file.";
    } else if (!std::unique_ptr<std::FILE, int (*)(std::FILE*)>(std::fopen(path.c_str(), "rb"), &std::fclose)) {
      problem = "cannot be read.";
    }
    if (problem.empty()) {
      const fs::path found = fs::weakly_canonical(fs::absolute(path));
      return (found.has_filename() ? found : found.parent_path()).string();  // without the stroke behind a folder
    }
    complaints_.add(node.source, concat(name, " = ", node.written, ", but '", shown(path, 300), "' ", problem));
    return std::nullopt;
  }

  /// One path is a list of one. From the command line words may be joined by commas.
  std::optional<ConfigValue> files(const std::string& name, const ConfigNode& given) {
    ConfigNode node = given;
    if (given.kind == Kind::text && !from_command_line(given)) {
      node.kind = Kind::list;
      node.items = {given};
    }
    const std::optional<ConfigValue> paths = list(name, node, &Checker::path);
    if (!paths) return std::nullopt;
    std::set<std::string> different;
    for (const std::string& one : std::get<std::vector<std::string>>(*paths)) {
      if (different.insert(one).second) continue;
      complaints_.add(node.source, concat(name, " names '", shown(one, 300), "' twice; name it once."));
      return std::nullopt;
    }
    return paths;
  }

  std::optional<std::string> path(const std::string& name, const ConfigNode& node, const std::string& rule) {
    const std::string* held = as_text(name, node, rule);
    if (held == nullptr) return std::nullopt;
    if (!held->empty()) return existing(name, node, *held);
    complain(node, name + " is empty", rule, ".");
    return std::nullopt;
  }

  std::optional<std::int64_t> whole_number(const std::string& name, const ConfigNode& node, const std::string& rule) {
    if (node.kind == Kind::integer) {
      if (parameter_.range.contains(static_cast<double>(node.integer))) return node.integer;
      complain(node, name + " = " + node.written, parameter_.range.text(), ".");
      return std::nullopt;
    }
    const bool whole = node.kind == Kind::real && std::abs(node.real) < 1e15 && std::floor(node.real) == node.real &&
                       parameter_.range.contains(node.real);
    return wrong_type(name, node, rule, whole ? concat("; write ", static_cast<std::int64_t>(node.real), ".") : ".");
  }

  std::optional<double> real_number(const std::string& name, const ConfigNode& node, const std::string& rule) {
    if (node.kind != Kind::integer && node.kind != Kind::real) return wrong_type(name, node, rule);
    const double number = node.kind == Kind::real ? node.real : static_cast<double>(node.integer);
    if (parameter_.range.contains(number)) return number;
    const bool finite = std::isfinite(number);
    complain(node, name + " = " + node.written,
             finite ? parameter_.range.text() : with_range("finite", parameter_.range, " and "), ".");
    return std::nullopt;
  }

  std::optional<std::string> words(const std::string& name, const ConfigNode& node, const std::string& rule) {
    const std::string* held = as_text(name, node, rule);
    if (held == nullptr) return std::nullopt;
    return *held;
  }

  template <typename Element>
  using Check = std::optional<Element> (Checker::*)(const std::string&, const ConfigNode&, const std::string&);

  template <typename Element>
  std::optional<ConfigValue> list(const std::string& name, const ConfigNode& given, Check<Element> check) {
    const bool joined_words = from_command_line(given) && given.kind != Kind::list;
    const ConfigNode node = joined_words ? parse_word_list(given.text, given.source) : given;
    if (node.kind != Kind::list) return wrong_type(name, node, rule_text(parameter_));
    std::vector<Element> values;
    std::size_t mistakes = 0;
    for (std::size_t i = 0; i < node.items.size() && mistakes < kMostElementComplaints; ++i) {
      const auto checked = (this->*check)(concat("element ", i + 1, " of ", name), node.items[i], element_rule());
      if (checked) values.push_back(*checked);
      mistakes += checked ? 0 : 1;
    }
    if (mistakes > 0) return std::nullopt;
    return values;
  }

  std::string element_rule() const {
    if (parameter_.type == ValueType::integers) return with_range("a whole number", parameter_.range, " ");
    if (parameter_.type == ValueType::reals) return with_range("a number", parameter_.range, " ");
    if (parameter_.type == ValueType::files) return "the path of a file or folder in quotes";
    return "a text in quotes";
  }

  const Parameter& parameter_;
  const std::string& folder_;
  Complaints& complaints_;
};

}  // namespace

std::string rule_text(const Parameter& parameter) {
  switch (parameter.type) {
    case ValueType::flag:
      return "true or false";
    case ValueType::integer:
      return with_range("a whole number", parameter.range, " ");
    case ValueType::real:
      return with_range("a number", parameter.range, " ");
    case ValueType::text:
      return "a text in quotes";
    case ValueType::choice:
      return "one of " + joined(parameter.choices);
    case ValueType::file:
      return "the path of a file in quotes";
    case ValueType::files:
      return "a list of paths in quotes";
    case ValueType::integers:
      return with_range("a list of whole numbers", parameter.range, ", each ");
    case ValueType::reals:
      return with_range("a list of numbers", parameter.range, ", each ");
    case ValueType::tables:
      return concat("a list of tables [[", parameter.key, "]], each with a type such as \"", parameter.types()[0], '"');
    default:
      return "a list of texts";
  }
}

std::optional<ConfigValue> check_value(const Parameter& parameter, const std::string& name, const ConfigNode& node,
                                       const std::string& folder, Complaints& complaints) {
  return Checker(parameter, folder, complaints).value(name, node);
}

std::optional<std::int64_t> check_count(const std::string& name, const ConfigNode& node, std::int64_t low,
                                        const std::string& meaning, Complaints& complaints) {
  Parameter count;
  count.type = ValueType::integer;
  count.meaning = meaning;
  count.range = Range::at_least(static_cast<double>(low));
  const auto value = check_value(count, name, node, "", complaints);
  if (!value) return std::nullopt;
  return std::get<std::int64_t>(*value);
}

std::optional<std::string> check_text(const std::string& name, const ConfigNode& node, const std::string& meaning,
                                      Complaints& complaints) {
  Parameter text;
  text.type = ValueType::text;
  text.meaning = meaning;
  const auto value = check_value(text, name, node, "", complaints);
  if (!value) return std::nullopt;
  return std::get<std::string>(*value);
}

}  // namespace fovea
