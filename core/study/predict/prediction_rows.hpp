#pragma once
/// Predictions as rows of CSV (RFC 4180), numbers in the shortest form that reads back to the same bits.
/// A task may give the column `id` another name.
///
///   binary   id, probability, spread, low, high    of class 1; low and high: 90 % range of the members
///                  with a threshold also decision: 1 where the probability is at least it
///   classes  id, class, p_NAME for each, spread    the likeliest class, and the spread of its probability
///                  (p_: or what Target::probability_prefix says)
///   hazards  id, p_END_by_TIME for each interval and end, spread      incidences; spread: of the first end by the
///   horizon number   id, prediction, deviation, spread     deviation: noise and members; spread: members alone
///
/// With a target a token, `token` (0, 1, ... within its case) stands behind id. Where cases are asked at times, there
/// stands the time, named after its unit: `time_hours` (from h), `time_days`, ..., `time_UNIT`; empty where not known.
/// Behind these stands what the model tells besides (StudyModel::side_columns()), such as `trust_s1`. Then, if asked
/// for, `attended_1`, `attention_1`, `attended_2`, ...: the tokens that are attended to most, as places in their case
/// from 0, and their shares; empty where a case has fewer.
/// Where the cases have targets, the last column is the target under its own name, empty where it is not known: 0 or 1,
/// a class or a number; not for hazards.

#include <span>
#include <string>
#include <vector>

#include "fovea/core/study/ensemble/asked_times.hpp"
#include "fovea/core/study/ensemble/predictions.hpp"

namespace fovea::study {

/// The names of the columns, with the line's end. decided: there is a threshold. time: the name of the column of times;
/// empty: there is none. id: that of the cases (LearnedTask::id_column()). sides: StudyModel::side_columns().
/// attended: how many tokens that are attended to most.
std::string prediction_header(const Target& target, bool decided = false, const std::string& time = "",
                              const std::string& id = "id", bool known = false,
                              const std::vector<std::string>& sides = {}, Index attended = 0);

/// Whether rows have a column of targets (known): cases have them, and they are no hazards.
bool has_target_column(const Target& target, const Cases& cases);

/// The name of the column of times in this unit.
std::string time_column(const std::string& unit);

/// A line for each row of the predictions; with decisions where they are there. Throws ArgumentError unless there are
/// as many as the target's level asks for, and the times. asked: the times of a target a case; nullptr: none. attended:
/// as in the header, only for a target a case without times; attention: the share of each token of the cases.
std::string prediction_rows(const Target& target, const Cases& cases, const Predictions& predictions,
                            const AskedTimes* asked = nullptr, bool known = false, Index attended = 0,
                            std::span<const double> attention = {});

}  // namespace fovea::study
