#pragma once
/// Simple models of the same question, which a better one has to beat. Each learns anew at the first row of a block,
/// from what was known by then, and answers for the rows of the block.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/linear/calibration_line.hpp"
#include "fovea/core/linear/scaled_regression.hpp"
#include "fovea/core/study/trees/boosted_trees.hpp"

namespace fovea::nowcast::peers {

struct PeerQuestion {
  Matrix<double> columns;      ///< (T, C) as known at the end of each month; NaN: not known then
  std::vector<double> labels;  ///< (T) 0, 1, NaN: not known
  Index first = 0;             ///< row of the first month that is nowcast; earlier ones only teach
  Index delay = 12;            ///< months after which a label is known, >= 0
  Index refit = 12;            ///< months of a block, from `first`, >= 1
};

// Each answer has T probabilities, NaN before `first`, where a column is not known, and where nothing could be learned:
// in the block that begins at row b from rows s with s + delay <= b. Throws ArgumentError for shapes and values out of
// range.

/// What a peer learned: its answer for a row, NaN where it has none. Empty: nothing could be learned.
using RowAnswer = std::function<double(Index row)>;
/// The answers of a peer that learns by `learn`, given the rows [begin, end) of a block.
std::vector<double> answers_by_blocks(const PeerQuestion& question,
                                      const std::function<RowAnswer(Index begin, Index end)>& learn);

/// Rows with all columns and a label that teach a block from row `begin` on.
std::vector<Index> teaching_rows(const PeerQuestion& question, Index begin);

/// line: recalibrated by a line (Platt 1999) through its own earlier answers, fitted for each block to the answers from
/// `first` on whose labels are known by then; none where they lack a class or are parted without an error, and none
/// that would turn the order.
std::vector<double> regression(const PeerQuestion& question, const ScaledRegressionSettings& settings,
                               bool line = false);

/// P = Phi(a + b spread): Estrella & Mishkin 1998, where the one column is the yield spread twelve months ago.
inline std::vector<double> probit(const PeerQuestion& question) {
  return regression(question, {.link = BinaryLink::probit, .penalty = 0});
}

/// The probability of the lower of two states, filtered (Hamilton 1989; after Chauvet & Piger 2008), of the first
/// factor of the columns: growth of one month, scaled and clipped. Labels have no part in it: scale, loadings and
/// states are those of all rows before the block (two_states.hpp).
std::vector<double> markov_switching(const PeerQuestion& question, double clip = 5);

/// Rows with gaps teach and are answered: a tree knows what to do without a value.
std::vector<double> boosted_trees(const PeerQuestion& question, const study::BoostingSettings& settings,
                                  std::uint64_t seed);

/// By how much the mean of unemployment over three months exceeds the lowest such mean of the twelve months before
/// (Sahm 2019): a recession is called from kSahmCall on. NaN where a value of the fifteen months is not known.
inline constexpr double kSahmCall = 0.5 - 1e-9;  ///< the mean of decimals may fall short by rounding
std::vector<double> sahm_gap(std::span<const double> unemployment);

}  // namespace fovea::nowcast::peers
