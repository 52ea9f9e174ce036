#pragma once
/// A GeoTIFF of any size, written window by window: tiled, band by band, DEFLATE, BigTIFF where it may pass 4 GB.
///
/// The bytes depend on the plan and the numbers alone, not on the windows, their order or the threads: tiles stand in
/// the file row by row, the bands of a tile one after the other. The file is written under a temporary name and renamed
/// by finish(), so that a reader, a crash or a full disk sees the old file or the whole new one.
///
/// With a resume key the temporary file is ".NAME.part", and ".NAME.part.tiles" lists its finished tiles with a
/// checksum each. Whoever opens the same place with the same plan and key goes on at first_row(); a list that does not
/// fit the file, or another plan, begins anew.

#include <memory>
#include <string>
#include <vector>

#include "fovea/core/base/place.hpp"
#include "fovea/datasets/rasters/raster.hpp"

namespace fovea::datasets::rasters {

struct RasterPlan {
  Index rows = 0, columns = 0;
  SampleType sample = SampleType::float32;
  std::vector<BandFacts> bands;
  Georeference place;        ///< written bit for bit
  std::string missing_text;  ///< GDAL_NODATA: "nan", "255"; "": none
  Index tile = 256;          ///< a multiple of 16
  std::string resume_key;    ///< what the numbers depend on (model, inputs); "": not resumable
};

/// Tiles that only wait for their turn in the file.
struct PackedTiles {
  std::vector<Index> numbers;
  std::vector<std::vector<std::string>> bands;  ///< of each
};

class RasterWriter {
 public:
  /// Throws ArgumentError for a plan that is none, StorageError if the disk refuses or another process writes there.
  RasterWriter(const Place& place, const RasterPlan& plan);
  /// What was not finished is taken away, or kept to go on where there is a resume key.
  ~RasterWriter();
  RasterWriter(const RasterWriter&) = delete;
  RasterWriter& operator=(const RasterWriter&) = delete;

  /// Rows before it are finished already; windows that lie there are passed over. 0 in a new file.
  Index first_row() const;

  /// values[bands x rows x columns] of a window. Each pixel is given once; windows in rows from above keep the memory
  /// to that of a row of tiles. NaN in whole numbers becomes the no-data number; without one, and for numbers that do
  /// not fit, it is an ArgumentError. Number: float, double or std::int32_t.
  template <typename Number>
  void write(const Window& window, const Number* values);

  /// write() in two steps, of which several threads may do the first at a time, on windows of their own.
  /// holds_whole_tiles: whether the window begins and ends at tiles or edges, as it must then.
  bool holds_whole_tiles(const Window& window) const;
  template <typename Number>
  PackedTiles packed(const Window& window, const Number* values) const;
  void put(PackedTiles tiles);

  /// Writes the directory, brings all to the disk and into place. ArgumentError if pixels are missing.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template void RasterWriter::write(const Window&, const float*);
extern template void RasterWriter::write(const Window&, const double*);
extern template void RasterWriter::write(const Window&, const std::int32_t*);
extern template PackedTiles RasterWriter::packed(const Window&, const float*) const;
extern template PackedTiles RasterWriter::packed(const Window&, const std::int32_t*) const;

}  // namespace fovea::datasets::rasters
