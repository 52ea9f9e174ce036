#pragma once
/// Small GeoTIFFs that tests make, byte by byte or by the writer.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fovea/datasets/rasters/raster_reader.hpp"
#include "fovea/datasets/rasters/raster_writer.hpp"

namespace fovea::support {

/// An entry of a directory: type 3, 4, 12 or 2 (text) and its values.
struct MadeTag {
  std::uint16_t type = 3;
  std::vector<double> numbers;
  std::string text;
  std::uint64_t claimed = 0;  ///< count in place of the true one
};

/// A TIFF of one unpacked strip, whose directory anybody may change before it is written.
struct MadeTiff {
  MadeTiff();
  std::map<std::uint16_t, MadeTag> tags;  ///< strip place and size are set when it is written
  std::string pixels;                     ///< of the strip
  bool swapped = false;                   ///< big-endian header and tags (and pixels as they are)
  std::uint32_t next = 0;                 ///< the next directory
  std::string bytes() const;
};

/// 1 m pixels from (500000, 5600000) in UTM 31 N.
datasets::rasters::Georeference made_place();
datasets::rasters::RasterPlan made_plan(Eigen::Index rows, Eigen::Index columns, datasets::rasters::SampleType sample,
                                        const std::vector<std::string>& bands);
/// Writes a raster whose pixel of band b, row r, column c is value(b, r, c), window by window.
void write_made_raster(const std::string& path, const datasets::rasters::RasterPlan& plan,
                       const std::function<double(Eigen::Index, Eigen::Index, Eigen::Index)>& value,
                       Eigen::Index window_rows = 64, Eigen::Index window_columns = 1 << 30);

/// All bands of a window.
std::vector<double> pixels_of(const datasets::rasters::RasterReader& reader, const datasets::rasters::Window& window,
                              datasets::rasters::Reading reading = datasets::rasters::Reading::stored);

void write_bytes(const std::string& path, const std::string& bytes);

/// What a program prints; nothing where it is not installed (said as a warning).
std::string printed_by(const std::string& command);
bool has_program(const std::string& name);

}  // namespace fovea::support
