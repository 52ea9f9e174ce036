/// The parts of the report: text, scales, colours, averages, thinning, drawing.

#include <zlib.h>

#include <cmath>
#include <limits>

#include "fovea/core/report/averaged.hpp"
#include "fovea/core/report/colors.hpp"
#include "fovea/core/report/scales.hpp"
#include "fovea/core/report/svg.hpp"
#include "fovea/core/report/text.hpp"
#include "fovea/core/report/thinning.hpp"
#include "fovea/core/statistics/missing.hpp"
#include "fovea/tests/support/catch.hpp"

using namespace fovea;

namespace {

constexpr double kRounding = 1e-12;  // a few operations on numbers near 1

/// branch 2 x seed 3 x x 2, values 100 branch + 10 seed + x.
Dataset replicas() {
  Dataset data;
  data.dimension("branch", 2);
  data.dimension("seed", 3);
  data.dimension("x", 2);
  std::vector<double> values;
  for (int b = 0; b < 2; ++b) {
    for (int s = 0; s < 3; ++s) {
      for (int x = 0; x < 2; ++x) values.push_back(100 * b + 10 * s + x);
    }
  }
  data.add({"v", {"branch", "seed", "x"}, values, "m", "a length", {}});
  return data;
}

double luminance(Color c) {
  const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(c.red / 255.0) + 0.7152 * linear(c.green / 255.0) + 0.0722 * linear(c.blue / 255.0);
}

}  // namespace

