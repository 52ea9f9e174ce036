#include "fovea/domains/particle/inspect/survey.hpp"

#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/datasets/simulated/two_body_decays.hpp"
#include "fovea/domains/particle/inspect/output.hpp"
#include "fovea/tests/support/peak_memory.hpp"
#include "fovea/tests/support/sanitizers.hpp"
#include "fovea/tests/support/test.hpp"

namespace particles = fovea::datasets::particles;
namespace inspect = fovea::particle::inspect;
using inspect::Single;

namespace {

particles::ParticleSets labelled_tops(Index count, std::uint64_t seed) {
  particles::ParticleSets sets = datasets::simulated::top_decays(count, {}, Random(seed)).sets;
  for (Index i = 0; i < count; ++i) sets.labels.push_back(i < count / 2 ? 0 : 1);
  return sets;
}

particles::FileFacts jets_facts() {
  particles::FileFacts facts;
  facts.axis = particles::AxisKind::rapidity;
  return facts;
}

}  // namespace

TEST_CASE("a survey is the same for blocks of any size", "[survey]") {
  const particles::ParticleSets sets = labelled_tops(300, 1);
  inspect::Survey whole(jets_facts()), in_parts(jets_facts());
  whole.take(sets);
  for (Index first = 0; first < 300; first += 7) {
    particles::ParticleSets part;
    const Index end = std::min<Index>(300, first + 7);
    for (Index i = first; i < end; ++i) {
      part.offsets.push_back(3 * (i + 1 - first));
      part.labels.push_back(sets.labels[i]);
    }
    part.momenta = sets.momenta.middleRows(3 * first, 3 * (end - first));
    in_parts.take(part);
  }
  CHECK(whole.sets == 300);
  CHECK(whole.over_seam == in_parts.over_seam);
  CHECK(whole.map.cells == in_parts.map.cells);
  CHECK(whole.set_mass.low == in_parts.set_mass.low);
  for (const Single number : {Single::mass, Single::width, Single::row})
    CHECK(inspect::area_of(whole.kept(), number) == inspect::area_of(in_parts.kept(), number));
  CHECK(inspect::area_of(whole.kept(), Single::row) == 1);  // the classes stand one behind the other
  CHECK(whole.repeated() == 0);
  whole.take(sets);
  CHECK(whole.repeated() == 300);
}

TEST_CASE("numbers of a set follow their definitions", "[survey]") {
  particles::ParticleSets sets;
  sets.offsets = {0, 2, 2};
  sets.momenta.resize(2, 4);
  const auto a = particles::from_rapidity(30, 0.5, 3.1, 0), b = particles::from_rapidity(10, 0.5, -3.1, 0);
  sets.momenta.row(0) << a.px, a.py, a.pz, a.energy;
  sets.momenta.row(1) << b.px, b.py, b.pz, b.energy;
  const inspect::SetNumbers two = inspect::numbers_of(sets, 0, 5, particles::AxisKind::rapidity);
  const double gap = 2 * (3.14159265358979 - 3.1);
  CHECK(two.of(Single::multiplicity) == 2);
  CHECK(std::abs(two.of(Single::pt_d) - std::sqrt(0.75 * 0.75 + 0.25 * 0.25)) < 1e-12);
  CHECK(std::abs(two.of(Single::mass) - std::sqrt(2 * 300 * (1 - std::cos(gap)))) < 1e-6);
  CHECK(std::abs(two.of(Single::top_distance) - (172 - two.of(Single::mass))) < 1e-12);
  CHECK(std::abs(two.of(Single::width) - 2 * 0.75 * 0.25 * gap) < 1e-3);  // the axis lies at 1 : 3 between them
  CHECK(two.of(Single::row) == 5);
  CHECK(std::isnan(two.label));
  CHECK(std::isnan(inspect::numbers_of(sets, 1, 0, particles::AxisKind::rapidity).of(Single::width)));
  inspect::Survey survey(jets_facts());
  survey.take(sets);
  CHECK(survey.over_seam == 1);
  CHECK(survey.shortest == 0);
}

TEST_CASE("a file sorted by class, and one of a single class, are found out", "[survey]") {
  inspect::SurveyedFile file{jets_facts(), {}, inspect::Survey(jets_facts())};
  file.survey.take(labelled_tops(400, 2));
  const std::vector<std::string> found = inspect::findings(file);
  REQUIRE(found.size() == 1);
  CHECK(found[0] ==
        "row alone separates the classes (AUC 1.000): the rows are sorted by class, or nearly; shuffle before any "
        "split by place.");
  file.survey.classes = {{1, 400}};
  CHECK(inspect::findings(file).size() == 2);
}

TEST_CASE("a text of many events is surveyed in the memory of a few", "[survey][long]") {
  if (support::any_sanitizer()) return;
  const support::TemporaryFolder folder(support::memory_disk());
  std::string event, text;
  for (int i = 0; i < 200; ++i) event += "1.5 -2.5 30.25 30.5\n";
  for (int i = 0; i < 1000; ++i) text += event + "#END\n";
  write_file(folder.file("few"), text);
  for (int i = 0; i < 3; ++i) text += text;
  write_file(folder.file("many"), text);
  text = {};
  inspect::surveyed(folder.file("few"), {});
  const double before = test::peak_mebibytes(true);
  const inspect::SurveyedFile many = inspect::surveyed(folder.file("many"), {});
  CHECK(many.survey.sets == 8000);
  CHECK(many.survey.repeated() == 7999);
  CHECK(test::peak_mebibytes(false) - before < 16);
}

TEST_CASE("real files of jets have the known areas of single numbers", "[survey]") {
  const auto data = support::shared_data("particle");
  if (!data) return;
  const auto tops = inspect::surveyed((*data / "toptag_like_test.h5").string(), {});
  const std::vector<std::pair<Single, double>> known{
      {Single::top_distance, 0.958}, {Single::width, 0.929}, {Single::mass, 0.928},   {Single::multiplicity, 0.733},
      {Single::pt_d, 0.729},         {Single::pt, 0.51},     {Single::abs_eta, 0.54}, {Single::row, 0.50}};
  for (const auto& [number, area] : known) {
    CAPTURE(inspect::name_of(number));
    CHECK(std::abs(inspect::area_of(tops.survey.kept(), number) - area) < 0.01);
  }
  CHECK(tops.survey.sets == 8000);
  CHECK(std::abs(static_cast<double>(tops.survey.over_seam) / 8000 - 0.15) < 0.01);
  CHECK(tops.survey.shortest == 5);
  CHECK(tops.survey.longest == 131);
  CHECK(tops.survey.repeated() == 0);
  CHECK(inspect::findings(tops).empty());
}
