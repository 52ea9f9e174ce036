#pragma once
/// What one input of a case says of its outcome by itself: a column of mean_inputs(), whatever it is called.

#include "fovea/core/study/report/doubts.hpp"
#include "fovea/core/study/report/study_outcome.hpp"

namespace fovea::study {

/// Adds TellsOutcomeAlone to cases.reading for each feature or class of tokens of which it holds, before anything is
/// learned: the outcome itself under another name, or what follows from it. Of at most 100,000 cases, evenly spread,
/// and fewer where there are more than 500 columns. For targets of two classes and real ones, one a case; of others
/// nothing is examined, nor what two inputs say together.
void look_for_giveaways(Cases& cases, const Target& target);

/// The column that explains the largest share of the variance of the targets that were learned from (correlation ratio,
/// Pearson 1905; of numbers r^2), fitted as the ridge model is and asked about the tested cases: its main score. In
/// each fold it is chosen and fitted on the other folds; the name is that of most.
OneInput one_input(const StudyOutcome& outcome, const Examination& examined);

}  // namespace fovea::study
