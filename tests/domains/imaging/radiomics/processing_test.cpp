// The manual's image processing against a plain one: every voxel by itself, splines by solving for their coefficients.

#include <Eigen/Dense>

#include "fovea/domains/imaging/radiomics/processing.hpp"
#include "fovea/tests/domains/imaging/radiomics/simulated_region.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::imaging::radiomics;

namespace {

constexpr double kPlainRounding = 1e-9;

double b_spline(double x) {
  x = std::abs(x);
  return x < 1 ? 2.0 / 3 - x * x + x * x * x / 2 : x < 2 ? std::pow(2 - x, 3) / 6 : 0;
}

Index mirrored_at(Index i, Index n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }

/// Row i: how the value at the new voxel i follows from the old ones along an axis.
Matrix<double> plain_weights(Index n, double spacing, double wanted, Interpolation how) {
  const Index count = static_cast<Index>(std::ceil(double(n) * spacing / wanted - 1e-9));
  Matrix<double> weights = Matrix<double>::Zero(count, n);
  for (Index i = 0; i < count; ++i) {
    const double centre = (double(i) - (double(count) - 1) / 2) * wanted / spacing + (double(n) - 1) / 2;
    const double x = std::clamp(centre, 0.0, double(n - 1));
    for (Index k = -2; k < n + 2; ++k) {
      const double weight =
          how == Interpolation::cubic ? b_spline(x - double(k)) : std::max(0.0, 1 - std::abs(x - double(k)));
      if (weight > 0) weights(i, mirrored_at(k, n)) += weight;
    }
  }
  if (how != Interpolation::cubic) return weights;
  Matrix<double> at_voxels = Matrix<double>::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index k = i - 1; k <= i + 1; ++k) at_voxels(i, mirrored_at(k, n)) += b_spline(double(i - k));
  return weights * at_voxels.inverse();
}

std::vector<double> plain_resampled(const std::vector<double>& values, std::array<Index, 3>& size,
                                    const std::array<double, 3>& spacing, const std::vector<double>& wanted,
                                    Interpolation how) {
  std::vector<double> field = values;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (wanted[axis] == 0) continue;
    const Matrix<double> weights = plain_weights(size[axis], spacing[axis], wanted[axis], how);
    std::array<Index, 3> made_size = size;
    made_size[axis] = weights.rows();
    std::vector<double> made(static_cast<std::size_t>(made_size[0] * made_size[1] * made_size[2]), 0.0);
    for (Index z = 0; z < made_size[2]; ++z)
      for (Index y = 0; y < made_size[1]; ++y)
        for (Index x = 0; x < made_size[0]; ++x)
          for (Index k = 0; k < size[axis]; ++k) {
            std::array<Index, 3> at{x, y, z};
            const double weight = weights(at[axis], k);
            at[axis] = k;
            made[static_cast<std::size_t>((z * made_size[1] + y) * made_size[0] + x)] +=
                weight * field[static_cast<std::size_t>((at[2] * size[1] + at[1]) * size[0] + at[0])];
          }
    field = made;
    size = made_size;
  }
  return field;
}

double plain_level(double v, const Settings& settings, const Bins& bins, double low, double high) {
  if (bins.kind == BinKind::width)
    return std::floor((v - (settings.range.empty() ? low : settings.range[0])) / bins.width) + 1;
  if (bins.kind == BinKind::as_is) return v;
  return v == high ? bins.number : std::floor(bins.number * (v - low) / (high - low)) + 1;
}

/// Intensity, level and bin of the volume histogram of the voxels in the intensity mask, in the order of the file; and
/// how many the morphological mask has.
struct PlainRegion {
  std::vector<std::array<double, 3>> voxels;
  Index shape = 0;
};

