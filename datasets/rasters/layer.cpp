#include "fovea/datasets/rasters/layer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::datasets::rasters {

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Index floored_half(Index number) { return number >= 0 ? number / 2 : -((1 - number) / 2); }

std::string size_text(const RasterFacts& facts) { return concat(facts.columns, " x ", facts.rows); }

}  // namespace

std::size_t Layer::piece_bytes() const {
  const RasterFacts& own = facts();
  if (own.packing == "none") return 0;
  const std::size_t together = own.band_by_band ? 1 : own.bands.size();
  return own.tile_rows * own.tile_columns * bytes_of(own.sample) * together;
}

std::string Layer::put_on(const RasterFacts& grid, const std::string& grid_path, bool finer) {
  const auto refuse = [&](const std::string& what) { throw DataError(concat(reader_.path(), ": ", what)); };
  const RasterFacts& own = facts();
  const bool placed = own.place.is_there() && grid.place.is_there();
  if (placed && !same_system(own.place, grid.place))  // first: warping changes the size, too
    refuse(concat("has ", own.place.system(), ", but ", grid_path, " has ", grid.place.system(),
                  "; bring both to one (gdalwarp -t_srs)."));
  if (own.rows == grid.rows && own.columns == grid.columns)
    factor_ = 1;
  else if (own.rows * 2 == grid.rows && own.columns * 2 == grid.columns)
    factor_ = 2;
  else if (finer && own.rows == grid.rows * 2 && own.columns == grid.columns * 2)
    factor_ = .5;
  else
    refuse(concat("has ", size_text(own), " pixels, but ", grid_path, " has ", size_text(grid),
                  "; they must be the same or twice as many (gdalwarp -ts, -te)."));
  const std::string scaled = factor_ == 1 ? "" : concat(reader_.path(), " is resampled by 2");
  if (!placed)
    return own.place.is_there() == grid.place.is_there()
               ? scaled
               : concat(reader_.path(), " is compared by its size alone, since there is no georeference");
  const double distance = grid_distance(grid, own, factor_);
  if (!(distance <= kGridTolerance))
    refuse(concat("lies ", plain_text(distance), " pixels beside ", grid_path, ", but at most ", kGridTolerance,
                  " is the same grid; resample it (gdalwarp -te, -ts)."));
  return scaled;
}

void Layer::padded(const Window& window, Index band, std::optional<float> instead, float* values) const {
  const Index row = std::max<Index>(window.row, 0), column = std::max<Index>(window.column, 0);
  const Index rows = std::min(window.row + window.rows, facts().rows) - row;
  const Index columns = std::min(window.column + window.columns, facts().columns) - column;
  const Window inside{row, column, rows, columns};
  const std::array<Index, 1> bands{band};
  float* to = values;
  if (inside != window) {
    std::fill_n(values, window.pixels(), kNan);
    if (rows <= 0 || columns <= 0) return;
    part_.resize(inside.pixels());
    to = part_.data();
  }
  reader_.read(inside, bands, to);
  if (instead && facts().missing == 0.)  // a dark pixel of one band is no pixel without data
    for (Index i = 0; i < inside.pixels(); ++i)
      if (std::isnan(to[i])) to[i] = *instead;
  for (Index r = 0; r < rows && to != values; ++r)
    std::copy_n(to + r * columns, columns, values + (row - window.row + r) * window.columns + column - window.column);
}

void Layer::read(const Window& window, Index band, bool nearest, std::optional<float> instead, float* values) const {
  if (factor_ == 1) return padded(window, band, instead, values);
  if (factor_ < 1) {
    const Window fine{2 * window.row, 2 * window.column, 2 * window.rows, 2 * window.columns};
    std::vector<float> from(fine.pixels());
    padded(fine, band, instead, from.data());
    for (Index r = 0; r < window.rows; ++r)
      for (Index c = 0; c < window.columns; ++c)
        values[r * window.columns + c] = from[(2 * r + 1) * fine.columns + 2 * c + 1];
    return;
  }
  const Index top = floored_half(window.row) - 1, left = floored_half(window.column) - 1;
  const Window coarse{top, left, floored_half(window.row + window.rows) + 2 - top,
                      floored_half(window.column + window.columns) + 2 - left};
  std::vector<float> from(coarse.pixels());
  padded(coarse, band, instead, from.data());
  const auto at = [&](Index r, Index c) { return from[(r - top) * coarse.columns + c - left]; };
  for (Index r = window.row; r < window.row + window.rows; ++r)
    for (Index c = window.column; c < window.column + window.columns; ++c) {
      const Index near_r = floored_half(r), near_c = floored_half(c);
      const Index far_r = (r & 1) == 0 ? near_r - 1 : near_r + 1, far_c = (c & 1) == 0 ? near_c - 1 : near_c + 1;
      float value = at(near_r, near_c);
      if (!nearest && !std::isnan(value)) {
        float sum = 0, weights = 0;
        for (const auto& [one, weight] :
             {std::pair{value, 9.F}, {at(near_r, far_c), 3.F}, {at(far_r, near_c), 3.F}, {at(far_r, far_c), 1.F}})
          if (!std::isnan(one)) sum += weight * one, weights += weight;
        value = sum / weights;
      }
      values[(r - window.row) * window.columns + c - window.column] = value;
    }
}

}  // namespace fovea::datasets::rasters
