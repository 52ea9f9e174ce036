/// Files of jets in the HDF5 layouts of the field, read in blocks.

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/particles/particles.hpp"
#include "fovea/tests/support/catch.hpp"
#include "fovea/tests/support/shared_data.hpp"

using namespace fovea;
using namespace fovea::datasets::particles;

namespace {

ParticleSets in_blocks(const std::string& path, Index block, Index most) {
  const auto reader = open_particles(path);
  ParticleSets all = reader->read(std::min(block, most));
  while (all.count() < most) append(all, reader->read(std::min(block, most - all.count())));
  return all;
}

}  // namespace

TEST_CASE("the ragged file of top jets gives the jets' own momenta back", "[particles][hdf5]") {
  const auto path = support::shared_data("particle/toptag_like_test.h5");
  if (!path) return;
  const auto reader = open_particles(path->string());
  const FileFacts& facts = reader->facts();
  CHECK(facts.sets == 8000);
  CHECK(facts.kind == SetKind::jets);
  CHECK(facts.axis == AxisKind::pseudorapidity);
  CHECK(facts.unit == "GeV");
  CHECK(facts.classes == std::vector<std::string>{"QCD", "top"});
  CHECK((facts.ids && facts.truth && facts.jet_momenta && !facts.sub_events));
  CHECK(looks_like_particles(path->string()));
  const ParticleSets sets = read_all(*reader);
  CHECK(sets.count() == 8000);
  CHECK(sets.particles() == 391559);
  CHECK(sets.ids.size() == 391559);
  CHECK(std::count(sets.labels.begin(), sets.labels.end(), 1.0) == 4000);
  CHECK(sets.truth.cols() == 16);
  CHECK(reader->repairs().sorted_sets == 0);
  CHECK(reader->repairs().wrapped_angles > 0);  // |phi| reaches 3.1416016
  double worst_pt = 0, worst_mass = 0;
  for (Index jet = 0; jet < sets.count(); ++jet) {
    const auto b = static_cast<std::size_t>(jet);
    const Momentum sum = sum_of(sets.momenta, sets.offsets[b], sets.offsets[b + 1]);
    const Momentum meant = momentum_of(sets.jet_momenta, jet);
    worst_pt = std::max(worst_pt, std::abs(pt(sum) / pt(meant) - 1));
    worst_mass = std::max(worst_mass, std::abs(mass(sum) - mass(meant)));
  }
  CHECK(worst_pt < 2.6e-5);  // as the file's README says: 14 bits of mantissa
  CHECK(worst_mass < 0.05);
}

TEST_CASE("how a ragged file is cut into blocks changes no bit", "[particles][hdf5]") {
  const auto path = support::shared_data("particle/qg_like_test.h5");
  if (!path) return;
  const ParticleSets once = in_blocks(path->string(), 1000, 1000);
  CHECK(open_particles(path->string())->facts().axis == AxisKind::rapidity);
  for (const Index block : {1, 7}) {
    const ParticleSets again = in_blocks(path->string(), block, 1000);
    CHECK(again.offsets == once.offsets);
    CHECK(again.momenta == once.momenta);
    CHECK(again.jet_momenta == once.jet_momenta);
    CHECK(again.truth == once.truth);
    CHECK(again.ids == once.ids);
    CHECK(again.labels == once.labels);
    CHECK(again.numbers == once.numbers);
  }
}
