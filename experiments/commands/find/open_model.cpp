#include "fovea/experiments/commands/find/open_model.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/lab/directory/run_directory.hpp"
#include "fovea/core/study/trained/model_file.hpp"
#include "fovea/domains/registry.hpp"

namespace fovea::command {

namespace {

namespace fs = std::filesystem;

/// The points of a sweep that have a model, in alphabetical order.
std::vector<std::string> points_with_model(const RunDirectory& directory) {
  std::vector<std::string> points;
  for (const std::string& name : names_in(directory.points())) {
    const RunDirectory point(directory.points() / name);
    if (is_file(point.model())) points.push_back(point.path());
  }
  return points;
}

[[noreturn]] void refuse_folder(const RunDirectory& directory) {
  constexpr std::size_t kMostNamed = 3;
  const std::vector<std::string> points = points_with_model(directory);
  if (points.empty())
    throw DataError(concat(directory.path(),
                           ": contains no model.h5; only a finished run of a learned question has one. ",
                           "If it is not finished: fovea resume ", directory.path()));
  std::string named;
  for (std::size_t i = 0; i < std::min(points.size(), kMostNamed); ++i) named += (i == 0 ? "" : ", ") + points[i];
  throw DataError(concat(directory.path(), ": is a sweep, and each of its ", points.size(),
                         " points has its own model; give one of them: ", named,
                         points.size() > kMostNamed ? ", ..." : ""));
}

}  // namespace

void require_hdf5(const std::string& path, const std::string& wanted) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  if (!fs::is_regular_file(path)) return;  // refused by its reader
  std::string start(kSignature.size(), '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), std::ssize(start));
  if (start != kSignature)
    throw DataError(concat(path, ": is no HDF5 file; give a run directory or the ", wanted, " in it."));
}

Place model_file(const std::string& path) {
  if (!fs::exists(path))
    throw DataError(concat(path, ": there is no such file or folder; give a run directory or the model.h5 in it."));
  require_hdf5(path, "model.h5");
  if (!fs::is_directory(path)) return path;
  const RunDirectory directory(path);
  if (!exists(directory.model())) refuse_folder(directory);
  return directory.model();
}

bool is_model(const Dataset& data) {
  const auto kind = data.attributes.find("kind");
  return kind != data.attributes.end() && kind->second == "fovea model";
}

OpenModel open_model(const std::string& path, const std::string& output) {
  const Place file = model_file(path);
  return open_model(ModelFile{file.path(), read_dataset(file)}, output);
}

OpenModel open_model(ModelFile file, const std::string& output) {
  const std::string experiment = study::experiment_of_model(file.path, file.content);
  Catalogue catalogue = all_experiments();
  const Experiment* const found = catalogue.find(experiment);
  if (found == nullptr)
    throw DataError(
        concat(file.path, ": is a model of '", experiment,
               "', which is not in this program (see: fovea list experiments); use the program that trained it."));
  const Predictor* const predictor = found->predictor(output);
  if (predictor == nullptr)
    throw DataError(concat(file.path, ": names '", experiment,
                           "' as its experiment, which trains no models; train the model again."));
  return {std::move(file), std::move(catalogue), predictor};
}

}  // namespace fovea::command
