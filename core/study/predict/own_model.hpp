#pragma once
/// An experiment whose model (Results::keep_model) is applied in a way of its own: to images, say, in place of cases.
/// The experiment derives from this, too; `fovea predict` and `fovea inspect` ask it.

#include <string>
#include <vector>

#include "fovea/core/data/dataset.hpp"

namespace fovea::study {

class OwnModel {
 public:
  struct Request {
    std::string data, output;  ///< what is predicted; where to
    bool rasters = false;      ///< pictures as files of their own, too
  };
  virtual ~OwnModel() = default;
  /// Reads the data, writes the output, whole or not at all; sentences about both come back. `source`: the model's
  /// file, for messages; nothing in it is believed. Throws DataError, StorageError.
  virtual std::vector<std::string> apply(const std::string& source, const Dataset& model,
                                         const Request& request) const = 0;
  /// What the model is, in lines. Throws DataError.
  virtual std::string describe(const std::string& source, const Dataset& model) const = 0;
};

}  // namespace fovea::study
