#pragma once
/// Another tagger for the same jets: trained on the same part, examined on the same jets.

#include <string>
#include <vector>

#include "fovea/core/study/study.hpp"
#include "fovea/domains/particle/tag/trained_tagger.hpp"

namespace fovea::particle::tag {

/// Trained members with such changes of the config. name: of its trainings among those of the run, which goes on where
/// it was stopped. Inputs must be those of the run (inputs.* unchanged).
std::vector<study::Member> trained_variant(const std::string& name, const study::LearnedTask& task,
                                           const study::StudyOutcome& outcome, const Changes& changes,
                                           const Random& random);

/// The mean of the members' logits for these cases.
std::vector<double> mean_logits(const std::vector<study::Member>& members, const study::StudyOutcome& outcome,
                                const std::vector<Index>& items);

/// Labels of cases, all of which are known.
std::vector<Index> labels_of(const study::StudyOutcome& outcome, const std::vector<Index>& items);
/// Those of the tested cases whose label is known.
std::vector<Index> known_test_cases(const study::StudyOutcome& outcome);

}  // namespace fovea::particle::tag
