#include "sample_kinds.hpp"

#include <cmath>
#include <numbers>

#include "fovea/core/base/missing.hpp"

namespace fovea {
namespace {

std::vector<double> steps(std::size_t count, double by) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(by * static_cast<double>(i + 1));
  return values;
}

/// A number between 0 and 1 that looks random.
double cell_noise(std::size_t i) {
  const double x = 12345.678 * std::sin(static_cast<double>(i) * 78.233 + 1);
  return x - std::floor(x);
}

std::vector<double> values_of(const KindSample& sample) {
  std::vector<double> values;
  for (std::size_t s = 0; s < sample.seeds; ++s)
    for (std::size_t p = 0; p < sample.positions; ++p)
      for (std::size_t r = 0; r < sample.rows; ++r)
        for (std::size_t c = 0; c < sample.columns; ++c) {
          const double value = static_cast<double>((r / 2 + c / 2 + p + s) % 4);
          values.push_back(cell_noise(values.size()) < sample.missing ? kNan : value);
        }
  return values;
}

constexpr std::array kWorld{std::array{0.07, 0.16, 0.32}, std::array{0.11, 0.33, 0.14}, std::array{0.62, 0.60, 0.30},
                            std::array{0.55, 0.50, 0.47}};  // water, forest, field, town

/// Soft hills: the sum of a few waves.
double height_at(double x, double y) {
  return std::sin(5.1 * x + 1.3 * y) + std::sin(3.7 * y - 2.2 * x + 0.8) + 0.5 * std::sin(11 * x * y + 2 * y);
}

double class_at(double x, double y) {
  const double height = height_at(x, y);
  if (height < -0.65) return 0;
  if (height > 0.75) return 1;
  return std::hypot(x - 0.55, y - 0.42) < 0.13 ? 3 : 2;
}

}  // namespace

Results sample_of(const std::string& kind, const KindSample& sample) {
  Results results;
  std::vector<std::int64_t> seeds;
  for (std::size_t s = 0; s < sample.seeds; ++s) seeds.push_back(static_cast<std::int64_t>(s + 1));
  results.coordinate("seed", seeds, "1", "seed");
  results.coordinate("slider", steps(sample.positions, 0.5), "1", "slider");
  results.coordinate("row", steps(sample.rows, 1), "m", "northing");
  results.coordinate("column", steps(sample.columns, 1), "m", "easting");
  results.add("value", {"seed", "slider", "row", "column"}, values_of(sample), "1", "value");
  std::vector<double> x, y;
  std::vector<std::int64_t> from, to;
  for (std::size_t c = 0; c < sample.columns; ++c) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(c) / static_cast<double>(sample.columns);
    x.push_back(std::cos(angle));
    y.push_back(std::sin(angle));
    from.push_back(static_cast<std::int64_t>(c));
    to.push_back(static_cast<std::int64_t>((c + 3) % sample.columns));
  }
  results.add("place_x", {"column"}, x, "1", "place");
  results.add("place_y", {"column"}, y, "1", "place");
  results.data.dimension("edge", sample.columns);
  results.add("edge_from", {"edge"}, from, "1", "from");
  results.add("edge_to", {"edge"}, to, "1", "to");
  results.figure({.kind = kind,
                  .name = kind,
                  .title = "A figure of kind " + kind,
                  .caption = "Whatever it is.",
                  .variables = {"value"},
                  .x = "column",
                  .y = "row",
                  .position_x = "place_x",
                  .position_y = "place_y",
                  .edge_source = "edge_from",
                  .edge_target = "edge_to"});
  return results;
}

Results sample_images(std::size_t size) {
  Results results;
  results.data.attributes["title"] = "Which land lies where";
  std::vector<double> scene, truth, guesses;
  for (const int guess : {-1, 0, 1})
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t c = 0; c < size; ++c) {
        const double x = static_cast<double>(c) / static_cast<double>(size),
                     y = static_cast<double>(r) / static_cast<double>(size);
        const double land = class_at(x, y);
        const double cloud = std::hypot(1.6 * (x - 0.2), y - 0.78) - 0.16 + 0.05 * std::sin(31 * x) * std::cos(27 * y);
        const double wrong = guess == 0 ? 0.22 : 0.04;
        if (guess >= 0) {
          const bool off = cell_noise(guesses.size() + 7) < wrong;
          guesses.push_back(off ? std::fmod(land + 1 + std::floor(3 * cell_noise(guesses.size())), 4.0) : land);
          continue;
        }
        truth.push_back(cloud < 0 ? kNan : land);
        const double shade =
            0.92 + 0.08 * height_at(x + 0.01, y) - 0.08 * height_at(x, y) + 0.1 * (cell_noise(truth.size()) - 0.5);
        for (const double part : kWorld[static_cast<std::size_t>(land)])
          scene.push_back(cloud < 0 ? kNan : part * shade * 1.25);
      }
  results.coordinate("northing", steps(size, 0.01), "km", "northing");
  results.coordinate("easting", steps(size, 0.01), "km", "easting");
  results.coordinate("model", std::vector<std::string>{"pixel by pixel", "with attention"}, "", "model");
  results.data.dimension("rgb", 3);
  results.add("scene", {"northing", "easting", "rgb"}, scene, "1", "Sentinel-2 as made here");
  results.add("truth", {"northing", "easting"}, truth, "1", "true class");
  results.add("guess", {"model", "northing", "easting"}, guesses, "1", "predicted class");
  for (const char* name : {"truth", "guess"}) {
    results.data.at(name).attributes["flag_values"] = "0 1 2 3";
    results.data.at(name).attributes["flag_meanings"] = "open_water forest farmland town";
    results.data.at(name).attributes["flag_colors"] = "#2f6f9f #2d6a3e #d8c26a #b5533c";
  }
  std::vector<double> trust;
  for (std::size_t i = 0; i < truth.size(); ++i) trust.push_back(0.5 + 0.5 * std::sin(0.0007 * static_cast<double>(i)));
  results.add("trust", {"northing", "easting"}, trust, "1", "trust in the optical sensor");
  results.data.at("trust").attributes = {{"valid_min", "0"}, {"valid_max", "1"}};
  const Figure maps{.kind = "image",
                    .name = "maps",
                    .title = "What the satellite saw, what is there, and what two models say",
                    .caption = "Without the neighbours a pixel is often mistaken; attention looks around.",
                    .variables = {"scene", "truth", "guess"},
                    .x = "easting",
                    .y = "northing",
                    .hue = "model",
                    .channel = "rgb"};
  results.figure(maps);
  Figure alone = maps;
  alone.name = "scene", alone.title = "The scene", alone.caption = "Clouds are left out.";
  alone.variables = {"scene"};
  alone.hue = "";
  results.figure(alone);
  Figure chosen = alone;
  chosen.name = "guess", chosen.title = "One model at a time", chosen.caption = "The slider chooses the model.";
  chosen.variables = {"guess"};
  results.figure(chosen);
  Figure trusted = alone;
  trusted.name = "trust", trusted.title = "Whom to trust", trusted.caption = "The scene beside a map of numbers.";
  trusted.variables = {"scene", "trust"};
  results.figure(trusted);
  return results;
}

}  // namespace fovea
