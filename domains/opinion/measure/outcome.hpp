#pragma once
/// What opinion.measure writes: arrays, figures, a verdict.
///
/// Over ("measure", "group"): value, low and high (the interval), null_mean, null_low, null_high and null_p (the null
/// model); NaN where one is not there. Over "group": answers and effective_size. Between waves, over ("measure",
/// "step"): change, change_low, change_high. Of answers: answer_share over ("group", "answer"). Of a network: node_side
/// over "node", node names as its coordinate, edge_source and edge_target over "edge"; a drawing of up to 2000 nodes.
/// Of sides: side_share over ("group", "side", "answer").

#include <string>
#include <vector>

#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/measure/estimate.hpp"

namespace fovea::opinion::measure {

inline constexpr std::size_t kMostLines = 8;  ///< in a figure: more are not told apart

/// What was measured; each group's estimates are in the order of the names.
struct Measured {
  std::vector<std::string> names;
  std::vector<AnswerGroup> groups;
  std::vector<std::vector<Estimate>> estimate;
  std::vector<Change> changes;
  std::vector<std::uint8_t> few = {};  ///< 1: groups of too few answers for their intervals; empty: none
  std::string side_column = {};        ///< of sides of answers; empty: there are none
  std::vector<std::string> side_names = {};

  /// Whether the verdict may speak of this measure of the group.
  bool speaks(const std::string& measure, std::size_t group) const;
};

/// Which sides are of few, and whether the sides differ.
void write_sides(const Measured& measured, const Answers& answers, const NodeSides& sides, const Plan& plan,
                 Results& results);

/// Over ("measure", "wave"), or ("measure", "place", "wave") of several places, where waves are numbers: over_waves
/// with its interval and null model, and a figure of them.
void write_over_waves(const Measured& measured, const std::string& wave_name, Results& results);

/// answers, ties: nullptr where there are none. step, sides: see estimate_answers().
void write_measured(const Measured& measured, const Answers* answers, const NodeSides& sides, const Ties* ties,
                    const Plan& plan, double step, Results& results);

}  // namespace fovea::opinion::measure
