#pragma once
/// What filling a gap is worth: the hidden truth against what is said of it, and the page.

#include <array>
#include <optional>
#include <vector>

#include "fovea/core/data/results.hpp"
#include "fovea/domains/fusion/gapfill/gap_model.hpp"

namespace fovea::fusion::gapfill {

inline constexpr std::array<const char*, 3> kMethods{"attention", "linear", "nearest"};

/// PSNR (range 1) and mean absolute error over all bands, spectral angle in degrees; one for each of kMethods.
struct TaskScore {
  GapTask task;
  Index pixels = 0;
  std::array<double, 3> psnr{}, error{}, angle{};
  double covered = 0;       ///< share of the true values within 1.645 spread
  double ground_error = 0;  ///< simulated: root mean square distance from the ground without noise
};

/// A task that was answered: what is hidden, and what is said of it.
struct AnsweredTask {
  TaskScore score;
  std::vector<Index> hidden;
  FilledGap filled;
};

/// `visible`: what may be seen of the target date; frames of given dates see all that is clear there.
AnsweredTask answer_task(const GapModel& model, const ImageStack& stack, const Matrix<float>& seasons,
                         const std::vector<Flags>& visible, const GapTask& task, const GapRules& rules);

/// Arrays over "task", means with intervals over tasks, figures, headlines.
void report_tasks(const ImageStack& stack, const std::vector<AnsweredTask>& answered, const Random& random,
                  Results& results);

}  // namespace fovea::fusion::gapfill
