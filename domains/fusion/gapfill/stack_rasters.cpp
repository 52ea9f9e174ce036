#include "fovea/domains/fusion/gapfill/stack_rasters.hpp"

#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/rasters/raster_writer.hpp"
#include "fovea/domains/fusion/gapfill/image_stack.hpp"
#include "fovea/domains/fusion/maps/stack_maps.hpp"

namespace fovea::fusion::gapfill {

void write_stack_rasters(const std::string& path) {
  const ImageStack stack = image_stack(datasets::rasters::Stack(path));
  datasets::rasters::RasterPlan plan;
  plan.rows = stack.rows, plan.columns = stack.columns;
  plan.sample = datasets::rasters::SampleType::uint16;
  const maps::StackPlace place = maps::place_of_stack(path, stack.rows, stack.columns);
  plan.place = place.georeference;
  plan.missing_text = "0";
  for (const std::string& band : stack.bands) plan.bands.push_back({band});
  const Hdf5Rows file(path);
  const Hdf5Entry* filled = file.find("/s2/filled");
  require(filled != nullptr, "write_stack_rasters: ", path, " has no /s2/filled; give a filled stack.");
  const std::filesystem::path whole(path);
  for (Index date = 0; date < stack.dates(); ++date) {
    const std::string name = concat(whole.stem().string(), "_", stack.date_text(date), "_", date, ".tif");
    datasets::rasters::RasterWriter writer((whole.parent_path() / name).string(), plan);
    Matrix<float> counts = (10000.0F * stack.images[date].transpose()).array().round();
    const auto at = static_cast<std::uint64_t>(date);
    const std::vector<float> state = file.read<float>(*filled, at, at + 1);
    for (Index i = 0; i < stack.pixels(); ++i)
      if (state[i] == 2) counts.col(i).setZero();  // still cloudy
    if (place.rising) maps::turn_over(counts.data(), counts.rows(), stack.rows, stack.columns);
    writer.write({0, 0, stack.rows, stack.columns}, counts.data());
    writer.finish();
  }
}

}  // namespace fovea::fusion::gapfill
