/// Ragged HDF5 is written as it is read.

#include "fovea/datasets/particles/ragged_file.hpp"

#include <sys/resource.h>

#include <csignal>

#include "fovea/core/base/storage.hpp"
#include "fovea/tests/datasets/particles/made_files.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::particles;

namespace {

/// Sets of every size from 0 on, with all columns.
ParticleSets sets_with_all_columns(Index sets, Index first = 0) {
  ParticleSets all;
  std::vector<Momentum> momenta;
  all.truth.resize(sets, 8), all.jet_momenta.resize(sets, 4);
  for (Index j = 0; j < sets; ++j) {
    const auto number = static_cast<double>(first + j);
    for (Index i = 0; i < (first + j) % 5; ++i)
      momenta.push_back(
          from_pseudorapidity(100.0 - 7 * static_cast<double>(i), std::sin(number), std::cos(number), 0.125));
    all.offsets.push_back(static_cast<Index>(momenta.size()));
    all.labels.push_back(j % 3 == 2 ? std::nan("") : static_cast<double>(j % 2));
    all.parts.push_back(static_cast<std::int32_t>(j % 3));
    all.numbers.push_back(first + j + (std::int64_t{1} << 60));
    all.truth.row(j) << 1, 2, 3, 4, 5, 6, 7, number;
    all.jet_momenta.row(j) << 500, 20, -30, 600 + number;
  }
  all.momenta.resize(static_cast<Index>(momenta.size()), 4);
  for (std::size_t i = 0; i < momenta.size(); ++i) {
    const Momentum& p = momenta[i];
    all.momenta.row(static_cast<Index>(i)) << p.px, p.py, p.pz, p.energy;
    all.ids.push_back(static_cast<std::int32_t>(i) - 3);
    all.sub_events.push_back(static_cast<std::int32_t>(i % 2));
  }
  return all;
}

FileFacts ragged_facts() {
  FileFacts facts;
  facts.axis = AxisKind::pseudorapidity;
  facts.classes = {"QCD", "top"};
  facts.parts = {"training", "validation", "test"};
  facts.truth_columns = "b, q";
  facts.ids = facts.sub_events = true;
  return facts;
}

double ragged_difference(const Matrix<double>& a, const Matrix<double>& b) {
  REQUIRE((a.rows() == b.rows() && a.cols() == b.cols()));
  return ((a - b).array() / (b.array().abs() + 1)).abs().maxCoeff();
}

}  // namespace

TEST_CASE("what a ragged file holds comes back to the rounding of a float, however it was cut into blocks",
          "[particles][hdf5]") {
  const support::TemporaryFolder folder;
  const ParticleSets all = sets_with_all_columns(40'000);
  for (const Index block : {40'000, 999}) {
    RaggedWriter writer(folder.file(concat(block, ".h5")), ragged_facts(), "made for a test");
    for (Index first = 0; first < 40'000; first += block)
      writer.append(sets_with_all_columns(std::min(block, 40'000 - first), first));
    if (block == 40'000) writer.finish();
    if (block == 999) CHECK(folder.names().size() == 2);  // the first file and one that is not whole
  }
  CHECK(folder.names() == std::set<std::string>{"40000.h5"});
  const auto reader = open_particles(folder.file("40000.h5"));
  const FileFacts& facts = reader->facts();
  CHECK((facts.sets == 40'000 && facts.ids && facts.sub_events && facts.truth && facts.jet_momenta));
  CHECK((facts.classes == ragged_facts().classes && facts.parts == ragged_facts().parts));
  const ParticleSets back = read_all(*reader);
  CHECK(back.offsets == all.offsets);
  CHECK(ragged_difference(back.momenta, all.momenta) < 1e-6);
  CHECK(ragged_difference(back.jet_momenta, all.jet_momenta) < 1e-6);
  CHECK(ragged_difference(back.truth, all.truth) < 1e-6);
  CHECK((back.ids == all.ids && back.sub_events == all.sub_events));
  CHECK((back.parts == all.parts && back.numbers == all.numbers));
  for (std::size_t j = 0; j < all.labels.size(); ++j)
    if (std::isnan(all.labels[j]) != std::isnan(back.labels[j]) || back.labels[j] > 1) FAIL_CHECK("label of " << j);
  CHECK(reader->repairs().empty_sets == 8000);
}

TEST_CASE("blocks of any size make the same sets of a ragged file", "[particles][hdf5]") {
  const support::TemporaryFolder folder;
  for (const Index block : {50, 7, 1}) {
    RaggedWriter writer(folder.file(concat(block, ".h5")), ragged_facts(), "made for a test");
    writer.append(sets_with_all_columns(2, 0));
    for (Index first = 2; first < 50; first += block)
      writer.append(sets_with_all_columns(std::min(block, 50 - first), first));
    writer.finish();
  }
  ParticleSets first = read_all(*open_particles(folder.file("50.h5")));
  for (const char* name : {"7.h5", "1.h5"}) {
    const ParticleSets again = read_all(*open_particles(folder.file(name)));
    CHECK((again.offsets == first.offsets && again.momenta == first.momenta));
  }
}

TEST_CASE("a disk that is full leaves no ragged file, and says so", "[particles][hdf5][fault]") {
  const support::TemporaryFolder folder;
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{100'000, limit.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = support::refusal_of<StorageError>([&] {
    RaggedWriter writer(folder.file("jets.h5"), ragged_facts(), "made for a test");
    for (Index first = 0; first < 200'000; first += 10'000) writer.append(sets_with_all_columns(10'000, first));
    writer.finish();
  });
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, before);
  CHECK(message.starts_with(folder.file("jets.h5") + ": cannot be written: writing "));
  CHECK(message.ends_with("; free some space or choose another folder."));
  CHECK(folder.names().empty());
  CHECK(support::refusal_of<StorageError>([&] { RaggedWriter(folder.file("no/jets.h5"), ragged_facts(), ""); }) != "");
  write_file(folder.file("a.txt"), "still here");  // HDF5 works on after a refusal
  support::write_made_ragged(folder.file("b.h5"), {});
  CHECK(read_all(*open_particles(folder.file("b.h5"))).count() == 3);
}

TEST_CASE("a block with other columns than the first is refused by the writer", "[particles][hdf5]") {
  const support::TemporaryFolder folder;
  RaggedWriter writer(folder.file("jets.h5"), ragged_facts(), "made for a test");
  ParticleSets sets = sets_with_all_columns(10);
  writer.append(sets);
  sets.labels.clear();
  CHECK(support::refusal_of<ArgumentError>([&] { writer.append(sets); }) ==
        "RaggedWriter: a block has 0 numbers of label, but must have 10, as the first block has it.");
}

TEST_CASE("a copy of quark and gluon jets from .npz agrees with its source", "[particles][hdf5][npz]") {
  const auto path = support::shared_data("particle/layouts/energyflow_qg.npz");
  if (!path) return;
  const support::TemporaryFolder folder;
  const auto published = open_particles(path->string());
  const ParticleSets source = read_all(*published);
  CHECK(source.count() == 60);
  RaggedWriter writer(folder.file("qg.h5"), published->facts(), "EnergyFlow");
  writer.append(source);
  writer.finish();
  const auto reader = open_particles(folder.file("qg.h5"));
  CHECK(reader->facts().axis == AxisKind::rapidity);
  const ParticleSets copy = read_all(*reader);
  CHECK(ragged_difference(copy.momenta, source.momenta) < 1e-6);
  CHECK((copy.ids == source.ids && copy.labels == source.labels));
}
