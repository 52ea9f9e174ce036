#include "fovea/datasets/rasters/raster_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <list>
#include <optional>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/memory.hpp"
#include "fovea/datasets/rasters/geotiff/directory.hpp"
#include "fovea/datasets/rasters/geotiff/handle.hpp"
#include "fovea/datasets/rasters/kernels/number_loops.hpp"

namespace fovea::datasets::rasters {

namespace {

using geotiff::Packing;
using geotiff::TiffBytes;
using geotiff::TiffHandle;
using geotiff::TiffLayout;

constexpr std::int64_t kLargestAllocation = std::int64_t{320} << 20;
constexpr std::uint64_t kSmallPiece = std::uint64_t{4} << 20;
constexpr std::uint64_t kLikeOneRow = 2048;  // a row of a piece costs as much as so many bytes of one long read
constexpr std::size_t kMostUnpacked = std::size_t{16} << 20;
constexpr std::size_t kShareOfMask = 8;  // of the cache: a byte a pixel, where most bands have two or four

/// Read only; the disk's refusals wait until libtiff has returned.
class ReadStream final : public geotiff::TiffStream {
 public:
  explicit ReadStream(const TiffBytes& bytes) : bytes_(bytes) {}
  std::int64_t read(void* to, std::uint64_t count) override {
    try {
      const std::uint64_t got = bytes_.read_some(position, count, to);
      position += got;
      return static_cast<std::int64_t>(got);
    } catch (...) {
      failure = std::current_exception();
      return -1;
    }
  }
  std::int64_t write(const void*, std::uint64_t) override { return -1; }
  std::uint64_t size() override { return bytes_.size(); }
  std::exception_ptr failure;

 private:
  const TiffBytes& bytes_;
};

void swap_numbers(char* bytes, std::size_t count, std::size_t each) {
  for (std::size_t i = 0; each > 1 && i < count; ++i) std::reverse(bytes + i * each, bytes + (i + 1) * each);
}

}  // namespace

struct RasterReader::State {
  State(const Place& place, std::size_t most) : bytes(place), stream(bytes), most_cached(most) {
    layout = geotiff::read_layout(bytes, facts);
    open_tiff();
    const Place beside = place.beside(place.name() + ".msk");  // as GDAL writes a mask into a file of its own
    if (layout.mask != 0)
      mask = std::make_unique<State>(place, layout.mask, most_cached / kShareOfMask);
    else if (is_file(beside))
      take_mask(beside);
  }
  State(const Place& place, std::uint64_t directory, std::size_t most)
      : bytes(place), stream(bytes), most_cached(most) {
    layout = geotiff::read_layout(bytes, directory, facts);
    open_tiff();
  }

  void take_mask(const Place& beside) {
    mask = std::make_unique<State>(beside, most_cached / kShareOfMask);
    if (mask->facts.rows != facts.rows || mask->facts.columns != facts.columns)
      mask->bytes.refuse(concat("has ", mask->facts.columns, " x ", mask->facts.rows, " pixels, but ", bytes.path(),
                                ", which it hides, has ", facts.columns, " x ", facts.rows, "; make it again"));
    facts.hidden_by = beside.path();
  }

  /// libtiff sees the directory that was looked at, and must understand the same by it.
  void open_tiff() {
    if (layout.packing == Packing::none) {
      most_cached = std::min(most_cached, kMostUnpacked);  // to read again is cheap
      return;
    }
    tiff = std::make_unique<TiffHandle>(stream, bytes.path(), "rhmc", kLargestAllocation);
    if (stream.failure) std::rethrow_exception(stream.failure);
    TIFF* file = tiff->tiff();
    if (file == nullptr || TIFFSetSubDirectory(file, layout.directory) != 1) broken("its directory");
    const auto wanted_rows = static_cast<std::uint64_t>(facts.tile_rows);
    const std::uint64_t chunk = facts.tiled ? TIFFTileSize64(file) : TIFFStripSize64(file);
    const std::uint32_t chunks = facts.tiled ? TIFFNumberOfTiles(file) : TIFFNumberOfStrips(file);
    if ((TIFFIsTiled(file) != 0) != facts.tiled || chunks != layout.offsets.size() ||
        chunk != layout.stored_row_bytes() * wanted_rows)
      bytes.damaged("has a directory that contradicts itself");
  }

  [[noreturn]] void broken(const std::string& what) const {
    if (stream.failure) std::rethrow_exception(stream.failure);
    const std::string reason = tiff->error().empty() ? "" : " (" + tiff->error() + ")";
    bytes.damaged(concat("has a piece that cannot be unpacked, ", what, reason));
  }

  std::uint64_t rows_of_chunk(std::uint64_t row) const {
    const auto high = static_cast<std::uint64_t>(facts.tile_rows);
    return facts.tiled ? high : std::min(high, static_cast<std::uint64_t>(facts.rows) - row * high);
  }

