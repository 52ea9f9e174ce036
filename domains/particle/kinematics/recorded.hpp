#pragma once
/// Masses of recorded candidates and of jets with truth, beside those of made decays.

#include <string>
#include <vector>

#include "fovea/core/data/results.hpp"
#include "fovea/domains/particle/kinematics/bins.hpp"

namespace fovea::particle::kinematics {

/// What the files say; empty where there is none of a kind.
struct Recorded {
  std::vector<double> pair_masses, pair_gaps;  ///< m(E, p) of two leptons, and |m - M| where the file has M [GeV]
  std::vector<double> four_masses, four_gaps;  ///< of four
  std::vector<double> top_masses, w_masses;    ///< m(b q q'), m(q q') of jets with truth
  double covered = 0, crossing = 0;            ///< sums over the jets: share of the circle covered; over the seam
  double jets = 0;
};

/// leptons: files of candidates; tops: a file of jets whose truth is t, b, q, q', or "". Throws DataError.
Recorded read_recorded(const std::vector<std::string>& leptons, const std::string& tops);

void add_recorded(const Recorded& recorded, const Bins& z_bins, const Bins& parton_bins, Results& results);
/// Of what add_recorded() left; nothing without it.
void add_recorded_checks(Results& merged);
void add_recorded_figures(Results& merged);

}  // namespace fovea::particle::kinematics
