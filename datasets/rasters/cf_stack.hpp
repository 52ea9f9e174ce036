#pragma once
/// Stacks of dates as netCDF-4 has them (CF conventions, Eaton et al. 2011): a variable [t, y, x] for each band, such
/// as xarray and openEO write. Files of netCDF-4 are HDF5.

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/data/file/hdf5_rows.hpp"

namespace fovea::datasets::rasters {

/// One band of all dates: number = stored * scale + offset, and missing where stored is `missing` or no number.
struct CfBand {
  std::string name;  ///< "B02", "VV"
  std::string path;  ///< "/S2-L2A-B02"
  double scale = 1, offset = 0;
  std::optional<double> missing;
};

/// Bands of one sensor on one grid.
struct CfSeries {
  std::vector<CfBand> bands;
  std::vector<double> times;  ///< Unix seconds
  Index rows = 0, columns = 0;
};

/// What a file has. A name may begin with the collection: the last word behind '-' is the band's (B01 to B12, B8A, VV,
/// VH, SCL). Backscatter is dB; reflectances are turned into 10000 x, as the other stacks have them: by 10000 where
/// they are packed with a scale_factor or are reals, else they are taken as they are.
struct CfStack {
  CfSeries s1, fine, coarse;  ///< of S2 the grid with most pixels, and another one
  std::string classes;        ///< path of SCL, or ""
  std::string system;         ///< "EPSG:32631", or ""
};

/// Nothing where no variable is a band. Throws DataError with file, variable and rule: variables of one sensor with
/// different dates, S2 on three grids, no time axis, units of time that are not "UNIT since DATE", another calendar.
std::optional<CfStack> cf_stack(const Hdf5Rows& file);

/// "seconds since 2017-08-04 10:53:28" as the seconds of a unit and the Unix seconds of its zero; nothing for other
/// texts.
struct CfTime {
  double unit = 1, zero = 0;
};
std::optional<CfTime> cf_time(const std::string& units);

}  // namespace fovea::datasets::rasters
