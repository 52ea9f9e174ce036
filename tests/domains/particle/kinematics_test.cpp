#include "fovea/core/base/storage.hpp"
#include "fovea/datasets/particles/boosts.hpp"
#include "fovea/datasets/simulated/two_body_decays.hpp"
#include "fovea/domains/particle/kinematics/measures.hpp"
#include "fovea/domains/particle/kinematics/recorded.hpp"
#include "fovea/tests/support/test.hpp"

namespace particles = fovea::datasets::particles;
namespace kinematics = fovea::particle::kinematics;

namespace {

/// One set of massless particles of 1 GeV at y = 0 with these azimuths.
particles::ParticleSets set_at(const std::vector<double>& azimuths) {
  particles::ParticleSets sets;
  sets.offsets = {0, static_cast<Index>(azimuths.size())};
  sets.momenta.resize(sets.offsets[1], 4);
  for (std::size_t i = 0; i < azimuths.size(); ++i) {
    const auto p = particles::from_rapidity(1, 0, azimuths[i], 0);
    sets.momenta.row(static_cast<Index>(i)) << p.px, p.py, p.pz, p.energy;
  }
  return sets;
}

}  // namespace

TEST_CASE("a set covers the circle less its widest gap, and crosses the seam where the gap does not hold it",
          "[kinematics]") {
  const double whole = 2 * std::numbers::pi;
  CHECK(std::abs(kinematics::covered_share(set_at({-0.2, 0.1, 0.3}), 0) - 0.5 / whole) < 1e-12);
  CHECK_FALSE(kinematics::crosses_seam(set_at({-0.2, 0.1, 0.3}), 0));
  CHECK(std::abs(kinematics::covered_share(set_at({3.0, -3.1, 3.1}), 0) - (whole - 6.1) / whole) < 1e-12);
  CHECK(kinematics::crosses_seam(set_at({3.0, -3.1, 3.1}), 0));
  CHECK(kinematics::covered_share(set_at({1.0}), 0) == 0);
  CHECK_FALSE(kinematics::crosses_seam(set_at({1.0}), 0));
}

TEST_CASE("the width needs angles that are wrapped, and does not change with a turn", "[kinematics]") {
  const particles::ParticleSets over = set_at({3.1, -3.1}), turned = kinematics::turned_sets(over, 1);
  CHECK(std::abs(kinematics::width_of(over, 0, true) - (std::numbers::pi - 3.1)) < 1e-12);
  CHECK(kinematics::width_of(over, 0, false) > 3);
  CHECK(std::abs(kinematics::width_of(turned, 0, true) - kinematics::width_of(over, 0, true)) < 1e-12);
}

TEST_CASE("m^2 of collinear pairs is lost in sums of floats, and kept by the stable formula", "[kinematics]") {
  const kinematics::MassErrors errors = kinematics::mass_errors(300, 8, Random(4));
  REQUIRE(errors.bins.size() == 8);
  CHECK(errors.bins.front().usual_median > 1);
  CHECK(errors.bins.back().usual_median < 1e-3);
  for (const auto& bin : errors.bins) CHECK(bin.stable_largest < 4e-5);
  CHECK(errors.wrong_share > 0.1);
}

TEST_CASE("densities of bins integrate to the share that lies in them", "[kinematics]") {
  const kinematics::Bins bins{0, 10, 5};
  const std::vector<double> density = bins.density({-1, 0, 1.9, 2, 9.99, 10});
  CHECK(density == std::vector<double>{2.0 / 12, 1.0 / 12, 0, 0, 1.0 / 12});
  const kinematics::Bins wide{50, 130, 400};
  double total = 0;
  for (const double value : wide.resonance(91.2, 2.5, 10)) total += value * wide.width();
  CHECK(std::abs(total - 1) < 1e-12);
  CHECK(std::isnan(kinematics::middle_of({})));
}

TEST_CASE("recorded leptons have the masses that the files state", "[kinematics]") {
  const support::TemporaryFolder folder;
  write_file(folder.file("z.csv"), "Run,Event,E1,px1,py1,pz1,E2,px2,py2,pz2,M\n1,1,5,3,0,4,5,-3,0,-4,10.5\n");
  const kinematics::Recorded recorded = kinematics::read_recorded({folder.file("z.csv")}, "");
  REQUIRE(recorded.pair_masses.size() == 1);
  CHECK(std::abs(recorded.pair_masses[0] - 10) < 1e-12);
  CHECK(std::abs(recorded.pair_gaps[0] - 0.5) < 1e-12);
  write_file(folder.file("f.dat"), "3 0 4 5\n");
  CHECK(support::refusal_of<DataError>([&] { kinematics::read_recorded({folder.file("f.dat")}, ""); }) ==
        folder.file("f.dat") + ": is FastJet event file, but must have candidates of two or four leptons.");
  CHECK(support::refusal_of<DataError>([&] { kinematics::read_recorded({}, folder.file("f.dat")); }) ==
        folder.file("f.dat") + ": has no truth of four partons t, b, q, q'; name a file of jets with truth.");
}

TEST_CASE("real leptons, top quarks and jets over the seam have the known answers", "[kinematics]") {
  const auto data = support::shared_data("particle");
  if (!data) return;
  const kinematics::Recorded recorded = kinematics::read_recorded(
      {(*data / "cms_Zmumu_Run2011A_masses.csv.gz").string(), (*data / "cms_4mu_2012.csv.gz").string()},
      (*data / "toptag_like_test.h5").string());
  CHECK(recorded.pair_masses.size() == 10851);
  CHECK(kinematics::middle_of(recorded.pair_gaps) < 8e-5);
  CHECK(recorded.four_masses.size() == 95);
  CHECK(kinematics::middle_of(recorded.four_gaps) < 1e-3);
  CHECK(recorded.top_masses.size() == 4000);
  CHECK(std::abs(kinematics::middle_of(recorded.top_masses) - 170.5) < 0.3);
  CHECK(std::abs(kinematics::middle_of(recorded.w_masses) - 80.5) < 0.3);
  CHECK(std::abs(recorded.crossing / recorded.jets - recorded.covered / recorded.jets) < 0.015);
}
