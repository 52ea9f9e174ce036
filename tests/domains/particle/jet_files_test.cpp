#include "fovea/domains/particle/tag/jet_files.hpp"

#include "fovea/core/base/storage.hpp"
#include "fovea/datasets/particles/ragged_file.hpp"
#include "fovea/datasets/simulated/two_body_decays.hpp"
#include "fovea/domains/particle/file_findings.hpp"
#include "fovea/domains/particle/findings.hpp"
#include "fovea/domains/particle/inspect/output.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace particles = fovea::datasets::particles;

namespace fovea::particle::tag {
namespace {

/// Jets of two classes by turns; scale: of the energies of class 1.
std::string jets_file(const std::string& path, const std::vector<std::string>& classes, Index count, double scale = 1,
                      double all = 1, double label = 1) {
  particles::ParticleSets sets = datasets::simulated::top_decays(count, {}, Random(3)).sets;
  particles::FileFacts facts;
  facts.axis = particles::AxisKind::rapidity;
  facts.classes = classes;
  for (Index b = 0; b < count; ++b) {
    sets.labels.push_back(b % 2 == 1 ? label : 0);
    for (Index i = sets.offsets[b]; i < sets.offsets[b + 1]; ++i) sets.momenta.row(i) *= all * (b % 2 == 1 ? scale : 1);
  }
  particles::RaggedWriter writer(path, facts, "a test");
  writer.append(sets);
  writer.finish();
  return path;
}

std::vector<std::string> ids_of(JetFiles files) {
  std::vector<std::string> ids;
  for (JetBlock block = files.read(7); block.jets.count() > 0; block = files.read(7))
    ids.insert(ids.end(), block.ids.begin(), block.ids.end());
  return ids;
}

std::vector<std::string> found_in(const std::vector<std::string>& train, const std::vector<std::string>& test = {}) {
  JetFiles files({.train = train, .test = test, .labels = {}, .unit = {}, .axis = {}}, 0.1, true);
  while (files.read(1000).jets.count() > 0) {
  }
  std::vector<std::string> kinds;
  for (const Finding& finding : files.reading().findings) kinds.push_back(finding.kind);
  return kinds;
}

std::string refusal(const std::vector<std::string>& train, const std::vector<std::string>& test = {}) {
  return support::refusal_of<DataError>([&] { found_in(train, test); });
}

}  // namespace

TEST_CASE("jets are numbered as in their file", "[jet_files]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string a = jets_file(folder.file("a.h5"), {"QCD", "top"}, 10), b = jets_file(folder.file("b.h5"), {}, 6);
  CHECK(ids_of(JetFiles({.train = {a}, .test = {}, .labels = {}, .unit = {}, .axis = {}}, 0.1)).back() == "9");
  const std::vector<std::string> parted =
      ids_of(JetFiles({.train = {a}, .test = {b}, .labels = {}, .unit = {}, .axis = {}}, 0.1));
  CHECK(parted[9] == "train 9");
  CHECK(parted[10] == "test 0");
  const std::vector<std::string> two =
      ids_of(JetFiles({.train = {a, b}, .test = {}, .labels = {}, .unit = {}, .axis = {}}, 0.1));
  CHECK(two[0] == "file 1 row 0");
  CHECK(two[10] == "file 2 row 0");
}

TEST_CASE("files of other classes, and a file that is named twice, are refused", "[jet_files]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string top = jets_file(folder.file("top.h5"), {"QCD", "top"}, 10),
                    more = jets_file(folder.file("more.h5"), {"QCD", "top"}, 10),
                    gluon = jets_file(folder.file("gluon.h5"), {"gluon", "quark"}, 10),
                    unnamed = jets_file(folder.file("unnamed.h5"), {}, 10);
  CHECK(refusal({top}, {more}).empty());
  CHECK(refusal({top, unnamed}).empty());
  CHECK(refusal({top, gluon}) == gluon + ": its classes are 'gluon', 'quark', but those of " + top +
                                     " are 'QCD', 'top'; read files of the same classes together.");
  CHECK(refusal({top}, {gluon}).find("its classes are 'gluon', 'quark'") != std::string::npos);
  CHECK(refusal({top, top}).find("is named twice") != std::string::npos);
  CHECK(refusal({top}, {folder.path() + "/./top.h5"}).find("is a training and a test file at once") !=
        std::string::npos);
}

TEST_CASE("what inspect finds in a file of jets, a run finds, too", "[jet_files]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const auto has = [](const std::vector<std::string>& kinds, std::string_view kind) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  const std::string plain = jets_file(folder.file("plain.h5"), {}, 200);
  CHECK_FALSE(has(found_in({plain}), PerhapsMeV::kKind));
  CHECK_FALSE(has(found_in({plain}), PerhapsTeV::kKind));
  CHECK(has(found_in({jets_file(folder.file("tev.h5"), {}, 200, 1, 1e-3)}), PerhapsTeV::kKind));
  CHECK_FALSE(has(found_in({plain}), NumberTellsClass::kKind));
  CHECK(has(found_in({jets_file(folder.file("mev.h5"), {}, 200, 1, 1000)}), PerhapsMeV::kKind));
  CHECK(has(found_in({jets_file(folder.file("scaled.h5"), {}, 200, 50)}), NumberTellsClass::kKind));
  CHECK_FALSE(has(found_in({jets_file(folder.file("few.h5"), {}, 4, 50)}), NumberTellsClass::kKind));
}

TEST_CASE("classes are those of the question, or named", "[jet_files]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const auto found = [&](const std::vector<std::string>& classes, double label) {
    const std::string path = jets_file(folder.file("a.h5"), classes, 10, 1, 1, label);
    JetFiles files({.train = {path}, .test = {}, .labels = {}, .unit = {}, .axis = {}}, 0.1, true, {"QCD", "top"});
    while (files.read(1000).jets.count() > 0) {
    }
    const study::Reading reading = files.reading();
    return std::any_of(reading.findings.begin(), reading.findings.end(),
                       [](const Finding& one) { return one.kind == ClassesRenamed::kKind; });
  };
  CHECK(found({"gluon", "quark"}, 1));
  for (const auto& same : {std::vector<std::string>{"QCD", "top"}, {"qcd", "Top"}, {"background", "signal"}, {}})
    CHECK_FALSE(found(same, 1));
  CHECK(support::refusal_of<DataError>([&] {
          found({"QCD", "top", "W"}, 2);
        })
            .ends_with("a.h5: jet 1 has the label 2, but this question has 2 classes, 'QCD', 'top'; leave out jets of "
                       "others, or give them the label -1 (not known)."));
}

