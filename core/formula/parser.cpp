#include "fovea/core/formula/parser.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numbers>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/schema.hpp"

namespace fovea::formula {

namespace {

constexpr std::size_t kLongest = 2000;
constexpr int kDeepest = 100;

struct Function {
  FormulaFunction text;
  Operation operation;
};

constexpr std::array kFunctions{
    Function{{"abs", 1, "absolute value"}, Operation::absolute},
    Function{{"atan", 1, "arc tangent, in (-pi/2, pi/2)"}, Operation::arctangent},
    Function{{"cos", 1, "cosine of an angle in radians"}, Operation::cosine},
    Function{{"exp", 1, "e^a, at most e^709; 0 below e^-708"}, Operation::exponential},
    Function{{"floor", 1, "largest whole number that is not above"}, Operation::floor},
    Function{{"log", 1, "natural logarithm; -inf at 0, NaN below"}, Operation::logarithm},
    Function{{"max", 2, "the larger of two"}, Operation::larger},
    Function{{"min", 2, "the smaller of two"}, Operation::smaller},
    Function{{"sign", 1, "1, 0 or -1"}, Operation::sign},
    Function{{"sin", 1, "sine of an angle in radians"}, Operation::sine},
    Function{{"sqrt", 1, "square root; NaN below 0"}, Operation::square_root},
    Function{{"tanh", 1, "hyperbolic tangent"}, Operation::hyperbolic_tangent},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool goes_on(char c) { return begins_name(c) || is_digit(c); }

const Function* find_function(std::string_view name) {
  for (const Function& function : kFunctions)
    if (function.text.name == name) return &function;
  return nullptr;
}

std::optional<double> find_constant(std::string_view name) {
  if (name == "pi") return std::numbers::pi;
  if (name == "inf") return std::numeric_limits<double>::infinity();
  return std::nullopt;
}

struct Binary {
  std::string_view symbol;
  Operation operation;
  bool turned = false;  ///< a > b is b < a
};

constexpr std::array kComparisons{Binary{"<=", Operation::less_equal}, Binary{">=", Operation::less_equal, true},
                                  Binary{"==", Operation::equal},      Binary{"!=", Operation::not_equal},
                                  Binary{"<", Operation::less},        Binary{">", Operation::less, true}};

/// Recursive descent: one function for each strength of binding.
class Parser {
 public:
  Parser(std::string_view text, const std::vector<FormulaVariable>& variables) : text_(text), variables_(variables) {}

  Parsed whole() {
    if (text_.size() > kLongest)
      throw ArgumentError(concat("it has ", text_.size(), " characters, but must have at most ", kLongest, "."));
    skip();
    if (at_end()) throw ArgumentError("it is empty, but must be an expression, such as \"x_j - x_i\".");
    const int root = choice();
    if (!at_end()) refuse_rest();
    return {tree_.needed(root), std::move(mentioned_)};
  }

 private:
  // Characters.

  bool at_end() const { return place_ == text_.size(); }
  void skip() {
    while (!at_end() && (text_[place_] == ' ' || text_[place_] == '\t' || text_[place_] == '\n')) ++place_;
  }
  bool starts(std::string_view symbol) const { return text_.substr(place_).starts_with(symbol); }
  bool take(std::string_view symbol) {
    if (!starts(symbol)) return false;
    place_ += symbol.size();
    skip();
    return true;
  }
  /// Of a byte, counted from 1; bytes that continue a letter do not count.
  std::size_t character(std::size_t place) const {
    return 1 + static_cast<std::size_t>(std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(place),
                                                      [](char c) { return (c & 0xC0) != 0x80; }));
  }
  [[noreturn]] void refuse(std::size_t place, const std::string& sentence) const {
    throw ArgumentError(concat("at character ", character(place), " ", sentence));
  }
  /// The letter at a place, whole if it has several bytes.
  std::string letter(std::size_t place) const {
    std::size_t end = place + 1;
    while (end < text_.size() && (text_[end] & 0xC0) == 0x80) ++end;
    return std::string(text_.substr(place, end - place));
  }

  [[noreturn]] void refuse_rest() const {
    const char c = text_[place_];
    if (c == ')') refuse(place_, "a parenthesis is closed that was not opened.");
    if (c == '=') refuse(place_, "'=' would set a variable, which a formula cannot; compare by '=='.");
    if (c == ',' && place_ > 0 && is_digit(text_[place_ - 1]))
      refuse(place_, "there is a comma; the decimal sign is a point, as in 0.5.");
    if (begins_name(c) || is_digit(c) || c == '(' || c == '.')
      refuse(place_, concat("'", letter(place_), "' follows without an operator; a product needs '*'."));
    refuse(place_, concat("'", letter(place_), "' is no operator; there are + - * / ^ < <= > >= == != && || ! ? :."));
  }

  // From the weakest to the strongest.

  int choice() {
    const int condition = disjunction();
    if (!take("?")) return condition;
    const std::size_t opened = place_;
    const int then = choice();
    if (!take(":")) {
      if (!at_end() && text_[place_] != ')' && text_[place_] != ',') refuse_rest();
      refuse(opened, "begins what holds where the condition is true, but no ':' with the rest follows.");
    }
    return tree_.apply(Operation::choose, condition, then, choice());
  }
  int disjunction() {
    int left = conjunction();
    while (take("||")) left = tree_.apply(Operation::either, left, conjunction());
    return left;
  }
  int conjunction() {
    int left = comparison();
    while (take("&&")) left = tree_.apply(Operation::both, left, comparison());
    return left;
  }
  const Binary* taken_comparison() {
    for (const Binary& entry : kComparisons)
      if (take(entry.symbol)) return &entry;
    return nullptr;
  }
  int comparison() {
    const int left = sum();
    const Binary* entry = taken_comparison();
    if (entry == nullptr) return left;
    const int right = sum();
    const std::size_t next = place_;
    if (taken_comparison() != nullptr)
      refuse(next, "a second comparison follows; join them by '&&', as in a < b && b < c.");
    return entry->turned ? tree_.apply(entry->operation, right, left) : tree_.apply(entry->operation, left, right);
  }
  int sum() {
    int left = product();
    for (;;) {
      if (take("+"))
        left = tree_.apply(Operation::add, left, product());
      else if (take("-"))
        left = tree_.apply(Operation::subtract, left, product());
      else
        return left;
    }
  }
  int product() {
    int left = signed_power();
    for (;;) {
      if (starts("**")) refuse(place_, "'**' is no operator; a power is '^'.");
      if (take("*"))
        left = tree_.apply(Operation::multiply, left, signed_power());
      else if (take("/"))
        left = tree_.apply(Operation::divide, left, signed_power());
      else
        return left;
    }
  }
  int signed_power() {
    const Depth depth(*this);
    if (take("-")) return tree_.apply(Operation::negative, signed_power());
    if (take("+")) return signed_power();
    if (!starts("!=") && take("!")) return tree_.apply(Operation::negation, signed_power());
    const int base = atom();
    return take("^") ? tree_.apply(Operation::power, base, signed_power()) : base;
  }

  int atom() {
    if (at_end()) refuse(place_, "it ends, but a number, a name or a parenthesis must follow.");
    const char c = text_[place_];
    if (is_digit(c) || (c == '.' && place_ + 1 < text_.size() && is_digit(text_[place_ + 1]))) return number();
    if (begins_name(c)) return named();
    if (c == '(') return parenthesis();
    if (c == ')') refuse(place_, "a parenthesis is closed where a number, a name or a parenthesis must follow.");
    refuse(place_, concat("is '", letter(place_), "', where a number, a name or a parenthesis must follow."));
  }

  int number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + place_, text_.data() + text_.size(), value);
    if (error != std::errc()) refuse(place_, "is a number that no double can hold.");
    const std::size_t next = end - text_.data();
    if (next < text_.size() && text_[next] == '.') refuse(next, "is a second decimal point.");
    place_ = next;
    skip();
    return tree_.number(value);
  }

