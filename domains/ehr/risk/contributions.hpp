#pragma once
/// What risks rest on: contributions of events to the logit, and what is lost without the largest of them.
///
///   logit = logit with every value at its variable's median + sum of contributions_i
///   contributions_i = x_i int_0^1 d logit / d x_i (a x) da       (integrated gradients, Sundararajan, Taly, Yan 2017)
///
/// x: normal scores, 0 at the median. What is left when all values are at the median is *that* things were measured:
/// how often, how lately, and what happened without a value. Each stay is explained by models that did not learn from
/// it.

#include <string>
#include <vector>

#include "fovea/core/data/results.hpp"
#include "fovea/core/study/study.hpp"

namespace fovea::ehr::risk {

struct Contributions {
  std::vector<Index> items;      ///< cases that were explained
  std::vector<double> outcomes;  ///< theirs
  /// items x classes, mean over the members: what the values of a class add to the logit.
  Matrix<double> by_class;
  /// Mean over items of |contribution|, members x classes.
  Matrix<double> sizes;
  std::vector<double> logits;                       ///< mean over the members
  std::vector<double> measured;                     ///< the same with every value at its median
  std::vector<double> without_top, without_random;  ///< the same without a tenth of the events with a value: those of
                                                    ///< the largest |contribution|; drawn at random
  double largest_remainder = 0;                     ///< of logit - measured - sum of contributions: the integral's rule
  /// Spearman's correlation of the classes' contributions to a case between two members, mean over pairs and cases; NaN
  /// with one member.
  double agreement = 0;
};

/// Of at most `most` tested cases with a known outcome, drawn at random.
Contributions contributions(const study::StudyOutcome& outcome, Index most, const Random& random);

/// What the reader is told of the AUROC without the largest and without random values. Where the model is no better
/// than chance there is nothing to show, and the sentence says so. Both outcomes must be there.
std::string note_on_deletion(const Contributions& found);

/// Arrays, figures and notes.
void write_contributions(const study::StudyOutcome& outcome, const Contributions& found, Results& results);

}  // namespace fovea::ehr::risk
