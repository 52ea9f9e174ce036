#pragma once
/// What the pages of study.table say in words, by kind.

#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::study {

/// Of a target that is predicted as a number.
struct MayBeCodes {
  std::string target;
  Index different;  ///< values
  bool whole;
  FOVEA_FINDING(note, "may_be_codes", "a number has few different values, all whole: they may be codes of classes",
                target, different, whole)
  bool holds() const { return whole && different >= 2 && different <= 10; }
  std::string sentence() const {
    return concat("The target ", target, " has ", different,
                  " different whole numbers and is predicted as a number; if they are codes of classes: "
                  "--set data.kind=classes.");
  }
  static MayBeCodes example() { return {"grade", 4, true}; }
  static MayBeCodes counterexample() { return {"yield", 300, false}; }
};

/// Of a target of two classes.
struct OthersTogether {
  std::string target, positive;
  Index others;  ///< different values that are not the positive one
  FOVEA_FINDING(note, "others_together", "one value of a target is predicted against several others", target, positive,
                others)
  bool holds() const { return others > 1; }
  std::string sentence() const {
    return concat("The target ", target, " is ", positive, " against its ", others,
                  " other values, which are one class here.");
  }
  static OthersTogether example() { return {"species", "setosa", 2}; }
  static OthersTogether counterexample() { return {"outcome", "Expired", 1}; }
};

}  // namespace fovea::study