TEST_CASE("files of three classes are learned as three by a question that takes them", "[jet_files]") {
  const support::TemporaryFolder folder(support::memory_disk());
  const std::string path = folder.file("three.h5");
  particles::ParticleSets sets = datasets::simulated::top_decays(300, {}, Random(4)).sets;
  for (Index b = 0; b < 300; ++b) {
    sets.labels.push_back(static_cast<double>(b % 3));
    sets.momenta.middleRows(sets.offsets[b], sets.size(b)) *= std::pow(3.0, static_cast<double>(b % 3));
  }
  particles::FileFacts facts;
  facts.axis = particles::AxisKind::rapidity, facts.classes = {"QCD", "W", "top"};
  particles::RaggedWriter writer(path, facts, "a test");
  writer.append(sets);
  writer.finish();
  const std::vector<std::string> small{"data.train=" + path,  "training.epochs=25", "training.batch_cases=16",
                                       "training.patience=0", "model.blocks=1",     "model.width=16",
                                       "ensemble.members=1",  "split.test=0.3",     "explain.cases=0"};
  const Results results = support::run_of("particle.toptag", small);
  CHECK(results.data.at("accuracy").reals().front() > 0.6);  // the energy alone tells them apart; a third is chance
  CHECK_FALSE(results.data.has("rejection"));
  const std::vector<std::string> read = results.reading();
  CHECK(std::any_of(read.begin(), read.end(),
                    [](const std::string& line) { return line.find("W in 100 jets") != std::string::npos; }));
  std::vector<std::string> two = small;
  two.emplace_back("data.classes=QCD,W");
  CHECK(support::refusal_of<DataError>([&] {
          support::run_of("particle.toptag", two);
        }).find("has the label 2, but this question has 2 classes") != std::string::npos);
  for (const char* alone : {"data.classes=a,b,c", "data.labels=0,1"})
    CHECK(support::refusal_of<ConfigError>([&] {
            support::run_of("particle.toptag", {alone});
          }).find("but data.train is empty") != std::string::npos);
  CHECK_THROWS_AS(support::config_of("particle.quark_gluon", {"data.classes=a,b,c"}), ConfigError);
}

TEST_CASE("what a number that separates classes may mean depends on the number and the classes", "[jet_files]") {
  const auto said = [](const char* number, double area, std::size_t classes) {
    return NumberTellsClass{{number, area, 2000, 400, classes}}.sentence();
  };
  CHECK(said("mass", 1, 2) == "mass alone separates the classes (AUC 1.000): is the label in it?");
  CHECK(said("mass", 1, 5).find("mass alone separates a class from all others (AUC") == 0);
  CHECK(said("pT", 1, 2).find("it comes of how the sets were chosen or written") != std::string::npos);
  CHECK(said("row", 1, 2).find("sorted by class") != std::string::npos);
  CHECK(ShortcutSeparates{{"row", 0.7, 2000, 400}}.sentence().find("sorted") == std::string::npos);
}

TEST_CASE("files together have one record, whose notes name the file", "[jet_files]") {
  study::Reading reading;
  particles::Repairs repairs;
  particles::FileFacts a, b;
  a.path = "a.h5", b.path = "b.h5";
  inspect::add_file(reading, a, repairs);
  CHECK((reading.notes.empty() && reading.left_out.empty()));
  repairs.invisible = 2, repairs.wrapped_angles = 1, repairs.bad_sets = 1, repairs.bad_places = {"a.h5:line 2"};
  inspect::add_file(reading, a, repairs);
  inspect::add_file(reading, b, repairs);
  REQUIRE(reading.left_out.size() == 2);
  CHECK(reading.left_out[0].count == 4);
  CHECK(reading.left_out[1].places.size() == 2);
  CHECK(reading.variables[0].known_by == "GeV in the file, by its format");
  CHECK(reading.notes[1] == "b.h5: repaired: 1 angle beyond pi, wrapped.");
}

}  // namespace fovea::particle::tag
