#pragma once
/// An event as a net sees it, drawn.

#include "fovea/core/study/study.hpp"

namespace fovea::particle::event {

/// Of the tested event whose AUC is the median, its hardest particles in the plane of rapidity and azimuth: over
/// particle: particle_y, particle_phi, particle_probability, particle_origin, with a figure. Nothing where no tested
/// event has particles of both origins.
void write_event_map(const study::StudyOutcome& outcome, Results& results);

}  // namespace fovea::particle::event
