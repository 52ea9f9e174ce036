#pragma once
/// A trained model from a run directory or a file, as the commands predict, inspect and export need it.

#include <optional>
#include <string>

#include "fovea/core/base/place.hpp"
#include "fovea/core/data/dataset.hpp"
#include "fovea/core/lab/experiment_catalogue.hpp"
#include "fovea/core/study/predict/own_model.hpp"
#include "fovea/core/study/study.hpp"

namespace fovea::command {

/// A model that was read, checked and built again.
struct OpenModel {
  std::string file;
  std::string hash;  ///< of the file's content; the run's result has it as /model_hash
  Catalogue catalogue;
  const study::Study* study = nullptr;  ///< in the catalogue
  study::TrainedModel model;
};

/// Throws DataError if a file does not start as HDF5 files do: the way out names what is wanted of a run directory.
void require_hdf5(const std::string& path, const std::string& wanted);

/// The file itself, or model.h5 of a run directory. Throws DataError where there is none; of a sweep it names points.
Place model_file(const std::string& path);

/// Whether a data set says that it is a model.
bool is_model(const Dataset& data);

/// Reads the file in a child process. Throws DataError: what is wrong with it, and what to do.
OpenModel open_model(const std::string& path);
OpenModel open_model(const std::string& file, const Dataset& data);  ///< that was read from the file already

/// A model that its experiment applies itself (core/study/predict/own_model.hpp).
struct OpenOwnModel {
  std::string file;
  Dataset data;
  Catalogue catalogue;
  const study::OwnModel* experiment = nullptr;  ///< in the catalogue

  std::string text() const { return experiment->describe(file, data); }
};

/// The model in a data set, if it is one of these; nothing for a model of a learned question. Throws DataError for what
/// is no model.
std::optional<OpenOwnModel> own_model(const std::string& file, const Dataset& data);

}  // namespace fovea::command
