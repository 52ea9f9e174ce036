#pragma once
/// Estimates with intervals, null models and changes between waves.

#include <functional>
#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/data/archive.hpp"
#include "fovea/domains/opinion/measure/ties.hpp"
#include "fovea/domains/opinion/measures/weighted.hpp"

namespace fovea::opinion::measure {

struct Estimate {
  double value = 0;
  double low = 0,
         high = 0;  ///< interval; NaN of a single unit, and where nearly all draws lie on one side of the value
  double null_mean = 0, null_low = 0, null_high = 0;  ///< of the null model; NaN where there is none
  double p = 0;  ///< share of the null model's draws at least as far from their median on this side, twice; at most 1;
                 ///< of sides the share of the shuffles that set them at least as far apart
  double least_p = 1;  ///< that its draws can give (least_value.hpp)
};

/// From the wave before to this one, of the same place.
struct Change {
  std::size_t from = 0, to = 0;  ///< groups
  std::vector<Estimate> of;      ///< each measure; without a null model
};

/// The numbers of a draw.
struct Draw : std::vector<double> {
  void visit(const Archive& archive) { archive("numbers", static_cast<std::vector<double>&>(*this)); }
};
using Draws = std::vector<Draw>;

/// What a run that is taken up goes on from.
struct DrawsDone {
  Draws answers, answers_null, ties;
  void visit(const Archive& archive) {
    archive("answers", answers);
    archive("answers_null", answers_null);
    archive("ties", ties);
  }
};

inline constexpr Index kUsualDraws = 1000, kUsualNullDraws = 200;

struct Plan {
  Index draws = -1, null_draws = -1;  ///< 0: no intervals; no null model; below 0: see plan_draws()
  double level = 0.95;
  Index hubs = 10;
  measures::LineSettings line = {};
  std::function<void(double)> progress = {};  ///< called now and then with a share between from and to; may throw
  double from = 0, to = 1;
  Index block = 32;           ///< draws between two words on the progress
  double seconds = 0;         ///< what all draws take about, on one core
  DrawsDone* done = nullptr;  ///< where they are kept, and those that were done before; nullptr: nowhere
};

/// Sets the draws that are below 0: the usual ones, but no more than take about five minutes of one core for the
/// intervals and as long for the null model, and no fewer than a fifth of them. By numbers of rows, groups and edges
/// alone, so that they are the same on every machine. Also sets seconds and block.
void plan_draws(const Answers* answers, const Ties* ties, Plan& plan);

struct Estimates {
  std::vector<std::string> names;            ///< of the measures
  std::vector<std::vector<Estimate>> group;  ///< each group's, in this order
  std::vector<Change> changes;
};

/// Of a column of answers: line_measures(), and with sides (each row's, -1 for none) side_measures() behind them.
///
/// Intervals: rows are drawn again within their group, or with respondents whole units over all groups (Efron 1979),
/// design weights kept; the ends are bias-corrected percentiles (Efron 1981, Can. J. Stat. 9, 139).
/// Null model: of several groups the rows are shuffled over the groups, where there are waves over those of the same
/// place: the same answers, weights and sizes of groups. Of a single group: a normal opinion of the same mean and
/// standard deviation, rounded to the steps of the scale, the tails in its ends; as many as the effective number of
/// respondents (Kish 1965); mean, sd and variance are then given and have no null.
/// Measures of sides: their null model shuffles the sides over the rows of each group. Draws differ more than people
/// do, as chance sets sides apart: the percentiles are moved by twice the distance of the draws' median from the value,
/// and reach at least as far as the shuffled sides' mean is from no difference; where shuffled sides do as well (p
/// above 1 - level) an end is no difference, and the other that of the draws. step: between the answers of a scale; 0:
/// continuous. Bits do not depend on threads.
Estimates estimate_answers(const Answers& answers, const Plan& plan, double step, const Random& random,
                           const NodeSides& sides = {});

/// Of a network, in the order of tie_measures(), for each of the groups.
///
/// Intervals: the edges are weighted by standard exponential numbers (Rubin 1981, Ann. Stat. 9, 130), so that the
/// network does not fall apart; nodes, sides and hubs stay. All groups have the same draw of the edges, so that a
/// change from wave to wave has the interval of a difference on one network. Null model: rewired(), with the same
/// sides, or where they were found from the network, with those found in the same way.
Estimates estimate_ties(const Ties& ties, const std::vector<AnswerGroup>& groups, const Plan& plan,
                        const Random& random);

/// Respondents with equal weights that would know as much: (sum w)^2 / sum w^2 (Kish 1965) of each group.
std::vector<double> effective_sizes(const Answers& answers);

/// What the intervals of each group draw from: its different respondents, or its answers.
std::vector<std::size_t> units_of(const Answers& answers);

/// The masses of the answers of one group.
measures::Masses masses_of(const Answers& answers, Index group);

}  // namespace fovea::opinion::measure
