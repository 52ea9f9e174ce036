/// The experiment "particle.safety": which trained taggers do soft and collinear emissions change, and by how much?
///
/// Prediction: the change of the score of a safe tagger falls with the share z of soft constituents and with the
/// opening of splits; where a condition of safety is broken it hardly falls. Over (tagger, share): soft_change,
/// soft_largest; over (tagger, opening): split_change, split_largest; in standard deviations of the score over jets.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/datasets/simulated/toy_shower.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/safety/emissions.hpp"
#include "fovea/domains/particle/tag/trained_tagger.hpp"

namespace fovea::particle::safety {

namespace {

using datasets::particles::ParticleSets;
using tag::Changes;
using tag::LabelledJets;
using tag::TrainedTagger;

constexpr Index kSoftParticles = 5;
const std::vector<double> kShares{1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
const std::vector<double> kOpenings{1e-2, 1e-3, 1e-4, 1e-5, 0};

struct Tried {
  std::string name, meaning;
  bool safe;  ///< by construction
  Changes changes;
};

/// What a safe tagger has, and what breaks one condition each.
const std::vector<Tried>& tried() {
  const Changes safe{{"inputs.set", std::string("directions")},
                     {"model.weighted_keys", true},
                     {"model.pair_bias", std::string("smooth")}};
  const auto with = [&](const std::string& key, ConfigValue value) {
    Changes changes = safe;
    changes.emplace_back(key, std::move(value));
    return changes;
  };
  static const std::vector<Tried> all{
      {"safe", "weighted keys, directions alone, bias of ln(dR + .01)", true, safe},
      {"bare ln dR", "the same with a bias of ln dR, which is safe at opening 0 alone", false,
       with("model.pair_bias", std::string("bare"))},
      {"16 nearest", "the same with 16 nearest neighbours, who change when one is split", false,
       with("locality.mask", std::string("nearest"))},
      {"plain",
       "softmax over all constituents, energies among the inputs",
       false,
       {{"model.pair_bias", std::string("standard")}}}};
  return all;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// How much scores changed, in standard deviations of the scores: mean, median, largest over jets.
struct Change {
  double mean = 0, median = 0, largest = 0;
};

Change change_of(const std::vector<double>& before, const std::vector<double>& after) {
  const double mean = mean_of(before);
  double squares = 0;
  for (const double score : before) squares += (score - mean) * (score - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(before.size()));
  std::vector<double> sizes;
  for (std::size_t i = 0; i < before.size(); ++i) sizes.push_back(std::abs(after[i] - before[i]) / deviation);
  Change found{mean_of(sizes), 0, *std::max_element(sizes.begin(), sizes.end())};
  std::sort(sizes.begin(), sizes.end());
  found.median = sizes[sizes.size() / 2];
  return found;
}

/// Of one tagger.
struct Examined {
  double auc = 0;
  std::vector<Change> soft, split;
};

Examined examined(const TrainedTagger& tagger, const ParticleSets& jets, const std::vector<Index>& labels, Index probed,
                  const Random& random) {
  Examined found;
  found.auc = auroc(tagger.logits("the tested jets", jets), labels);
  std::vector<Index> first;
  for (Index b = 0; b < std::min(probed, jets.count()); ++b) first.push_back(b);
  const ParticleSets some = tag::selected_jets(jets, first);
  const std::vector<double> before = tagger.logits("the tested jets", some);
  for (const double share : kShares)
    found.soft.push_back(change_of(
        before,
        tagger.logits("jets with soft constituents", with_soft(some, kSoftParticles, share, random.stream("soft")))));
  for (const double opening : kOpenings)
    found.split.push_back(
        change_of(before, tagger.logits("jets with splits", with_splits(some, opening, random.stream("splits")))));
  return found;
}

std::vector<double> column(const std::vector<Examined>& all, std::vector<Change> Examined::*which,
                           double Change::*number) {
  std::vector<double> values;
  for (const Examined& one : all)
    for (const Change& change : one.*which) values.push_back(change.*number);
  return values;
}

void write_changes(const std::vector<Examined>& all, Results& results) {
  std::vector<std::string> names, meanings;
  std::vector<double> auc;
  for (std::size_t t = 0; t < tried().size(); ++t) {
    names.push_back(tried()[t].name), meanings.push_back(tried()[t].meaning);
    auc.push_back(all[t].auc);
  }
  std::vector<double> openings = kOpenings;
  openings.back() = 1e-6;  // a logarithmic axis has no 0
  results.coordinate("tagger", names, "", "tagger");
  results.coordinate("soft_share", kShares, "1", "share z of pT of each of 5 soft constituents");
  results.coordinate("opening", openings, "1", "opening of splits; 1e-6 stands for parallel");
  results.add("meaning", {"tagger"}, meanings, "", "what it is");
  results.add("auc", {"tagger"}, auc, "1", "AUC");
  const auto add = [&](const std::string& name, const std::string& axis, std::vector<Change> Examined::*which) {
    results.add(name + "_change", {"tagger", axis}, column(all, which, &Change::mean), "1",
                "mean change of the score, in its standard deviations");
    results.add(name + "_median", {"tagger", axis}, column(all, which, &Change::median), "1", "median change");
    results.add(name + "_largest", {"tagger", axis}, column(all, which, &Change::largest), "1", "largest change");
  };
  add("soft", "soft_share", &Examined::soft);
  add("split", "opening", &Examined::split);
}

void draw_changes(Results& results) {
  results.figure({.kind = "lines",
                  .name = "soft",
                  .title = "Soft constituents",
                  .caption = "Mean change of the score when five constituents with a share z of the jet's pT each are "
                             "added. Safe: it falls in proportion to z.",
                  .variables = {"soft_change"},
                  .x = "soft_share",
                  .hue = "tagger",
                  .log_x = true,
                  .log_y = true});
  results.figure({.kind = "lines",
                  .name = "splits",
                  .title = "Collinear splits",
                  .caption =
                      "Mean change of the score when every constituent becomes two, this far apart. The leftmost "
                      "points are parallel splits, whose change is 0 up to rounding where a tagger is safe there.",
                  .variables = {"split_change"},
                  .x = "opening",
                  .hue = "tagger",
                  .log_x = true,
                  .log_y = true});
  results.figure({.kind = "table",
                  .name = "taggers",
                  .title = "What was compared",
                  .caption = "AUC on the test jets: what safety costs.",
                  .variables = {"auc", "meaning"},
                  .x = "tagger",
                  .digits = 4});
}

/// The slope of ln change over ln z between two shares.
double slope(const std::vector<Change>& soft, std::size_t from, std::size_t to) {
  return std::log(soft[from].mean / soft[to].mean) / std::log(kShares[from] / kShares[to]);
}

void check_predictions(const std::vector<Examined>& all, Results& results) {
  const Examined& safe = all[0];
  const std::string source = "weights go with z, and directions alone are seen: domains/particle/tag/README.md";
  results.check({"soft_slope", "safe: exponent of the change in z, from 1e-2 to 1e-4", source, 1,
                 slope(safe.soft, 0, 2), absolute(0.15)});
  results.check({"soft_limit", "safe: largest change by 5 constituents of z = 1e-6", source, 0,
                 safe.soft.back().largest, absolute(1e-3)});
  results.check({"soft_median", "safe: median change by 5 constituents of z = 1e-6", source, 0, safe.soft.back().median,
                 absolute(1e-5)});
  results.check({"parallel_limit", "safe: largest change by parallel splits", source, 0, safe.split.back().largest,
                 absolute(1e-4)});
  results.check(
      {"narrow_limit", "safe: largest change by splits of 1e-4", source, 0, safe.split[2].largest, absolute(1e-2)});
  results.check(
      {"narrow_median", "safe: median change by splits of 1e-4", source, 0, safe.split[2].median, absolute(1e-4)});
  results.check({"bare_jump", "bare ln dR: change at an opening of 1e-4 over the safe tagger's, at least 10 (1: it is)",
                 "ln dR has no limit at 0", 1, all[1].split[2].mean >= 10 * safe.split[2].mean ? 1.0 : 0.0,
                 absolute(0)});
  for (const std::size_t t : {std::size_t{2}, std::size_t{3}})
    results.check({concat("unsafe_", t == 2 ? "nearest" : "plain"),
                   tried()[t].name + ": change at z = 1e-6 over that at 1e-2, at least .1 (1: it is)",
                   "a soft constituent counts as much as a hard one", 1,
                   all[t].soft.back().mean >= 0.1 * all[t].soft.front().mean ? 1.0 : 0.0, absolute(0)});
}

class SafetyExperiment final : public Experiment {
 public:
  std::string_view name() const override { return "particle.safety"; }
  std::string_view summary() const override { return "which taggers do soft and collinear emissions change?"; }
  int result_version() const override { return 1; }
  Schema schema() const override {
    Schema schema;
    tag::declare_compared_taggers(schema);
    schema.integer("safety.jets", 300, Range::between(10, 1e6), "", "test jets whose scores are compared");
    return schema;
  }
  void check(const Config& config, Complaints& complaints) const override {
    study::check_split(config, complaints);
    for (const char* key : {"inputs.set", "model.pair_bias", "model.weighted_keys", "locality.mask"})
      if (!config.is_default(key))
        complaints.add(config.source(key), concat(key, " is what particle.safety compares; leave it out."));
  }
  void run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const override;
};

void SafetyExperiment::run(const Config& config, Inputs, const Random& random, Results& results,
                           Workbench& bench) const {
  ParticleSets made;
  if (config.texts("data.train").empty())
    made = datasets::simulated::top_jets(config.integer("data.jets"), random.stream("jets"));
  const LabelledJets jets = tag::labelled_jets(config, std::move(made), random.stream("split"));
  const ParticleSets tested = tag::selected_jets(jets.jets, jets.split.test);
  std::vector<Index> labels;
  for (const double label : tested.labels) labels.push_back(static_cast<Index>(label));
  learning::TrainingSeries series(bench, static_cast<Index>(tried().size()));
  std::vector<Examined> all;
  for (const Tried& one : tried()) {
    const Config mine = tag::changed(config, one.changes);
    require(model::safety_of(mine).soft_and_collinear == one.safe, "particle.safety: ", one.name,
            " is not what it is called.");
    const TrainedTagger tagger = tag::train_tagger(one.name, mine, jets, random.stream(one.name), series);
    all.push_back(examined(tagger, tested, labels, config.integer("safety.jets"), random.stream("emissions")));
  }
  write_changes(all, results);
  draw_changes(results);
  check_predictions(all, results);
  results.verdict(concat("Five soft constituents of a millionth of the jet's pT change the safe tagger's score by ",
                         plain_text(all[0].soft.back().mean, 2), " of its standard deviation, the plain one's by ",
                         plain_text(all[3].soft.back().mean, 2), ". AUC ", plain_text(all[0].auc), " safe, ",
                         plain_text(all[3].auc), " plain."));
}

}  // namespace

std::unique_ptr<Experiment> make_safety() { return std::make_unique<SafetyExperiment>(); }

}  // namespace fovea::particle::safety
