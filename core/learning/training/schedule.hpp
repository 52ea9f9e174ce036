#pragma once
/// How fast to learn, and when.

#include <cstdint>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/data/archive.hpp"

namespace fovea::learning {

/// What becomes of the learning rate after the warm-up.
enum class RateCourse {
  constant,
  cosine,   ///< falls by half a cosine to `last_share` at the end (Loshchilov & Hutter 2017, without restarts)
  plateau,  ///< falls by `plateau_factor` whenever the loss has not improved for `plateau_epochs` epochs
};

struct ScheduleSettings {
  double learning_rate = 1e-3;  ///< the highest; > 0
  Index warm_up_steps = 0;      ///< step k = 0, 1, ... < warm_up_steps has the share (k + 1) / warm_up_steps
  RateCourse course = RateCourse::constant;
  double last_share = 0;         ///< cosine: of the learning rate, in [0, 1]
  double plateau_factor = 0.5;   ///< in (0, 1)
  Index plateau_epochs = 5;      ///< >= 1
  double smallest_share = 1e-3;  ///< plateau: never below this share, in [0, 1]
};

class Schedule {
 public:
  /// Throws ArgumentError for settings out of range.
  explicit Schedule(const ScheduleSettings& settings);
  /// The rate of step 0, 1, 2, ...; fraction: the part of the whole training that lies before it, in [0, 1].
  double rate(std::int64_t step, double fraction) const;
  /// At the end of each epoch, for the plateau: the loss that should fall.
  void observe(double loss);
  /// Saves or restores.
  void visit(Archive archive);

 private:
  ScheduleSettings settings_;
  double share_ = 1;  ///< of the plateau
  double best_;
  std::int64_t waiting_ = 0;  ///< epochs since the best
};

}  // namespace fovea::learning
