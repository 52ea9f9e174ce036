// What a tagger sees: inputs by hand, features of pairs against a plain twin in double.

#include "fovea/domains/particle/model/jet_inputs.hpp"

#include "fovea/datasets/simulated/toy_shower.hpp"
#include "fovea/domains/particle/model/pair_features.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::particle::model {

namespace {

using datasets::particles::ParticleSets;

/// One jet of two massless particles on both sides of the seam, of 30 and 10 GeV.
ParticleSets seam_jet() {
  ParticleSets jets;
  jets.offsets = {0, 2};
  jets.momenta.resize(2, 4);
  for (Index i = 0; i < 2; ++i) {
    const auto p = datasets::particles::from_pseudorapidity(i == 0 ? 30 : 10, 0.5, i == 0 ? 3.1 : -3.1, 0);
    jets.momenta.row(i) << p.px, p.py, p.pz, p.energy;
  }
  jets.labels = {1};
  jets.ids = {-211, 22};
  return jets;
}

}  // namespace

TEST_CASE("the seven inputs of a jet over the seam are those worked out by hand", "[particle]") {
  const study::Cases cases = cases_of("a file", seam_jet(), {});
  REQUIRE(cases.features.size() == 7);
  const double px = 40 * std::cos(3.1), py = 20 * std::sin(3.1), pt = std::hypot(px, py);
  const double axis = std::atan2(py, px), pz = 40 * std::sinh(0.5), d_phi = 3.1 - axis;
  CHECK(std::abs(cases.values(0, 0) - (0.5 - std::asinh(pz / pt))) < 1e-7);
  CHECK(std::abs(cases.values(0, 1) - d_phi) < 1e-7);
  CHECK(std::abs(cases.values(0, 2) - 0.7 * (std::log(30) - 1.7)) < 1e-6);
  CHECK(std::abs(cases.values(0, 3) - 0.7 * (std::log(30 * std::cosh(0.5)) - 2)) < 1e-6);
  CHECK(std::abs(cases.values(0, 4) - 0.7 * (std::log(30 / pt) + 4.7)) < 1e-6);
  CHECK(std::abs(cases.values(0, 5) - 0.7 * (std::log(0.75) + 4.7)) < 1e-6);
  CHECK(std::abs(10 * std::sin(cases.values(1, 1)) + 30 * std::sin(cases.values(0, 1))) < 1e-5);
  CHECK(cases.targets == std::vector<double>{1});
}

TEST_CASE("kinds of particles are charges and five classes", "[particle]") {
  const study::Cases cases = cases_of("a file", seam_jet(), {.ids = true});
  REQUIRE(cases.features.size() == 13);
  CHECK(cases.values.row(0).tail(6) == Matrix<float>{{-1, 1, 0, 0, 0, 0}}.row(0));
  CHECK(cases.values.row(1).tail(6) == Matrix<float>{{0, 0, 0, 1, 0, 0}}.row(0));
  ParticleSets without = seam_jet();
  without.ids.clear();
  CHECK_THROWS_WITH(cases_of("a file", without, {.ids = true}),
                    "a file: has no particle ids, which inputs.ids asks for; take files with ids, or set inputs.ids = "
                    "false for a model "
                    "without.");
}

TEST_CASE("boosts along the beam and turns about it leave the inputs that are made for it alone", "[particle]") {
  const ParticleSets jets = datasets::simulated::top_jets(20, Random(1));
  ParticleSets moved = jets;
  const double gamma = std::cosh(0.7), drag = std::sinh(0.7), cosine = std::cos(2.0), sine = std::sin(2.0);
  for (Index i = 0; i < jets.particles(); ++i) {
    const auto p = datasets::particles::momentum_of(jets.momenta, i);
    moved.momenta.row(i) << cosine * p.px - sine * p.py, sine * p.px + cosine * p.py, gamma * p.pz + drag * p.energy,
        gamma * p.energy + drag * p.pz;
  }
  const InputOptions invariant{.set = InputSet::boost_invariant};
  const Matrix<float> before = cases_of("a", jets, invariant).values, after = cases_of("b", moved, invariant).values;
  CHECK((before - after).cwiseAbs().maxCoeff() < 2e-6F);
  const Matrix<float> standard = cases_of("a", jets, {}).values, boosted = cases_of("b", moved, {}).values;
  CHECK((standard - boosted).col(3).cwiseAbs().maxCoeff() > 0.1F);  // ln E is not
}

