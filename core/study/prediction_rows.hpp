#pragma once
/// Predictions as rows of CSV (RFC 4180), numbers in the shortest form that reads back to the same bits.
///
///   binary   id, probability, spread               of class 1
///                  with a threshold also decision: 1 where the probability is at least it
///   classes  id, class, p_NAME for each, spread    the likeliest class, and the spread of its probability
///   number   id, prediction, deviation, spread     deviation: noise and members; spread: members alone
///
/// With a target a token, `token` (0, 1, ... within its case) stands behind id.

#include <string>

#include "fovea/core/study/predictions.hpp"

namespace fovea::study {

/// The names of the columns, with the line's end. decided: there is a threshold.
std::string prediction_header(const Target& target, bool decided = false);

/// A line for each row of the predictions; with decisions where they are there. Throws ArgumentError unless there are
/// as many as the target's level asks for.
std::string prediction_rows(const Target& target, const Cases& cases, const Predictions& predictions);

}  // namespace fovea::study
