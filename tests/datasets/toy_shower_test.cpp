// The toy shower against its known answers.

#include "fovea/datasets/simulated/toy_shower.hpp"

#include "fovea/core/statistics/delong.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::datasets::simulated {

TEST_CASE("the best possible AUC of two Poisson laws is the published one", "[simulated]") {
  CHECK(std::abs(poisson_auc(2, 4.5) - 0.83618) < 5e-6);
  CHECK(std::abs(poisson_auc(4, 9) - 0.91918) < 5e-6);
  CHECK(std::abs(poisson_auc(8, 18) - 0.97669) < 5e-6);
  CHECK_THROWS_AS(poisson_auc(3, 3), ArgumentError);
}

TEST_CASE("in showers the number of constituents has the AUC of the Poisson laws, and the largest kT that of Casimir",
          "[simulated][statistics][long]") {
  const ShowerJets made = shower_jets(20000, 4, Random(5));
  std::vector<double> fewest, kt;
  std::vector<Index> labels;
  for (Index b = 0; b < made.jets.count(); ++b) {
    fewest.push_back(-static_cast<double>(made.jets.size(b)));
    kt.push_back(-made.largest_kt[b]);
    labels.push_back(static_cast<Index>(made.jets.labels[b]));
  }
  const RocAreas areas = roc_areas(std::vector<std::vector<double>>{fewest, kt}, labels);
  CHECK(std::abs(areas.areas[0] - poisson_auc(4, 9)) < 3 * areas.standard_error(0));
  CHECK(std::abs(areas.areas[1] - kLargestKtAuc) < 3 * areas.standard_error(1));
}

TEST_CASE("a shower keeps the momentum along its parton, and its jets fall in pT", "[simulated]") {
  const Showered one = showered({100, 0.3, 3.1, 0}, 20, {}, Random(2), 7);
  double sum = 0;
  for (const particles::Momentum& p : one.particles) {
    sum += particles::pt(p);
    CHECK(particles::delta_r(particles::pseudorapidity(p), particles::phi(p), 0.3, 3.1) < 0.8 + 1e-9);
  }
  CHECK(std::abs(sum - 100) < 1e-9);
  const particles::ParticleSets jets = top_jets(40, Random(3));
  CHECK(jets.count() == 40);
  for (Index b = 0; b < jets.count(); ++b)
    for (Index i = jets.offsets[b] + 1; i < jets.offsets[b + 1]; ++i)
      CHECK(particles::pt(particles::momentum_of(jets.momenta, i)) <=
            particles::pt(particles::momentum_of(jets.momenta, i - 1)));
  CHECK(jets.truth.row(1).norm() == 0);
  CHECK(std::abs(particles::mass({jets.truth(0, 0), jets.truth(0, 1), jets.truth(0, 2), jets.truth(0, 3)}) - 172.5) <
        15);
  CHECK_THROWS_AS(showered({100, 0, 0, 0}, -1, {}, Random(2), 0), ArgumentError);
}

}  // namespace fovea::datasets::simulated
