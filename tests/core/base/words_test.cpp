#include "fovea/core/base/words.hpp"

#include <charconv>
#include <cstdint>

#include "fovea/core/base/json_text.hpp"
#include "fovea/tests/support/test.hpp"

TEST_CASE("JSON has null for what is no number", "[words]") {
  CHECK(json(kNan).text == "null");
  CHECK(json(0.5).text == "0.5");
}

TEST_CASE("an exact text reads back to the same bits", "[words]") {
  for (const double value : {0.1, 1.0 / 3, 1e-300, 5e-324, -2.5, 1.7976931348623157e308}) {
    const std::string text = exact_text(value);
    double read = 0;
    std::from_chars(text.data(), text.data() + text.size(), read);
    INFO(text);
    CHECK(read == value);
  }
  CHECK(exact_text(0.1f) == "0.1");
  CHECK(exact_text(kNan) == "NaN");
  CHECK(exact_text(-INFINITY) == "-inf");
  CHECK(exact_text(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(exact_text(std::string("as it is")) == "as it is");
}

TEST_CASE("a plain text has a few digits in letters that every terminal shows", "[words]") {
  CHECK(plain_text(0.00896836) == "0.00897");
  CHECK(plain_text(0.00896836, 5) == "0.0089684");
  CHECK(plain_text(-4000) == "-4e+03");
  CHECK(plain_text(4000, 4) == "4000");
  CHECK(plain_text(kNan) == "nan");
}

TEST_CASE("a concise text has the error in units of its last digit", "[words]") {
  CHECK(concise_with_error(0.0089612, 0.000018) == "0.00896(2)");
  CHECK(concise_with_error(0.0089612, 0.000012) == "0.008961(12)");
  CHECK(concise_with_error(123.4, 30) == "123(30)");
  for (const double none : {0.0, kNan, static_cast<double>(INFINITY)})
    CHECK(concise_with_error(0.0089612, none) == "0.00896");
  CHECK(concise_with_error(kNan, 1) == "nan");
  CHECK(concise_with_error(0, 1e-300).size() > 300);
}

TEST_CASE("numbers are written as people write them", "[words]") {
  CHECK(rounded_text(0.00896836) == "0.008968");
  CHECK(rounded_text(0.00896836, 6) == "0.00896836");
  CHECK(rounded_text(1234) == "1234");
  CHECK(rounded_text(20001, 3) == "20001");  // a whole number is what it is
  CHECK(rounded_text(-0.0) == "0");
  CHECK(rounded_text(123456.7, 4) == "123500");
  CHECK(rounded_text(0) == "0");
  CHECK(rounded_text(-0.5) ==
        "\xE2\x88\x92"
        "0.5");
  CHECK(rounded_text(5.9e30) ==
        "5.9\xC3\x97"
        "10\xC2\xB3\xE2\x81\xB0");
  CHECK(rounded_text(0.000099999999) == rounded_text(1e-4));
  CHECK(rounded_text(kNan) == "no value");
  CHECK(rounded_text(-INFINITY) == "\xE2\x88\x92\xE2\x88\x9E");
}

TEST_CASE("an error decides how many decimals a value has", "[words]") {
  CHECK(text_with_error(0.0089712, 0.0000123) == "0.008971 \xC2\xB1 0.000012");
  CHECK(text_with_error(123.456, 7.8) == "123.5 \xC2\xB1 7.8");
  CHECK(text_with_error(12345, 678) == "12345 \xC2\xB1 678");
  CHECK(text_with_error(2.5e-7, 1.2e-8) ==
        "(2.50 \xC2\xB1 0.12)\xC3\x97"
        "10\xE2\x81\xBB\xE2\x81\xB7");
  CHECK(text_with_error(2.5, 0) == "2.5");
  CHECK(text_with_error(0.86789, 1.1e-16) == "0.8679");  // the mean of equal values
  CHECK(text_with_error(2.480437, 0) == "2.48");
  CHECK(text_with_error(2.5, kNan) == "2.5");
  CHECK(text_with_error(kNan, 1) == "no value");
}

TEST_CASE("decimals are as many as were asked for, or at most as many", "[words]") {
  CHECK(fixed_text(-0.25, 1) ==
        "\xE2\x88\x92"
        "0.2");
  CHECK(fixed_text(99.806, 1) == "99.8");
  CHECK(compact(12.50) == "12.5");
  CHECK(compact(3.0) == "3");
  CHECK(compact(-0.001) == "0");
  CHECK(compact(kNan) == "0");
}

TEST_CASE("one is counted in the singular", "[words]") {
  CHECK(counted(1, "step") == "1 step");
  CHECK(counted(0, "step") == "0 steps");
  CHECK(counted(2, "stretch", "stretches") == "2 stretches");
}

TEST_CASE("powers are raised", "[words]") {
  CHECK(with_raised_powers("opinion^2") == "opinion\xC2\xB2");
  CHECK(with_raised_powers("m^-12 s") == "m\xE2\x81\xBB\xC2\xB9\xC2\xB2 s");
  CHECK(with_raised_powers("d tanh(d^2 / 4T)") == "d tanh(d\xC2\xB2 / 4T)");
  for (const char* plain : {"x^", "x^-", "x^y", "", "a"}) CHECK(with_raised_powers(plain) == plain);
}
