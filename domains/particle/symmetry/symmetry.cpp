/// The experiment "particle.symmetry": what leaves the score of a tagger alone, and what does not?
///
/// Two taggers, with the usual inputs and with boost-invariant ones, see test jets and transformed test jets. Over
/// (tagger, transformation): change and largest_change of the score in its standard deviations; expected: "exact", "to
/// rounding" or "not of these inputs".

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <span>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/datasets/particles/boosts.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/tag/score_change.hpp"
#include "fovea/domains/particle/tag/trained_tagger.hpp"

namespace fovea::particle::symmetry {

namespace {

using datasets::particles::Momentum;
using datasets::particles::ParticleSets;
using tag::ScoreChange;
using tag::TrainedTagger;

constexpr double kRounding = 1e-4;  // of a score's deviation: single precision through a few hundred sums

enum class Expected { exact, rounding, none };

const std::vector<std::string> kExpected{"exact", "to rounding", "not of these inputs"};
const std::vector<std::string> kTaggers{"usual inputs", "boost-invariant inputs"};

struct Transformation {
  std::string name;
  Expected usual, invariant;
  std::function<ParticleSets(const ParticleSets&, const Random&)> apply;
};

ParticleSets each(const ParticleSets& jets, const std::function<Momentum(const Momentum&)>& change) {
  ParticleSets changed = jets;
  for (Index i = 0; i < jets.particles(); ++i) {
    const Momentum p = change(datasets::particles::momentum_of(jets.momenta, i));
    changed.momenta.row(i) << p.px, p.py, p.pz, p.energy;
  }
  return changed;
}

ParticleSets turned(const ParticleSets& jets, double angle) {
  return each(jets, [angle](const Momentum& p) { return datasets::particles::turned(p, angle); });
}

/// Each jet so that its axis lies on the seam phi = pi.
ParticleSets over_the_seam(const ParticleSets& jets) {
  ParticleSets changed = jets;
  for (Index b = 0; b < jets.count(); ++b) {
    const Index first = jets.offsets[b], count = jets.size(b);
    const double angle =
        std::numbers::pi - datasets::particles::phi(datasets::particles::sum_of(jets.momenta, first, first + count));
    ParticleSets one;
    one.offsets = {0, count};
    one.momenta = jets.momenta.middleRows(first, count);
    changed.momenta.middleRows(first, count) = turned(one, angle).momenta;
  }
  return changed;
}

ParticleSets shuffled(const ParticleSets& jets, const Random& random) {
  ParticleSets changed = jets;
  for (Index b = 0; b < jets.count(); ++b) {
    const Index first = jets.offsets[b];
    std::vector<Index> order(jets.size(b));
    std::iota(order.begin(), order.end(), first);
    for (std::size_t k = order.size(); k > 1; --k)
      std::swap(order[k - 1], order[random.below(k, static_cast<std::uint64_t>(b), k)]);
    for (std::size_t k = 0; k < order.size(); ++k)
      changed.momenta.row(first + static_cast<Index>(k)) = jets.momenta.row(order[k]);
  }
  return changed;
}

ParticleSets boosted_along(const ParticleSets& jets, double rapidity) {
  return each(jets, [rapidity](const Momentum& p) { return datasets::particles::boosted_along_beam(p, rapidity); });
}

ParticleSets boosted_across(const ParticleSets& jets, double rapidity) {
  const Momentum frame{std::sinh(rapidity), 0, 0, std::cosh(rapidity)};
  return each(jets, [&frame](const Momentum& p) { return datasets::particles::boosted(p, frame); });
}

const std::vector<Transformation>& transformations() {
  using enum Expected;
  static const std::vector<Transformation> all{
      {"among other jets", exact, exact, [](const ParticleSets& jets, const Random&) { return jets; }},
      {"constituents in another order", rounding, rounding,
       [](const ParticleSets& jets, const Random& random) { return shuffled(jets, random); }},
      {"turned about the beam by 1", rounding, rounding,
       [](const ParticleSets& jets, const Random&) { return turned(jets, 1); }},
      {"turned over the seam at phi = pi", rounding, rounding,
       [](const ParticleSets& jets, const Random&) { return over_the_seam(jets); }},
      {"mirrored, phi to -phi", none, none,
       [](const ParticleSets& jets, const Random&) { return each(jets, [](Momentum p) { return p.py = -p.py, p; }); }},
      {"mirrored, eta to -eta", none, none,
       [](const ParticleSets& jets, const Random&) { return each(jets, [](Momentum p) { return p.pz = -p.pz, p; }); }},
      {"boosted along the beam by 0.5", none, rounding,
       [](const ParticleSets& jets, const Random&) { return boosted_along(jets, 0.5); }},
      {"boosted across the beam by 0.1", none, none,
       [](const ParticleSets& jets, const Random&) { return boosted_across(jets, 0.1); }}};
  return all;
}

/// Scores of each jet by itself.
std::vector<double> one_by_one(const TrainedTagger& tagger, const ParticleSets& jets) {
  std::vector<double> scores;
  for (Index b = 0; b < jets.count(); ++b)
    scores.push_back(tagger.logits("a tested jet", tag::selected_jets(jets, {b})).front());
  return scores;
}

class Symmetry final : public tag::ComparedTaggers {
 public:
  Symmetry() : ComparedTaggers("symmetry.jets", "test jets that are transformed", 300, {"inputs.set"}) {}
  std::string_view name() const override { return "particle.symmetry"; }
  std::string_view summary() const override { return "what leaves the score of a tagger alone, and what does not?"; }
  int result_version() const override { return 1; }
  Index trainings() const override { return static_cast<Index>(kTaggers.size()); }
  void compare(const tag::TestedJets& jets, Index examined, const tag::TrainTagger& train, const Random& random,
               Results& results) const override;
};

/// What a transformation does to the scores of a tagger.
struct Change : ScoreChange {
  Expected expected;
  const std::string& expected_words() const { return kExpected[static_cast<std::size_t>(expected)]; }
};

/// The largest change of each tagger and transformation, on a logarithmic axis, which has no 0.
void draw_changes(const std::vector<std::vector<ScoreChange>>& all, Results& results) {
  constexpr double kLeastDrawn = 1e-8;
  using Row = const Transformation&;
  auto table = rows("transformation", transformations());
  for (std::size_t t = 0; t < kTaggers.size(); ++t)
    table.number(
        concat("drawn_", t), [&](Row, std::size_t k) { return std::max(kLeastDrawn, all[t][k].largest); }, kTaggers[t]);
  table.write(results).intervals(
      results, "drawn_0",
      {.name = "changes",
       .title = "What changes a score",
       .caption = "Largest change of the score over jets, in its standard deviations; no change at all is drawn at "
                  "1e-8. Below 1e-4 lies what rounding does.",
       .variables = {"drawn_1"},
       .log_y = true,
       .value_label = "largest change of the score"});
}

/// The changes of one tagger.
void tabulate_changes(std::size_t tagger, std::span<const Change> changes, Results& results) {
  const std::string end = tagger == 0 ? "_usual" : "_invariant";
  rows("transformation", changes)
      .text("expected" + end, &Change::expected_words, "expected")
      .number("mean" + end, &Change::mean, "mean change")
      .number("largest" + end, &Change::largest, "largest change")
      .write(results)
      .table(results,
             {.name = "symmetries" + end,
              .title = concat("Symmetries: ", kTaggers[tagger]),
              .caption = "Change of the score in its standard deviations over jets. What the inputs do not respect, "
                         "training with mirrored jets can teach in part: then the change is small, and not 0.",
              .digits = 2});
}

void write_changes(const std::vector<std::vector<ScoreChange>>& all, Results& results) {
  const std::size_t count = transformations().size();
  std::vector<Change> changes;
  for (std::size_t t = 0; t < kTaggers.size(); ++t)
    for (std::size_t k = 0; k < count; ++k) {
      const Transformation& one = transformations()[k];
      const Expected mine = t == 0 ? one.usual : one.invariant;
      changes.push_back({all[t][k], mine});
      if (mine == Expected::none) continue;
      results.check({concat("change_", t, "_", k), concat(kTaggers[t], ", ", one.name, ": largest change of the score"),
                     mine == Expected::exact ? "a jet's score depends on it alone" : "inputs are the same to rounding",
                     0, all[t][k].largest, absolute(mine == Expected::exact ? 0 : kRounding)});
    }
  results.coordinate("tagger", kTaggers, "", "tagger");
  rows("transformation", transformations(), &Transformation::name, "transformation of the jets").write(results);
  rows({"tagger", "transformation"}, changes)
      .number("change", &Change::mean, "mean change, in standard deviations of the score")
      .number("largest_change", &Change::largest, "largest change")
      .text("expected", &Change::expected_words, "expected to leave the score alone")
      .write(results);
  draw_changes(all, results);
  for (std::size_t t = 0; t < kTaggers.size(); ++t)
    tabulate_changes(t, std::span(changes).subspan(t * count, count), results);
}

void Symmetry::compare(const tag::TestedJets& jets, Index examined, const tag::TrainTagger& train, const Random& random,
                       Results& results) const {
  const ParticleSets some = jets.first(examined);
  std::vector<std::vector<ScoreChange>> all;
  std::vector<double> auc;
  for (std::size_t t = 0; t < kTaggers.size(); ++t) {
    const std::string inputs = t == 0 ? "standard" : "boost invariant";
    const TrainedTagger tagger = train(kTaggers[t], {{"inputs.set", inputs}}, random.stream(kTaggers[t]));
    auc.push_back(auroc(tagger.logits("the tested jets", jets.tested), jets.labels));
    const std::vector<double> before = tagger.logits("the tested jets", some);
    auto& changes = all.emplace_back();
    for (const Transformation& one : transformations()) {
      const ParticleSets changed = one.apply(some, random.stream("order"));
      changes.push_back(tag::score_change(before, &one == &transformations().front()
                                                      ? one_by_one(tagger, changed)
                                                      : tagger.logits("transformed jets", changed)));
    }
  }
  write_changes(all, results);
  results.add("auc", {"tagger"}, auc, "1", "AUC on the test jets");
  constexpr std::size_t kAlongBeam = 6;
  results.verdict(concat(
      "A boost along the beam by 0.5 changes the score of the usual inputs by ", plain_text(all[0][kAlongBeam].mean, 2),
      " of its standard deviation, that of the boost-invariant "
      "inputs by ",
      plain_text(all[1][kAlongBeam].mean, 2), ". AUC ", plain_text(auc[0]), " and ", plain_text(auc[1]), "."));
}

}  // namespace

std::unique_ptr<Experiment> make_symmetry() { return std::make_unique<Symmetry>(); }

}  // namespace fovea::particle::symmetry
