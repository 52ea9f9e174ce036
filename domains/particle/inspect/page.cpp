/// The experiment "particle.inspect": what a file of particles holds, as a page.
///
/// Writes densities of multiplicity, pT, |eta| and mass over class (hue), the map of pT over (eta, phi), about the axis
/// for jets, and for each single number its quantiles and the area under its ROC curve.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/datasets/simulated/pile_up.hpp"
#include "fovea/datasets/simulated/two_body_decays.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/file_keys.hpp"
#include "fovea/domains/particle/inspect/output.hpp"

namespace fovea::particle::inspect {

namespace {

namespace particles = datasets::particles;

constexpr std::size_t kBars = 50;

/// A number whose density is drawn.
struct Drawn {
  Single number;
  const char *name, *unit, *title;
};
constexpr std::array kDrawn{
    Drawn{Single::multiplicity, "multiplicity", "1", "Particles"}, Drawn{Single::pt, "pt", "GeV", "pT of the sum"},
    Drawn{Single::abs_eta, "abs_eta", "1", "|eta| of the sum"}, Drawn{Single::mass, "mass", "GeV", "Mass of the sum"}};

/// The classes of a file as names; one for all sets where there are none.
std::vector<std::pair<double, std::string>> classes_of(const SurveyedFile& file) {
  std::vector<std::pair<double, std::string>> all;
  for (const auto& [label, count] : file.survey.classes) {
    const auto place = static_cast<std::size_t>(label);
    all.emplace_back(label, place < file.facts.classes.size() ? file.facts.classes[place] : concat("class ", label));
  }
  if (all.empty()) all.emplace_back(kNan, "all");
  return all;
}

void add_density(const SurveyedFile& file, const Drawn& drawn, Results& results) {
  std::vector<double> values;
  for (const SetNumbers& one : file.survey.kept())
    if (std::isfinite(one.of(drawn.number))) values.push_back(one.of(drawn.number));
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  double low = sorted_quantile(values, 0.005), high = sorted_quantile(values, 0.995);
  if (!(high > low)) low -= 0.5, high += 0.5;
  double width = (high - low) / kBars;
  if (drawn.number == Single::multiplicity) {  // bars of as many whole numbers each
    low = std::floor(low) - 0.5;
    width = std::max(1.0, std::ceil((high - low) / kBars));
    high = low + kBars * width;
  }
  const auto classes = classes_of(file);
  std::vector<double> centres, densities(classes.size() * kBars, 0.0), counts(classes.size(), 0.0);
  for (std::size_t k = 0; k < kBars; ++k) centres.push_back(low + (static_cast<double>(k) + 0.5) * width);
  for (const SetNumbers& one : file.survey.kept())
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (!(one.label == classes[c].first || std::isnan(classes[c].first))) continue;
      counts[c] += 1;
      const double value = one.of(drawn.number);
      if (value >= low && value < high)
        densities[c * kBars + std::min(kBars - 1, static_cast<std::size_t>((value - low) / width))] += 1 / width;
    }
  for (std::size_t c = 0; c < classes.size(); ++c)
    for (std::size_t k = 0; k < kBars; ++k) densities[c * kBars + k] /= std::max(1.0, counts[c]);
  results.coordinate(drawn.name, centres, drawn.unit, drawn.title);
  results.add(concat(drawn.name, "_density"), {"class", drawn.name}, densities,
              std::string(drawn.unit) == "1" ? "1" : "1/GeV", concat("density of ", drawn.name));
}

void add_map(const SurveyedFile& file, Results& results) {
  const PtMap& map = file.survey.map;
  const bool is_jets = file.facts.kind == particles::SetKind::jets;
  const auto centres = [](double reach) {
    std::vector<double> all;
    for (std::size_t k = 0; k < PtMap::kCells; ++k)
      all.push_back(reach * ((2 * static_cast<double>(k) + 1) / PtMap::kCells - 1));
    return all;
  };
  std::vector<double> logarithms;
  for (const double pt : map.cells)
    logarithms.push_back(pt > 0 ? std::log10(pt / static_cast<double>(std::max<std::int64_t>(1, file.survey.sets)))
                                : kNan);
  results.coordinate("eta", centres(map.reach_eta), "1", is_jets ? "eta (or y) less that of the axis" : "eta");
  results.coordinate("phi", centres(map.reach_phi), "rad", is_jets ? "phi less that of the axis" : "phi");
  results.add("pt_map", {"eta", "phi"}, logarithms, "1", "log10 of the mean pT in a cell [GeV]");
}

void add_numbers(const SurveyedFile& file, Results& results) {
  struct NumberOfSets {
    std::string name;
    std::array<double, 3> quantiles;
    double area;
  };
  std::vector<NumberOfSets> numbers;
  for (std::size_t k = 0; k < kSingles; ++k) {
    const auto number = static_cast<Single>(k);
    const auto& kept = file.survey.kept();
    numbers.push_back({name_of(number), quantiles(kept, number), area_of(kept, number)});
  }
  rows("number", numbers, &NumberOfSets::name, "number of a set")
      .number(
          "low", [](const NumberOfSets& one) { return one.quantiles[0]; }, "5 %")
      .number(
          "middle", [](const NumberOfSets& one) { return one.quantiles[1]; }, "median")
      .number(
          "high", [](const NumberOfSets& one) { return one.quantiles[2]; }, "95 %")
      .number("area", &NumberOfSets::area, "AUC")
      .write(results);
}

SurveyedFile made_survey(Index events, const Random& random) {
  particles::FileFacts facts;
  facts.path = "made events";
  facts.format = "top quarks over soft pile-up";
  facts.kind = particles::SetKind::events;
  facts.ids = facts.sub_events = true;
  SurveyedFile file{facts, {}, Survey(facts)};
  const auto hard = datasets::simulated::top_decays(events, {}, random.stream("hard"));
  file.survey.take(datasets::simulated::with_pile_up(hard.sets, {}, random.stream("pile-up")));
  return file;
}

void add_inspect_figures(Results& merged) {
  for (const Drawn& drawn : kDrawn)
    if (merged.data.has(concat(drawn.name, "_density")))
      merged.figure({.kind = "histogram",
                     .name = drawn.name,
                     .title = drawn.title,
                     .caption = "Density of each class, from the 0.5 % to the 99.5 % quantile of all.",
                     .variables = {concat(drawn.name, "_density")},
                     .x = drawn.name,
                     .hue = "class"});
  merged.figure({.kind = "heatmap",
                 .name = "pt_map",
                 .title = "Where the transverse momentum lies",
                 .caption = "log10 of the mean pT in each cell [GeV]: about the axis for jets, over the detector else.",
                 .variables = {"pt_map"},
                 .x = "phi",
                 .y = "eta"});
  merged.figure({.kind = "table",
                 .name = "numbers",
                 .title = "Single numbers",
                 .caption = "AUC: how well the number alone separates the classes, in either direction. pT, |eta| and "
                            "row should carry no information.",
                 .variables = {"low", "middle", "high", "area"},
                 .x = "number"});
}

struct PageSettings {
  std::string file, unit, axis, label;
  Index simulated = 500;
};

const Keys<PageSettings>& page_keys() {
  using S = PageSettings;
  static const auto keys =
      Keys<S>()
          .file(study::kDataFile, &S::file,
                "events, jets or candidates in any format that `fovea inspect` reads; none: simulated events")
          .choice(kEnergyUnit, &S::unit)
          .choice(kAxis, &S::axis)
          .key("data.label", &S::label, "class of all sets of a file without labels")
          .key(kSimulatedEvents.within(Range::between(1, 10000)), &S::simulated);
  return keys;
}

class InspectPage : public Experiment {
 public:
  std::string_view name() const override { return "particle.inspect"; }
  std::string_view summary() const override { return "what a file of events or jets holds, and how good it is, drawn"; }
  int result_version() const override { return 1; }

