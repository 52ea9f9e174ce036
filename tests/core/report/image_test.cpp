/// Images: every pixel of the data is a pixel of the picture.

#include "fovea/core/report/figures/colors.hpp"
#include "fovea/core/report/page_data.hpp"
#include "fovea/core/report/report.hpp"
#include "fovea/tests/support/test.hpp"
#include "page_support.hpp"
#include "png_pixels.hpp"
#include "sample_kinds.hpp"

using support::Pixel;

namespace {

const Pixel kNothing{0, 0, 0, 0};

Figure image_of(std::vector<std::string> variables) {
  return {.kind = "image", .name = "picture", .title = "Title", .variables = std::move(variables), .x = "x", .y = "y"};
}

/// land(y, x) of 2 x 3 with names and colours.
Results land() {
  Results results;
  results.data.dimension("y", 2);
  results.data.dimension("x", 3);
  results.add("land", {"y", "x"}, std::vector<double>{0, 1, 1, 7, kNan, 0}, "1", "land");
  results.data.at("land").attributes = {
      {"flag_values", "0 1 7"}, {"flag_meanings", "water old_forest town"}, {"flag_colors", "#010203 #0A0B0C none"}};
  return results;
}

/// Of 2 x 3 pixels of the data, as the rasters here; a colour bar stays as it is.
std::vector<support::PngPixels> pictures(const Results& results) {
  std::vector<support::PngPixels> drawn = support::pictures_in(draw_figures(results)[0].svg);
  for (support::PngPixels& one : drawn)
    if (2 * one.width == 3 * one.height) one = shrunk(one, one.width / 3);
  return drawn;
}

std::string said(const Results& results) {
  return support::refusal_of<ArgumentError>([&] { draw_figures(results); });
}

}  // namespace

TEST_CASE("a class raster has its classes' colours, row 0 on top, and nothing where there is no value",
          "[report][image]") {
  Results results = land();
  results.figure(image_of({"land"}));
  const support::PngPixels picture = pictures(results).at(0);
  REQUIRE((picture.width == 3 && picture.height == 2));
  CHECK(picture.at(0, 0) == Pixel{1, 2, 3, 255});
  CHECK(picture.at(0, 1) == Pixel{10, 11, 12, 255});
  CHECK(picture.at(1, 2) == picture.at(0, 0));
  CHECK(picture.at(1, 1) == kNothing);
  CHECK(picture.at(1, 0)[3] == 255);  // a colour of its own: "none" is none
  const std::string svg = draw_figures(results)[0].svg;
  for (const char* name : {"water", "old forest", "town", "no data"}) CHECK(has(svg, std::string(name) + "</text>"));
}

TEST_CASE("where y rises as on a map, its first row is the lowest", "[report][image]") {
  Results results = land();
  results.coordinate("y", std::vector<double>{10, 20}, "km", "northing");
  results.figure(image_of({"land"}));
  CHECK(pictures(results).at(0).at(0, 1) == kNothing);
  CHECK(has(draw_figures(results)[0].svg, "northing (km)"));
  CHECK(has(draw_page(results, {}), R"("upward":true)"));
  results.coordinate("y", std::vector<double>{20, 10}, "km", "northing");
  CHECK(pictures(results).at(0).at(1, 1) == kNothing);
}

TEST_CASE("what missing_value names is not there", "[report][image]") {
  Results results = land();
  results.add("bytes", {"y", "x"}, std::vector<std::uint8_t>{0, 1, 255, 1, 1, 0}, "1", "bytes");
  results.data.at("bytes").attributes["missing_value"] = "255";
  results.figure(image_of({"bytes"}));
  CHECK(pictures(results).at(0).at(0, 2) == kNothing);
  CHECK(pictures(results).at(0).at(0, 1) == pictures(results).at(0).at(1, 0));
  CHECK_FALSE(pictures(results).at(0).at(0, 0) == pictures(results).at(0).at(0, 1));
}

