#pragma once
/// From what was found to results, figures and the verdict.

#include "fovea/core/data/results.hpp"
#include "fovea/domains/opinion/phase/known.hpp"

namespace fovea::opinion::phase {

/// Arrays over size, direction and control, the transitions, checks against what is known, notes and the verdict.
void write_phase(const PhaseQuestion& question, const PhaseFindings& findings, Results& results);
/// Of these the transitions alone: scalars, headlines and notes. known: known_transitions().
void write_transitions(const PhaseQuestion& question, const std::vector<KnownTransition>& known,
                       const PhaseFindings& findings, Results& results);
/// And the verdict alone.
void write_phase_verdict(const PhaseQuestion& question, const std::vector<KnownTransition>& known,
                         const PhaseFindings& findings, Results& results);
/// How long two equal camps at +-spread of the smallest size live where nothing keeps them apart (E2), at temperatures
/// of the range where they live between 10 and 20,000 steps; nothing where there is none, or the start is of a file.
void write_lifetimes(const PhaseQuestion& question, const CrowdMaker& make, Results& results);

/// The figures, for whatever variables there are.
void add_phase_figures(Results& merged);

}  // namespace fovea::opinion::phase