  Schema schema() const override {
    Schema schema;
    page_keys().declare(schema);
    return schema;
  }

  Inputs open(const Config& config) const override {
    const PageSettings settings = page_keys().read(config);
    if (settings.file.empty()) return {};
    return as_inputs(surveyed(settings.file, {settings.unit, settings.axis, settings.label}));
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results, Workbench&) const override {
    SurveyedFile file =
        inputs.empty() ? made_survey(page_keys().read(config).simulated, random) : *inputs.as<SurveyedFile>();
    file.facts.path = std::filesystem::path(file.facts.path).filename();  // where it lies changes no result
    std::vector<std::string> names;
    for (const auto& [label, name] : classes_of(file)) names.push_back(name);
    results.coordinate("class", names, "", "class");
    for (const Drawn& drawn : kDrawn) add_density(file, drawn, results);
    add_map(file, results);
    add_numbers(file, results);
    results.scalar("sets", static_cast<double>(file.survey.sets), "1", "sets");
    results.scalar("particles", static_cast<double>(file.survey.particles), "1", "particles");
    for (const std::string& sentence : file_sentences(file)) results.note(sentence);
    const std::vector<std::string> found = findings(file);
    for (const std::string& sentence : found) results.note("To look at: " + sentence);
    results.verdict(headline(file) + (found.empty() ? " Nothing is odd." : " To look at: " + found.front()));
  }

  void conclude(Results& merged) const override {
    add_inspect_figures(merged);
    merged.headline({.variable = "sets", .label = "Sets"});
    merged.headline({.variable = "particles", .label = "Particles"});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_inspect() { return std::make_unique<InspectPage>(); }

}  // namespace fovea::particle::inspect
