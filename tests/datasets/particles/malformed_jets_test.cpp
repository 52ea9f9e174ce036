/// Files of jets in HDF5 and .npz that are wrong: each ends in one line with file, array, jet and rule.

#include "fovea/datasets/particles/particles.hpp"
#include "fovea/tests/datasets/particles/made_files.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::particles;
using support::made_npy;
using support::made_zip;
using support::MadeRagged;
using support::npy_head_text;
using support::with_bytes_changed;
using support::with_number;

namespace {

constexpr float kNanFloat = std::numeric_limits<float>::quiet_NaN();

struct BadRagged {
  const char* what;
  std::function<void(MadeRagged&)> change;
  const char* message;  ///< behind the file's name
};

const std::vector<BadRagged> kBadRagged = {
    {"offsets that begin elsewhere",
     [](auto& f) {
       f.offsets = {1, 2, 3, 3};
     },
     ": /offsets begins with 1, but must begin with 0."},
    {"offsets that end before the particles",
     [](auto& f) {
       f.offsets = {0, 2, 2, 2};
     },
     ": /offsets ends with 2, but must end with 3, the number of rows of /particles."},
    {"offsets that fall",
     [](auto& f) {
       f.offsets = {0, 3, 2, 3};
     },
     ": /offsets: jet 1: its rows are 3 to 2, but must not fall and lie within 0 and 3."},
    {"offsets far outside",
     [](auto& f) {
       f.offsets = {0, 2, std::int64_t{1} << 62, 3};
     },
     ": /offsets: jet 1: its rows are 2 to 4611686018427387904, but must not fall and lie within 0 and 3."},
    {"no offset", [](auto& f) { f.offsets = {}, f.label = {}; }, ": /offsets is empty, but must begin with 0."},
    {"offsets that are reals",
     [](auto& f) {
       f.real_offsets = {0, 2, 3, 3};
     },
     ": /offsets holds reals, but must be an array of whole numbers."},
    {"three columns", [](auto& f) { f.columns = 3; }, ": /particles has the shape [4, 3], but must have [N, 4]."},
    {"no word of eta or rapidity", [](auto& f) { f.names = ""; },
     ": /particles does not say whether its second column is eta or rapidity; give the option axis, or its attribute "
     "columns = 'pt[GeV],eta,phi,mass[GeV]'."},
    {"columns in another order", [](auto& f) { f.names = "eta,pt,phi,mass"; },
     ": /particles has the columns 'eta,pt,phi,mass', but must have pt, eta or y, phi, mass; write them in this "
     "order."},
    {"another unit", [](auto& f) { f.names = "pt[TeV],eta,phi,mass[TeV]"; },
     ": /particles has energies in 'TeV', but must have them in GeV or MeV."},
    {"a pt that is no number", [](auto& f) { f.particles[4] = std::nan(""); },
     ": /particles: jet 0, particle 1: pt is nan, but must be a finite number."},
    {"an infinite eta", [](auto& f) { f.particles[9] = std::numeric_limits<double>::infinity(); },
     ": /particles: jet 1, particle 0: eta or rapidity is inf, but must be a finite number."},
    {"an eta whose momentum is infinite", [](auto& f) { f.particles[9] = 800; },
     ": /particles: jet 1, particle 0: pz is inf, but must be a finite number."},
    {"a pt below 0", [](auto& f) { f.particles[0] = -2.5; },
     ": /particles: jet 0, particle 0: pt is -2.5, but must be >= 0."},
    {"a phi in degrees", [](auto& f) { f.particles[6] = 45; },
     ": /particles: jet 0, particle 1: phi is 45, but must lie within -2 pi and 2 pi; turn it into radians."},
    {"a mass below 0", [](auto& f) { f.particles[11] = -0.5; },
     ": /particles: jet 1, particle 0: mass is -0.5, but must be >= 0."},
    {"a label of no class",
     [](auto& f) {
       f.label = {0, 2, 1};
     },
     ": /label: jet 1: the label is 2, but must be one of 0 = QCD, 1 = top, or -1 where it is not known."},
    {"fewer labels than jets",
     [](auto& f) {
       f.label = {0, 1};
     },
     ": /label has the shape [2], but must have [3] as /offsets says."},
    {"fewer ids than particles",
     [](auto& f) {
       f.pid = {22, 22};
     },
     ": /pid has the shape [2], but must have [3] as /particles says."},
    {"truth of five columns", [](auto& f) { f.truth.assign(15, 1), f.truth_columns = 5; },
     ": /truth has 5 columns, but must have four (px, py, pz, E) for each parton."},
    {"truth that is no number", [](auto& f) { f.truth.assign(12, kNanFloat); },
     ": /truth: jet 0: a number is not finite, but all must be; write zeros where there is no truth."},
};

std::string refusal_of_jets(const std::string& path) {
  return support::refusal_of<DataError>([&] { read_all(*open_particles(path)); });
}

}  // namespace

