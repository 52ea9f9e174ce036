#include "fovea/experiments/commands/open_model.hpp"

#include <algorithm>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/lab/directory/run_directory.hpp"
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
                           ": holds no model.h5; only a finished run of a learned question leaves one. ",
                           "If it is not finished: fovea resume ", directory.path()));
  std::string named;
  for (std::size_t i = 0; i < std::min(points.size(), kMostNamed); ++i) named += (i == 0 ? "" : ", ") + points[i];
  throw DataError(concat(directory.path(), ": is a sweep; each of its ", points.size(),
                         " points has a model of its own, so name one: ", named,
                         points.size() > kMostNamed ? ", ..." : ""));
}

}  // namespace

Place model_file(const std::string& path) {
  if (!fs::exists(path)) throw DataError(concat(path, ": there is no such file or folder; give a model or its run."));
  if (!fs::is_directory(path)) return path;
  const RunDirectory directory(path);
  if (!exists(directory.model())) refuse_folder(directory);
  return directory.model();
}

bool is_model(const Dataset& data) {
  const auto kind = data.attributes.find("kind");
  return kind != data.attributes.end() && kind->second == "fovea model";
}

OpenModel open_model(const std::string& path) {
  const Place file = model_file(path);
  return open_model(file.path(), read_dataset(file));
}

OpenModel open_model(const std::string& file, const Dataset& data) {
  const std::string experiment = study::experiment_of_model(file, data);
  Catalogue catalogue = all_experiments();
  const Experiment* const found = catalogue.find(experiment);
  if (found == nullptr)
    throw DataError(
        concat(file, ": is a model of '", experiment,
               "', which this program does not have ('fovea list' shows what it has); use the program that made it."));
  const auto* const study = dynamic_cast<const study::Study*>(found);
  if (study == nullptr)
    throw DataError(
        concat(file, ": is said to be a model of '", experiment, "', which makes no models; train another."));
  study::TrainedModel model = study::read_model(file, data, study->task());
  return {file, content_hash(data), std::move(catalogue), study, std::move(model)};
}

}  // namespace fovea::command