  /// The bytes of a chunk as numbers of this machine.
  const AlignedVector<char>& chunk_at(std::uint64_t chunk) {
    const auto found = cached.find(chunk);
    if (found != cached.end()) {
      order.splice(order.begin(), order, found->second.place);
      return found->second.bytes;
    }
    const std::uint64_t row = chunk / layout.across % layout.down, size = layout.row_bytes * rows_of_chunk(row);
    AlignedVector<char> unpacked;
    while (!order.empty() && held + size > most_cached) {  // its memory is used again
      const auto last = cached.find(order.back());
      held -= last->second.bytes.size();
      unpacked = std::move(last->second.bytes);
      cached.erase(last);
      order.pop_back();
    }
    unpacked.resize(layout.in_bits ? layout.stored_row_bytes() * rows_of_chunk(row) : size);
    unpack(chunk, row, unpacked);
    if (layout.in_bits) unpacked = bytes_of_bits(unpacked, size);
    order.push_front(chunk);
    held += size;
    return cached.emplace(chunk, Kept{std::move(unpacked), order.begin()}).first->second.bytes;
  }

  /// What is not packed is read row by row, unless one read for all of a small piece is faster: where more than a few
  /// of its pixels or many of its rows are wanted, or it is there.
  bool is_taken_whole(std::uint64_t chunk, Index rows, Index columns) const {
    if (layout.packing != Packing::none || layout.in_bits) return true;
    const std::uint64_t size = layout.row_bytes * static_cast<std::uint64_t>(facts.tile_rows);
    return size <= kSmallPiece && (8 * rows * columns > facts.tile_rows * facts.tile_columns ||
                                   kLikeOneRow * static_cast<std::uint64_t>(rows) >= size || cached.contains(chunk));
  }

  /// Rows of bits, each of whole bytes and its first pixel the highest bit, as a byte a pixel.
  AlignedVector<char> bytes_of_bits(const AlignedVector<char>& bits, std::uint64_t size) const {
    AlignedVector<char> spread(size);
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t row = i / layout.row_bytes, column = i % layout.row_bytes;
      const auto eight = static_cast<unsigned char>(bits[row * layout.stored_row_bytes() + column / 8]);
      spread[i] = static_cast<char>((eight >> (7 - column % 8)) & 1U);
    }
    return spread;
  }

  /// NaN where the mask or the alpha band is 0.
  template <typename Number>
  void hide(const Window& window, std::span<const Index> wanted, Number* values) {
    std::vector<float> shown(window.pixels());
    const auto apply = [&](State& from, Index band) {
      from.read(window, std::array<Index, 1>{band}, shown.data(), Reading::stored);
      for (std::size_t k = 0; k < wanted.size(); ++k)
        for (std::size_t i = 0; i < shown.size(); ++i)
          if (shown[i] == 0 && !(&from == this && wanted[k] == band))
            values[k * shown.size() + i] = std::numeric_limits<Number>::quiet_NaN();
    };
    if (mask) apply(*mask, 0);
    for (std::size_t band = 0; band < facts.bands.size(); ++band)
      if (facts.bands[band].is_alpha) apply(*this, static_cast<Index>(band));
  }

  template <typename Number>
  void read(const Window& window, std::span<const Index> bands, Number* values, Reading reading);

  void unpack(std::uint64_t chunk, std::uint64_t row, AlignedVector<char>& to) {
    if (layout.packing == Packing::none) {
      bytes.read(layout.offsets[chunk], to.size(), to.data());
      const std::size_t each = bytes_of(facts.sample);
      if (bytes.is_swapped()) swap_numbers(to.data(), to.size() / each, each);
      return;
    }
    const auto number = static_cast<std::uint32_t>(chunk);
    const auto size = static_cast<tmsize_t>(to.size());
    const tmsize_t done = facts.tiled ? TIFFReadEncodedTile(tiff->tiff(), number, to.data(), size)
                                      : TIFFReadEncodedStrip(tiff->tiff(), number, to.data(), size);
    if (done != size)
      broken(concat(facts.tiled ? "the tile" : "the strip", " at row ",
                    row * static_cast<std::uint64_t>(facts.tile_rows), ", column ",
                    chunk % layout.across * static_cast<std::uint64_t>(facts.tile_columns)));
  }

  struct Kept {
    AlignedVector<char> bytes;
    std::list<std::uint64_t>::iterator place;
  };

  TiffBytes bytes;
  ReadStream stream;
  RasterFacts facts;
  TiffLayout layout;
  std::unique_ptr<TiffHandle> tiff;
  std::unique_ptr<State> mask;
  std::unordered_map<std::uint64_t, Kept> cached;
  std::list<std::uint64_t> order;  ///< used last first
  std::size_t most_cached, held = 0;
  std::vector<char> row_buffer;
};

