#include "fovea/domains/fusion/maps/map_files.hpp"

#include <algorithm>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/fusion/maps/kernels/map_kernels.hpp"

namespace fovea::fusion::maps {

namespace {

namespace rasters = datasets::rasters;
constexpr std::int32_t kMostByte = 254;

rasters::RasterPlan plan_of(const MapPlan& map, rasters::SampleType sample, std::vector<rasters::BandFacts> bands,
                            const std::string& missing) {
  rasters::RasterPlan plan;
  plan.rows = map.rows, plan.columns = map.columns, plan.place = map.place;
  plan.sample = sample, plan.bands = std::move(bands), plan.missing_text = missing;
  plan.tile = MapFiles::tile(), plan.resume_key = map.key;
  return plan;
}

std::vector<rasters::BandFacts> layer_bands(const std::vector<std::int32_t>& classes) {
  std::vector<rasters::BandFacts> bands;
  for (const std::int32_t number : classes) bands.push_back({concat("probability_", number)});
  for (const char* name : {"trust_s1", "trust_s2", "entropy", "spread"}) bands.push_back({name});
  return bands;
}

}  // namespace

std::string layers_path(const std::string& path) {
  const std::filesystem::path whole(path);
  return (whole.parent_path() / (whole.stem().string() + "_layers" + whole.extension().string())).string();
}

MapFiles::MapFiles(const std::string& path, const MapPlan& plan)
    : no_data_(*std::max_element(plan.classes.begin(), plan.classes.end()) <= kMostByte ? 255 : 65535),
      layers_count_(std::ssize(plan.classes) + 4) {
  const auto sample = no_data_ == 255 ? rasters::SampleType::uint8 : rasters::SampleType::uint16;
  classes_ = std::make_unique<rasters::RasterWriter>(path, plan_of(plan, sample, {{"class"}}, concat(no_data_)));
  layers_ = std::make_unique<rasters::RasterWriter>(
      layers_path(path), plan_of(plan, rasters::SampleType::float32, layer_bands(plan.classes), "nan"));
}

Index MapFiles::first_row() const { return std::min(classes_->first_row(), layers_->first_row()); }

void MapFiles::write(const MapWindow& window) {
  classes_->write(window.window, window.classes.data());
  layers_->write(window.window, window.layers.data());
}

MapFiles::Packed MapFiles::packed(const MapWindow& window) const {
  if (!layers_->holds_whole_tiles(window.window)) return {window, {}, {}};
  return {
      {}, classes_->packed(window.window, window.classes.data()), layers_->packed(window.window, window.layers.data())};
}

void MapFiles::put(Packed packed) {
  if (!packed.window.classes.empty()) return write(packed.window);
  classes_->put(std::move(packed.classes));
  layers_->put(std::move(packed.layers));
}

void MapFiles::finish() {
  layers_->finish();
  classes_->finish();
}

void round_layers(std::span<float> numbers) { map_kernels().round(numbers.data(), std::ssize(numbers)); }

}  // namespace fovea::fusion::maps
