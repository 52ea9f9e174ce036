/// The parts of the report: text, scales, colours, averages, thinning, drawing.

#include <zlib.h>

#include "fovea/core/report/figures/colors.hpp"
#include "fovea/core/report/figures/dates.hpp"
#include "fovea/core/report/figures/scales.hpp"
#include "fovea/core/report/figures/svg.hpp"
#include "fovea/core/report/figures/thinning.hpp"
#include "fovea/core/report/text.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

constexpr double kPageRounding = 1e-12;  // a few operations on numbers near 1

double luminance(Color c) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(c.red / 255.0) + 0.7152 * linear(c.green / 255.0) + 0.0722 * linear(c.blue / 255.0);
}

}  // namespace

TEST_CASE("markup is escaped, broken UTF-8 and control characters are made harmless", "[report]") {
  CHECK(escape_markup("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(escape_markup("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") == "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  CHECK(escape_markup("x\x01y\n\t") == "xy\n\t");
  const std::string broken = "\xEF\xBF\xBD";
  CHECK(escape_markup("\xFF") == broken);
  CHECK(escape_markup("\xC0\x80") == broken + broken);               // overlong
  CHECK(escape_markup("\xED\xA0\x80") == broken + broken + broken);  // surrogate
  CHECK(escape_markup("\xEF\xBF\xBF") == broken + broken + broken);  // U+FFFF, forbidden in XML
  CHECK(escape_markup("\xE2\x82") == broken + broken);               // cut off
}

TEST_CASE("labels and names are short and safe", "[report]") {
  CHECK(axis_label("time", "s") == "time (s)");
  CHECK(axis_label("ratio", "1") == "ratio");
  CHECK(axis_label("name", "") == "name");
  CHECK(axis_label("opinion", "opinion") == "opinion");
  CHECK(clipped("short", 5) == "short");
  CHECK(clipped("longer", 5) == "long\xE2\x80\xA6");
  CHECK(clipped("\xC3\xA9\xC3\xA9\xC3\xA9", 2) == "\xC3\xA9\xE2\x80\xA6");
  CHECK(file_name_text("../../etc/passwd") == "_.._etc_passwd");
  CHECK(file_name_text("a b/c") == "a_b_c");
  CHECK(file_name_text("") == "figure");
}

TEST_CASE("a label is the long name's beginning if that is short, else the name", "[report]") {
  CHECK(label_text("sd", "standard deviation of opinions, for each component") == "standard deviation of opinions");
  CHECK(label_text("temperature", "temperature : how near; 2 : x") == "temperature");
  CHECK(label_text("branch", "cooling; heating") == "cooling");
  const std::string forty(40, 'x');
  CHECK(label_text("a_b", forty + ", y") == forty);
  CHECK(label_text("a_b", forty + "x, y") == "a b");
  CHECK(label_text("a_b", std::string(39, 'x') + "\xC3\xA9") ==
        std::string(39, 'x') + "\xC3\xA9");  // letters, not bytes
  CHECK(label_text("a_b_c", "") == "a b c");
  CHECK(label_text("a_b", ": y") == "a b");
}

TEST_CASE("ranges leave out what is not finite, and give a single value room", "[report]") {
  CHECK(range_of({1, kNan, 3, INFINITY}).high == 3);
  CHECK(range_of({-1, 0, 2}, true).low == 1);  // only 2 is positive: half and twice
  CHECK(range_of({-1, 0, 2}, true).high == 4);
  CHECK(range_of({}).high == 1);
  CHECK(range_of({4, 4}).low == 2);
  CHECK(range_of({0}).low == -1);
  CHECK(joined({0, 1}, {-2, 0.5}).low == -2);
  CHECK(joined({0, 1}, {-2, 0.5}).high == 1);
}

TEST_CASE("values that hardly differ are shown beside 0, others as they are", "[report]") {
  CHECK(shown_range({0.99995, 1}).low == 0);
  CHECK(shown_range({0.99995, 1}).high == Approx(1.05));
  CHECK(shown_range({-2, -2}).low == Approx(-2.1));
  CHECK(shown_range({-2, -2}).high == 0);
  CHECK(shown_range({7, 7.00001}, true).low == 3.5);
  CHECK(shown_range({7, 7.00001}, true).high == Approx(14.00002));
  CHECK(shown_range({0.9, 1}).low == 0.9);
  CHECK(shown_range({0, 0}).low == -1);
  CHECK(shown_range({kNan}).high == 1);
  CHECK(shown_range({0, 1e-9}).high == 1e-9);  // nothing is large beside it
}

TEST_CASE("tick labels tell their ticks apart, however narrow the range", "[report][property]") {
  for (const double middle : {1.0, -300.0, 2e6, 1e-7}) {
    for (const double width : {1e-4, 1e-8, 1e-12, 1e-16}) {
      INFO(middle << " " << width);
      const Scale scale{{middle - std::abs(middle) * width, middle + std::abs(middle) * width}, false};
      std::vector<std::string> labels = tick_labels(ticks(scale, 6), false);
      for (std::size_t i = 1; i < labels.size(); ++i) CHECK((labels[i] != labels[i - 1] || labels[i].empty()));
    }
  }
  CHECK(tick_labels({1, 1}, false) == std::vector<std::string>{"1", ""});
  CHECK(tick_labels({0.99999, 1, 1.00001}, false) == std::vector<std::string>{"0.99999", "1", "1.00001"});
}

TEST_CASE("a logarithmic axis has small ticks, a short or a linear one has none", "[report]") {
  CHECK(minor_ticks({{0.7, 31}, true}).size() == 3 + 9 + 3);
  CHECK(minor_ticks({{0.7, 31}, true}).front() == Approx(0.7));
  CHECK(minor_ticks({{1, 2}, true}).empty());
  CHECK(minor_ticks({{1, 1e9}, true}).empty());
  CHECK(minor_ticks({{1, 100}, false}).empty());
}

TEST_CASE("scales map ranges to 0 .. 1", "[report]") {
  const Scale linear{{2, 6}, false}, logarithmic{{0.01, 100}, true};
  CHECK(linear.fraction(3) == 0.25);
  CHECK(std::abs(logarithmic.fraction(1) - 0.5) < kPageRounding);
  CHECK(std::isnan(logarithmic.fraction(0)));
  CHECK(padded(linear, 0.1).range.low == Approx(1.6));
  CHECK(padded(logarithmic, 0.25).range.high == Approx(1000));
}

TEST_CASE("ticks are round numbers inside the range with labels of one length", "[report][property]") {
  for (const double size : {1e-9, 0.003, 0.7, 1.0, 12.0, 9999.0, 1e12}) {
    for (const double offset : {0.0, -0.4, 3.3}) {
      const Scale scale{{offset * size, (offset + 1) * size}, false};
      const std::vector<double> at = ticks(scale, 6);
      CHECK(at.size() >= 3);
      CHECK(at.size() <= 12);
      CHECK(at.front() >= scale.range.low - 1e-9 * size);
      CHECK(at.back() <= scale.range.high + 1e-9 * size);
      CHECK(tick_labels(at, false).size() == at.size());
    }
  }
  CHECK(tick_labels(ticks({{0, 1}, false}, 5), false) ==
        std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(tick_labels(ticks({{-0.1, 0.1}, false}, 2), false)[0] ==
        "\xE2\x88\x92"
        "0.1");
  CHECK(ticks({{0.003, 0.06}, true}, 7) == std::vector<double>{0.005, 0.01, 0.02, 0.05});
  CHECK(ticks({{1, 1e12}, true}, 6).size() == 7);
}

TEST_CASE("the maps change lightness evenly, and colours are written as hexadecimal", "[report]") {
  for (std::size_t i = 1; i < 256; ++i)
    CHECK(luminance(sequential_map()[i]) >= luminance(sequential_map()[i - 1]) - 0.004);
  const ColorMap& d = diverging_map();
  for (std::size_t i = 0; i < 128; ++i) CHECK(std::abs(luminance(d[i]) - luminance(d[255 - i])) < 0.1);
  CHECK(luminance(d[127]) > 0.7);
  CHECK(d[0].blue > d[0].red);
  CHECK(d[255].red > d[255].blue);
  CHECK(hex({1, 171, 255}) == "#01abff");
  CHECK(hex(color_at(d, -5)) == hex(d[0]));
  CHECK(hex(color_at(d, 2)) == hex(d[255]));
  CHECK(hex(color_at(d, kNan)) == "#bbbbbb");
  CHECK(line_color(0) == line_color(8));
  CHECK(line_color(0) != line_color(1));
}

TEST_CASE("quantised values are right to half a step, NaN has its own code", "[report][property]") {
  const std::vector<double> values{0.5, 0.75, kNan, 1.5, 7, 7, 7, 7};
  const Quantised q = quantised(values, 4, 254);
  CHECK(q.codes[2] == 255);
  CHECK(q.low == std::vector<double>{0.5, 7});
  CHECK(q.high == std::vector<double>{1.5, 7});
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    const double back = q.low[i / 4] + (q.high[i / 4] - q.low[i / 4]) * q.codes[i] / 254;
    CHECK(std::abs(back - values[i]) <= 0.5 / 254 + kPageRounding);
  }
}

TEST_CASE("base64 agrees with the examples of RFC 4648", "[report]") {
  const auto of = [](std::string text) { return base64({text.begin(), text.end()}); };
  CHECK(of("") == "");
  CHECK(of("f") == "Zg==");
  CHECK(of("fo") == "Zm8=");
  CHECK(of("foobar") == "Zm9vYmFy");
}

TEST_CASE("a PNG holds its pixels behind a filter byte in each row", "[report]") {
  const std::string png = png_image({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}}, 2);
  CHECK(png.substr(1, 3) == "PNG");
  const std::size_t data = png.find("IDAT") + 4;
  std::vector<unsigned char> raw(100);
  uLongf size = 100;
  REQUIRE(uncompress(raw.data(), &size, reinterpret_cast<const unsigned char*>(png.data()) + data,
                     png.size() - data - 16) == Z_OK);
  raw.resize(size);
  CHECK(raw == std::vector<unsigned char>{0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12});
}

TEST_CASE("the pixels of a PNG are enlarged by whole factors where asked", "[report]") {
  const std::vector<Color> pixels{{1, 2, 3}, {4, 5, 6}};
  const std::string png = png_image(pixels, 2, 3);
  CHECK(png.substr(16, 8) == std::string("\0\0\0\6\0\0\0\3", 8));
  CHECK(png_image({{1, 2, 3}, {1, 2, 3}, {4, 5, 6}, {4, 5, 6}, {1, 2, 3}, {1, 2, 3}, {4, 5, 6}, {4, 5, 6}},
                  {true, true, true, true, true, true, true, true}, 4) == png_image(pixels, {true, true}, 2, 2));
  CHECK(sharp_factor(3, 3, 340) == 227);   // two pixels for each of the page
  CHECK(sharp_factor(60, 20, 340) == 16);  // of the file for each cell
  CHECK(sharp_factor(600, 600, 340) == 2);
  CHECK(sharp_factor(5000, 10, 340) == 1);
  CHECK(sharp_factor(0, 0, 340) > 0);
}

TEST_CASE("six signs differ, the seventh is the first again", "[report]") {
  std::vector<std::string> signs;
  for (std::size_t shape = 0; shape < 7; ++shape) {
    Svg svg(10, 10, "", "");
    svg.marker({5, 5}, 2, shape, "#fff", {});
    signs.push_back(svg.finish());
  }
  CHECK(signs[0] == signs[6]);
  std::sort(signs.begin(), signs.end());
  CHECK(std::unique(signs.begin(), signs.end()) - signs.begin() == 6);
}

TEST_CASE("colours are even in the square root where most values are far below the largest", "[report]") {
  const ColorScale even = color_scale({0, 4}, {0, 1, 2, 3, 4});
  CHECK_FALSE(even.root);
  CHECK(even.fraction(1) == 0.25);
  const ColorScale skewed = color_scale({0, 4}, {0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 4, kNan});
  CHECK(skewed.root);
  CHECK(skewed.fraction(1) == 0.5);
  CHECK(skewed.fraction(4) == 1);
  const ColorScale signs = color_scale({-1, 4}, {-1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 4});
  CHECK_FALSE(signs.root);
  CHECK(signs.fraction(0) == 0.5);
  CHECK(&signs.map() == &diverging_map());
}

TEST_CASE("drawing writes elements and escapes text", "[report]") {
  Svg svg(100, 50, "t<", "d&");
  svg.line({0, 0}, {1.239, 2}, {"#000", 1, "2 2"});
  svg.path({{0, 0}, {1, 1}, {kNan, 0}, {2, 2}}, {});
  svg.path({{kNan, 0}}, {});
  svg.area({{0, 0}, {1, 0}, {1, 1}}, "#123456", 0.5);
  svg.marker({5, 5}, 2, 0, "#fff", {});
  svg.marker({5, 5}, 2, 1, "#fff", {});
  svg.text({1, 2}, "<&>", {12, "start", "#000", true, 90, "a < b"});
  svg.image({0, 0, 1, 1}, "png");
  const std::string text = svg.finish();
  for (const char* part :
       {"width=\"100\"", "<title>t&lt;</title>", "<desc>d&amp;</desc>", "x2=\"1.24\"", "stroke-dasharray=\"2 2\"",
        "d=\"M0 0L1 1M2 2\"", "points=\"0,0 1,0 1,1\"", "<circle cx=\"5\"", "3.2,3.2",
        "><title>a &lt; b</title>&lt;&amp;&gt;</text>", "rotate(90 1 2)", "base64,cG5n"}) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(letters_in(65, 12) == 10);
  CHECK(letters_in(-1, 12) == 1);
  const Averaged length{"l", "length", "m", {}, {}, {}, {}, {}, 1, "length of all"};
  CHECK(axis_of({{0, 1}, false}, length).label == "length (m)");
  CHECK(axis_of({{0, 1}, false}, length).meaning == "length of all");
  const Frame frame({10, 10, 100, 50}, {{{0, 10}, false}, "x", {}}, {{{1, 100}, true}, "y", {}});
  CHECK(frame.at(5, 10).x == 60);
  CHECK(std::abs(frame.at(5, 10).y - 35) < kPageRounding * 100);
}

TEST_CASE("ticks of dates are starts of years, months, days or hours", "[report]") {
  const auto labels = [](double low, double high, int wanted) {
    std::string text;
    for (const DateTick& tick : date_ticks(low, high, wanted)) {
      CHECK((tick.days >= low - 1e-9 && tick.days <= high));
      text += tick.label + ' ';
    }
    return text;
  };
  CHECK(labels(0, 3650, 5) == "1970 1972 1974 1976 1978 ");
  CHECK(labels(-365, 3, 5) == "1969-01 1969-04 1969-07 1969-10 1970-01 ");
  CHECK(labels(59, 75, 8) ==
        "1970-03-02 1970-03-04 1970-03-06 1970-03-08 1970-03-10 1970-03-12 1970-03-14 1970-03-16 ");
  CHECK(labels(0.2, 0.9, 6) == "01-01 06:00 01-01 09:00 01-01 12:00 01-01 15:00 01-01 18:00 01-01 21:00 ");
  CHECK(is_date_unit("days since 1970-01-01"));
  CHECK_FALSE(is_date_unit("days"));
}