namespace {

/// The part of a window that lies in the chunks of one place.
struct Part {
  Index row = 0, column = 0, rows = 0, columns = 0;  ///< in the raster
  Index in_row = 0, in_column = 0;                   ///< in the chunk
};

Part part_of(const RasterFacts& facts, const Window& window, Index down, Index across) {
  Part part;
  part.row = std::max(window.row, down * facts.tile_rows);
  part.column = std::max(window.column, across * facts.tile_columns);
  part.rows = std::min(window.row + window.rows, (down + 1) * facts.tile_rows) - part.row;
  part.columns = std::min(window.column + window.columns, (across + 1) * facts.tile_columns) - part.column;
  part.in_row = part.row - down * facts.tile_rows;
  part.in_column = part.column - across * facts.tile_columns;
  return part;
}

Meaning meaning_of(const RasterFacts& facts, Index band, Reading reading) {
  const BandFacts& known = facts.bands[band];
  return {reading == Reading::stored, known.scale, known.offset, facts.missing};
}

}  // namespace

RasterReader::RasterReader(const Place& place, std::size_t cache) : state_(std::make_unique<State>(place, cache)) {}
RasterReader::~RasterReader() = default;
RasterReader::RasterReader(RasterReader&&) noexcept = default;
RasterReader& RasterReader::operator=(RasterReader&&) noexcept = default;
const std::string& RasterReader::path() const { return state_->bytes.path(); }
const RasterFacts& RasterReader::facts() const { return state_->facts; }

template <typename Number>
void RasterReader::State::read(const Window& window, std::span<const Index> bands, Number* values, Reading reading) {
  const std::size_t each = bytes_of(facts.sample), step = each * layout.samples;
  const auto convert_row = [&](const Part& part, Index row, const char* from, std::size_t k) {
    Number* to = values + (static_cast<Index>(k) * window.rows + part.row + row - window.row) * window.columns +
                 part.column - window.column;
    take_numbers(facts.sample, from, step, part.columns, meaning_of(facts, bands[k], reading), to);
  };
  const auto fill_part = [&](const Part& part, std::size_t k) {  // a chunk that was never written
    const Number none = reading == Reading::meant ? std::numeric_limits<Number>::quiet_NaN()
                                                  : static_cast<Number>(facts.missing.value_or(0));
    for (Index row = 0; row < part.rows; ++row)
      std::fill_n(values + (static_cast<Index>(k) * window.rows + part.row + row - window.row) * window.columns +
                      part.column - window.column,
                  part.columns, none);
  };
  const auto read_part = [&](const Part& part, std::uint64_t chunk, std::size_t k, std::size_t sample) {
    if (layout.sizes[chunk] == 0) return fill_part(part, k);
    const std::size_t first = part.in_column * step;
    if (is_taken_whole(chunk, part.rows, part.columns)) {
      const char* from = chunk_at(chunk).data() + first + sample * each;
      for (Index row = 0; row < part.rows; ++row)
        convert_row(part, row, from + (part.in_row + row) * layout.row_bytes, k);
      return;
    }
    row_buffer.resize(part.columns * step);
    for (Index row = 0; row < part.rows; ++row) {
      bytes.read(layout.offsets[chunk] + (part.in_row + row) * layout.row_bytes + first, row_buffer.size(),
                 row_buffer.data());
      if (bytes.is_swapped()) swap_numbers(row_buffer.data(), row_buffer.size() / each, each);
      convert_row(part, row, row_buffer.data() + sample * each, k);
    }
  };
  const auto across = static_cast<Index>(layout.across), down = static_cast<Index>(layout.down);
  for (Index r = window.row / facts.tile_rows; r * facts.tile_rows < window.row + window.rows; ++r)
    for (Index c = window.column / facts.tile_columns; c * facts.tile_columns < window.column + window.columns; ++c)
      for (std::size_t k = 0; k < bands.size(); ++k) {
        const Index plane = facts.band_by_band ? bands[k] : 0;
        const Index chunk = (plane * down + r) * across + c;
        read_part(part_of(facts, window, r, c), static_cast<std::uint64_t>(chunk), k,
                  facts.band_by_band ? 0 : bands[k]);
      }
}

template <typename Number>
void RasterReader::read(const Window& window, std::span<const Index> bands, Number* values, Reading reading) const {
  const RasterFacts& facts = state_->facts;
  require(window.row >= 0 && window.column >= 0 && window.rows >= 0 && window.columns >= 0 &&
              window.rows <= facts.rows - window.row && window.columns <= facts.columns - window.column,
          "RasterReader: the window at row ", window.row, ", column ", window.column, " of ", window.rows, " x ",
          window.columns, " pixels is not within ", path(), ", which has ", facts.rows, " x ", facts.columns, ".");
  for (const Index band : bands)
    require(band >= 0 && band < static_cast<Index>(facts.bands.size()), "RasterReader: band ", band, " is asked of ",
            path(), ", which has ", facts.bands.size(), ", counted from 0.");
  if (window.pixels() == 0) return;
  state_->read(window, bands, values, reading);
  if (reading == Reading::meant) state_->hide(window, bands, values);
}

template void RasterReader::read(const Window&, std::span<const Index>, float*, Reading) const;
template void RasterReader::read(const Window&, std::span<const Index>, double*, Reading) const;

}  // namespace fovea::datasets::rasters