TEST_CASE("a ragged file that is wrong is refused with array, jet and rule", "[particles][hdf5][fault]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("jets.h5");
  for (const BadRagged& one : kBadRagged) {
    INFO(one.what);
    MadeRagged made;
    one.change(made);
    support::write_made_ragged(path, made);
    CHECK(refusal_of_jets(path) == path + one.message);
  }
  support::write_made_ragged(path, {});
  CHECK(refusal_of_jets(path).empty());
}

namespace {

struct BadJetFile {
  const char* what;
  std::function<std::string()> bytes;
  const char* message;
};

std::string jets_of_layout(const char* name) {
  return support::text_of(support::golden(std::string("particles/") + name));
}

/// The third particle of the first jet is zeros, the fourth is there.
std::string jets_with_a_gap() {
  std::string bytes = jets_of_layout("top_table.h5");
  for (const float number : {23.5F, -20.125F, 4.5F, 10.5F}) bytes = with_number(bytes, number, 0.0F);
  return bytes;
}

const std::vector<BadJetFile> kBadLayouts = {
    {"nothing", [] { return std::string(); }, ": is empty; name a file of jets or events."},
    {"a ROOT file", [] { return std::string("root\0\0\xF3", 7); },
     ": is a ROOT file, which is not read; turn it into ragged HDF5 with scripts/root-to-ragged (Python, uproot)."},
    {"a Parquet file", [] { return std::string("PAR1...."); },
     ": is a Parquet file, which is not read; write its columns as ragged HDF5 or as CSV."},
    {"a pickle", [] { return std::string("\x80\x04\x95"); },
     ": is a Python pickle, which may run any program and is not read; write HDF5 or .npz."},
    {"a cut file", [] { return jets_of_layout("atlas.h5").substr(0, 3000); },
     ": is damaged, or no HDF5 file: opening it as HDF5 failed (truncated file: eof = 3000, sblock->base_addr = 0, "
     "stored_eof = 6504); restore it from a copy, or make it again."},
    {"a group in place of an array", [] { return jets_of_layout("group.h5"); },
     ": /particles is a group, but must be an array of numbers."},
    {"an unknown filter", [] { return jets_of_layout("packed.h5"); },
     ": /particles is packed with the HDF5 filter 399, which is not here; install the HDF5 plugin of this filter, or "
     "write the file anew with deflate (h5repack -f GZIP=4)."},
    {"another HDF5 file",
     [] { return with_bytes_changed(jets_of_layout("jetnet.h5"), "jet_features", "jet_featurez"); },
     ": is an HDF5 file with /jet_featurez, /particle_features, none of the layouts of particles that are known here: "
     "ragged (offsets, particles); Top Tagging reference (table/table); JetNet (particle_features, jet_features); "
     "ATLAS "
     "(fjet_clus_pt, ...); LHC Olympics (df/block0_values); write it as ragged HDF5."},
    {"an energy that is no number", [] { return with_number(jets_of_layout("top_table.h5"), 68.25F, kNanFloat); },
     ": /table/table: jet 0, particle 1: E is nan, but must be a finite number."},
    {"an energy below the momentum", [] { return with_number(jets_of_layout("top_table.h5"), 112.5F, 100.0F); },
     ": /table/table: jet 0, particle 0: E is 100, but must be at least |p| = 112.251."},
    {"a particle behind zeros", jets_with_a_gap,
     ": /table/table: jet 0, particle 3: it stands behind slots of zeros, but particles must stand before all zeros; "
     "sort "
     "them by pt."},
    {"a column of another name", [] { return with_bytes_changed(jets_of_layout("top_table.h5"), "VE_0\n", "VQ_0\n"); },
     ": /table/table has no columns E_0, PX_0, PY_0, PZ_0, which it must have."},
    {"one column missing", [] { return with_bytes_changed(jets_of_layout("top_table.h5"), "VPZ_2\n", "VPQ_2\n"); },
     ": /table/table has no column PZ_2, which it must have."},
    {"names that are no list",
     [] { return with_bytes_changed(jets_of_layout("top_table.h5"), "(lp0\nVE_0", "(dp0\nVE_0"); },
     ": /table/table: the attribute values_block_0_kind is no list of column names that is understood; write the table "
     "with pandas (format = 'table')."},
    {"a truth below its momentum", [] { return with_number(jets_of_layout("top_table.h5"), 700.5F, 70.5F); },
     ": /table/table: jet 0: E is 70.5, but must be at least |p| = 634.912."},
    {"an ATLAS file without phi",
     [] { return with_bytes_changed(jets_of_layout("atlas.h5"), "fjet_clus_phi", "fjet_clus_phj"); },
     ": has no array /fjet_clus_phi, which must have the shape [3, 4]."},
    {"a mask of one half", [] { return with_number(jets_of_layout("jetnet.h5"), 1.0F, 0.5F); },
     ": /particle_features: jet 0, particle 0: the mask is 0.5, but must be 0 or 1."},
    {"an event with label 2", [] { return with_number(jets_of_layout("olympics.h5"), 1.0, 2.0); },
     ": /df/block0_values: event 0: the label is 2, but must be one of 0 = background, 1 = signal, or -1 where it is "
     "not "
     "known."},
};

const std::vector<double> kJetNumbers{100.25, 0.5, 3.25, 211, 50.5, -0.25, -1.5, 22};

std::string npz_of(const std::string& head, std::vector<double> numbers = kJetNumbers) {
  return made_zip({{"X.npy", made_npy(head, numbers)}, {"y.npy", made_npy(npy_head_text("(1,)"), {1})}});
}

std::string npz_changed(std::size_t place, double value) {
  std::vector<double> numbers = kJetNumbers;
  numbers[place] = value;
  return npz_of(npy_head_text("(1, 2, 4)"), numbers);
}

const std::vector<BadJetFile> kBadNpz = {
    {"no X",
     [] {
       return made_zip({{"x.npy", ""}});
     },
     ": is a zip without an array X (X.npy), which a file of EnergyFlow has; unpack what is in it, or get it again."},
    {"no .npy",
     [] {
       return made_zip({{"X.npy", "X = 3, 4, 5"}});
     },
     ": its array 'X.npy' is no .npy of version 1, 2 or 3; write it with numpy.savez."},
    {"two axes", [] { return npz_of(npy_head_text("(2, 4)")); },
     ": its array 'X.npy' has 2 axes, but must have [N, M, 4] (or 3) as pt, y, phi and PDG number."},
    {"five columns", [] { return npz_of(npy_head_text("(2, 2, 5)")); },
     ": its array 'X.npy' has 3 axes, the last of 5, but must have [N, M, 4] (or 3) as pt, y, phi and PDG number."},
    {"Fortran's order", [] { return npz_of(npy_head_text("(1, 2, 4)", "<f8", "True")); },
     ": its array 'X.npy' is in Fortran's order, but must be in C's; write it with numpy.ascontiguousarray."},
    {"objects", [] { return npz_of(npy_head_text("(1,)", "|O")); },
     ": its array 'X.npy' holds records or objects, but must hold plain numbers; write it with astype(float)."},
    {"big-endian numbers", [] { return npz_of(npy_head_text("(1, 2, 4)", ">f8")); },
     ": its array 'X.npy' holds numbers of the type '>f8', but must hold little-endian reals or whole numbers; write "
     "it "
     "with astype('<f8')."},
    {"a shape of words", [] { return npz_of(npy_head_text("(one, 2, 4)")); },
     ": its array 'X.npy' has a shape in its head that is no list of sizes."},
    {"a million million jets that are not there", [] { return npz_of(npy_head_text("(1000000000000, 2, 4)")); },
     ": its array 'y.npy' has 1 rows of 1, but must have 1000000000000 numbers, one for each jet of X."},
    {"rows wider than any jet", [] { return npz_of(npy_head_text("(1, 1000000000000, 4)")); },
     ": its array 'X.npy' has rows of more than 4194304 numbers, which are not read; write it with shorter rows."},
    {"fewer numbers than rows", [] { return npz_of(npy_head_text("(1, 3, 4)")); },
     ": its array 'X.npy' ends after row 0 of 1; get it again."},
    {"a pt that is no number", [] { return npz_changed(4, std::nan("")); },
     ": X.npy: jet 0, particle 1: pt is nan, but must be a finite number."},
    {"a pt below 0", [] { return npz_changed(4, -1); }, ": X.npy: jet 0, particle 1: pt is -1, but must be >= 0."},
    {"a PDG number with a fraction", [] { return npz_changed(3, 22.5); },
     ": X.npy: jet 0, particle 0: the PDG number is 22.5, but must be a whole number of 31 bits."},
    {"a particle behind zeros", [] { return npz_changed(0, 0); },
     ": X.npy: jet 0, particle 1: it stands behind slots of zeros, but particles must stand before all zeros; sort "
     "them "
     "by pt."},
    {"label 2",
     [] {
       return made_zip({{"X.npy", made_npy(npy_head_text("(1, 2, 4)"), kJetNumbers)},
                        {"y.npy", made_npy(npy_head_text("(1,)"), {2})}});
     },
     ": y.npy: jet 0: the label is 2, but must be 0 (gluon) or 1 (quark)."},
};

void check_bad_jet_files(const std::vector<BadJetFile>& table) {
  const support::TemporaryFolder folder;
  for (const BadJetFile& one : table) {
    INFO(one.what);
    const std::string path = folder.file("jets");
    std::ofstream(path, std::ios::binary) << one.bytes();
    CHECK(refusal_of_jets(path) == path + one.message);
  }
}

}  // namespace