TEST_CASE("colours are kept to 8 bits, from numbers or from bytes, and clamped", "[report][image]") {
  Results results = land();
  results.data.dimension("rgb", 3);
  std::vector<double> reals(18, 0.5);
  std::vector<std::uint8_t> bytes(18, 128);
  reals[0] = 1, reals[1] = 0, reals[2] = -0.2;
  reals[3] = 1.7, reals[4] = 0.25, reals[5] = kNan;
  bytes[0] = 255, bytes[1] = 0, bytes[2] = 7;
  results.add("reals", {"y", "x", "rgb"}, reals, "1", "reals");
  results.add("bytes", {"rgb", "y", "x"}, bytes, "1", "bytes, the channels first");
  Figure figure = image_of({"reals", "bytes"});
  figure.channel = "rgb";
  results.figure(figure);
  const auto both = pictures(results);
  REQUIRE(both.size() == 2);
  CHECK(both[0].at(0, 0) == Pixel{255, 0, 0, 255});
  CHECK(both[0].at(0, 1) == kNothing);
  CHECK(both[0].at(1, 2) == Pixel{128, 128, 128, 255});
  CHECK(both[1].at(0, 0) == Pixel{255, 128, 128, 255});  // red is the first of the three planes
  CHECK(both[1].at(0, 1) == Pixel{0, 128, 128, 255});
}

TEST_CASE("each value of the hue and each variable is a picture with a title, of one size", "[report][image]") {
  const Results results = sample_images(24);
  const std::vector<SvgFigure> figures = draw_figures(results);
  CHECK(support::pictures_in(figures[0].svg).size() == 4);
  for (const char* title :
       {"true class</text>", "pixel by pixel</text>", "<title>predicted class, with attention</title>"})
    CHECK(has(figures[0].svg, title));
  CHECK(support::pictures_in(figures[2].svg).size() == 1);
  CHECK(has(figures[2].svg, "model: pixel by pixel"));
  // a pixel of the data is a whole number of pixels of the drawing
  const std::size_t image = figures[1].svg.find("<image"), width = figures[1].svg.find("width=\"", image) + 7;
  CHECK(std::stod(figures[1].svg.substr(width)) == 24 * std::floor(std::stod(figures[1].svg.substr(width)) / 24));
}