TEST_CASE("markup is escaped, broken UTF-8 and control characters are made harmless") {
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

TEST_CASE("numbers are written as people write them") {
  CHECK(number_text(0.00896836) == "0.008968");
  CHECK(number_text(0.00896836, 6) == "0.00896836");
  CHECK(number_text(1234) == "1234");
  CHECK(number_text(123456.7, 4) == "123500");
  CHECK(number_text(0) == "0");
  CHECK(number_text(-0.5) ==
        "\xE2\x88\x92"
        "0.5");
  CHECK(number_text(5.9e30) ==
        "5.9\xC3\x97"
        "10\xC2\xB3\xE2\x81\xB0");
  CHECK(number_text(0.000099999999) == number_text(1e-4));
  CHECK(number_text(kNan) == "no value");
  CHECK(number_text(-INFINITY) == "\xE2\x88\x92\xE2\x88\x9E");
}

TEST_CASE("an error decides how many decimals a value has") {
  CHECK(number_with_error(0.0089712, 0.0000123) == "0.008971 \xC2\xB1 0.000012");
  CHECK(number_with_error(123.456, 7.8) == "123.5 \xC2\xB1 7.8");
  CHECK(number_with_error(12345, 678) == "12345 \xC2\xB1 678");
  CHECK(number_with_error(2.5e-7, 1.2e-8) ==
        "(2.50 \xC2\xB1 0.12)\xC3\x97"
        "10\xE2\x81\xBB\xE2\x81\xB7");
  CHECK(number_with_error(2.5, 0) == "2.5");
  CHECK(number_with_error(2.5, kNan) == "2.5");
  CHECK(number_with_error(kNan, 1) == "no value");
}

TEST_CASE("coordinates, labels and names are short and safe") {
  CHECK(compact(12.50) == "12.5");
  CHECK(compact(3.0) == "3");
  CHECK(compact(-0.001) == "0");
  CHECK(compact(kNan) == "0");
  CHECK(axis_label("time", "s") == "time (s)");
  CHECK(axis_label("ratio", "1") == "ratio");
  CHECK(axis_label("name", "") == "name");
  CHECK(axis_label("opinion", "opinion") == "opinion");
  CHECK(fixed_text(-0.25, 1) ==
        "\xE2\x88\x92"
        "0.2");
  CHECK(fixed_text(99.806, 1) == "99.8");
  CHECK(clipped("short", 5) == "short");
  CHECK(clipped("longer", 5) == "long\xE2\x80\xA6");
  CHECK(clipped("\xC3\xA9\xC3\xA9\xC3\xA9", 2) == "\xC3\xA9\xE2\x80\xA6");
  CHECK(file_name_text("../../etc/passwd") == "_.._etc_passwd");
  CHECK(file_name_text("a b/c") == "a_b_c");
  CHECK(file_name_text("") == "figure");
}

TEST_CASE("a label is the long name's beginning if that is short, else the name") {
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

TEST_CASE("powers are raised") {
  CHECK(with_raised_powers("opinion^2") == "opinion\xC2\xB2");
  CHECK(with_raised_powers("m^-12 s") == "m\xE2\x81\xBB\xC2\xB9\xC2\xB2 s");
  CHECK(with_raised_powers("d tanh(d^2 / 4T)") == "d tanh(d\xC2\xB2 / 4T)");
  for (const char* plain : {"x^", "x^-", "x^y", "", "a"}) CHECK(with_raised_powers(plain) == plain);
}

TEST_CASE("ranges leave out what is not finite, and give a single value room") {
  CHECK(range_of({1, kNan, 3, INFINITY}).high == 3);
  CHECK(range_of({-1, 0, 2}, true).low == 1);  // only 2 is positive: half and twice
  CHECK(range_of({-1, 0, 2}, true).high == 4);
  CHECK(range_of({}).high == 1);
  CHECK(range_of({4, 4}).low == 2);
  CHECK(range_of({0}).low == -1);
  CHECK(joined({0, 1}, {-2, 0.5}).low == -2);
  CHECK(joined({0, 1}, {-2, 0.5}).high == 1);
}

TEST_CASE("values that hardly differ are shown beside 0, others as they are") {
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

TEST_CASE("tick labels tell their ticks apart, however narrow the range", "[property]") {
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

TEST_CASE("a logarithmic axis has small ticks, a short or a linear one has none") {
  CHECK(minor_ticks({{0.7, 31}, true}).size() == 3 + 9 + 3);
  CHECK(minor_ticks({{0.7, 31}, true}).front() == Approx(0.7));
  CHECK(minor_ticks({{1, 2}, true}).empty());
  CHECK(minor_ticks({{1, 1e9}, true}).empty());
  CHECK(minor_ticks({{1, 100}, false}).empty());
}

TEST_CASE("scales map ranges to 0 .. 1") {
  const Scale linear{{2, 6}, false}, logarithmic{{0.01, 100}, true};
  CHECK(linear.fraction(3) == 0.25);
  CHECK(std::abs(logarithmic.fraction(1) - 0.5) < kRounding);
  CHECK(std::isnan(logarithmic.fraction(0)));
  CHECK(padded(linear, 0.1).range.low == Approx(1.6));
  CHECK(padded(logarithmic, 0.25).range.high == Approx(1000));
}

TEST_CASE("ticks are round numbers inside the range with labels of one length", "[property]") {
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

TEST_CASE("the maps change lightness evenly, and colours are written as hexadecimal") {
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

TEST_CASE("replicas are averaged with their standard error") {
  const Averaged v = averaged(replicas(), "v");
  CHECK(v.dimensions == std::vector<std::string>{"branch", "x"});
  CHECK(v.mean == std::vector<double>{10, 11, 110, 111});
  CHECK(v.replicas == 3);
  for (const double error : v.error)
    CHECK(std::abs(error - 10 / std::sqrt(3.0)) < kRounding * 10);  // sd 10 of 0, 10, 20
  CHECK(v.label == "a length");
  CHECK(first_replica(replicas(), "v").mean == std::vector<double>{0, 1, 100, 101});
  CHECK(differs_between_replicas(replicas(), "v"));
}

TEST_CASE("a replica without a value does not count") {
  Dataset data;
  data.dimension("seed", 3);
  data.add({"v", {"seed"}, std::vector<double>{1, kNan, 3}, "1", "", {}});
  data.add({"one", {"seed"}, std::vector<double>{kNan, kNan, 3}, "1", "", {}});
  CHECK(averaged(data, "v").mean[0] == 2);
  CHECK(averaged(data, "v").error[0] == 1);
  CHECK(averaged(data, "v").label == "v");
  CHECK(averaged(data, "one").mean[0] == 3);
  CHECK(std::isnan(averaged(data, "one").error[0]));
}

TEST_CASE("values are found by dimension and index") {
  const Averaged v = averaged(replicas(), "v");
  CHECK(v.has("x"));
  CHECK_FALSE(v.has("seed"));
  CHECK(v.size_of("x") == 2);
  CHECK(v.size_of("other") == 1);
  CHECK(v.position({{"branch", 1}, {"x", 1}, {"other", 7}}) == 3);
  CHECK(v.along("branch", {{"x", 1}}) == std::vector<std::size_t>{1, 3});
  CHECK(v.along("other", {{"x", 1}}) == std::vector<std::size_t>{1});
}

TEST_CASE("dimensions along which nothing changes are dropped unless kept") {
  Dataset data;
  data.dimension("branch", 2);
  data.dimension("x", 2);
  data.add({"v", {"branch", "x"}, std::vector<double>{1, kNan, 1, kNan}, "1", "", {}});
  data.add({"w", {"branch", "x"}, std::vector<std::string>{"a", "b", "a", "c"}, "", "", {}});
  CHECK(squeezed(averaged(data, "v"), {}).dimensions == std::vector<std::string>{"x"});
  CHECK(squeezed(averaged(data, "v"), {"branch"}).dimensions == std::vector<std::string>{"branch", "x"});
  CHECK(squeezed(averaged(data, "w"), {}).words.size() == 4);
  CHECK_FALSE(differs_between_replicas(data, "v"));
}

TEST_CASE("flags become their words, and a dimension without coordinate counts") {
  Dataset data;
  data.dimension("node", 3);
  data.add({"side",
            {"node"},
            std::vector<std::uint8_t>{4, 2, 9},
            "1",
            "",
            {{"flag_values", "2 4"}, {"flag_meanings", "left right"}}});
  CHECK(averaged(data, "side").words == std::vector<std::string>{"right", "left", "9"});
  CHECK(coordinate_of(data, "node").mean == std::vector<double>{0, 1, 2});
  data.add(
      {"branch", {"branch"}, std::vector<std::string>{"cooling", "heating"}, "", "cooling: down; heating: up", {}});
  CHECK(coordinate_of(data, "branch").label == "branch");  // not "cooling"
  CHECK(coordinate_of(data, "branch").meaning == "cooling: down; heating: up");
}

TEST_CASE("what a figure does not draw becomes a slider") {
  Dataset data = replicas();
  data.add({"branch", {"branch"}, std::vector<std::string>{"down", "up"}, "", "branch", {}});
  Figure figure;
  figure.variables = {"v"};
  const FigureData drawn = figure_data(data, figure);
  CHECK(drawn.sliders == std::vector<std::string>{"branch", "x"});
  figure.x = "x";
  figure.hue = "branch";
  CHECK(figure_data(data, figure).sliders.empty());
}

TEST_CASE("a slider starts just below the first mark, else a quarter of the way up") {
  Dataset data;
  data.add({"branch", {"branch"}, std::vector<std::string>{"down", "up"}, "", "", {}});
  data.add({"t", {"t"}, std::vector<double>{9, 8, 7, 6, 5, 4, 3, 2, 1}, "1", "", {}});
  data.add({"none", {}, std::vector<double>{kNan}, "1", "", {}});
  data.add({"mark", {"branch"}, std::vector<double>{kNan, 6.5}, "1", "", {}});
  data.add({"low", {}, std::vector<double>{0.5}, "1", "", {}});
  Figure other, marked;
  other.x = "branch";
  other.marks = {"low"};
  marked.x = "t";
  marked.marks = {"none", "mark"};
  const auto start = [&](const std::vector<Figure>& figures) {
    const Selection at = start_selection(data, figures, {"t", "branch"});
    CHECK(at.at("branch") == 0);  // texts start at the first
    return at.at("t");
  };
  CHECK(start({other, marked}) == 3);  // 6, falling values
  CHECK(start({other}) == 6);          // the third lowest of nine
  marked.marks = {"low"};
  CHECK(start({marked}) == 8);  // nothing is below: the lowest
  marked.marks = {"none"};
  CHECK(start({marked}) == 6);
}

TEST_CASE("arrays are reordered, thinned and cut along a dimension") {
  const Averaged v = averaged(replicas(), "v");
  CHECK(reordered(v, {"branch"}).mean == std::vector<double>{10, 110, 11, 111});
  CHECK(reordered(v, {"branch"}).dimensions == std::vector<std::string>{"x", "branch"});
  CHECK(thinned(v, "x", 2, false).mean == std::vector<double>{10, 110});
  CHECK(thinned(v, "x", 2, true).mean == std::vector<double>{10.5, 110.5});
  CHECK(thinned(v, "branch", 2, true).mean == std::vector<double>{60, 61});
  CHECK(thinned(v, "other", 2, true).mean == v.mean);
  CHECK(shortened(v, "branch", 1).mean == std::vector<double>{10, 11});
  CHECK(shortened(v, "branch", 5).mean == v.mean);
  Averaged odd{"o", "o", "1", {"x"}, {5}, {1, 2, kNan, 4, 5}, {}, {}, 1};
  CHECK(thinned(odd, "x", 2, true).mean == std::vector<double>{1.5, 4, 5});
}

TEST_CASE("a large network keeps every k-th node and the edges between them") {
  FigureData data;
  data.arrays["v"] = {"v", "", "1", {"node"}, {6}, {0, 1, 2, 3, 4, 5}, {}, {}, 1};
  data.arrays["a"] = {"a", "", "1", {"edge"}, {4}, {0, 0, 2, 4}, {}, {}, 1};
  data.arrays["b"] = {"b", "", "1", {"edge"}, {4}, {2, 1, 4, -1}, {}, {}, 1};
  Figure figure;
  figure.kind = FigureKind::network;
  figure.variables = {"v"};
  figure.x = "node";
  figure.edge_source = "a";
  figure.edge_target = "b";
  FigureData small = data;
  CHECK(limit_network(small, figure, 3, 100) == "One node in 2 of 6 is drawn. 2 of 4 edges are drawn. ");
  CHECK(small.arrays["v"].mean == std::vector<double>{0, 2, 4});
  CHECK(small.arrays["a"].mean == std::vector<double>{0, 1});
  CHECK(small.arrays["b"].mean == std::vector<double>{1, 2});
  CHECK(limit_network(data, figure, 100, 1) == "1 of 4 edges are drawn. ");
}

TEST_CASE("quantised values are right to half a step, NaN has its own code", "[property]") {
  const std::vector<double> values{0.5, 0.75, kNan, 1.5, 7, 7, 7, 7};
  const Quantised q = quantised(values, 4, 254);
  CHECK(q.codes[2] == 255);
  CHECK(q.low == std::vector<double>{0.5, 7});
  CHECK(q.high == std::vector<double>{1.5, 7});
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    const double back = q.low[i / 4] + (q.high[i / 4] - q.low[i / 4]) * q.codes[i] / 254;
    CHECK(std::abs(back - values[i]) <= 0.5 / 254 + kRounding);
  }
}

TEST_CASE("base64 agrees with the examples of RFC 4648") {
  const auto of = [](std::string text) { return base64({text.begin(), text.end()}); };
  CHECK(of("") == "");
  CHECK(of("f") == "Zg==");
  CHECK(of("fo") == "Zm8=");
  CHECK(of("foobar") == "Zm9vYmFy");
}

TEST_CASE("a PNG holds its pixels behind a filter byte in each row") {
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

TEST_CASE("drawing writes elements and escapes text") {
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
  CHECK(std::abs(frame.at(5, 10).y - 35) < kRounding * 100);
}
