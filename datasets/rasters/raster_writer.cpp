#include "fovea/datasets/rasters/raster_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/datasets/rasters/geotiff/pack_tile.hpp"
#include "fovea/datasets/rasters/geotiff/part_file.hpp"
#include "fovea/datasets/rasters/kernels/number_loops.hpp"

namespace fovea::datasets::rasters {

namespace {

/// The bands of a tile, while its pixels come; then packed.
struct OpenTile {
  std::vector<std::vector<char>> bands;
  std::vector<std::string> packed;
  Index waiting = 0;  ///< pixels that have not come
};

void check_plan(const RasterPlan& plan) {
  constexpr Index kMostSide = std::numeric_limits<std::int32_t>::max();
  require(plan.rows > 0 && plan.columns > 0 && plan.rows <= kMostSide && plan.columns <= kMostSide &&
              !plan.bands.empty() && plan.bands.size() <= 4096,
          "RasterWriter: a raster of ", plan.rows, " x ", plan.columns, " pixels and ", plan.bands.size(),
          " bands is planned; plan at least one of each.");
  require(plan.tile >= 16 && plan.tile % 16 == 0 && plan.tile <= 4096, "RasterWriter: tiles of ", plan.tile,
          " pixels are planned; plan a multiple of 16, at most 4096.");
  require(plan.missing_text.empty() || number_in(plan.missing_text), "RasterWriter: the no-data text '",
          plan.missing_text, "' is no number; plan one such as nan or 255.");
}

}  // namespace

struct RasterWriter::State {
  State(const Place& place, const RasterPlan& known)
      : plan((check_plan(known), known)),
        missing(number_in(known.missing_text)),
        across((known.columns + known.tile - 1) / known.tile),
        down((known.rows + known.tile - 1) / known.tile),
        file(place, known, static_cast<std::uint64_t>(across) * known.bands.size()) {
    next = static_cast<Index>(file.pieces() / plan.bands.size());
    first_row = std::min(plan.rows, next / across * plan.tile);
  }

  OpenTile& tile_at(Index number) {
    OpenTile& tile = tiles[number];
    if (tile.bands.empty()) {
      const Index r = number / across * plan.tile, c = number % across * plan.tile;
      tile.waiting = std::min(plan.tile, plan.rows - r) * std::min(plan.tile, plan.columns - c);
      tile.bands.assign(plan.bands.size(), std::vector<char>((plan.tile * plan.tile) * bytes_of(plan.sample)));
    }
    return tile;
  }

  /// Packs the tiles that are full.
  void put(const std::vector<Index>& full) {
    const auto bands = static_cast<Index>(plan.bands.size());
    for (const Index number : full) tiles[number].packed.resize(plan.bands.size());
    for_each_task(static_cast<Index>(full.size()) * bands, true, [&](Index task) {
      OpenTile& tile = tiles.find(full[task / bands])->second;
      const std::size_t band = task % bands;
      tile.packed[band] = geotiff::packed_tile(tile.bands[band], plan.sample, plan.tile);
      tile.bands[band] = {};
    });
    append();
  }

  /// Puts the tiles whose turn it is into the file.
  void append() {
    const auto bands = static_cast<Index>(plan.bands.size());
    while (!tiles.empty() && tiles.begin()->first == next && !tiles.begin()->second.packed.empty()) {
      const OpenTile& tile = tiles.begin()->second;
      for (Index band = 0; band < bands; ++band)
        file.add(static_cast<std::uint32_t>(band * across * down + next), tile.packed[band]);
      tiles.erase(tiles.begin());
      ++next;
    }
  }