  int parenthesis() {
    const std::size_t opened = place_;
    take("(");
    const int inside = choice();
    close(opened);
    return inside;
  }
  void close(std::size_t opened) {
    if (take(")")) return;
    if (!at_end()) refuse_rest();
    refuse(opened, "a parenthesis is opened, but not closed.");
  }

  int named() {
    const std::size_t place = place_;
    std::size_t end = place;
    while (end < text_.size() && goes_on(text_[end])) ++end;
    const std::string_view name = text_.substr(place, end - place);
    place_ = end;
    skip();
    if (const Function* function = find_function(name)) return call(*function, place);
    if (const std::optional<double> constant = find_constant(name)) return tree_.number(*constant);
    for (std::size_t k = 0; k < variables_.size(); ++k) {
      if (variables_[k].name != name) continue;
      if (starts("(")) refuse(place, concat("'", name, "' is a variable and takes no argument."));
      if (starts("=") && !starts("==")) refuse_rest();
      if (std::find(mentioned_.begin(), mentioned_.end(), name) == mentioned_.end()) mentioned_.emplace_back(name);
      return tree_.variable(static_cast<int>(k), variables_[k]);
    }
    unknown(name, place);
  }

  [[noreturn]] void unknown(std::string_view name, std::size_t place) const {
    const bool call = starts("(");
    std::vector<std::string> names;
    std::string list;
    if (!call)
      for (const FormulaVariable& variable : variables_)
        if (!variable.name.empty()) names.push_back(variable.name);
    if (call)
      for (const Function& function : kFunctions) names.emplace_back(function.text.name);
    for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
    const std::string near = nearest(name, names);
    refuse(place, concat("'", name, call ? "' is no function" : "' is no variable",
                         near.empty() ? "" : concat("; did you mean '", near, "'?"),
                         near.empty() ? "; there are " : " There are ", list, "."));
  }

