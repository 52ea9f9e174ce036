#include "fovea/domains/particle/kinematics/recorded.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/domains/particle/kinematics/measures.hpp"

namespace fovea::particle::kinematics {

namespace {

namespace particles = datasets::particles;
using particles::Momentum;

constexpr Index kRecordedAtOnce = 4096;

void read_leptons(const std::string& path, Recorded& recorded) {
  const auto reader = particles::open_particles(path);
  if (reader->facts().kind != particles::SetKind::leptons)
    throw DataError(
        concat(path, ": is ", reader->facts().format, ", but must have candidates of two or four leptons."));
  for (ParticleSets block = reader->read(kRecordedAtOnce); block.count() > 0; block = reader->read(kRecordedAtOnce)) {
    const std::vector<double> masses = set_masses(block);
    for (Index i = 0; i < block.count(); ++i) {
      const bool is_pair = block.size(i) == 2;
      const double mass = masses[i];
      (is_pair ? recorded.pair_masses : recorded.four_masses).push_back(mass);
      if (block.jet_momenta.rows() > i)
        (is_pair ? recorded.pair_gaps : recorded.four_gaps)
            .push_back(std::abs(mass - particles::mass(particles::momentum_of(block.jet_momenta, i))));
    }
  }
}

void read_tops(const std::string& path, Recorded& recorded) {
  const auto reader = particles::open_particles(path);
  for (ParticleSets block = reader->read(kRecordedAtOnce); block.count() > 0; block = reader->read(kRecordedAtOnce)) {
    if (block.truth.cols() != 16)
      throw DataError(concat(path, ": has no truth of four partons t, b, q, q'; name a file of jets with truth."));
    for (Index i = 0; i < block.count(); ++i) {
      recorded.covered += covered_share(block, i);
      recorded.crossing += crosses_seam(block, i) ? 1 : 0;
      recorded.jets += 1;
      const auto parton = [&](Index k) {
        return Momentum{block.truth(i, 4 * k), block.truth(i, 4 * k + 1), block.truth(i, 4 * k + 2),
                        block.truth(i, 4 * k + 3)};
      };
      if (!(parton(0).energy > 0)) continue;  // no top quark
      recorded.w_masses.push_back(particles::mass(parton(2) + parton(3)));
      recorded.top_masses.push_back(particles::mass(parton(1) + parton(2) + parton(3)));
    }
  }
}

}  // namespace

Recorded read_recorded(const std::vector<std::string>& leptons, const std::string& tops) {
  Recorded recorded;
  for (const std::string& path : leptons) read_leptons(path, recorded);
  if (!tops.empty()) read_tops(tops, recorded);
  return recorded;
}

void add_recorded(const Recorded& recorded, const Bins& z_bins, const Bins& parton_bins, Results& results) {
  if (!recorded.pair_masses.empty()) {
    std::vector<double> near;  // the Z, without what lies below and above it
    for (const double mass : recorded.pair_masses)
      if (std::abs(mass - 91.1876) < 5) near.push_back(mass);
    results.add("recorded_z_density", {"z_mass"}, z_bins.density(recorded.pair_masses), "1/GeV", "recorded pairs");
    results.scalar("recorded_z_peak", middle_of(near), "GeV", "median mass of recorded pairs within 5 GeV of the Z");
  }
  if (!recorded.pair_gaps.empty())
    results.scalar("pair_gap", middle_of(recorded.pair_gaps), "GeV", "median |m(E, p) - M| of two leptons");
  if (!recorded.four_masses.empty()) {
    const Bins bins{80, 400, 32};
    results.coordinate("four_mass", bins.centres(), "GeV", "mass of four leptons");
    results.add("four_density", {"four_mass"}, bins.density(recorded.four_masses), "1/GeV", "recorded candidates");
  }
  if (!recorded.four_gaps.empty())
    results.scalar("four_gap", middle_of(recorded.four_gaps), "GeV", "median |m(E, p) - M| of four leptons");
  if (!recorded.top_masses.empty()) {
    results.add("truth_top_density", {"parton_mass"}, parton_bins.density(recorded.top_masses), "1/GeV",
                "m(b q q') of jets in the file");
    results.add("truth_w_density", {"parton_mass"}, parton_bins.density(recorded.w_masses), "1/GeV",
                "m(q q') of jets in the file");
    results.scalar("truth_top_mass", middle_of(recorded.top_masses), "GeV", "median m(b q q') of jets in the file");
    results.scalar("truth_w_mass", middle_of(recorded.w_masses), "GeV", "median m(q q') of jets in the file");
  }
  if (recorded.jets > 0) {
    results.scalar("jets_covered", recorded.covered / recorded.jets, "1", "mean share of the circle that a jet covers");
    results.scalar("jets_crossing", recorded.crossing / recorded.jets, "1", "share of jets on both sides of phi = pi");
  }
}

void add_recorded_checks(Results& merged) {
  const auto check = [&](const char* variable, Check one) {
    if (!merged.data.has(variable)) return;
    one.measured = view(merged.data, variable).mean().mean;
    merged.check(std::move(one));
  };
  check("pair_gap", {"recorded_pairs", "median |m(E, p) - M| of recorded pairs (GeV)", "PDG review, kinematics", 0, 0,
                     absolute(2e-4)});  // the files have six digits
  check("recorded_z_peak", {"recorded_z", "median mass of recorded pairs within 5 GeV of the Z (GeV)", "PDG 2022",
                            91.1876, 0, absolute(0.3)});  // resolution and radiation lower it
  check("four_gap", {"recorded_four", "median |m(E, p) - M| of four recorded leptons (GeV)", "PDG review, kinematics",
                     0, 0, absolute(2e-3)});
  check("truth_top_mass",
        {"truth_top", "median m(b q q') of jets with truth (GeV)", "Pythia's default mass", 171, 0, absolute(1.5)});
  check("truth_w_mass", {"truth_w", "median m(q q') of jets with truth (GeV)", "PDG 2022", 80.4, 0, absolute(0.5)});
  if (merged.data.has("jets_covered"))
    check("jets_crossing",
          {"jets_seam", "share of jets on both sides of phi = pi", "derived in domains/particle/README.md",
           view(merged.data, "jets_covered").mean().mean, 0, absolute(0.015)});
}

void add_recorded_figures(Results& merged) {
  if (merged.data.has("recorded_z_density"))
    merged.figure(
        {.kind = "lines",
         .name = "recorded_z",
         .title = "The Z in recorded collisions",
         .caption =
             "Mass of two leptons of the given files; simulated decays for comparison. The recorded peak is wider "
             "by the detector's resolution.",
         .variables = {"recorded_z_density", "z_density"},
         .x = "z_mass",
         .value_label = "density [1/GeV]"});
  if (merged.data.has("four_density"))
    merged.figure({.kind = "lines",
                   .name = "four_leptons",
                   .title = "Four leptons",
                   .caption =
                       "Mass of four leptons of the given files: Z -> 4 l at 91 GeV, pairs of Z above 180 GeV, and "
                       "the Higgs boson near 125 GeV.",
                   .variables = {"four_density"},
                   .x = "four_mass"});
  if (merged.data.has("truth_top_density"))
    merged.figure({.kind = "lines",
                   .name = "truth_top",
                   .title = "Top quarks of jets with truth",
                   .caption = "Masses of the partons b q q' and q q' that the file holds for each jet of a top quark.",
                   .variables = {"truth_top_density", "truth_w_density"},
                   .x = "parton_mass",
                   .value_label = "density [1/GeV]"});
}

}  // namespace fovea::particle::kinematics
