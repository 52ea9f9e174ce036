#pragma once
/// From what was found to results, figures and the verdict.

#include "fovea/core/lab/config.hpp"
#include "fovea/core/lab/results.hpp"
#include "fovea/domains/opinion/phase.hpp"
#include "fovea/domains/opinion/phase_lifetimes.hpp"

namespace fovea::opinion {

/// Arrays over size, direction and control, the transitions, checks against what is known, notes and the verdict.
void write_phase(const Config& config, const PhaseFindings& findings, Results& results);
void write_lifetimes(const Config& config, const Lifetimes& lifetimes, Results& results);

/// One sentence.
std::string phase_verdict(const Config& config, const PhaseFindings& findings);

/// The figures, for whatever variables there are.
void add_phase_figures(Results& merged);

}  // namespace fovea::opinion
