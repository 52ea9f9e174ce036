#pragma once
/// What a page shows of single jets, and of what a tagger has learned about pairs of constituents.

#include <functional>

#include "fovea/core/study/study.hpp"
#include "fovea/datasets/particles/particles.hpp"

namespace fovea::particle::display {

/// The jets of a run without files once more, with their truth.
using MadeAgain = std::function<datasets::particles::ParticleSets(const Random&)>;

/// Four test jets in (eta, phi) with what is attended to, tables of their constituents and of the surest mistakes, and
/// the learned bias of pairs. Where files, or the simulation, know the quarks of a top's decay, constituents are told
/// apart by the nearest; made: empty, nobody knows. Nothing for targets of more than two classes.
void write_displays(const study::StudyOutcome& outcome, const MadeAgain& made, Results& results);

}  // namespace fovea::particle::display
