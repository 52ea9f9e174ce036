#pragma once
/// Gaps: what is known around a hidden pixel in time, the tasks that score, and the holes that teach.

#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/domains/fusion/gapfill/image_stack.hpp"

namespace fovea::fusion::gapfill {

/// What each pixel showed before and after a date.
struct Frame {
  Matrix<float> before, after;  ///< [pixels x bands]
  std::vector<float> share;     ///< of `after` in the interpolation: (t - before) / (after - before)
  Flags known;                  ///< 1 where there is at least one of both; the other is then the same
  /// (1 - share) before + share after
  Matrix<float> interpolated() const;
  /// The nearer of both.
  Matrix<float> nearest() const;
};

/// From two dates; known where both are usable.
Frame frame_between(const ImageStack& stack, Index date, Index before, Index after, const std::vector<Flags>& usable);

/// Of each pixel the nearest usable date before and after, more than away_days from the date and at least so clear.
Frame nearest_frame(const ImageStack& stack, Index date, const std::vector<Flags>& usable, double away_days,
                    double least_clear);

/// Hide date `target` where date `mask` is not clear; dates `before` and `after` may be seen, -1: the nearest of each
/// pixel.
struct GapTask {
  Index target = 0, mask = 0, before = -1, after = -1;
};

/// A table target,mask_source,prev,next (numbers of dates from 0). Throws DataError with the row: a date that is not in
/// the stack, prev not before or next not after the target, a task that hides all or nothing that can be scored.
std::vector<GapTask> read_tasks(const std::string& path, const ImageStack& stack);

struct GapRules {
  double away_days = 15;                         ///< optical dates nearer than that are not seen in holes: clouds last
  double least_clear = 0.9;                      ///< of the dates that are seen before and after a hole
  double least_hidden = 0.1, most_hidden = 0.8;  ///< share of the pixels that a cloud mask hides
  Index least_pixels = 30;                       ///< of a hole, and visible around it
};

/// Pixels to fill of a date, and those that are visible.
struct Hole {
  Index target = 0, mask = 0;
  std::vector<Index> hidden, visible;
};

/// Holes in the shape of other dates' clouds, up to `each` a date; `usable`: pixels that may be hidden and seen. In the
/// order of dates. A function of its arguments.
std::vector<Hole> cut_holes(const ImageStack& stack, const std::vector<Flags>& usable, Index each,
                            const GapRules& rules, const Random& random);

/// Every third date that a hole can be cut into. May be empty.
std::vector<GapTask> made_tasks(const ImageStack& stack, const GapRules& rules, const Random& random);

/// The clear pixels of each date, less those that a task hides.
std::vector<Flags> visible_without(const ImageStack& stack, const std::vector<GapTask>& tasks);

}  // namespace fovea::fusion::gapfill
