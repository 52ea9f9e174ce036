#pragma once
/// From what was found to results, figures and the verdict.

#include "fovea/core/config/config.hpp"
#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/phase/lifetimes.hpp"
#include "fovea/domains/opinion/phase/phase.hpp"

namespace fovea::opinion::phase {

/// Arrays over size, direction and control, the transitions, checks against what is known, notes and the verdict.
void write_phase(const Config& config, const PhaseFindings& findings, Results& results);
/// Of these the transitions alone: scalars, headlines and notes.
void write_transitions(const Config& config, const PhaseFindings& findings, Results& results);
void write_lifetimes(const Config& config, const std::vector<Lifetime>& lifetimes, Results& results);

/// One sentence.
std::string phase_verdict(const Config& config, const PhaseFindings& findings);

/// The figures, for whatever variables there are.
void add_phase_figures(Results& merged);

}  // namespace fovea::opinion::phase
