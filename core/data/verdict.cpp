#include "fovea/core/data/verdict.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea {

void give_verdict(Results& merged, const std::string& statement, const std::string& within) {
  for (const Check& check : merged.checks()) {
    if (check.holds()) continue;
    merged.verdict(concat(statement, ": does not hold: ", check.meaning, " is ", plain_text(check.measured, 6),
                          ", predicted ", plain_text(check.predicted, 6), " within ", plain_text(check.tolerance.size),
                          check.tolerance.relative ? " of it." : "."));
    return;
  }
  merged.verdict(concat(statement, ": holds within ", within, "."));
}

}  // namespace fovea
