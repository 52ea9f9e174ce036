#include "fovea/domains/fusion/flood/pixel_columns.hpp"

#include <algorithm>
#include <array>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/fusion/model/sensor_tokens.hpp"

namespace fovea::fusion::flood {

namespace {

using datasets::rasters::SceneWindow;

constexpr float kDarkSum = 100, kPerReflectance = 10000;

/// Vegetation, water (McFeeters 1996), water (Xu 2006), moisture.
constexpr std::array<std::array<const char*, 3>, 4> kDifferences{
    {{"NDVI", "B08", "B04"}, {"NDWI", "B03", "B08"}, {"MNDWI", "B03", "B11"}, {"NDMI", "B08", "B11"}}};

/// out[i] = sum of side values from i on, stride apart, by doubling: sums of 2, 4, 8, ... values, then those that make
/// up each side. The order of the additions depends on the side alone.
void line_sums(const std::vector<float>& values, Index stride, const std::vector<Index>& sides,
               std::vector<std::vector<float>>& out) {
  const Index count = std::ssize(values);
  std::vector<float> level = values, next;
  std::vector<Index> done(sides.size(), 0);
  out.assign(sides.size(), std::vector<float>(values.size(), 0));
  for (Index power = 1; power <= sides.back(); power *= 2) {
    for (std::size_t s = 0; s < sides.size(); ++s) {
      if ((sides[s] & power) == 0) continue;
      const Index off = done[s] * stride;
      float* const to = out[s].data();
      const float* const from = level.data() + off;
      for (Index i = 0; i < count - off; ++i) to[i] += from[i];
      done[s] += power;
    }
    if (2 * power > sides.back()) break;
    next.assign(values.size(), 0);
    const Index off = power * stride;
    for (Index i = 0; i < count - off; ++i) next[i] = level[i] + level[i + off];
    level.swap(next);
  }
}

/// Sums over squares around the inner pixels, one side after the other.
std::vector<std::vector<float>> square_sums(const std::vector<float>& values, Index rows, Index columns, Index margin,
                                            const std::vector<Index>& sides) {
  std::vector<std::vector<float>> down, sums(sides.size()), along;
  line_sums(values, columns, sides, down);
  const Index inner_rows = rows - 2 * margin, inner_columns = columns - 2 * margin;
  for (std::size_t s = 0; s < sides.size(); ++s) {
    line_sums(down[s], 1, {sides[s]}, along);
    const Index first = margin - sides[s] / 2;
    sums[s].resize(inner_rows * inner_columns);
    for (Index r = 0; r < inner_rows; ++r)
      std::copy_n(along[0].data() + (r + first) * columns + first, inner_columns, sums[s].data() + r * inner_columns);
  }
  return sums;
}

/// A channel of a sensor on all pixels of the window.
using Channels = std::vector<std::vector<float>>;

Channels radar_channels(const SceneWindow& shown) {
  const std::size_t pixels = shown.window.pixels();
  Channels channels(3, std::vector<float>(pixels));
  for (std::size_t i = 0; i < pixels; ++i) {
    const float vv = shown.s1(0, static_cast<Index>(i)), vh = shown.s1(1, static_cast<Index>(i));
    channels[0][i] = vv, channels[1][i] = vh, channels[2][i] = vh - vv;
  }
  return channels;
}

Channels optical_channels(const ColumnPlan& plan, const SceneWindow& shown) {
  const std::size_t pixels = shown.window.pixels();
  Channels channels;
  for (Index b = 0; b < std::ssize(plan.s2_bands); ++b) {
    channels.emplace_back(pixels);
    for (std::size_t i = 0; i < pixels; ++i) channels.back()[i] = shown.s2(b, static_cast<Index>(i)) / kPerReflectance;
  }
  for (const BandDifference& one : plan.differences()) {
    channels.emplace_back(pixels);
    for (std::size_t i = 0; i < pixels; ++i) {
      const float a = shown.s2(one.first, static_cast<Index>(i)), b = shown.s2(one.second, static_cast<Index>(i));
      channels.back()[i] = (a - b) / std::max(a + b, kDarkSum);
    }
  }
  return channels;
}

/// Channels and their means, [columns x inner pixels].
Matrix<float> columns_of(Channels channels, const std::vector<std::uint8_t>& valid, const std::vector<Index>& sides,
                         Index rows, Index columns, Index margin) {
  const Index inner_rows = rows - 2 * margin, inner_columns = columns - 2 * margin;
  const auto count = static_cast<Index>(channels.size()), pixels = inner_rows * inner_columns;
  const std::vector<float> there(valid.begin(), valid.end());
  const std::vector<std::vector<float>> counts = square_sums(there, rows, columns, margin, sides);
  Matrix<float> all(count * (1 + std::ssize(sides)), pixels);
  for (Index c = 0; c < count; ++c) {
    std::vector<float>& values = channels[c];
    for (Index r = 0; r < inner_rows; ++r)
      std::copy_n(values.data() + (r + margin) * columns + margin, inner_columns,
                  all.row(c).data() + r * inner_columns);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (valid[i] == 0) values[i] = 0;
    const std::vector<std::vector<float>> sums = square_sums(values, rows, columns, margin, sides);
    for (std::size_t s = 0; s < sides.size(); ++s) {
      float* const to = all.row((static_cast<Index>(s) + 1) * count + c).data();
      for (Index i = 0; i < pixels; ++i) to[i] = sums[s][i] / std::max(counts[s][i], 1.0F);
    }
  }
  return all;
}

}  // namespace

std::vector<BandDifference> ColumnPlan::differences() const {
  std::vector<BandDifference> found;
  for (const auto& [name, first, second] : kDifferences) {
    const Index a = model::place_of_band(s2_bands, first), b = model::place_of_band(s2_bands, second);
    if (a >= 0 && b >= 0) found.push_back({name, a, b});
  }
  return found;
}

Index ColumnPlan::s2_channels() const { return std::ssize(s2_bands) + std::ssize(differences()); }

Index ColumnPlan::margin() const {
  Index most = 0;
  for (const std::vector<Index>* sides : {&s1_sides, &s2_sides})
    for (const Index side : *sides) most = std::max(most, side / 2);
  return most;
}

std::vector<std::pair<std::string, std::string>> ColumnPlan::names() const {
  std::vector<std::pair<std::string, std::string>> names;
  const auto add = [&](const std::vector<std::pair<std::string, std::string>>& channels,
                       const std::vector<Index>& sides) {
    names.insert(names.end(), channels.begin(), channels.end());
    for (const Index side : sides)
      for (const auto& [name, unit] : channels) names.emplace_back(concat(name, ", mean of ", side, " x ", side), unit);
  };
  add({{"VV", "dB"}, {"VH", "dB"}, {"VH - VV", "dB"}}, s1_sides);
  std::vector<std::pair<std::string, std::string>> optical;
  for (const std::string& band : s2_bands) optical.emplace_back(band, "1");
  for (const BandDifference& one : differences()) optical.emplace_back(one.name, "1");
  add(optical, s2_sides);
  return names;
}

std::vector<std::vector<float>> square_means(const std::vector<float>& values, const std::vector<float>& valid,
                                             Index rows, Index columns, Index margin, const std::vector<Index>& sides) {
  std::vector<std::vector<float>> sums = square_sums(values, rows, columns, margin, sides);
  const std::vector<std::vector<float>> counts = square_sums(valid, rows, columns, margin, sides);
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (std::size_t i = 0; i < sums[s].size(); ++i) sums[s][i] /= std::max(counts[s][i], 1.0F);
  return sums;
}

PixelColumns pixel_columns(const ColumnPlan& plan, const SceneWindow& shown) {
  const Index rows = shown.window.rows, columns = shown.window.columns, margin = plan.margin();
  require(rows > 2 * margin && columns > 2 * margin, "pixel_columns: the window of ", rows, " x ", columns,
          " pixels has no pixel within its margin of ", margin, ".");
  PixelColumns made;
  made.rows = rows - 2 * margin, made.columns = columns - 2 * margin;
  const auto valid_of = [&](const std::vector<std::uint8_t>& valid) {
    std::vector<std::uint8_t> inner(made.rows * made.columns, 0);
    if (!valid.empty())
      for (Index r = 0; r < made.rows; ++r)
        std::copy_n(valid.data() + (r + margin) * columns + margin, made.columns, inner.data() + r * made.columns);
    return inner;
  };
  made.s1_valid = valid_of(shown.s1_valid), made.s2_valid = valid_of(shown.s2_valid);
  if (shown.s1.rows() > 0)
    made.s1 = columns_of(radar_channels(shown), shown.s1_valid, plan.s1_sides, rows, columns, margin);
  if (shown.s2.rows() > 0)
    made.s2 = columns_of(optical_channels(plan, shown), shown.s2_valid, plan.s2_sides, rows, columns, margin);
  return made;
}

}  // namespace fovea::fusion::flood
