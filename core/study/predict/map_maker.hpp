#pragma once
/// A learned question whose models answer for images, too: with a map in place of rows. The study derives from this,
/// and `fovea predict` asks it.

#include <cstddef>
#include <string>
#include <vector>

#include "fovea/core/study/study.hpp"

namespace fovea::study {

class MapMaker {
 public:
  struct Request {
    std::string data, output;       ///< what is predicted; where to
    std::string model, model_hash;  ///< the model's file, for messages, and the hash of its content
    std::vector<std::string> set;   ///< KEY=VALUE of keys that say how files are read
    std::size_t memory = 0;         ///< bytes that the process may take
  };
  virtual ~MapMaker() = default;
  /// Whether such an output is a map; else rows go there.
  virtual bool is_map(const std::string& output) const = 0;
  /// Reads the data, writes the maps, each whole or not at all; sentences about both come back. Who was stopped goes on
  /// where it was. Throws DataError, ConfigError, StorageError, Interrupted.
  virtual std::vector<std::string> write_maps(const TrainedModel& model, const Request& request) const = 0;
};

/// The model's config with new files in place of those of the training, and what is set of how they are read. Throws
/// ConfigError as Study::predict() does.
Config config_of_new_files(const LearnedTask& task, const Config& config, const std::string& data,
                           const PredictOptions& options);

}  // namespace fovea::study
