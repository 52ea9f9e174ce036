#pragma once
/// What is said of half-lives in words.

#include <string>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::ehr::risk {

/// Variables of which no half-life is claimed, by the reason (decay::HalfLifeClaim).
struct UnclaimedHalfLives {
  Index variables;  ///< that were measured twice in enough cases, claimed ones included
  Index nothing, any, older, several, few;
  std::string outcome;
  /// "2 add nothing that can be shown, any half-life fits 1"
  std::string reasons() const {
    std::string all;
    const auto add = [&](Index count, const std::string& one, const std::string& more) {
      if (count > 0) all += concat(all.empty() ? "" : ", ", count, ' ', count == 1 ? one : more);
    };
    add(nothing, "adds nothing that can be shown", "add nothing that can be shown");
    add(any, "adds something, but any half-life fits", "add something, but any half-life fits");
    add(older, "adds most by its older values", "add most by their older values");
    add(several, "has several half-lives that fit, and none between",
        "have several half-lives that fit, and none between");
    add(few, "was not examined, as there are too few outcomes", "were not examined, as there are too few outcomes");
    return all;
  }
};

/// Of at least one variable.
struct HalfLivesLearned : UnclaimedHalfLives {
  Index bounded, upwards, downwards;  ///< on both sides; open upwards; open downwards
  double level;
  std::string surest;  ///< the narrowest intervals that are bounded: "lactate 8.5 h [4.6, 15]"
  FOVEA_FINDING(note, "half_lives_learned", "the data bound the half-life of a variable", variables, bounded, upwards,
                downwards, level, surest, outcome, nothing, any, older, several, few)
  Index learned() const { return bounded + upwards + downwards; }
  bool holds() const { return learned() > 0; }
  std::string sentence() const {
    std::string all;
    const auto add = [&](Index count, const std::string& text) {
      if (count > 0) all += concat(all.empty() ? "" : "; ", "for ", count, ' ', text);
    };
    add(bounded, concat("on both sides (the narrowest: ", surest, ')'));
    add(upwards, "from below alone, so that a mean over the whole record fits as well");
    add(downwards, "from above alone, so that the last value alone fits as well");
    return concat("Half-lives for ", outcome, ", which the data bound for ", learned(), " of ",
                  counted(variables, "variable"), " (", plain_text(100 * level),
                  " % intervals of the profile likelihood): ", all, '.',
                  learned() == variables ? "" : concat(" Of the others ", reasons(), '.'));
  }
  static HalfLivesLearned example() {
    return {{4, 1, 0, 0, 0, 0, "the outcome 'died'"}, 1, 2, 0, 0.9, "lactate 8.5 h [4.6, 15]"};
  }
  static HalfLivesLearned counterexample() { return {{4, 4, 0, 0, 0, 0, "the outcome 'died'"}, 0, 0, 0, 0.9, ""}; }
};

/// Of none.
struct NoHalfLifeLearned : UnclaimedHalfLives {
  Index learned;
  FOVEA_FINDING(note, "no_half_life_learned", "the data bound the half-life of no variable", variables, learned,
                outcome, nothing, any, older, several, few)
  bool holds() const { return learned == 0 && variables > 0; }
  std::string sentence() const {
    return concat("The data bound no half-life for ", outcome, ": of ", counted(variables, "variable"), ' ', reasons(),
                  '.');
  }
  static NoHalfLifeLearned example() { return {{4, 3, 0, 1, 0, 0, "the outcome 'died'"}, 0}; }
  static NoHalfLifeLearned counterexample() { return {{4, 1, 0, 0, 0, 0, "the outcome 'died'"}, 3}; }
};

}  // namespace fovea::ehr::risk
