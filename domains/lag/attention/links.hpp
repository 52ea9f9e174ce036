#pragma once
/// Attention over the past as a method that looks for lags: theory.md has the model and tests, README.md the limits.

#include <vector>

#include "fovea/domains/lag/attention/doubts/doubts.hpp"
#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::attention {

/// What the attention says of one link, beside its test.
struct AttentionView {
  double weight = 0;  ///< posterior probability that some head's effect is this (source, lag): 1 - prod_h (1 - alpha_h)
  double gradient = 0;  ///< mean of d forecast / d x_cause(t - lag), in standard deviations of effect a standard
                        ///< deviation of cause: the posterior mean coefficient of the plain content
  std::vector<Index> credible_lags;  ///< of the same cause, that hold 95 % of the weight on it of the head that gives
                                     ///< this link most, ascending; empty where the weight is below 0.05
};

/// What one target's heads have learned.
struct TargetAttention {
  Index heads_on = 0;
  double explained = 0;  ///< share of the target's variance that the forecast explains
  Index rows = 0;
};

constexpr double kHiddenShare = 0.2, kHiddenParticipation = 0.5;  ///< above both they are found
constexpr double kDominates = 0.5;  ///< a share beyond which past values of all series are as good proxies as any
/// Whether hidden common factors move the series together, as seen in what the forecasts leave.
struct HiddenFactors {
  bool found = false;
  double share = 0;          ///< (largest eigenvalue - 1) / (series - 1) of the correlations of the residuals
  double participation = 0;  ///< 1 / sum u_i^4 / series of its vector: 1 where all series take part equally
  double cut = 0;            ///< |t| above which a link counts, where found
  bool given = false;        ///< its course, as the residuals show it, is held fixed: share <= kDominates
};

constexpr double kMostRaised = 64;  ///< beyond it surrogates and table are too different for a promise
/// How many ordered pairs of series have a significant lagged link where there are none.
///
/// A surrogate of the table moves all other series together against the effect, by a time much longer than any lag (in
/// circles, over the rows of all recordings: Quian Quiroga, Kraskov, Kreuz & Grassberger 2002). Each series keeps its
/// own nature - memory, tails, zeros, course of its variance - and the others stay together; what is held fixed, and
/// what each effect was found to depend on, remain conditions. Only lagged links are gone. All lagged values of the
/// other series are then tested as in the table, at the same level, pairs first.
struct SurrogateCheck {
  Index draws = 0;         ///< surrogates; 0: none fit into the table
  double false_pairs = 0;  ///< significant ones a surrogate, before anything is raised
  double raised = 1;       ///< p-values are multiplied by it, the least of 1, 2, 4, ... at which there are at most
                           ///< level + 2 sqrt(level / draws) false pairs a surrogate
  double remaining = 0;    ///< false pairs a surrogate after that
  bool kept = true;        ///< raised <= kMostRaised
};

constexpr Index kFewestExplained = 3;  ///< and more than half of all, for a course to be found
/// Lagged links between series that a course which all series share explains (shared_course.hpp).
struct SharedCourse {
  bool found = false;
  Index explained = 0, links = 0;  ///< of the significant ones, how many
  Index dropped = 0;               ///< of these, how many are no longer significant
};

struct AttentionFindings {
  methods::Findings findings;
  std::vector<AttentionView> views;      ///< one a link of findings.links, in its order; at lag 0 without weight
  std::vector<TargetAttention> targets;  ///< one a series
  HiddenFactors hidden;
  SurrogateCheck surrogates;
  SharedCourse shared;
  Doubts doubts;         ///< one list a series
  Vector<double> noise;  ///< its size at each step, where all rows were weighed by it (noise_course.hpp); else empty
};

/// For each target a sum of single effects over the keys (source, lag, content) (core/linear/single_effects.hpp), whose
/// own past is expected; then the partial correlation of every key given those that the heads chose
/// (core/linear/sparse_tests.hpp) and the rows confirm, and given LagSettings::conditions. Tests up to p = 0.01 are
/// done again on the rows (row_tests.hpp), and the weaker counts. A link's p-value is that of its contents together
/// (target.hpp), strength and statistic those of the content that decided. False discovery rates pairs first
/// (pairs_first.hpp) over the links between series, and over the own pasts; p-values of lagged links are multiplied by
/// SurrogateCheck::raised, those within a step, which no surrogate checks, by 2.
///
/// With settings.contemporaneous also links at lag 0: partial correlations of the residuals given all other residuals;
/// directed where within_step.hpp says so, else cause < effect and directed = false. They compete with the lagged links
/// of the same pair.
///
/// Where the size of the noise has a slow course that the series share (noise_course.hpp), all of it is done on rows in
/// its units: weighted least squares.
///
/// Where hidden factors are found their first component and its last three steps are held fixed, and the search is done
/// again; beyond kDominates every test of a plain key is given ALL plain keys, at lags for which there are 1.5
/// rows a key; the pairs' largest |t| are cut in two classes (Otsu 1979), and only links of the upper class that are
/// significant by Bonferroni count; the others get q = 1. No surrogates are made there.
///
/// Missing cells: targets are never filled, keys are (columns.hpp). Nothing is drawn: random is not used.
/// Deterministic for any number of threads. Throws ArgumentError for lags or conditions that do not fit the table.
AttentionFindings attend_to_the_past(const datasets::series::SeriesTable& table, const methods::LagSettings& settings);

}  // namespace fovea::lag::attention
