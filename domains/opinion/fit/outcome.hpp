#pragma once
/// What opinion.fit computes for each window of a series, and what it writes and draws.

#include <vector>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/fit/one_window.hpp"

namespace fovea::opinion::fit {

struct FitPlan {
  WindowSettings settings;
  Explanation explanation = Explanation::attention;  ///< whose temperature is reported
  bool rivals = true;
  std::size_t window = 2, held_out = 1;  ///< in periods
  std::size_t stride = 0;                ///< from one window to the next; 0: a single window, at the beginning
  Index surface = 0;                     ///< points a side; 0: none
  int permutations = 499;                ///< see unchanging_p()
  bool preview = false;                  ///< no intervals: they might exclude those of the whole run
  bool truth_moves = false;              ///< the crowd was simulated, and moves: T and s have true values
};

struct ExplainedWindow {
  std::size_t first = 0;  ///< period
  Index nodes = 0;        ///< of the quadrature: plan.settings' or, where those do not resolve what decides, more
  Evidence evidence;
  FittedModel fitted;  ///< by plan.explanation
  FittedModel drawn;   ///< whose densities are drawn, see drawn_explanation()
  FittedNumber temperature, stubbornness;
  std::vector<double> log_likelihood;  ///< of each explanation, less that of the frozen one; NaN where not fitted
  double drift = kNan, growth = kNan;  ///< v and g of the drift alone; NaN where not fitted
  std::vector<double> held_out;        ///< mean log density of a person held out, less the frozen one's; NaN without
};

/// First periods of the windows: every stride, and one that ends with the series.
std::vector<std::size_t> window_starts(const FitPlan& plan, std::size_t periods);

/// Windows are independent of each other and shared among the threads; the bits do not depend on their number.
/// random: of the permutations.
std::vector<ExplainedWindow> explain_windows(const FitPlan& plan, const OpinionSeries& series, const Random& random,
                                             Workbench& bench);

void write_windows(const FitPlan& plan, const OpinionSeries& series, const std::vector<ExplainedWindow>& windows,
                   Results& results);

/// Checks against the truth, coverage over seeds, figures, verdict.
void conclude_fit(Results& merged);

}  // namespace fovea::opinion::fit
