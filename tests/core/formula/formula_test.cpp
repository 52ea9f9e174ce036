#include "fovea/core/formula/formula.hpp"

#include "fovea/tests/support/test.hpp"

namespace fovea {
namespace {

constexpr double kRounding = 1e-13;  // relative: a handful of operations, powers by exp(b log a) with b log a below 30
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const std::vector<FormulaVariable> kVariables{
    {"x", Varies::each}, {"y", Varies::each}, {"c", Varies::call}, {"k", Varies::never, 3}, {"zero", Varies::never, 0}};

/// At each x, with y = 1.7 - x and c.
std::vector<double> values_of(const std::string& text, const std::vector<double>& x, double c = 0.4) {
  std::vector<double> y, out(x.size());
  for (const double value : x) y.push_back(1.7 - value);
  const double* const inputs[] = {x.data(), y.data(), &c, nullptr, nullptr};
  FormulaRoom room;
  Formula(text, kVariables).evaluate(inputs, static_cast<Index>(x.size()), room, out.data());
  return out;
}

double value_of(const std::string& text, double x = 0.6, double c = 0.4) { return values_of(text, {x}, c)[0]; }

std::string complaint(const std::string& text) {
  return support::refusal_of<ArgumentError>([&] { Formula(text, kVariables); });
}

struct Twin {
  const char* text;
  std::function<double(double x, double y, double c)> plain;
};

const Twin kTwins[] = {
    {"x + y * c - k", [](double x, double y, double c) { return x + y * c - 3; }},
    {"x - y - c", [](double x, double y, double c) { return x - y - c; }},
    {"x / y / c", [](double x, double y, double c) { return x / y / c; }},
    {"-x^2", [](double x, double, double) { return -(x * x); }},
    {"2^3^2 + 0 * x", [](double, double, double) { return 512.0; }},
    {"2^-x", [](double x, double, double) { return std::exp2(-x); }},
    {"abs(x)^2.5", [](double x, double, double) { return std::pow(std::abs(x), 2.5); }},
    {"abs(x)^y", [](double x, double y, double) { return std::pow(std::abs(x), y); }},
    {"x^3 + x^-2 + abs(y)^0.5",
     [](double x, double y, double) { return x * x * x + 1 / (x * x) + std::sqrt(std::abs(y)); }},
    {"x^17", [](double x, double, double) { return std::pow(x, 17); }},
    {"exp(-(x - y)^2 / (2 * c))", [](double x, double y, double c) { return std::exp(-(x - y) * (x - y) / (2 * c)); }},
    {"tanh(k * x) + sin(y) - cos(c)",
     [](double x, double y, double c) { return std::tanh(3 * x) + std::sin(y) - std::cos(c); }},
    {"log(abs(x)) + atan(y)", [](double x, double y, double) { return std::log(std::abs(x)) + std::atan(y); }},
    {"min(x, y) * 10 + max(x, c)", [](double x, double y, double c) { return std::min(x, y) * 10 + std::max(x, c); }},
    {"floor(3 * x) + sign(x)", [](double x, double, double) { return std::floor(3 * x) + (x > 0) - (x < 0); }},
    {"x < y ? x + 1 : y > c ? 5 : -y", [](double x, double y, double c) { return x < y   ? x + 1
                                                                                 : y > c ? 5
                                                                                         : -y; }},
    {"(x <= c) + 2 * (x >= y) + 4 * (x == y) + 8 * (x != c)",
     [](double x, double y, double c) { return (x <= c) + 2 * (x >= y) + 4 * (x == y) + 8.0 * (x != c); }},
    {"x > 0 && y > 0 || !(x < c)", [](double x, double y, double c) { return (x > 0 && y > 0) || x >= c ? 1.0 : 0.0; }},
    {"1.5e-3 * x + .5 + pi", [](double x, double, double) { return 1.5e-3 * x + 0.5 + std::numbers::pi; }},
    {"sqrt(c) + k", [](double, double, double c) { return std::sqrt(c) + 3; }},
    {"x", [](double x, double, double) { return x; }},
    {"7", [](double, double, double) { return 7.0; }},
};

TEST_CASE("a formula gives what the same expression gives in C++, at any place of a block", "[formula][twin]") {
  std::vector<double> x;
  const Random random(3);
  for (std::uint64_t k = 0; k < 777; ++k) x.push_back(3 * random.normal(k));
  x[5] = 0.85;  // = y
  for (const Twin& twin : kTwins) {
    INFO(twin.text);
    const std::vector<double> found = values_of(twin.text, x, 0.4);
    double worst = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double expected = twin.plain(x[k], 1.7 - x[k], 0.4);
      worst = std::max(worst, std::abs(found[k] - expected) / (1 + std::abs(expected)));
      CHECK(found[k] == value_of(twin.text, x[k]));  // alone as in a block
    }
    CHECK(worst < kRounding);
  }
}

TEST_CASE("at the ends of the numbers formulas give what is the limit", "[formula][limit]") {
  CHECK(value_of("exp(1000 * x)", 1) == value_of("exp(709 * x)", 1));
  CHECK(value_of("exp(-1000 * x)", 1) == 0);
  CHECK(value_of("log(x)", 0) == -kInfinity);
  CHECK(std::isnan(value_of("log(x)", -1)));
  CHECK(std::isnan(value_of("sqrt(x)", -1)));
  CHECK(value_of("1 / x", 0) == kInfinity);
  CHECK(value_of("x^0", 0) == 1);
  CHECK(value_of("x^1.5", 0) == 0);
  CHECK(value_of("x^-1.5", 0) == kInfinity);
  CHECK(std::isnan(value_of("x^1.5", -2)));
  CHECK(value_of("x^9", -2) == -512);
  CHECK(value_of("x^y", -1.3) == Approx(-1.3 * 1.3 * 1.3).epsilon(kRounding));
  CHECK(value_of("x^1.5", 1e300) == kInfinity);
  CHECK(value_of("x > 0 ? inf : -inf", -1) == -kInfinity);
  CHECK(value_of("x != 0 ? 1 / x : 0", 0) == 0);  // both sides are computed, one is taken
  CHECK(value_of("sign(x)", 0) == 0);
  CHECK(std::isnan(value_of("min(x, 1)", std::nan(""))));
  CHECK(std::isnan(value_of("max(1, x)", std::nan(""))));
}

TEST_CASE("a formula says which variables it names and which it needs", "[formula]") {
  const Formula formula("zero * x + k * c", kVariables);
  CHECK((formula.mentions("x") && formula.mentions("k") && !formula.mentions("y")));
  CHECK((!formula.reads("x") && formula.reads("c") && !formula.reads("k")));
  CHECK(std::isnan(formula.constant()));
  CHECK(Formula("k^2 + zero * y", kVariables).constant() == 9);
  CHECK(can_name_variable("kappa_2"));
  for (const char* word : {"", "2a", "a b", "exp", "pi", "inf", "\xC3\xA9"}) CHECK(!can_name_variable(word));
  for (std::size_t k = 0; k + 1 < formula_functions().size(); ++k)
    CHECK(formula_functions()[k].name < formula_functions()[k + 1].name);
}

TEST_CASE("a mistake in a formula is named with its place", "[formula][errors]") {
  const std::string names = "x, y, c, k, zero.";
  CHECK(complaint("x +") == "at character 4 it ends, but a number, a name or a parenthesis must follow.");
  CHECK(complaint("  ") == "it is empty, but must be an expression, such as \"x_j - x_i\".");
  CHECK(complaint("x + zeros") == "at character 5 'zeros' is no variable; did you mean 'zero'? There are " + names);
  CHECK(complaint("tau") == "at character 1 'tau' is no variable; there are " + names);
  CHECK(complaint("exq(x)").starts_with("at character 1 'exq' is no function; did you mean 'exp'? There are abs, "));
  CHECK(complaint("2 * (x + 1") == "at character 5 a parenthesis is opened, but not closed.");
  CHECK(complaint("exp(x") == "at character 4 a parenthesis is opened, but not closed.");
  CHECK(complaint("x) + 1") == "at character 2 a parenthesis is closed that was not opened.");
  CHECK(complaint("()") ==
        "at character 2 a parenthesis is closed where a number, a name or a parenthesis must follow.");
  CHECK(complaint("x = 2") == "at character 3 '=' would set a variable, which a formula cannot; compare by '=='.");
  CHECK(complaint("x + 0,5") == "at character 6 there is a comma; the decimal sign is a point, as in 0.5.");
  CHECK(complaint("exp(0,5)") == "at character 1 'exp' has 2 arguments, but takes 1. (The decimal sign is a point.)");
  CHECK(complaint("max()") == "at character 1 'max' has 0 arguments, but takes 2. (The decimal sign is a point.)");
  CHECK(complaint("2x") == "at character 2 'x' follows without an operator; a product needs '*'.");
  CHECK(complaint("x**2") == "at character 2 '**' is no operator; a power is '^'.");
  CHECK(complaint("x < y < c") ==
        "at character 7 a second comparison follows; join them by '&&', as in a < b && b < c.");
  CHECK(complaint("exp") == "at character 1 'exp' is a function; write exp(...).");
  CHECK(complaint("x(2)") == "at character 1 'x' is a variable and takes no argument.");
  CHECK(complaint("1.2.3") == "at character 4 is a second decimal point.");
  CHECK(complaint("1e999") == "at character 1 is a number that no double can hold.");
  CHECK(complaint("x ? 1") ==
        "at character 5 begins what holds where the condition is true, but no ':' with the rest follows.");
  // A minus sign as typesetters have it: two letters before it, of which one has two bytes.
  CHECK(complaint("\xC3\xA9 + x").starts_with("at character 1 is '\xC3\xA9', where a number"));
  CHECK(complaint("x \xE2\x88\x92 y").starts_with("at character 3 '\xE2\x88\x92' is no operator"));
  CHECK(complaint("x y \xE2\x88\x92").starts_with("at character 3 'y' follows without an operator"));
  CHECK(complaint(std::string(200, '(') + "x").starts_with("at character 101 more than 100 parts are nested"));
  CHECK(complaint(std::string(200, '-') + "x").starts_with("at character 101 more than 100 parts are nested"));
  CHECK(complaint(std::string(3000, ' ')) == "it has 3000 characters, but must have at most 2000.");
}

/// No text, however spoilt, does anything but parse or complain.
TEST_CASE("spoilt formulas are refused or parsed", "[formula][errors]") {
  const std::string letters = "xyck01.e+-*/^()<>=!&|?:, exp(min(";
  const Random random(17);
  int parsed = 0;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    std::string text;
    for (std::uint64_t place = 0; place < 1 + random.below(12, k, 99); ++place)
      text += letters[random.below(letters.size(), k, place)];
    if (complaint(text) == "") {
      ++parsed;
      value_of(text);
    }
  }
  CHECK(parsed > 100);
}

}  // namespace
}  // namespace fovea
