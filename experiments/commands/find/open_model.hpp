#pragma once
/// A trained model from a run directory or a file, as the commands predict, inspect and export need it.

#include <string>

#include "fovea/core/base/place.hpp"
#include "fovea/core/data/dataset.hpp"
#include "fovea/core/lab/experiment_catalogue.hpp"
#include "fovea/core/lab/predictor.hpp"

namespace fovea::command {

/// A model file, and what applies it.
struct OpenModel {
  ModelFile file;
  Catalogue catalogue;
  const Predictor* predictor = nullptr;  ///< of an experiment in the catalogue
};

/// Throws DataError if a file does not start as HDF5 files do: the way out names what is wanted of a run directory.
void require_hdf5(const std::string& path, const std::string& wanted);

/// The file itself, or model.h5 of a run directory. Throws DataError where there is none; of a sweep it names points.
Place model_file(const std::string& path);

/// Whether a data set says that it is a model.
bool is_model(const Dataset& data);

/// Reads the file in a child process. output: what -o names. Throws DataError: what is wrong with it, and what to do.
OpenModel open_model(const std::string& path, const std::string& output = "");
OpenModel open_model(ModelFile file, const std::string& output = "");  ///< that was read already

}  // namespace fovea::command
