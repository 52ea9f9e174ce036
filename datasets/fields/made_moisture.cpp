#include "fovea/datasets/fields/made_moisture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fovea::datasets::fields {

namespace {

constexpr Index kMonths = 3;
constexpr double kTrees = 1, kGrass = 2, kShrub = 5;

/// How a class of land cover shows the plants' own water.
struct Cover {
  double number, radar, optics;
};
constexpr Cover kCovers[] = {{kTrees, 1, 0}, {kGrass, 0.5, 0.5}, {kShrub, 0, 1}};

/// What is the same for all rows of a site.
struct Site {
  double latitude, longitude, elevation, slope, dryness, level, brightness;
  Cover cover;
};

Site site_of(std::uint64_t number, const Random& random) {
  const auto uniform = [&](std::uint64_t k, double low, double high) {
    return low + (high - low) * random.uniform(number, k);
  };
  return {uniform(0, 32, 48),       uniform(1, -123, -104),
          uniform(2, 50, 2800),     uniform(3, 0, 25),
          random.normal(number, 4), random.normal(number, 5),
          random.normal(number, 6), kCovers[random.below(std::size(kCovers), number, 7)]};
}

}  // namespace

MoistureTable made_moisture(Index sites, const MadeMoistureSettings& settings, const Random& random) {
  const Random of_sites = random.stream("sites"), of_rows = random.stream("rows"), of_months = random.stream("months");
  const Index rows = sites * settings.rows_of_site;
  const double speckle = 4.34 / std::sqrt(settings.looks);
  MoistureTable table;
  table.bands = {"VV", "VH", "B4", "B8", "B11", "B12", "temperature_2m", "total_precipitation", "elevation", "slope"};
  table.months = kMonths;
  table.values.resize(rows * kMonths, std::ssize(table.bands));
  table.month.resize(rows, kMonths), table.covers.resize(rows, kMonths), table.places.resize(rows, 2);
  for (Index i = 0; i < rows; ++i) {
    const auto row = static_cast<std::uint64_t>(i);
    const Index number = i / settings.rows_of_site;
    const Site site = site_of(static_cast<std::uint64_t>(number), of_sites);
    const auto last = static_cast<double>(of_rows.below(12, row, 0));
    const double season = std::sin(2 * std::numbers::pi * (last - 2) / 12), water = of_rows.normal(row, 1);
    table.ids.push_back(std::to_string(i)), table.sites.push_back("site " + std::to_string(number));
    table.places.row(i) << site.latitude, site.longitude;
    table.moisture.push_back(
        std::max(20.0, 95 - 12 * site.dryness + 25 * season + 22 * water + settings.noise * of_rows.normal(row, 2)));
    for (Index k = 0; k < kMonths; ++k) {
      const auto at = static_cast<std::uint64_t>(i * kMonths + k);
      const auto noise = [&](std::uint64_t which) { return of_months.normal(at, which); };
      const double share = 1 - 0.25 * static_cast<double>(kMonths - 1 - k);  // of w that this month shows already
      const double radar = share * site.cover.radar * water, optics = share * site.cover.optics * water;
      const double warm = std::sin(2 * std::numbers::pi * (last - static_cast<double>(kMonths - 1 - k) - 4) / 12);
      table.month(i, k) = std::fmod(last - static_cast<double>(kMonths - 1 - k) + 12, 12);
      table.covers(i, k) = site.cover.number;
      const double red = 900 + 120 * site.brightness - 60 * optics + 60 * noise(0),
                   near = 2600 + 150 * optics + 120 * noise(1),
                   short_wave = 2200 + 150 * site.brightness - 350 * optics + 90 * noise(2);
      table.values.row(i * kMonths + k) << -11 + site.level + 0.8 * radar + speckle * noise(3),
          -18 + site.level + 2 * radar + speckle * noise(4), red, near, short_wave, 0.7 * short_wave + 60 * noise(5),
          286 + 11 * warm - 0.6 * (site.latitude - 40) + noise(6),
          std::max(0.0, 0.002 - 0.0007 * site.dryness - 0.0008 * warm + 0.0003 * noise(7)), site.elevation, site.slope;
    }
  }
  return table;
}

}  // namespace fovea::datasets::fields
