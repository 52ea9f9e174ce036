#pragma once
/// The texts of events and candidates that open_particles() knows. Internal to datasets/particles.

#include "fovea/datasets/particles/formats.hpp"

namespace fovea::datasets::particles::text {

bool knows_hepmc3(const FileHead& head);
bool knows_hepmc2(const FileHead& head);  ///< asked behind HepMC 3: opens or refuses what else is HepMC
bool knows_lhe(const FileHead& head);
bool knows_lepton_csv(const FileHead& head);
bool knows_display_csv(const FileHead& head);
bool knows_trackml(const FileHead& head);
bool knows_fastjet(const FileHead& head);  ///< asked last: lines of numbers

std::unique_ptr<ParticleReader> open_hepmc3(const FileHead& head, const ReadOptions& options);
std::unique_ptr<ParticleReader> open_hepmc2(const FileHead& head, const ReadOptions& options);
std::unique_ptr<ParticleReader> open_lhe(const FileHead& head, const ReadOptions& options);
std::unique_ptr<ParticleReader> open_lepton_csv(const FileHead& head, const ReadOptions& options);
std::unique_ptr<ParticleReader> open_display_csv(const FileHead& head, const ReadOptions& options);
std::unique_ptr<ParticleReader> open_trackml(const FileHead& head, const ReadOptions& options);
std::unique_ptr<ParticleReader> open_fastjet(const FileHead& head, const ReadOptions& options);

/// Of a text that no reader knows: why lines of four numbers are none of FastJet's, and the way out.
struct StrangeNumbers {
  std::string cause;  ///< empty: there are no such lines
  bool certain =
      false;  ///< other tables do not look so: they have names of momenta, decimal commas, Fortran's exponents
};
StrangeNumbers strange_numbers(const FileHead& head);

/// Whether this stands first, behind empty lines and a byte order mark.
bool starts_with_word(const FileHead& head, std::string_view word);

/// In the order in which they are asked.
inline constexpr ParticleFormat kHepMC3{"HepMC 3 ASCII", &knows_hepmc3, &open_hepmc3};
inline constexpr ParticleFormat kHepMC2{"HepMC 2 ASCII", &knows_hepmc2, &open_hepmc2};
inline constexpr ParticleFormat kLhe{"Les Houches events (LHE)", &knows_lhe, &open_lhe};
inline constexpr ParticleFormat kLeptonCsv{"CMS CSV of two or four leptons", &knows_lepton_csv, &open_lepton_csv};
inline constexpr ParticleFormat kDisplayCsv{"CSV of an event display (tracks, jets)", &knows_display_csv,
                                            &open_display_csv};
inline constexpr ParticleFormat kTrackml{"TrackML particles.csv", &knows_trackml, &open_trackml};
inline constexpr ParticleFormat kFastJet{"FastJet event file (px py pz E)", &knows_fastjet, &open_fastjet};

}  // namespace fovea::datasets::particles::text
