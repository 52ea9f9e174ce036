#include "fovea/domains/particle/clustering/clustering.hpp"

#include "fovea/datasets/text/csv.hpp"
#include "fovea/tests/domains/particle/plain_clustering.hpp"
#include "fovea/tests/support/test.hpp"

namespace particles = fovea::datasets::particles;
using particle::clustering::Algorithm;
using particle::clustering::Jet;

namespace {

/// Particles about three directions, one of them at the seam phi = pi.
Matrix<double> made_event(Index count, std::uint64_t seed) {
  const Random random(seed);
  Matrix<double> momenta(count, 4);
  for (Index i = 0; i < count; ++i) {
    const auto u = [&](std::uint64_t step) { return random.uniform(static_cast<std::uint64_t>(i), step); };
    const double pt = std::exp(4 * u(0) - 1), y = static_cast<double>(i % 3) - 1 + 0.8 * (u(1) - 0.5);
    const auto p = particles::from_rapidity(pt, y, 3.1 + 1.7 * static_cast<double>(i % 3) + 0.8 * (u(2) - 0.5), u(3));
    momenta.row(i) << p.px, p.py, p.pz, p.energy;
  }
  return momenta;
}

constexpr double kEightDigits = 5e-8;   // the reference has so many, which at 1000 GeV is 5e-5
constexpr double kSameMomentum = 1e-9;  // sums of tens of GeV in another order

Algorithm algorithm_named(std::string_view name) {
  return name == "antikt" ? Algorithm::antikt : name == "kt" ? Algorithm::kt : Algorithm::cambridge;
}

/// Of one event, algorithm and radius.
std::vector<Jet> jets_of_event(const particles::ParticleSets& events, Index event, std::string_view algorithm,
                               double radius) {
  const std::size_t at = event;
  return particle::clustering::find_jets(events.momenta, events.offsets[at], events.offsets[at + 1],
                                         {algorithm_named(algorithm), radius}, 5);
}

}  // namespace

TEST_CASE("jets are those of the plain algorithm, with their constituents", "[clustering][twin]") {
  if (!particle::clustering::has_fastjet()) return;
  const std::vector<std::pair<Algorithm, int>> algorithms{
      {Algorithm::antikt, -1}, {Algorithm::cambridge, 0}, {Algorithm::kt, 1}};
  for (const auto& [algorithm, p] : algorithms)
    for (const double radius : {0.4, 1.0})
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const int power = p;
        CAPTURE(power, radius, seed);
        const Matrix<double> event = made_event(40, seed);
        const auto jets = particle::clustering::find_jets(event, 0, 40, {algorithm, radius}, 2);
        const auto plain = test::plain_jets(event, p, radius, 2);
        REQUIRE(jets.size() == plain.size());
        REQUIRE(jets.size() > 2);
        for (std::size_t k = 0; k < jets.size(); ++k) {
          CHECK(jets[k].constituents == plain[k].members);
          CHECK(std::abs(jets[k].momentum.energy - plain[k].momentum.energy) < kSameMomentum);
        }
      }
}

TEST_CASE("a part of the rows is clustered by itself and keeps its row numbers", "[clustering]") {
  if (!particle::clustering::has_fastjet()) return;
  const Matrix<double> event = made_event(30, 5);
  const Matrix<double> part = event.middleRows(10, 15);
  const auto inside = particle::clustering::find_jets(event, 10, 25, {Algorithm::antikt, 0.6}, 0);
  const auto alone = particle::clustering::find_jets(part, 0, 15, {Algorithm::antikt, 0.6}, 0);
  REQUIRE(inside.size() == alone.size());
  for (std::size_t k = 0; k < alone.size(); ++k) {
    CHECK(inside[k].momentum == alone[k].momentum);
    for (std::size_t i = 0; i < alone[k].constituents.size(); ++i)
      CHECK(inside[k].constituents[i] == alone[k].constituents[i] + 10);
  }
  CHECK(particle::clustering::find_jets(event, 3, 3, {}, 0).empty());
  CHECK(support::refusal_of<ArgumentError>([&] {
          particle::clustering::find_jets(event, 0, 3, {Algorithm::kt, 0});
        }) == "find_jets: the radius is 0, but must be above 0 and at most pi / 2.");
}

TEST_CASE("the reference jets of FastJet's own events come out row by row", "[clustering]") {
  const auto data = support::shared_data("particle");
  if (!data || !particle::clustering::has_fastjet()) return;
  datasets::text::CsvReader rows((*data / "fastjet_reference_jets.csv.gz").string());
  std::map<std::string, particles::ParticleSets> files;
  std::map<std::string, std::vector<Jet>> found;
  std::map<std::string, std::size_t> expected;
  Index seen = 0;
  while (rows.next()) {
    const std::string file(rows.text(0)), algorithm(rows.text(3)),
        key = file + concat(rows.text(1), algorithm, rows.text(4));
    const std::size_t rank = rows.whole(5);
    CAPTURE(key, rank);
    if (files.count(file) == 0)
      files[file] = particles::read_all(*particles::open_particles((*data / ("fastjet_" + file + ".gz")).string()));
    CHECK(files[file].size(rows.whole(1)) == rows.whole(2));
    if (found.count(key) == 0) found[key] = jets_of_event(files[file], rows.whole(1), algorithm, rows.number(4));
    ++expected[key];
    REQUIRE(rank < found[key].size());
    const Jet& jet = found[key][rank];
    CHECK(std::abs(particles::pt(jet.momentum) - rows.number(6)) < 1e-5 + kEightDigits * rows.number(6));
    CHECK(std::abs(particles::rapidity(jet.momentum) - rows.number(7)) < 1e-5);
    CHECK(std::abs(particles::wrapped(particles::phi(jet.momentum) - rows.number(8))) < 1e-5);
    CHECK(std::abs(particles::mass(jet.momentum) - rows.number(9)) < 1e-5);
    CHECK(static_cast<std::int64_t>(jet.constituents.size()) == rows.whole(10));
    ++seen;
  }
  CHECK(seen == 1357);
  for (const auto& [key, jets] : found) CHECK(jets.size() == expected[key]);
}
