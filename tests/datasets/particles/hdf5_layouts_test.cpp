/// Files of jets in the HDF5 layouts of the field, read in blocks.

#include "fovea/datasets/particles/particles.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::particles;

namespace {

ParticleSets layout_in_blocks(const std::string& path, Index block, Index most) {
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
    const std::size_t b = jet;
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
  const ParticleSets once = layout_in_blocks(path->string(), 1000, 1000);
  CHECK(open_particles(path->string())->facts().axis == AxisKind::rapidity);
  for (const Index block : {1, 7}) {
    const ParticleSets again = layout_in_blocks(path->string(), block, 1000);
    CHECK(again.offsets == once.offsets);
    CHECK(again.momenta == once.momenta);
    CHECK(again.jet_momenta == once.jet_momenta);
    CHECK(again.truth == once.truth);
    CHECK(again.ids == once.ids);
    CHECK(again.labels == once.labels);
    CHECK(again.numbers == once.numbers);
  }
}

namespace {

struct LayoutCase {
  const char* file;
  const char* reference;
  Index sets;
  bool is_relative;  ///< phi and energies are not those of the ragged file
};

constexpr LayoutCase kLayoutCases[] = {{"top_reference_table.h5", "toptag_like_test.h5", 60, false},
                                       {"atlas_top_tagging.h5", "toptag_like_test.h5", 60, false},
                                       {"energyflow_qg.npz", "qg_like_test.h5", 60, false},
                                       {"lhco_fixed.h5", "toptag_like_test.h5", 12, true},
                                       {"jetnet.hdf5", "toptag_like_test.h5", 60, true}};

/// The largest difference of a momentum's parts, in units of the energy.
double difference_of(const ParticleSets& a, const ParticleSets& b, Index set, Index particle) {
  const auto row = [&](const ParticleSets& sets) { return sets.momenta.row(sets.offsets[set] + particle); };
  return (row(a) - row(b)).cwiseAbs().maxCoeff() / row(b)[3];
}

/// The same where masses are not there: of pT and eta.
double difference_of_pt(const ParticleSets& a, const ParticleSets& b, Index set, Index particle) {
  const auto one = [&](const ParticleSets& sets) { return momentum_of(sets.momenta, sets.offsets[set] + particle); };
  const Momentum p = one(a), q = one(b);
  return std::max(std::abs(pt(p) / pt(q) - 1), std::abs(pseudorapidity(p) - pseudorapidity(q)));
}

}  // namespace

TEST_CASE("all layouts of the same jets give the same momenta", "[particles][hdf5][npz]") {
  constexpr double kFloatRounding = 1e-6;
  for (const LayoutCase& one : kLayoutCases) DYNAMIC_SECTION(one.file) {
      const auto path = support::shared_data(std::string("particle/layouts/") + one.file);
      const auto reference_path = support::shared_data(std::string("particle/") + one.reference);
      if (!path || !reference_path) return;
      const ParticleSets sets = layout_in_blocks(path->string(), 1000, one.sets);
      const ParticleSets reference = layout_in_blocks(reference_path->string(), 1000, one.sets);
      REQUIRE(sets.count() == one.sets);
      double worst = 0;
      for (Index set = 0; set < one.sets; ++set) {
        if (std::string(one.file) != "jetnet.hdf5") REQUIRE(sets.size(set) == reference.size(set));
        for (Index i = 0; i < sets.size(set); ++i)
          worst = std::max(worst, one.is_relative ? difference_of_pt(sets, reference, set, i)
                                                  : difference_of(sets, reference, set, i));
      }
      CHECK(worst < (one.is_relative ? 2 * kFloatRounding : kFloatRounding));
      if (!sets.labels.empty()) CHECK(sets.labels == reference.labels);
      for (const Index block : {1, 7}) {
        const ParticleSets again = layout_in_blocks(path->string(), block, one.sets);
        CHECK(again.momenta == sets.momenta);
        CHECK(again.offsets == sets.offsets);
        CHECK(again.jet_momenta == sets.jet_momenta);
        CHECK(again.truth == sets.truth);
        CHECK(again.labels == sets.labels);
        CHECK(again.parts == sets.parts);
      }
    }
}

TEST_CASE("each layout says what it holds", "[particles][hdf5][npz]") {
  const auto folder = support::shared_data("particle/layouts");
  if (!folder) return;
  const auto facts = [&](const char* name, const ReadOptions& options = {}) {
    return open_particles((*folder / name).string(), options)->facts();
  };
  const FileFacts top = facts("top_reference_table.h5");
  CHECK((top.sets == 60 && top.truth && top.axis == AxisKind::none && top.unit == "GeV"));
  CHECK(top.parts == std::vector<std::string>{"training", "validation", "test"});
  const FileFacts atlas = facts("atlas_top_tagging.h5");
  CHECK((atlas.unit == "MeV" && atlas.jet_momenta && atlas.classes == std::vector<std::string>{"QCD", "top"}));
  const FileFacts jetnet = facts("jetnet.hdf5");
  CHECK((jetnet.classes.empty() && jetnet.jet_momenta));
  CHECK(facts("jetnet.hdf5", {.label = "1"}).classes == std::vector<std::string>{"0", "1"});
  CHECK(open_particles((*folder / "jetnet.hdf5").string(), {.label = "1"})->read(3).labels ==
        std::vector<double>{1, 1, 1});
  const FileFacts olympics = facts("lhco_fixed.h5");
  CHECK((olympics.kind == SetKind::events && olympics.sets == 12));
  const FileFacts quarks = facts("energyflow_qg.npz");
  CHECK((quarks.ids && quarks.axis == AxisKind::rapidity));
  CHECK(quarks.classes == std::vector<std::string>{"gluon", "quark"});
  for (const char* name : {"top_reference_table.h5", "jetnet.hdf5", "energyflow_qg.npz", "lhco_fixed.h5"})
    CHECK(looks_like_particles((*folder / name).string()));
}

TEST_CASE("a table packed with Blosc is read, or the missing package is named", "[particles][hdf5]") {
  const auto path = support::shared_data("particle/layouts/top_reference_table_blosc.h5");
  if (!path) return;
  try {
    const Index jets = open_particles(path->string())->read(100).count();
    CHECK(jets == 20);
  } catch (const DataError& error) {
    CHECK(std::string(error.what()) ==
          path->string() +
              ": /table/table is packed with the HDF5 filter 32001 'blosc', which is not here; install "
              "Debian's package hdf5-filter-plugin-blosc-serial.");
  }
}