  RasterPlan plan;
  std::optional<double> missing;
  Index across, down;
  geotiff::PartFile file;
  std::map<Index, OpenTile> tiles;
  Index next = 0, first_row = 0;
};

RasterWriter::RasterWriter(const Place& place, const RasterPlan& plan) : state_(std::make_unique<State>(place, plan)) {}
RasterWriter::~RasterWriter() = default;
Index RasterWriter::first_row() const { return state_->first_row; }

namespace {

void check_window(const RasterPlan& plan, const Window& window) {
  require(window.row >= 0 && window.column >= 0 && window.rows >= 0 && window.columns >= 0 &&
              window.rows <= plan.rows - window.row && window.columns <= plan.columns - window.column,
          "RasterWriter: the window at row ", window.row, ", column ", window.column, " of ", window.rows, " x ",
          window.columns, " pixels is not within the plan of ", plan.rows, " x ", plan.columns, ".");
}

}  // namespace

bool RasterWriter::holds_whole_tiles(const Window& window) const {
  const RasterPlan& plan = state_->plan;
  const auto whole = [&](Index first, Index count, Index all) {
    return first % plan.tile == 0 && (count % plan.tile == 0 || first + count == all);
  };
  return whole(window.row, window.rows, plan.rows) && whole(window.column, window.columns, plan.columns);
}

template <typename Number>
PackedTiles RasterWriter::packed(const Window& window, const Number* values) const {
  const RasterPlan& plan = state_->plan;
  check_window(plan, window);
  require(holds_whole_tiles(window), "RasterWriter: the window at row ", window.row, ", column ", window.column, " of ",
          window.rows, " x ", window.columns, " pixels cuts a tile; give whole ones, or write() it.");
  const Index side = plan.tile;
  const std::size_t each = bytes_of(plan.sample);
  PackedTiles made;
  std::vector<char> numbers;
  for (Index row = window.row; row < window.row + window.rows; row += side)
    for (Index column = window.column; column < window.column + window.columns; column += side) {
      if (row < state_->first_row) continue;
      made.numbers.push_back(row / side * state_->across + column / side);
      made.bands.emplace_back();
      const Index rows = std::min(side, plan.rows - row), count = std::min(side, plan.columns - column);
      for (Index band = 0; band < std::ssize(plan.bands); ++band) {
        numbers.assign((side * side) * each, 0);
        for (Index r = 0; r < rows; ++r)
          store_numbers(plan.sample,
                        values + (band * window.rows + row - window.row + r) * window.columns + column - window.column,
                        count, state_->missing, numbers.data() + r * side * each);
        made.bands.back().push_back(geotiff::packed_tile(numbers, plan.sample, side));
      }
    }
  return made;
}

void RasterWriter::put(PackedTiles tiles) {
  for (std::size_t k = 0; k < tiles.numbers.size(); ++k) {
    const Index number = tiles.numbers[k];
    require(number >= state_->next && !state_->tiles.contains(number), "RasterWriter: tile ", number,
            " is written already; give each pixel once.");
    state_->tiles[number].packed = std::move(tiles.bands[k]);
  }
  state_->append();
}

template <typename Number>
void RasterWriter::write(const Window& window, const Number* values) {
  State& state = *state_;
  const RasterPlan& plan = state.plan;
  const Index side = plan.tile;
  check_window(plan, window);
  const Index top = std::max(window.row, state.first_row), bottom = window.row + window.rows;
  std::vector<Index> full;
  for (Index r = top / side; r * side < bottom && top < bottom; ++r)
    for (Index c = window.column / side; c * side < window.column + window.columns; ++c) {
      const Index number = r * state.across + c;
      require(number >= state.next, "RasterWriter: the tile at row ", r * side, ", column ", c * side,
              " is written already; give each pixel once.");
      OpenTile& tile = state.tile_at(number);
      const Index row = std::max(top, r * side), end = std::min(bottom, (r + 1) * side);
      const Index column = std::max(window.column, c * side);
      const Index count = std::min(window.column + window.columns, (c + 1) * side) - column;
      tile.waiting -= (end - row) * count;
      require(tile.waiting >= 0 && tile.packed.empty(), "RasterWriter: pixels of the tile at row ", r * side,
              ", column ", c * side, " are given twice; give each pixel once.");
      for (std::size_t band = 0; band < plan.bands.size(); ++band)
        for (Index i = row; i < end; ++i) {
          const Number* from = values + (static_cast<Index>(band) * window.rows + i - window.row) * window.columns +
                               column - window.column;
          const std::size_t at = ((i - r * side) * side + column - c * side) * bytes_of(plan.sample);
          store_numbers(plan.sample, from, count, state.missing, tile.bands[band].data() + at);
        }
      if (tile.waiting == 0) full.push_back(number);
    }
  state.put(full);
}

template void RasterWriter::write(const Window&, const float*);
template void RasterWriter::write(const Window&, const double*);
template void RasterWriter::write(const Window&, const std::int32_t*);
template PackedTiles RasterWriter::packed(const Window&, const float*) const;
template PackedTiles RasterWriter::packed(const Window&, const std::int32_t*) const;

void RasterWriter::finish() {
  require(state_->next == state_->across * state_->down, "RasterWriter: ", state_->next, " of ",
          state_->across * state_->down, " tiles have come; write all windows before the end.");
  state_->file.finish();
}

}  // namespace fovea::datasets::rasters
