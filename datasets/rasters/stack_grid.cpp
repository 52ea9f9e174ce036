#include "fovea/datasets/rasters/stack_grid.hpp"

#include "fovea/core/base/error.hpp"

namespace fovea::datasets::rasters {

namespace {

std::vector<Index> coarser_places(const StackGrid& grid, Index factor) {
  std::vector<Index> places;
  places.reserve(grid.pixels());
  for (Index r = 0; r < grid.rows; ++r)
    for (Index c = 0; c < grid.columns; ++c) places.push_back(r / factor * (grid.columns / factor) + c / factor);
  return places;
}

}  // namespace

const ImageSeries& finest_series(const Stack& stack) {
  const ImageSeries* finest = &stack.r10m();
  for (const ImageSeries* series : {&stack.r20m(), &stack.s1()})
    if (series->rows > finest->rows) finest = series;
  return *finest;
}

StackGrid finest_grid(const Stack& stack) {
  const ImageSeries& finest = finest_series(stack);
  return {finest.rows, finest.columns};
}

std::vector<Index> places_on(const std::string& source, const StackGrid& grid, const ImageSeries& series) {
  if (series.bands.empty()) return {};
  const Index factor = series.rows > 0 ? grid.rows / series.rows : 0;
  if (factor < 1 || series.rows * factor != grid.rows || series.columns * factor != grid.columns)
    throw DataError(
        concat(source, ": ", series.path, " has ", series.rows, " x ", series.columns,
               " pixels, but the finest images have ", grid.rows, " x ", grid.columns,
               "; both must show the same place, sides being multiples of each other by one whole number."));
  return coarser_places(grid, factor);
}

std::vector<Index> class_places_on(const std::string& source, const StackGrid& grid, std::size_t classes) {
  for (Index factor = 1; factor <= grid.rows; ++factor)
    if (grid.rows % factor == 0 && grid.columns % factor == 0 &&
        std::cmp_equal(grid.pixels() / (factor * factor), classes))
      return coarser_places(grid, factor);
  throw DataError(concat(source, ": /s2/scl has ", classes, " pixels a date, but the bands have ", grid.rows, " x ",
                         grid.columns, "; both must show the same place."));
}

}  // namespace fovea::datasets::rasters
