#include "fovea/core/learning/training/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/random_math.hpp"

namespace fovea::learning {

Schedule::Schedule(const ScheduleSettings& settings)
    : settings_(settings), best_(std::numeric_limits<double>::infinity()) {
  const ScheduleSettings& s = settings;
  require(s.learning_rate > 0 && std::isfinite(s.learning_rate), "schedule: the learning rate is ", s.learning_rate,
          ", but must be > 0.");
  require(s.warm_up_steps >= 0, "schedule: warm_up_steps = ", s.warm_up_steps, ", but must be >= 0.");
  require(s.last_share >= 0 && s.last_share <= 1, "schedule: last_share = ", s.last_share, ", but must be in [0, 1].");
  require(s.plateau_factor > 0 && s.plateau_factor < 1, "schedule: plateau_factor = ", s.plateau_factor,
          ", but must be in (0, 1).");
  require(s.plateau_epochs >= 1, "schedule: plateau_epochs = ", s.plateau_epochs, ", but must be >= 1.");
  require(s.smallest_share >= 0 && s.smallest_share <= 1, "schedule: smallest_share = ", s.smallest_share,
          ", but must be in [0, 1].");
}

double Schedule::rate(std::int64_t step, double fraction) const {
  double share = share_;
  if (settings_.course == RateCourse::cosine) {
    const double half_turn = 0.5 * std::clamp(fraction, 0.0, 1.0);
    share = settings_.last_share + (1 - settings_.last_share) * 0.5 * (1 + cosine_of_turn(half_turn));
  }
  if (step < settings_.warm_up_steps)
    share *= static_cast<double>(step + 1) / static_cast<double>(settings_.warm_up_steps);
  return settings_.learning_rate * share;
}

void Schedule::observe(double loss) {
  if (settings_.course != RateCourse::plateau) return;
  if (loss < best_) {
    best_ = loss;
    waiting_ = 0;
  } else if (++waiting_ >= settings_.plateau_epochs) {
    share_ = std::max(share_ * settings_.plateau_factor, settings_.smallest_share);
    waiting_ = 0;
  }
}

void Schedule::visit(Archive archive) {
  archive("share", share_);
  archive("best", best_);
  archive("waiting", waiting_);
}

}  // namespace fovea::learning
