#pragma once
/// Stacks of images of several dates in HDF5.
///
/// Layouts ("[t, ...]" is the shape; a group or array in brackets may be absent):
///   stack     [s1/db [t, band, y, x], s1/time] [s2/r10m, s2/r20m [t, band, y, x], s2/time, s2/scl [t, y, x]]
///   [label/NAME [y, x]]
///             [split [y, x]]; bands in the attribute "bands", times in Unix seconds
///   netCDF-4  a variable [t, y, x] for each band (cf_stack.hpp): VV, VH, B02, ...; [SCL]

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/place.hpp"
#include "fovea/core/data/file/hdf5_rows.hpp"
#include "fovea/datasets/rasters/cf_stack.hpp"
#include "fovea/datasets/rasters/raster.hpp"
#include "fovea/datasets/rasters/units.hpp"

namespace fovea::datasets::rasters {

/// Images of one sensor on one grid. A value that is missing is NaN.
struct ImageSeries {
  std::string path;  ///< "/s2/r10m"
  std::vector<std::string> bands;
  std::vector<double> times;  ///< Unix seconds
  Index rows = 0, columns = 0;
  std::vector<CfBand> variables = {};  ///< netCDF: where each band is; else none
  std::string y = "/y", x = "/x";      ///< where the pixels' centres are
};

/// A stack of dates; images are read one date at a time.
class Stack {
 public:
  explicit Stack(const Place& place);
  const std::string& path() const { return file_.path(); }
  /// s1 in dB, s2 at 10 m, s2 at 20 m (10000 x reflectance): without dates where the file has none.
  const ImageSeries& s1() const { return s1_; }
  const ImageSeries& r10m() const { return r10m_; }
  const ImageSeries& r20m() const { return r20m_; }
  bool has_classes() const { return scl_ != nullptr; }
  const std::string& system() const { return system_; }  ///< "EPSG:32631", or ""
  bool is_netcdf() const { return netcdf_; }
  /// What was assumed, and that there are no scene classes, so that each value of S2 counts as clear.
  const std::vector<std::string>& notes() const { return notes_; }

  /// Finds in some dates what fills the images, so that it is no data, and whether S2 has the offset of processing
  /// baseline 04.00, before or from its day on: refused unless it is stated to be there, which is then taken away, or
  /// not (numbers). Throws DataError, also for what no sensor measures and values of S2 in no known unit.
  void settle_units(std::optional<OpticalUnit> stated);

  /// Whether a date that cannot be read has no data and stands in left_out(), or is refused with this way out; without
  /// it there is none.
  void may_leave_out(bool leave_out) { leaves_out_ = leave_out; }
  /// A date with a fault: its place is kept, or the fault thrown. Throws DataError also for more than half of the
  /// dates.
  void take_bad(const std::string& place, const DataError& fault) const;
  const std::vector<std::string>& left_out() const { return left_out_; }

  /// [bands x pixels] of a date. What the sensor cannot measure (units.hpp) is missing.
  Matrix<float> image(const ImageSeries& series, Index date) const;
  /// The scene classification of a date; empty without one.
  std::vector<std::int32_t> classes(Index date) const;
  /// A map such as "label/CT" or "split", and its size; DataError if it is not there.
  Matrix<std::int32_t> map(const std::string& name) const;
  bool is_map_of_bytes(const std::string& name) const;  ///< of numbers of 8 bits
  bool has_map(const std::string& name) const { return file_.find("/" + name) != nullptr; }

 private:
  ImageSeries series(const std::string& path, const std::string& times);
  Matrix<float> stored(const ImageSeries& series, Index date) const;
  void add_values(const ImageSeries& series, Index date, bool clear_alone, BandValues& bands) const;
  void take_fills_out(const char* sensor, BandValues& values, std::vector<Fill>& fills);
  void keep_values(const ImageSeries& series, Index date, Matrix<float>& values) const;
  void take_netcdf(const CfStack& found);
  Hdf5Rows file_;
  ImageSeries s1_, r10m_, r20m_;
  const Hdf5Entry* scl_ = nullptr;
  std::string system_;
  std::vector<std::string> notes_;
  bool netcdf_ = false, limited_ = true;
  std::array<bool, 2> offset_{};  ///< of S2, before the baseline and from it on
  std::vector<Fill> s1_fills_, s2_fills_;
  std::optional<bool> leaves_out_;
  mutable std::vector<std::string> left_out_;  // found while dates are read
};

}  // namespace fovea::datasets::rasters