TEST_CASE("HDF5 of another layout that is wrong is refused with array, jet and rule", "[particles][hdf5][fault]") {
  check_bad_jet_files(kBadLayouts);
  for (const char* name : {"top_table.h5", "atlas.h5", "jetnet.h5", "olympics.h5"})
    CHECK(refusal_of_jets(support::golden(std::string("particles/") + name)).empty());
}

TEST_CASE("an .npz that is wrong is refused with array, jet and rule", "[particles][npz][fault]") {
  check_bad_jet_files(kBadNpz);
}

TEST_CASE("jets of an .npz that cannot be read stop it, or are left out and counted", "[particles][npz]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("jets.npz");
  const auto write = [&](double pt_of_second, double label_of_third) {
    std::vector<double> numbers;
    for (int jet = 0; jet < 5; ++jet) numbers.insert(numbers.end(), kJetNumbers.begin(), kJetNumbers.end());
    numbers[8 + 4] = pt_of_second;                               // behind a particle that is good
    std::fill(numbers.begin() + 24, numbers.begin() + 32, 0.0);  // the fourth has none
    std::ofstream(path, std::ios::binary)
        << made_zip({{"X.npy", made_npy(npy_head_text("(5, 2, 4)"), numbers)},
                     {"y.npy", made_npy(npy_head_text("(5,)"), {1, 1, label_of_third, 0, 0})}});
  };
  write(std::nan(""), 7);
  CHECK(support::refusal_of<BadSet>([&] { read_all(*open_particles(path)); }).starts_with(path + ": X.npy: jet 1"));
  for (const Index most : {1, 2, 5}) {  // however it is cut into blocks
    const auto reader = open_particles(path, {.leave_out_bad = true, .empty_is_bad = true});
    std::vector<double> labels;
    std::vector<std::int64_t> numbers;
    for (ParticleSets sets = reader->read(most); sets.count() > 0; sets = reader->read(most)) {
      CHECK((sets.count() <= most && sets.particles() == 2 * sets.count()));
      labels.insert(labels.end(), sets.labels.begin(), sets.labels.end());
      numbers.insert(numbers.end(), sets.numbers.begin(), sets.numbers.end());
    }
    CHECK(labels == std::vector<double>{1, 0});
    CHECK(numbers == std::vector<std::int64_t>{0, 4});
    CHECK(reader->repairs().bad_sets == 3);
    CHECK(reader->repairs().bad_places.back().find("jet 3: it has no constituents") != std::string::npos);
  }
  write(50.5, 1);
  const auto good = open_particles(path, {.leave_out_bad = true});
  CHECK(read_all(*good).count() == 5);
  CHECK(good->repairs().bad_sets == 0);
}

