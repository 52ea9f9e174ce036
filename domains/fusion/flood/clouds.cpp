#include "fovea/domains/fusion/flood/clouds.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/domains/fusion/flood/pixel_columns.hpp"

namespace fovea::fusion::flood {

namespace {

constexpr float kNumbersPerReflectance = 10000;
constexpr float kTexture = 0.02F;

/// Of a cloud's brightness: lowest and highest that is drawn.
struct BandFactor {
  const char* band;
  float low, high;
};
constexpr BandFactor kFactors[]{{"B9", 0.3F, 0.6F}, {"B10", 0.02F, 0.1F}, {"B11", 0.5F, 0.9F}, {"B12", 0.35F, 0.8F}};

const BandFactor* factor_of(const std::string& band) {
  const std::string name = band == "B09" ? "B9" : band;
  for (const BandFactor& one : kFactors)
    if (name == one.band) return &one;
  return nullptr;
}

/// Of a field of mean 0 and deviation 1, onto 0 to 1.
float squashed(float z) { return 1 / (1 + std::exp(-1.7F * z)); }

}  // namespace

std::vector<float> smooth_field(Index rows, Index columns, Index side, const Random& random) {
  const Index wide = side | 1, margin = 3 * (wide / 2);
  Index r = rows + 2 * margin, c = columns + 2 * margin;
  std::vector<float> field(r * c);
  std::vector<double> draws(field.size());
  random.normals(0, 0, draws);
  std::transform(draws.begin(), draws.end(), field.begin(), [](double x) { return static_cast<float>(x); });
  for (int turn = 0; turn < 3; ++turn) {
    const std::vector<float> there(field.size(), 1);
    field = square_means(field, there, r, c, wide / 2, {wide})[0];
    r -= 2 * (wide / 2), c -= 2 * (wide / 2);
  }
  double sum = 0, squares = 0;
  for (const float z : field) sum += static_cast<double>(z);
  const double mean = sum / static_cast<double>(field.size());
  for (const float z : field) squares += (static_cast<double>(z) - mean) * (static_cast<double>(z) - mean);
  const double deviation = std::max(std::sqrt(squares / static_cast<double>(field.size())), 1e-12);
  for (float& z : field) z = static_cast<float>((static_cast<double>(z) - mean) / deviation);
  return field;
}

std::vector<std::uint8_t> largest(const std::vector<float>& field, double share) {
  std::vector<std::uint8_t> marked(field.size(), 0);
  const Index rest = std::llround((1 - share) * static_cast<double>(field.size()));
  if (rest >= std::ssize(field)) return marked;
  std::vector<float> sorted = field;
  std::nth_element(sorted.begin(), sorted.begin() + rest, sorted.end());
  for (std::size_t i = 0; i < field.size(); ++i) marked[i] = field[i] >= sorted[rest] ? 1 : 0;
  return marked;
}

void paint_clouds(const std::vector<std::string>& bands, const std::vector<std::uint8_t>& cloudy, Index side,
                  const Random& random, datasets::rasters::SceneWindow& shown) {
  const auto field = [&](const std::string& what) {
    return smooth_field(shown.window.rows, shown.window.columns, side, random.stream(what));
  };
  const std::vector<float> thick = field("opacity"), light = field("brightness");
  const Random texture = random.stream("texture");
  for (std::size_t b = 0; b < bands.size(); ++b) {
    const BandFactor* const factor = factor_of(bands[b]);
    const std::vector<float> dark = factor == nullptr ? std::vector<float>() : field(bands[b]);
    std::vector<double> draws(cloudy.size());
    texture.normals(0, b, draws);
    for (std::size_t i = 0; i < cloudy.size(); ++i) {
      if (cloudy[i] == 0 || shown.s2_valid[i] == 0) continue;
      const float opacity = kLeastOpacity + (1 - kLeastOpacity) * squashed(thick[i]),
                  bright = kDarkestCloud + (kBrightestCloud - kDarkestCloud) * squashed(light[i]),
                  part = dark.empty() ? 1 : factor->low + (factor->high - factor->low) * squashed(dark[i]);
      float& value = shown.s2(static_cast<Index>(b), static_cast<Index>(i));
      value = (1 - opacity) * value +
              opacity * kNumbersPerReflectance * bright * part * (1 + kTexture * static_cast<float>(draws[i]));
    }
  }
}

}  // namespace fovea::fusion::flood
