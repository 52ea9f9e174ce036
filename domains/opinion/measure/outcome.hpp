#pragma once
/// What opinion.measure writes: arrays, figures, a verdict.
///
/// Over ("measure", "group"): value, low and high (the interval), null_mean, null_low, null_high and null_p (the null
/// model); NaN where one is not there. Over "group": answers and effective_size. Between waves, over ("measure",
/// "step"): change, change_low, change_high. Of answers: answer_share over ("group", "answer"). Of a network: node_side
/// over "node", node names as its coordinate, edge_source and edge_target over "edge"; a drawing of up to 2000 nodes.

#include <string>
#include <vector>

#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/measure/estimate.hpp"

namespace fovea::opinion::measure {

/// What was measured; each group's estimates are in the order of the names.
struct Measured {
  std::vector<std::string> names;
  std::vector<AnswerGroup> groups;
  std::vector<std::vector<Estimate>> estimate;
  std::vector<Change> changes;
  std::vector<std::uint8_t> few = {};  ///< 1: groups of too few answers for their intervals; empty: none

  /// Whether the verdict may speak of this measure of the group.
  bool speaks(const std::string& measure, std::size_t group) const;
};

/// answers, ties: nullptr where there are none. step: see estimate_answers().
void write_measured(const Measured& measured, const Answers* answers, const Ties* ties, const Plan& plan, double step,
                    Results& results);

}  // namespace fovea::opinion::measure
