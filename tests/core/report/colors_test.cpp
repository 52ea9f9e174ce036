/// The colours of figures, as eyes with and without a colour blindness see them.

#include "fovea/core/report/figures/colors.hpp"

#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

using Triple = std::array<double, 3>;
using Matrix3 = std::array<Triple, 3>;

/// Machado, Oliveira & Fernandes 2009, IEEE TVCG 15:1291, severity 1.0: linear sRGB as a dichromat sees it.
struct Vision {
  const char* name;
  Matrix3 seen;
};
constexpr std::array kVisions{
    Vision{"normal", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    Vision{"protan",
           {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    Vision{"deutan",
           {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    Vision{"tritan",
           {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

Triple times(const Matrix3& matrix, const Triple& v) {
  Triple out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) out[i] += matrix[i][k] * v[k];
  return out;
}

Triple linear_part(std::string_view text) {
  const Color color = color_of(text).value();
  const auto decoded = [](double c) {
    c /= 255;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return {decoded(color.red), decoded(color.green), decoded(color.blue)};
}

constexpr Matrix3 kToXyz{
    {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};

/// CIE 1976 L*a*b* with the white of sRGB.
Triple lab_of(Triple linear) {
  for (double& part : linear) part = std::clamp(part, 0.0, 1.0);
  const Triple xyz = times(kToXyz, linear), white = times(kToXyz, {1, 1, 1});
  Triple f{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double t = xyz[i] / white[i];
    f[i] = t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  }
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double distance_76(const Vision& vision, std::string_view a, std::string_view b) {
  const Triple left = lab_of(times(vision.seen, linear_part(a))), right = lab_of(times(vision.seen, linear_part(b)));
  return std::hypot(left[0] - right[0], left[1] - right[1], left[2] - right[2]);
}

/// WCAG 2.1.
double contrast_of(std::string_view a, std::string_view b) {
  const double first = times(kToXyz, linear_part(a))[1], second = times(kToXyz, linear_part(b))[1];
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

std::string_view in_theme(std::string_view name, bool dark) {
  for (const ThemeColor& color : kThemeColors)
    if (color.name == name) return dark ? color.dark : color.light;
  return {};
}

}  // namespace

TEST_CASE("the measures of colours agree with known values", "[report][color]") {
  CHECK(std::abs(lab_of(linear_part("#ff0000"))[0] - 53.24) < 0.01);  // Lindbloom's calculator
  CHECK(std::abs(lab_of(linear_part("#ff0000"))[1] - 80.09) < 0.01);
  CHECK(std::abs(contrast_of("#000000", "#ffffff") - 21) < 1e-4);  // the matrix has seven digits
  // red and green of equal lightness are one for a deutan, and far apart for others
  CHECK(distance_76(kVisions[2], "#b35a00", "#7a7a00") < 15);
  CHECK(distance_76(kVisions[0], "#b35a00", "#7a7a00") > 40);
}

TEST_CASE("any two of the first six colours of lines are apart for each colour blindness", "[report][color]") {
  constexpr double kApart = 12, kStillApart = 9;  // dE 1976; the last two stand beside the others more rarely
  for (const bool dark : {false, true})
    for (const Vision& vision : kVisions)
      for (std::size_t i = 0; i < kLineColors.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const auto of = [&](std::size_t k) { return dark ? kLineColors[k].dark : kLineColors[k].light; };
          INFO(vision.name << (dark ? ", dark: " : ", light: ") << i << " and " << j);
          CHECK(distance_76(vision, of(i), of(j)) >= (i < kApartColors ? kApart : kStillApart));
        }
}

TEST_CASE("lines stand out from the panel, and texts can be read on what they stand on", "[report][color]") {
  constexpr double kLine = 3, kText = 4.5;  // WCAG 2.1, 1.4.11 and 1.4.3
  for (const bool dark : {false, true}) {
    for (const ThemeColor& line : kLineColors)
      CHECK(contrast_of(dark ? line.dark : line.light, in_theme("panel", dark)) >= kLine);
    for (const auto& [text, ground] : {std::pair{"ink", "panel"},
                                       {"ink", "paper"},
                                       {"quiet", "panel"},
                                       {"quiet", "paper"},
                                       {"accent", "panel"},
                                       {"accent", "paper"},
                                       {"good", "good-paper"},
                                       {"bad", "bad-paper"},
                                       {"ink", "changed"},
                                       {"ink", "bad-paper"}})
      CHECK(contrast_of(in_theme(text, dark), in_theme(ground, dark)) >= kText);
  }
}

TEST_CASE("more than six lines differ in their dashes, so that no two of 24 look alike", "[report][color]") {
  std::vector<std::pair<std::string_view, std::string_view>> looks;
  for (std::size_t i = 0; i < 24; ++i) {
    looks.emplace_back(line_color(i), line_dashes(i));
    CHECK(line_dashes(i).empty() == (i < kApartColors));
    CHECK(line_dashes(i) != "6 4");  // theory's
  }
  std::sort(looks.begin(), looks.end());
  CHECK(std::adjacent_find(looks.begin(), looks.end()) == looks.end());
}

TEST_CASE("a page's style has every colour of the table, in the light and in the dark", "[report][color]") {
  const std::string css = theme_css();
  const std::size_t dark = css.find("data-theme=\"dark\"");
  for (const ThemeColor& color : kThemeColors) {
    CHECK(css.find(concat("--", color.name, ": ", color.light, ";")) < dark);
    CHECK(css.find(concat("--", color.name, ": ", color.dark, ";"), dark) != std::string::npos);
  }
  CHECK(css.find(concat("--c7: ", kLineColors[7].dark, ";"), dark) != std::string::npos);
}
