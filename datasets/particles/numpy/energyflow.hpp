#pragma once
/// EnergyFlow's quark and gluon jets: an .npz with X [N, M, 4] = pt, y, phi, PDG number, zero padded, and y = 1 for
/// quarks. Internal to datasets/particles.

#include "fovea/datasets/particles/formats.hpp"

namespace fovea::datasets::particles::numpy {

bool is_zip(const FileHead& head);
bool holds_energyflow(const FileHead& head);
std::unique_ptr<ParticleReader> open_energyflow(const FileHead& head, const ReadOptions& options);

/// The mass in GeV of the particles that live long enough to be seen, by PDG number: those of EnergyFlow and Pythia
/// 8.2. Negative for a number that is not known here.
double mass_of_id(std::int64_t id);

}  // namespace fovea::datasets::particles::numpy