PlainRegion plain_region(const SimulatedImage& made, const Settings& settings) {
  const auto& grid = made.image.grid;
  std::vector<double> values = made.image.values, inside(made.mask.inside.begin(), made.mask.inside.end());
  if (!settings.spacing.empty()) {
    std::array<Index, 3> size = grid.size, again = grid.size;
    values = plain_resampled(values, size, grid.spacing, settings.spacing, settings.image);
    inside = plain_resampled(inside, again, grid.spacing, settings.spacing, settings.mask);
  }
  PlainRegion region;
  std::vector<double> kept;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (inside[k] < 0.5 - kPlainRounding) continue;
    ++region.shape;
    const double v = settings.round ? std::floor(values[k] + 0.5 + kPlainRounding) : values[k];
    if (settings.range.empty() || (v >= settings.range[0] && v <= settings.range[1])) kept.push_back(v);
  }
  if (settings.outlier_sd > 0) {
    const double n = double(kept.size()), mean = std::accumulate(kept.begin(), kept.end(), 0.0) / n;
    double squares = 0;
    for (const double v : kept) squares += (v - mean) * (v - mean);
    std::erase_if(kept, [&](double v) { return std::abs(v - mean) > settings.outlier_sd * std::sqrt(squares / n); });
  }
  const double low = *std::min_element(kept.begin(), kept.end()), high = *std::max_element(kept.begin(), kept.end());
  for (const double v : kept)
    region.voxels.push_back({v, plain_level(v, settings, settings.levels, low, high),
                             plain_level(v, settings, settings.volume, low, high)});
  return region;
}

}  // namespace

TEST_CASE("the configurations A to E process an image as a plain program does", "[imaging][radiomics][twin]") {
  for (const char* name : {"ibsi_a", "ibsi_b", "ibsi_c", "ibsi_d", "ibsi_e"}) {
    INFO(name);
    SimulatedImage made = simulated_image({24, 19, 11}, {0.9, 1.3, 3.1}, 11);
    for (std::size_t k = 0; k < made.image.values.size(); k += 50) made.image.values[k] += k % 100 == 0 ? 900 : -600;
    const Settings settings = *preset(name);
    const PlainRegion plain = plain_region(made, settings);
    const Region region = processed(made.image, made.mask, settings);
    REQUIRE(region.voxels.size() == plain.voxels.size());
    CHECK(std::count(region.shape.begin(), region.shape.end(), 1) == plain.shape);
    if (!settings.range.empty() || settings.outlier_sd > 0)
      CHECK(plain.shape > static_cast<Index>(plain.voxels.size()));
    for (std::size_t k = 0; k < plain.voxels.size(); ++k) {
      const auto voxel = static_cast<std::size_t>(region.voxels[k]);
      const auto [intensity, level, bin] = plain.voxels[k];
      CHECK(std::abs(region.intensity[voxel] - intensity) < kPlainRounding * 1000);
      CHECK(region.level[voxel] == level);
      const double value = region.volume.values[k];
      CHECK(std::abs(value - (settings.volume.kind == BinKind::width ? settings.range[0] + (bin - 0.5) * 2.5 : bin)) <
            kPlainRounding * 1000);
    }
  }
}

TEST_CASE("what cannot be processed is refused", "[imaging][radiomics][error]") {
  SimulatedImage made = simulated_image({12, 12, 12}, {1, 1, 1}, 2);
  const auto refusal = [&](Settings settings) {
    return refusal_of<DataError>([&] { processed(made.image, made.mask, settings); });
  };
  Settings settings;
  settings.range = {5000, 6000};
  CHECK(refusal(settings) ==
        "simulated.nii: no intensity in the mask lies in the range from 5000 to 6000; at least one must.");
  settings = Settings();
  settings.spacing = {1e-4, 1e-4, 1e-4};
  CHECK(refusal(settings) ==
        "simulated.nii: the new spacing asks for 1.728e+15 voxels, but at most 1e+09 are computed; "
        "choose a larger spacing.");
  settings = Settings();
  settings.levels = {BinKind::width, 0.01, 32};
  CHECK(refusal(settings) ==
        "simulated.nii: bins of width 0.01 are more than 4096 grey levels; choose a larger levels.width.");
  settings = Settings();
  settings.spacing = {12, 12, 12};
  CHECK(processed(made.image, made.mask, settings).voxels.size() == 1);
  made.image.values[0] = kNan;
  settings.image = Interpolation::cubic;
  CHECK(refusal(settings).find("cubic splines need all of them") != std::string::npos);
}
