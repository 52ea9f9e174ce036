#pragma once
/// Stacks of dates as netCDF-4 has them (CF conventions, Eaton et al. 2011): a variable [t, y, x] for each band, such
/// as xarray and openEO write. Files of netCDF-4 are HDF5.

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/data/file/hdf5_rows.hpp"

namespace fovea::datasets::rasters {

/// One band of all dates: number = stored * scale + offset, and missing where stored is one of `missing` (compared in
/// float where the file has that) or no number.
struct CfBand {
  std::string name;  ///< "B02", "VV"
  std::string path;  ///< "/S2-L2A-B02"
  double scale = 1, offset = 0;
  std::vector<double> missing;  ///< _FillValue and missing_value
  bool in_float = false;        ///< stored as 4 bytes
  double wrap = 0;              ///< added to what is below 0: numbers without sign, stored as signed ones
};

/// Bands of one sensor on one grid.
struct CfSeries {
  std::vector<CfBand> bands;
  std::vector<double> times;  ///< Unix seconds
  Index rows = 0, columns = 0;
  std::string y = "/y", x = "/x";  ///< paths of the axes
};

/// What a file has. A name may begin with the collection: the last word behind '-' is the band's (B1 or B01 to B12,
/// B8A, VV, VH, SCL; small letters, too). Backscatter is dB. Reflectances are turned into 10000 x, as the other stacks
/// have them: whole numbers without a scale_factor, and reals of which more than one of 100 is above 2, are taken as
/// they are; all else times 10000.
struct CfStack {
  CfSeries s1, fine, coarse;            ///< of S2 the grid with most pixels, and another one
  std::string classes;                  ///< path of SCL, or ""
  std::string system;                   ///< "EPSG:32631", or ""
  std::vector<std::string> notes = {};  ///< what was assumed
};

/// Nothing where no variable is a band. Throws DataError with file, variable and rule: variables of one sensor with
/// different dates, axes in another order than t, y, x, S2 on three grids, no time axis, units of time that are not
/// "UNIT since DATE", another calendar.
std::optional<CfStack> cf_stack(const Hdf5Rows& file);

/// "seconds since 2017-08-04 10:53:28 +01:00" as the seconds of a unit and the Unix seconds of its zero; nothing for
/// other texts. Before 15 October 1582 the standard calendar is Julian, "proleptic_gregorian" is not.
struct CfTime {
  double unit = 1, zero = 0;
};
std::optional<CfTime> cf_time(const std::string& units, const std::string& calendar = "standard");

/// The number that a band stores so; NaN where it is missing.
double decoded_number(const CfBand& band, double stored);

}  // namespace fovea::datasets::rasters