  int call(const Function& function, std::size_t place) {
    const std::size_t opened = place_;
    if (!take("("))
      refuse(place, concat("'", function.text.name, "' is a function; write ", function.text.name, "(...)."));
    std::array<int, 2> arguments{-1, -1};
    int count = 0;
    if (!starts(")")) {
      do {
        const int argument = choice();
        if (count < 2) arguments[count] = argument;
        ++count;
      } while (take(","));
    }
    close(opened);
    if (count != function.text.arguments)
      refuse(place, concat("'", function.text.name, "' has ", count, count == 1 ? " argument" : " arguments",
                           ", but takes ", function.text.arguments, ". (The decimal sign is a point.)"));
    return tree_.apply(function.operation, arguments[0], arguments[1]);
  }

  /// Every way down goes through signed_power().
  struct Depth {
    explicit Depth(Parser& whose) : parser(whose) {
      if (++parser.depth_ > kDeepest)
        parser.refuse(parser.place_, concat("more than ", kDeepest, " parts are nested; simplify it."));
    }
    ~Depth() { --parser.depth_; }
    Parser& parser;
  };

  std::string_view text_;
  const std::vector<FormulaVariable>& variables_;
  std::size_t place_ = 0;
  int depth_ = 0;
  Tree tree_;
  std::vector<std::string> mentioned_;
};

constexpr auto kTexts = [] {
  std::array<FormulaFunction, kFunctions.size()> texts{};
  for (std::size_t k = 0; k < texts.size(); ++k) texts[k] = kFunctions[k].text;
  return texts;
}();

}  // namespace

Parsed parse(std::string_view text, const std::vector<FormulaVariable>& variables) {
  return Parser(text, variables).whole();
}

}  // namespace fovea::formula

namespace fovea {

std::span<const FormulaFunction> formula_functions() { return formula::kTexts; }

bool can_name_variable(std::string_view word) {
  return !word.empty() && formula::begins_name(word[0]) && std::all_of(word.begin(), word.end(), formula::goes_on) &&
         formula::find_function(word) == nullptr && !formula::find_constant(word);
}

}  // namespace fovea
