#pragma once
/// The points of a sweep: every combination of the axes' values, the last axis fastest. "seed" is always an axis, the
/// last one, so that merged results always have that dimension.

#include <cstddef>
#include <string>
#include <vector>

#include "fovea/core/lab/open_inputs.hpp"

namespace fovea {

class Sweep {
 public:
  /// The config's seed must be set. A config without [sweep] is a sweep of one point.
  explicit Sweep(Config config);

  const std::vector<SweepAxis>& axes() const { return axes_; }
  std::size_t size() const { return size_; }
  std::vector<std::size_t> index(std::size_t point) const;  ///< where the point stands on each axis
  /// The config of one point, as if it were given alone: no sweep; no title either, so that sweeps with different
  /// titles share their points.
  Config config(std::size_t point) const;
  /// Makes the config of a point that of another one: a copy costs as much as all of its keys.
  void move_to(std::size_t point, Config& config) const;
  std::string label(std::size_t point) const;  ///< "temperature = 0.1, seed = 3"

 private:
  Config config_;
  std::vector<SweepAxis> axes_;
  std::size_t size_ = 1;
};

/// A value as a person writes it: 0.1, true, "text".
std::string to_text(const ConfigValue& value);

/// The experiment's rules between keys, for every point of the config; then its input files, once for all points that
/// read the same. What was opened stays in `inputs`. Throws ConfigError with the first 20 mistakes, DataError,
/// StorageError.
void check_points(const Experiment& experiment, const Config& config, OpenInputs& inputs);

}  // namespace fovea