TEST_CASE("the page has one picture for each view, and thins large ones pixel by pixel or to means",
          "[report][image]") {
  const std::string page = draw_page(sample_images(24), {});
  CHECK(has(page, R"("png":["iVBOR)"));
  CHECK(has(page, R"({"value":1.0,"name":"forest","color":"#2d6a3e"})"));
  CHECK_FALSE(has(page, "Thinned"));
  const std::string thinned = page_data(sample_images(400), 60000);
  CHECK(thinned.size() <= 60000);
  CHECK(has(thinned, "one in 2 along easting, one in 2 along northing"));
  CHECK(has(thinned, "means of 4 along easting, means of 4 along northing"));
}

TEST_CASE("a map of numbers goes through the colours from its least to its most, one bar for equal ends",
          "[report][image]") {
  Results results = land();
  results.add("trust", {"y", "x"}, std::vector<double>{0, 0.5, 1, kNan, -3, 7}, "1", "trust in S2");
  results.add("other", {"y", "x"}, std::vector<double>{1, 1, 0, 0, 1, 1}, "1", "trust in S1");
  for (const char* name : {"trust", "other"})
    results.data.at(name).attributes = {{"valid_min", "0"}, {"valid_max", "1"}};
  results.figure(image_of({"land", "trust", "other"}));
  const auto drawn = pictures(results);
  const auto is = [](const Pixel& pixel, Color color) {
    return pixel == Pixel{color.red, color.green, color.blue, 255};
  };
  std::vector<support::PngPixels> maps;  // without the bar
  for (const auto& one : drawn)
    if (one.width == 3) maps.push_back(one);
  REQUIRE(maps.size() == 3);
  CHECK(drawn.size() == 4);
  CHECK(is(maps[1].at(0, 0), sequential_map().front()));
  CHECK(is(maps[1].at(0, 1), color_at(sequential_map(), 0.5)));
  CHECK(is(maps[1].at(0, 2), sequential_map().back()));
  CHECK(maps[1].at(1, 0) == kNothing);
  CHECK(is(maps[1].at(1, 1), sequential_map().front()));  // below the least, above the most: their colours
  CHECK(is(maps[1].at(1, 2), sequential_map().back()));
  CHECK(is(maps[2].at(0, 2), sequential_map().front()));  // whole numbers, and yet no classes
  CHECK(has(draw_figures(results)[0].svg, "trust in S2, trust in S1</text>"));
  CHECK(has(draw_page(results, {}), R"("numbers":{"low":0.0,"high":1.0})"));
  results.data.at("trust").attributes = {{"valid_min", "-1"}, {"valid_max", "0.5"}};
  CHECK(has(draw_page(results, {}), R"("numbers":{"low":-1.0,"high":1.0})"));  // even about 0
  results.data.at("trust").attributes = {{"valid_min", "1"}, {"valid_max", "1"}};
  CHECK(has(said(results), "has a variable 'trust' whose valid_min 1 is not below its valid_max 1"));
}

TEST_CASE("colours in physical units are stretched between percentiles of each band, and the page says so",
          "[report][image]") {
  Results results = land();
  results.data.dimension("rgb", 3);
  std::vector<double> bands;  // the second twice as bright, the third flat
  for (int pixel = 0; pixel < 6; ++pixel) bands.insert(bands.end(), {0.1 * pixel, 0.2 * pixel, 3});
  bands[15] = 90;  // a cloud
  results.add("scene", {"y", "x", "rgb"}, bands, "1", "the scene");
  results.data.at("scene").attributes["stretch"] = "0 80";
  Figure figure = image_of({"scene"});
  figure.channel = "rgb";
  results.figure(figure);
  const auto picture = pictures(results).at(0);
  CHECK(picture.at(0, 0) == Pixel{0, 0, 128, 255});
  CHECK(picture.at(0, 2) == Pixel{128, 128, 128, 255});
  CHECK(picture.at(1, 2) == Pixel{255, 255, 128, 255});
  CHECK(has(draw_page(results, {}),
            "the scene: Colours from percentile 0 to 80 of each band: red 0 to 0.4, green 0 to 0.8, blue 3 to 3."));
  results.data.at("scene").attributes["stretch"] = "98 2";
  CHECK(has(said(results), "whose stretch is no two rising percentiles"));
}

TEST_CASE("an image says what it cannot draw", "[report][image][fault]") {
  Results results = land();
  results.data.at("land").values = std::vector<double>{0, 1, 1.5, 7, kNan, 0};
  results.figure(image_of({"land"}));
  CHECK(has(said(results),
            "figure 'picture' has a variable 'land' with the value 1.5, which is the number of no class;"));
  Results many;
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) values.push_back(i);
  many.data.dimension("y", 3);
  many.data.dimension("x", 100);
  many.add("v", {"y", "x"}, values, "1", "v");
  many.figure(image_of({"v"}));
  CHECK(has(said(many), "with more than 255 classes"));
  Results four = land();
  four.data.dimension("band", 4);
  Figure figure = image_of({"land"});
  figure.channel = "band";
  four.figure(figure);
  CHECK(has(said(four), "has 4 values along 'band'; a figure of kind image needs variables over (y, x) and"));
  Results flat = land();
  flat.add("line", {"x"}, std::vector<double>{1, 2, 3}, "1", "line");
  flat.figure(image_of({"line"}));
  CHECK(has(said(flat), "has a variable 'line' without the dimension 'y'"));
}
