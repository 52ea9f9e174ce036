#pragma once
/// What opinion.fit is fitted to: a series of samples, simulated with a known truth or read from a file.

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/domains/opinion/fit/model.hpp"
#include "fovea/domains/opinion/survey/answers.hpp"

namespace fovea::opinion::fit {

struct OpinionSeries {
  std::vector<double> times;                       ///< of the periods: 0, 1, ... or years
  std::vector<std::vector<double>> samples;        ///< one a period
  std::vector<std::vector<std::int64_t>> persons;  ///< who each value is of; empty: everybody is measured once
  std::vector<std::vector<double>> weights{};      ///< of the respondents; empty: all alike
  std::vector<Index> gaps{};         ///< from each period to the next, in units of the least; empty: 1 each
  AnswerGrid grid{};                 ///< on which answers are given; empty: they are continuous
  std::vector<std::string> notes{};  ///< on what was read
  std::vector<double> stayed;        ///< share of a sample that was in the one before; NaN where that is not known
};

struct SimulatedTruth {
  std::string scenario = "own";  ///< of scenario_names(); another one sets T, s, drift and growth
  double temperature = 0.15;
  double stubbornness = 0.1;
  double drift = 0;         ///< of all opinions a period
  double growth = 0;        ///< of the logarithm of the distances from the mean, a period
  double noise = 0.1;       ///< standard deviation of the error of a measurement
  double separation = 1.2;  ///< distance of the two normal halves of the crowd at period 0
  double spread = 0.5;      ///< standard deviation of each
  Index agents = 2000;
  Index periods = 12;
  Index sample = 2500;  ///< measurements a period
  double turnover = 1;  ///< probability that a place of the sample is filled anew from the crowd each period
  Index steps_per_period = 1;
  Index points =
      0;  ///< of the scale on which answers are given, its ends at +-(separation / 2 + 2 spread); 0: continuous
  bool has_influence() const { return temperature > kDeaf && stubbornness < 1; }
  bool moves() const { return has_influence() || (temperature > kDeaf && (drift != 0 || growth != 0)); }
  static constexpr double kDeaf = 1e-9;  ///< temperature at which everybody hears himself alone
};

/// "own", five crowds without influence (answers heaped at the ends whose shares move in straight lines, a drift, a
/// growth, a scale upside down and a sample from the upper half from the middle period on), five with it.
std::vector<std::string> scenario_names();

SimulatedTruth with_scenario(SimulatedTruth truth);

/// A crowd of agents (the quantiles of the start, so that the truth is that of an infinite crowd) moves by
/// LineAttention; each period measures agents drawn with replacement. Shares nothing with fit_model.cpp.
OpinionSeries simulated_series(const SimulatedTruth& truth, const Random& random);

/// The periods first to last of a chamber, see read_ideal_points(); times are years. Throws DataError where fewer than
/// two periods are there.
OpinionSeries senate_series(const std::string& path, const std::string& chamber, std::int64_t first, std::int64_t last);

/// Mean and standard deviation over all samples.
struct SeriesScale {
  double mean = 0, sd = 0;
};
SeriesScale scale_of(const OpinionSeries& series);

/// The points of a scale where answers lie on one: at most 101 different values, each given ten times on the average,
/// and the points between them that nobody chose where all lie at whole multiples of their least distance (to 201
/// points). Empty for what is continuous.
AnswerGrid grid_of(const OpinionSeries& series);

/// The place of an answer among a scale's points: from `low` by `step` to `high` or just beyond.
AnswerGrid even_grid(double low, double high, double step);

/// Gaps between ascending times, as whole multiples of a unit: of whole times their greatest common divisor, else the
/// least gap or a part of it to which all gaps are multiples within a tenth of the unit. Empty where all gaps are alike
/// within a tenth of their mean. A series longer than 1000 units gets a unit of a thousandth of its length, and no gap
/// less than one.
std::vector<Index> gaps_between(const std::vector<double>& times);

struct SurveyPlan {
  survey::AnswerColumns columns;
  std::string only = {};    ///< the group of columns.by whose rows count, as in "DE"; "": all, where there is one
  bool continuous = false;  ///< answers have no grid, whatever they look like
  double cell = 0;          ///< width of the cells in which answers are counted, from the lower end on; 0: the grid,
                            ///< or where answers heap on whole multiples of 2, 5 or 10 steps, cells about these
};

/// Reads the table by survey::read_answers(), in_time. Waves ascend. `grid` is what grid_of() finds, drawn out to the
/// ends of the scale. Throws DataError as that does, and "FILE: ..." for several groups without `only`, fewer than two
/// waves, a wave of fewer than 10 answers, and answers that all agree. Throws StorageError.
OpinionSeries survey_series(const std::string& path, const SurveyPlan& plan);

}  // namespace fovea::opinion::fit
