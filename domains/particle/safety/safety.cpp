/// The experiment "particle.safety": which trained taggers do soft and collinear emissions change, and by how much?
///
/// Prediction: the change of the score of a safe tagger goes with the share z of soft constituents and with the square
/// of the opening of splits; where a condition of safety is broken it hardly falls. Soft constituents have at most the
/// weight of soft_weight.hpp. Over (tagger, share): soft_change, soft_median, soft_largest, soft_weight; over (share):
/// weight_bound; over (tagger, opening): split_change, split_median, split_largest; changes in standard deviations of
/// the score over jets.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/safety/emissions.hpp"
#include "fovea/domains/particle/safety/soft_weight.hpp"
#include "fovea/domains/particle/tag/score_change.hpp"
#include "fovea/domains/particle/tag/trained_tagger.hpp"

namespace fovea::particle::safety {

namespace {

using datasets::particles::ParticleSets;
using tag::Changes;
using tag::ScoreChange;
using tag::TrainedTagger;

constexpr Index kSoftParticles = 5;
constexpr double kCap = 1;  // of the scores; exp(2 kCap) = 7.4
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
                     {"model.pair_bias", std::string("smooth")},
                     {"model.score_cap", kCap}};
  const auto with = [&](const std::string& key, ConfigValue value) {
    Changes changes = safe;
    changes.emplace_back(key, std::move(value));
    return changes;
  };
  static const std::vector<Tried> all{
      {"safe", "weighted keys, directions alone, a smooth bias, scores within [-1, 1]", true, safe},
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

/// Of one tagger.
struct Examined {
  double auc = 0;
  std::vector<ScoreChange> soft, split;
  std::vector<double> soft_weight;  ///< of soft constituents together, the largest
};

Examined examined(const TrainedTagger& tagger, const tag::TestedJets& jets, Index probed, const Random& random) {
  Examined found;
  found.auc = auroc(tagger.logits("the tested jets", jets.tested), jets.labels);
  const ParticleSets some = jets.first(probed);
  const std::vector<double> before = tagger.logits("the tested jets", some);
  for (const double share : kShares) {
    const ParticleSets changed = with_soft(some, kSoftParticles, share, random.stream("soft"));
    found.soft.push_back(tag::score_change(before, tagger.logits("jets with soft constituents", changed)));
    found.soft_weight.push_back(largest_soft_weight(tagger, changed, kSoftParticles));
  }
  for (const double opening : kOpenings)
    found.split.push_back(tag::score_change(
        before, tagger.logits("jets with splits", with_splits(some, opening, random.stream("splits")))));
  return found;
}

void write_changes(const std::vector<Examined>& all, Results& results) {
  std::vector<double> openings = kOpenings;
  openings.back() = 1e-6;  // a logarithmic axis has no 0
  using Row = const Examined&;
  rows(
      "tagger", all, [](Row, std::size_t t) { return tried()[t].name; }, "tagger")
      .text(
          "meaning", [](Row, std::size_t t) { return tried()[t].meaning; }, "what it is")
      .number("auc", &Examined::auc, "AUC")
      .write(results);
  results.coordinate("soft_share", kShares, "1", "share z of pT of each of 5 soft constituents");
  results.coordinate("opening", openings, "1", "opening of splits; 1e-6 stands for parallel");
  const auto add = [&](const std::string& name, const std::string& axis, std::vector<ScoreChange> Examined::*which) {
    std::vector<ScoreChange> changes;
    for (const Examined& one : all) changes.insert(changes.end(), (one.*which).begin(), (one.*which).end());
    rows({"tagger", axis}, changes)
        .prefix(name + "_")
        .number("change", &ScoreChange::mean, "mean change of the score, in its standard deviations")
        .number("median", &ScoreChange::median, "median change")
        .number("largest", &ScoreChange::largest, "largest change")
        .write(results);
  };
  add("soft", "soft_share", &Examined::soft);
  add("split", "opening", &Examined::split);
  std::vector<double> weights, bounds;
  for (const Examined& one : all) weights.insert(weights.end(), one.soft_weight.begin(), one.soft_weight.end());
  for (const double share : kShares) bounds.push_back(soft_weight_bound(kSoftParticles * share, kCap));
  results.add("soft_weight", {"tagger", "soft_share"}, weights, "1", "largest attention weight of all soft ones");
  results.add("weight_bound", {"soft_share"}, bounds, "1", "bound for the safe tagger");
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
                  .name = "weights",
                  .title = "Attention weight of soft constituents",
                  .caption =
                      "The weight of the five soft constituents together, the largest over queries, heads, blocks "
                      "and jets. Dashed: the most that a safe tagger with scores within [-1, 1] can give them.",
                  .variables = {"soft_weight"},
                  .references = {"weight_bound"},
                  .x = "soft_share",
                  .hue = "tagger",
                  .log_x = true,
                  .log_y = true});
  results.figure(
      {.kind = "lines",
       .name = "splits",
       .title = "Collinear splits",
       .caption = "Mean change of the score when every constituent becomes two, this far apart. Safe: it falls with "
                  "the square of the opening, down to rounding (1e-7). The leftmost points are parallel splits.",
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

/// The exponent of the mean change in what it depends on, between two of its values.
double exponent(const std::vector<ScoreChange>& changes, const std::vector<double>& at, std::size_t from,
                std::size_t to) {
  return std::log(changes[from].mean / changes[to].mean) / std::log(at[from] / at[to]);
}

/// By how much the largest weight of soft constituents exceeds its bound, over all shares.
double weight_above_bound(const Examined& safe) {
  double largest = 0;
  for (std::size_t k = 0; k < kShares.size(); ++k)
    largest = std::max(largest, safe.soft_weight[k] / soft_weight_bound(kSoftParticles * kShares[k], kCap) - 1);
  return largest;
}

/// What holds by construction, with room for rounding alone, and the exponents.
void check_safe(const Examined& safe, Results& results) {
  const std::string source = "derived in domains/particle/tag/README.md";
  results.check({"weight_bound", "safe: weight of soft constituents above its bound, as a share of the bound", source,
                 0, weight_above_bound(safe), absolute(1e-4)});
  results.check({"soft_slope", "safe: exponent of the change in z, from 1e-2 to 1e-4", source, 1,
                 exponent(safe.soft, kShares, 0, 2), absolute(0.15)});
  results.check({"split_slope", "safe: exponent of the change in the opening, from 1e-2 to 1e-3", source, 2,
                 exponent(safe.split, kOpenings, 0, 1), absolute(0.15)});
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
}

/// Where a condition is broken the change has no limit of 0: its exponent is near 0.
void check_unsafe(const std::vector<Examined>& all, Results& results) {
  constexpr double kHardlyFalls = 0.25;  // a factor of 10 in four decades
  results.check({"bare_slope", "bare ln dR: exponent of the change in the opening, from 1e-2 to 1e-5",
                 "ln dR has no limit at 0", 0, exponent(all[1].split, kOpenings, 0, 3), absolute(kHardlyFalls)});
  const std::string source = "a soft constituent counts as much as a hard one";
  results.check({"nearest_slope", "16 nearest: exponent of the change in z, from 1e-2 to 1e-6", source, 0,
                 exponent(all[2].soft, kShares, 0, 4), absolute(kHardlyFalls)});
  results.check({"plain_slope", "plain: exponent of the change in z, from 1e-2 to 1e-6", source, 0,
                 exponent(all[3].soft, kShares, 0, 4), absolute(kHardlyFalls)});
}

class SafetyExperiment final : public tag::ComparedTaggers {
 public:
  SafetyExperiment()
      : ComparedTaggers("safety.jets", "test jets whose scores are compared", 300,
                        {"inputs.set", "model.pair_bias", "model.weighted_keys", "model.score_cap", "locality.mask"}) {}
  std::string_view name() const override { return "particle.safety"; }
  std::string_view summary() const override { return "which taggers do soft and collinear emissions change?"; }
  int result_version() const override { return 1; }
  Index trainings() const override { return static_cast<Index>(tried().size()); }
  void compare(const tag::TestedJets& jets, Index probed, const tag::TrainTagger& train, const Random& random,
               Results& results) const override;
};

void SafetyExperiment::compare(const tag::TestedJets& jets, Index probed, const tag::TrainTagger& train,
                               const Random& random, Results& results) const {
  std::vector<Examined> all;
  for (const Tried& one : tried()) {
    const TrainedTagger tagger = train(one.name, one.changes, random.stream(one.name));
    require(model::safety_of(tagger.settings, tagger.inputs).soft_and_collinear == one.safe,
            "particle.safety: ", one.name, " is not what it is called.");
    all.push_back(examined(tagger, jets, probed, random.stream("emissions")));
  }
  write_changes(all, results);
  draw_changes(results);
  check_safe(all[0], results);
  check_unsafe(all, results);
  results.verdict(concat("Five soft constituents of a millionth of the jet's pT change the safe tagger's score by ",
                         plain_text(all[0].soft.back().mean, 2), " of its standard deviation, the plain one's by ",
                         plain_text(all[3].soft.back().mean, 2), ". AUC ", plain_text(all[0].auc), " safe, ",
                         plain_text(all[3].auc), " plain."));
}

}  // namespace

std::unique_ptr<Experiment> make_safety() { return std::make_unique<SafetyExperiment>(); }

}  // namespace fovea::particle::safety
