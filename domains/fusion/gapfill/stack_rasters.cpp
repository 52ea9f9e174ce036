#include "fovea/domains/fusion/gapfill/stack_rasters.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/rasters/raster_writer.hpp"
#include "fovea/domains/fusion/gapfill/image_stack.hpp"

namespace fovea::fusion::gapfill {

namespace {

using datasets::rasters::Georeference;

/// The number of "EPSG:32631"; 0 for anything else.
std::uint16_t epsg_code(const std::string& system) {
  std::uint16_t code = 0;
  if (!system.starts_with("EPSG:")) return 0;
  const char* end = system.data() + system.size();
  const auto [last, error] = std::from_chars(system.data() + 5, end, code);
  return error == std::errc() && last == end ? code : 0;
}

/// Pixel centres along an axis; empty where there are none, or they are not even.
std::vector<double> centres(const Hdf5Rows& file, const std::string& path, Index count) {
  const Hdf5Entry* entry = file.find(path);
  if (entry == nullptr || entry->is_group || entry->shape.size() != 1 || !entry->problem.empty() ||
      static_cast<Index>(entry->rows()) != count || count < 2)
    return {};
  std::vector<double> places = file.read<double>(*entry, 0, entry->rows());
  const double step = places[1] - places[0];
  for (std::size_t i = 1; i < places.size(); ++i)
    if (!(std::abs(places[i] - places[i - 1] - step) <= 1e-6 * std::abs(step)) || step == 0) return {};
  return places;
}

Georeference georeference(const std::string& path, const ImageStack& stack) {
  const Hdf5Rows file(path);
  Georeference place;
  const std::vector<double> x = centres(file, "/x", stack.columns), y = centres(file, "/y", stack.rows);
  const Hdf5Entry* root = file.find("/");
  const std::uint16_t code = epsg_code(root == nullptr ? "" : root->attribute("crs"));
  if (x.empty() || y.empty() || x[1] < x[0] || y[1] > y[0]) return place;
  const double wide = x[1] - x[0], high = y[0] - y[1];
  place.pixel_scale = {wide, high, 0};
  place.tie_points = {0, 0, 0, x[0] - wide / 2, y[0] + high / 2, 0};
  const bool geographic = code >= 4000 && code < 5000;
  const std::uint16_t keys = code == 0 ? 1 : 3;
  place.geo_keys = {1, 1, 0, keys};
  if (code != 0)
    place.geo_keys.insert(place.geo_keys.end(), {1024, 0, 1, static_cast<std::uint16_t>(geographic ? 2 : 1)});
  place.geo_keys.insert(place.geo_keys.end(), {1025, 0, 1, 1});
  if (code != 0)
    place.geo_keys.insert(place.geo_keys.end(), {static_cast<std::uint16_t>(geographic ? 2048 : 3072), 0, 1, code});
  return place;
}

}  // namespace

void write_stack_rasters(const std::string& path) {
  const ImageStack stack = image_stack(datasets::rasters::Stack(path));
  datasets::rasters::RasterPlan plan;
  plan.rows = stack.rows, plan.columns = stack.columns;
  plan.sample = datasets::rasters::SampleType::uint16;
  plan.place = georeference(path, stack);
  plan.missing_text = "0";
  for (const std::string& band : stack.bands) plan.bands.push_back({band});
  const Hdf5Rows file(path);
  const Hdf5Entry* filled = file.find("/s2/filled");
  require(filled != nullptr, "write_stack_rasters: ", path, " has no /s2/filled; give a filled stack.");
  const std::filesystem::path whole(path);
  for (Index date = 0; date < stack.dates(); ++date) {
    const std::string name = concat(whole.stem().string(), "_", stack.date_text(date), "_", date, ".tif");
    datasets::rasters::RasterWriter writer((whole.parent_path() / name).string(), plan);
    Matrix<float> counts = (10000.0F * stack.images[static_cast<std::size_t>(date)].transpose()).array().round();
    const auto at = static_cast<std::uint64_t>(date);
    const std::vector<float> state = file.read<float>(*filled, at, at + 1);
    for (Index i = 0; i < stack.pixels(); ++i)
      if (state[static_cast<std::size_t>(i)] == 2) counts.col(i).setZero();  // still cloudy
    writer.write({0, 0, stack.rows, stack.columns}, counts.data());
    writer.finish();
  }
}

}  // namespace fovea::fusion::gapfill
