#pragma once
/// Inputs that tell the outcome without any other, whatever they are called: the outcome itself under another name, or
/// what follows from it.

#include "fovea/core/study/cases/cases.hpp"
#include "fovea/core/study/cases/target.hpp"

namespace fovea::study {

/// Adds TellsOutcomeAlone to cases.reading for each input of which it holds. Asked are, of each class of tokens and
/// each feature, whether a case has it, how often, and the mean of its values where nine of ten cases have one; of at
/// most 100,000 cases, evenly spread. Of targets of two classes and of real ones, one a case; of others nothing is
/// asked, nor of what two inputs tell together.
void look_for_giveaways(Cases& cases, const Target& target);

}  // namespace fovea::study
