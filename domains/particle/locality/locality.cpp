/// The experiment "particle.locality": "interactions are local; let a particle attend to itself and its nearest
/// neighbours alone: physically sensible, cheaper, easier to interpret".
///
/// Each part is a number that can come out wrong. Over mask: auc, auc_less_all (paired over seeds), own_prong and
/// own_by_chance (attention of the first block within a prong of the decay), agreement_of_attention and
/// agreement_of_gradient (of two taggers from other starts), outside, far_rows, far_changed; deletion over (importance,
/// deleted); on this machine the seconds of training and of scoring.

#include <cmath>
#include <ctime>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/data/view.hpp"
#include "fovea/core/lab/cost_meter.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/statistics/distributions/student.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/locality/looks.hpp"
#include "fovea/domains/particle/tag/trained_tagger.hpp"

namespace fovea::particle::locality {

namespace {

using datasets::particles::ParticleSets;
using tag::TrainedTagger;

constexpr std::size_t kNearest16 = 6;
const std::vector<double> kDeleted{0, 0.05, 0.1, 0.2, 0.3, 0.5};
const std::vector<std::string> kImportance{"gradient x input", "attention of the class token", "random"};

struct MaskTried {
  std::string name;
  tag::Changes changes;
};

const std::vector<MaskTried>& masks() {
  static const std::vector<MaskTried> all = [] {
    std::vector<MaskTried> made{{"all pairs", {{"locality.mask", std::string("none")}}}};
    for (const double radius : {0.1, 0.2, 0.4})
      made.push_back({concat("radius ", plain_text(radius)),
                      {{"locality.mask", std::string("radius")}, {"locality.radius", radius}}});
    for (const std::int64_t nearest : {4, 8, 16, 32})
      made.push_back(
          {concat(nearest, " nearest"), {{"locality.mask", std::string("nearest")}, {"locality.neighbours", nearest}}});
    return made;
  }();
  return all;
}

/// What is measured of one mask.
struct Measured {
  double auc = 0, own = 0, by_chance = 0, outside = 0, attention = 0, gradient = 0, far_rows = 0, far_changed = 0;
  double seconds = 0;  ///< to score all tested jets
};

std::vector<std::vector<double>> random_importance(const ParticleSets& jets, const Random& random) {
  std::vector<std::vector<double>> drawn;
  for (Index b = 0; b < jets.count(); ++b) {
    auto& mine = drawn.emplace_back();
    for (Index i = 0; i < jets.size(b); ++i)
      mine.push_back(random.uniform(static_cast<std::uint64_t>(b), static_cast<std::uint64_t>(i)));
  }
  return drawn;
}

class Locality final : public tag::ComparedTaggers {
 public:
  Locality()
      : ComparedTaggers("locality.jets", "test jets whose attention is analysed", 150,
                        {"locality.mask", "locality.radius", "locality.neighbours"}) {}
  std::string_view name() const override { return "particle.locality"; }
  std::string_view summary() const override {
    return "attention to near particles alone: sensible, cheaper, easier to interpret?";
  }
  int result_version() const override { return 1; }
  Index trainings() const override { return 2 * static_cast<Index>(masks().size()); }
  void compare(const tag::TestedJets& jets, Index examined, const tag::TrainTagger& train, const Random& random,
               Results& results) const override;
  void conclude(Results& merged) const override;
};

/// Two taggers with a mask, and everything about them.
Measured measured(const std::vector<TrainedTagger>& pair, const tag::TestedJets& jets, Index looked_at) {
  const ParticleSets &tested = jets.tested, some = jets.first(looked_at);
  Measured found;
  for (const TrainedTagger& tagger : pair)
    found.auc += 0.5 * auroc(tagger.logits("the tested jets", tested), jets.labels);
  const ProngAttention attention = prong_attention(pair[0], some);
  found.own = attention.jets > 0 ? attention.own : kNan;
  found.by_chance = attention.jets > 0 ? attention.by_chance : kNan;
  found.outside = attention.outside;
  const FarChange far = far_change(pair[0], some);
  found.far_rows = static_cast<double>(far.rows), found.far_changed = static_cast<double>(far.changed);
  const Importance one = importance_of(pair[0], some), other = importance_of(pair[1], some);
  found.attention = agreement(one.attention, other.attention);
  found.gradient = agreement(one.gradient, other.gradient);
  found.seconds = cost_of([&](const LookAtMemory&) { pair[0].logits("the tested jets", tested); }, 0.2).cpu_seconds;
  return found;
}

void write_deletion(const TrainedTagger& tagger, const ParticleSets& some, const Random& random, Results& results) {
  const Importance importance = importance_of(tagger, some);
  std::vector<double> curves;
  for (const auto& order : {importance.gradient, importance.attention, random_importance(some, random)})
    for (const double change : deletion_curve(tagger, some, order, kDeleted)) curves.push_back(change);
  results.coordinate("importance", kImportance, "", "deleted first: the largest");
  results.coordinate("deleted", kDeleted, "1", "share of constituents that are deleted");
  results.add("deletion", {"importance", "deleted"}, curves, "1", "mean |change of the logit|");
}

void Locality::compare(const tag::TestedJets& jets, Index examined, const tag::TrainTagger& train, const Random& random,
                       Results& results) const {
  std::vector<Measured> all;
  for (std::size_t m = 0; m < masks().size(); ++m) {
    std::vector<TrainedTagger> pair;
    for (int k = 1; k <= 2; ++k)
      pair.push_back(
          train(concat(masks()[m].name, ", start ", k), masks()[m].changes, random.stream(concat("tagger ", k))));
    all.push_back(measured(pair, jets, examined));
    if (m == kNearest16) write_deletion(pair[0], jets.first(examined), random.stream("deletion"), results);
  }
  const auto name = [](const Measured&, std::size_t m) { return masks()[m].name; };
  const std::string meaning = "what a constituent attends to";
  rows("mask", all, name, meaning)
      .number("auc", &Measured::auc, "AUC")
      .number("own_prong", &Measured::own, "attention on one's own prong")
      .number("own_by_chance", &Measured::by_chance, "the same under uniform attention")
      .number("agreement_of_attention", &Measured::attention, "rank correlation of attention between starts")
      .number("agreement_of_gradient", &Measured::gradient, "rank correlation of gradient x input between starts")
      .number("outside", &Measured::outside, "largest weight beyond the mask")
      .number("far_rows", &Measured::far_rows, "rows that do not see a constituent which is moved")
      .number("far_changed", &Measured::far_changed, "of these, rows that change in any bit")
      .write(results);
  rows("mask", all, name, meaning)
      .number("seconds", &Measured::seconds, "processor time to score the test jets, one thread", "s")
      .write(results.on_this_machine());
}

/// Mean over seeds of the difference to the first mask, with the half width of its 95 % interval; NaN for one seed.
MeanWithError paired(const Dataset& data, const std::string& variable, std::size_t mask) {
  const std::vector<double> here = view(data, variable).at({{"mask", mask}}).values(),
                            there = view(data, variable).at({{"mask", 0}}).values();
  std::vector<double> differences;
  for (std::size_t s = 0; s < here.size(); ++s) differences.push_back(here[s] - there[s]);
  MeanWithError found = mean_with_error(differences);
  found.error =
      differences.size() < 2 ? kNan : found.error * student_width(0.95, static_cast<int>(differences.size()) - 1);
  return found;
}

double mean_of_mask(const Dataset& data, const std::string& variable, std::size_t mask) {
  return view(data, variable).at({{"mask", mask}}).mean().mean;
}

/// Whether a paired difference leaves out 0, in words.
std::string compared_words(const MeanWithError& difference) {
  if (std::isnan(difference.error)) return "one seed cannot distinguish them";
  if (difference.mean - difference.error > 0) return "easier to interpret by this measure";
  if (difference.mean + difference.error < 0) return "harder to interpret by this measure";
  return "not significantly easier to interpret by this measure";
}

void Locality::conclude(Results& merged) const {
  const Dataset& data = merged.data;
  const auto less_all = [&](const MaskTried&, std::size_t m) {
    const MeanWithError one = paired(data, "auc", m);
    return m == 0 ? ValueInterval{one.mean, 0, 0} : ValueInterval{one.mean, one.mean - one.error, one.mean + one.error};
  };
  const MeanWithError nearest = paired(data, "auc", kNearest16);
  const MeanWithError agreeing = paired(data, "agreement_of_attention", kNearest16);
  const double own = mean_of_mask(data, "own_prong", 0), chance = mean_of_mask(data, "own_by_chance", 0);
  const double agree = mean_of_mask(data, "agreement_of_attention", kNearest16),
               agree_all = mean_of_mask(data, "agreement_of_attention", 0);
  rows("mask", masks())
      .interval("auc_less_all", less_all, "AUC less that of all pairs, the same jets and starts")
      .ends("95 % interval over seeds, Student's t", "95 % interval over seeds")
      .write(merged)
      .intervals(merged, "auc_less_all",
                 {.title = "What a mask costs, or brings",
                  .caption = "AUC less that of attention between all pairs, paired over seeds, with 95 % intervals.",
                  .value_label = "difference of AUC"});
  merged.figure({.kind = "table",
                 .name = "masks",
                 .title = "Masks compared",
                 .caption = "Attention of the first block on one's own prong of the top decay, compared with even "
                            "attention over what the mask lets through; rank correlation of importances between two "
                            "taggers from other starts.",
                 .variables = {"auc", "own_prong", "own_by_chance", "agreement_of_attention", "agreement_of_gradient"},
                 .x = "mask",
                 .digits = 3});
  merged.figure({.kind = "lines",
                 .name = "deletion",
                 .title = "What the score rests on",
                 .caption =
                     "Change of the logit of the tagger with 16 nearest neighbours when constituents are deleted, "
                     "the most important first. An importance that is worth its name lies above random order.",
                 .variables = {"deletion"},
                 .x = "deleted",
                 .hue = "importance"});
  merged.check({"outside", "largest attention weight of a pair beyond the radius", "a masked weight is 0", 0,
                view(data, "outside").largest(), absolute(0)});
  merged.check({"far_rows",
                "rows of the first block that change in any bit when a constituent that they do not see moves",
                "a row depends on its keys alone", 0, view(data, "far_changed").largest(), absolute(0)});
  Results& machine = merged.on_this_machine();
  const double ratio = mean_of_mask(machine.data, "seconds", kNearest16) / mean_of_mask(machine.data, "seconds", 0);
  machine.figure({.kind = "table",
                  .name = "seconds",
                  .title = "Processor time, on this machine",
                  .caption =
                      "To score the test jets, reading left out. For sets of fifty, lists of neighbours cost more "
                      "than they save; particle.locality_cost shows where they pay.",
                  .variables = {"seconds"},
                  .x = "mask",
                  .digits = 3});
  machine.note(concat("With 16 nearest neighbours the test jets take ", plain_text(ratio, 2),
                      " times the processor time of all pairs."));
  const bool sensible = own > chance, worse = nearest.mean + nearest.error<0, better = nearest.mean - nearest.error> 0;
  merged.verdict(concat(
      std::isnan(own) ? std::string("The jets have no truth to hold attention against. ")
                      : concat("Attention between all pairs ", sensible ? "favours" : "does not favour",
                               " one's own prong by itself: ", plain_text(100 * own, 2), " % compared with ",
                               plain_text(100 * chance, 2), " % by chance. "),
      "Seeing the 16 nearest alone ",
      std::isnan(nearest.error) ? "changes"
      : worse                   ? "lowers"
      : better                  ? "raises"
                                : "does not measurably change",
      " the AUC: ", plain_text(nearest.mean, 2),
      std::isnan(nearest.error) ? std::string(" (one seed, no interval)")
                                : concat(" +- ", plain_text(nearest.error, 2)),
      ". The class token's attention agrees between two starts with a rank correlation of ", plain_text(agree, 2),
      ", that of all pairs with ", plain_text(agree_all, 2), ": ", compared_words(agreeing), "."));
}

}  // namespace

std::unique_ptr<Experiment> make_locality() { return std::make_unique<Locality>(); }

}  // namespace fovea::particle::locality