TEST_CASE("what a file lacks or has too much of is read as documented", "[particles][hdf5]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("jets.h5");
  support::write_made_ragged(path, {.offsets = {0}, .particles = {}, .label = {}, .pid = {}});
  CHECK(read_all(*open_particles(path)).count() == 0);  // no jets
  MadeRagged made;
  made.particles[0] = 20, made.particles[3] = -1e-3;  // behind a harder one; a mass below 0 by rounding
  made.particles[8] = 0;                              // along the beam
  support::write_made_ragged(path, made);
  const auto reader = open_particles(path);
  const ParticleSets sets = read_all(*reader);
  CHECK(sets.offsets == std::vector<Index>{0, 2, 2, 2});
  CHECK(sets.ids == std::vector<std::int32_t>{22, 211});
  CHECK((sets.labels[0] == 1 && sets.labels[1] == 0 && std::isnan(sets.labels[2])));
  const Repairs& repairs = reader->repairs();
  CHECK((repairs.sorted_sets == 1 && repairs.negative_masses == 1 && repairs.without_transverse == 1));
  CHECK((repairs.empty_sets == 2 && repairs.wrapped_angles == 1));  // phi = 3.5
  made = {}, made.names = "";
  support::write_made_ragged(path, made);
  CHECK(open_particles(path, {.axis = "rapidity"})->facts().axis == AxisKind::rapidity);
  const ParticleSets in_mev = read_all(*open_particles(path, {.unit = "MeV", .axis = "eta"}));
  CHECK(std::abs(pt(momentum_of(in_mev.momenta, 0)) - 0.10025) < 1e-9);
  CHECK(support::refusal_of<ArgumentError>([&] { open_particles(path, {.unit = "TeV", .axis = "eta"}); }) ==
        "unit is 'TeV'; it must be GeV or MeV.");
  CHECK(support::refusal_of<ArgumentError>([&] { open_particles(path, {.axis = "eta", .label = "top"}); }) ==
        "label is 'top'; it must be a whole number from 0 to 999, the class of all sets of the file.");
}

TEST_CASE("a million particles in one jet are read", "[particles][hdf5]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("jets.h5");
  MadeRagged made;
  made.offsets = {0, 1'000'000}, made.label = {1}, made.pid = {};
  made.particles.assign(4'000'000, 0.5);
  support::write_made_ragged(path, made);
  CHECK(read_all(*open_particles(path)).particles() == 1'000'000);
}
