#pragma once
/// How long a variable's value stays informative, read from models with one half-life a variable.
///
/// In the bank of heads many half-lives share the work, so none of them is "the" half-life. Here a variable has one
/// head that decays and its masses, and the model is trained on bootstrap samples of the groups (Efron 1979), each from
/// a start of its own, log-uniform within kStarts of the window:
///
///   log tau_v = mean over the members,   interval exp(mean -+ z sd),  z for 90 %
///
/// An end beyond twice the window cannot be told from a mean over the whole record, and is infinite.

#include <array>
#include <vector>

#include "fovea/core/config/shared_key.hpp"
#include "fovea/core/study/study.hpp"

namespace fovea::ehr::risk {

inline constexpr std::array kStarts{1.0 / 48, 1.0};  ///< of the window

struct HalfLife {
  double likely = 0, low = 0, high = 0;  ///< NaN: the class has fewer than two values in every case
};

/// One for each class, in the unit of the cases. members >= 2. window: how far a case reaches back, at most.
std::vector<HalfLife> half_lives(const study::StudyOutcome& outcome, Index members, double window,
                                 const Random& random);

/// The key half_lives.members, bound to a count of models; below 2: no half-lives are read.
inline const SharedKey kHalfLifeMembers{
    "half_lives.members", "models with one half-life a variable, on bootstrap samples, for intervals; 0 or 1: none",
    Range::between(0, 200)};
inline constexpr Index kUsualHalfLifeMembers = 12;

/// Over variable: half_life with its interval, measuring_gap, memory (variable_memory.hpp), source; and the figure.
/// Nothing with fewer than 2 members.
void write_half_lives(const study::StudyOutcome& outcome, Index members, const Random& random, Results& results);

}  // namespace fovea::ehr::risk