TEST_CASE("features of pairs agree with double precision, close together and far apart", "[particle][twin]") {
  const Random random(4);
  constexpr Index kCount = 60;
  Matrix<double> coordinates(kCount, 3);
  for (Index i = 0; i < kCount; ++i) {
    const auto entity = static_cast<std::uint64_t>(i);
    const double spread = i % 3 == 0 ? 4 : i % 3 == 1 ? 0.5 : 1e-3;
    coordinates.row(i) << spread * random.normal(entity, 0), 3.1 * (2 * random.uniform(entity, 1) - 1) * spread / 4,
        5 * random.normal(entity, 2);
  }
  PairPlaces places;
  place_particles(coordinates, places);
  const Index offsets[] = {0, kCount};
  const auto pairs = learning::TokenPairs::symmetric(offsets);
  std::vector<learning::TokenPair> read(pairs.rows());
  pairs.read(0, read);
  std::vector<float> features(4 * read.size());
  pair_fill(PairSet::standard, places)(read, features.data(), static_cast<Index>(read.size()));
  for (std::size_t p = 0; p < read.size(); ++p) {
    if (read[p].first == read[p].second) {
      CHECK(features[p] == std::log(1e-8F));
      continue;
    }
    const std::size_t a = read[p].first, b = read[p].second;
    const datasets::particles::PolarMomentum one{places.pt[a], places.y[a], places.phi[a], 0},
        other{places.pt[b], places.y[b], places.phi[b], 0};
    const double dr = datasets::particles::delta_r(one.y, one.phi, other.y, other.phi),
                 less = std::min(one.pt, other.pt);
    const double expected[] = {dr, less * dr, less / (one.pt + other.pt),
                               datasets::particles::pair_mass_squared(one, other)};
    for (std::size_t f = 0; f < 4; ++f)
      CHECK(std::abs(features[f * read.size() + p] - std::log(std::max(expected[f], 1e-8))) < 1e-4);
  }
}

TEST_CASE("features of pairs of ghosts, whose pT no single precision holds, are numbers", "[particle]") {
  Matrix<double> coordinates(2, 3);
  coordinates << 0.5, 1, -138, -0.5, 2, -140;
  PairPlaces places;
  place_particles(coordinates, places);
  const std::vector<learning::TokenPair> pairs{{0, 1, 0, 0}};
  std::vector<float> features(4);
  pair_fill(PairSet::standard, places)(pairs, features.data(), 1);
  for (const float feature : features) CHECK(std::isfinite(feature));
}

TEST_CASE("features of particles in one direction do not depend on how momenta were rounded", "[particle]") {
  Matrix<double> coordinates(4, 3);  // two in one place, two that rounding has moved apart
  coordinates << 0.125, 3, 4, 0.125, 3, 1, 0.125, 3 + 2e-7, 4, 0.125 - 3e-7, 3, 1;
  PairPlaces places;
  place_particles(coordinates, places);
  const std::vector<learning::TokenPair> pairs{{0, 1, 0, 0}, {2, 3, 1, 1}};
  std::vector<float> features(8);
  pair_fill(PairSet::standard, places)(pairs, features.data(), 2);
  const double expected[] = {std::log(1e-5), std::log(1e-5) + 1, 1 - std::log(std::exp(1.0) + std::exp(4.0)),
                             5 + 2 * std::log(1e-5)};
  for (std::size_t f = 0; f < 4; ++f)
    for (std::size_t p = 0; p < 2; ++p)
      CHECK(std::abs(static_cast<double>(features[2 * f + p]) - std::max(expected[f], std::log(1e-8))) < 1e-4);
}

TEST_CASE("published weights get the logarithms of pairs however near they are", "[particle]") {
  Matrix<double> coordinates(3, 3);
  coordinates << 0.125, 3, 4, 0.125, 3, 1, 0.125 + 1e-6, 3, 4;
  PairPlaces places;
  place_particles(coordinates, places);
  const std::vector<learning::TokenPair> pairs{{0, 1, 0, 0}, {0, 2, 1, 1}};
  std::vector<float> published(8), standard(8);
  pair_fill(PairSet::published, places)(pairs, published.data(), 2);
  pair_fill(PairSet::standard, places)(pairs, standard.data(), 2);
  const double apart = places.y[2] - places.y[0];  // as single precision tells it
  CHECK(published[0] == std::log(1e-8F));
  CHECK(std::abs(static_cast<double>(published[1]) - std::log(apart)) < 1e-4);
  CHECK(std::abs(static_cast<double>(standard[1]) - std::log(1e-5)) < 1e-4);
}

}  // namespace fovea::particle::model
