#pragma once
/// What the pages of lag.network say in words, by kind.

#include <string>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/finding.hpp"

namespace fovea::lag::network {

struct LagChanges {
  std::string cause, effect;
  std::int64_t before, after, row;  ///< steps; the first row with the later lag; before = after: it does not change
  FOVEA_FINDING(verdict, "lag_changes", "one lag of a pair takes over from another", cause, effect, before, after, row)
  bool holds() const { return before != after; }
  std::string sentence() const {
    return concat("The lag of ", cause, " \xE2\x86\x92 ", effect, " changes from ", before, " to ",
                  counted(after, "step"), " at row ", row, ".");
  }
  static LagChanges example() { return {"dam", "mill", 3, 6, 600}; }
  static LagChanges counterexample() { return {"dam", "mill", 3, 3, 0}; }
};

}  // namespace fovea::lag::network
