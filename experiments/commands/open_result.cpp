#include "fovea/experiments/commands/open_result.hpp"

#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/dataset_flags.hpp"
#include "fovea/core/lab/directory/run_directory.hpp"
#include "fovea/experiments/commands/find/open_model.hpp"

namespace fovea::command {

namespace fs = std::filesystem;

Place result_file(const std::string& path) {
  if (!fs::exists(path)) throw DataError(concat(path, ": there is no such file or folder."));
  require_hdf5(path, "result.h5");
  if (!fs::is_directory(path)) return path;
  const RunDirectory directory(path);
  for (const char* name : {".zgroup", ".zarray", "zarr.json"})
    if (fs::exists(fs::path(path) / name))
      throw DataError(concat(path, ": is a Zarr store, which is not read here; write it as netCDF-4, with xarray: ",
                             "open_zarr(...).to_netcdf(FILE)."));
  if (!exists(directory.result()))
    throw DataError(concat(path, ": contains no result.h5; if it is a run, finish it with: fovea resume ", path));
  return directory.result();
}

Results presented(const Dataset& data) {
  Results results;
  results.data = with_names(data);
  if (const auto found = data.documents.find("presentation"); found != data.documents.end())
    results.read_presentation(found->second);
  return results;
}

}  // namespace fovea::command
