/// The experiment "particle.shower": does a tagger reach the best possible AUC, where that is known?
///
/// In the toy shower (datasets/simulated/toy_shower.hpp) quarks and gluons differ in the mean number of emissions
/// alone, so no tagger can do better than the number of constituents does. Besides what every study writes: over
/// tagger: auc with DeLong's interval, and auc_less_best, the difference to the number of constituents on the same
/// jets.

#include <algorithm>
#include <functional>

#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/delong.hpp"
#include "fovea/core/study/ensemble/fitting_settings.hpp"
#include "fovea/datasets/simulated/toy_shower.hpp"
#include "fovea/domains/particle/experiments.hpp"
#include "fovea/domains/particle/tag/jet_task.hpp"
#include "fovea/domains/particle/tag/rejection_page.hpp"
#include "fovea/domains/particle/tag/variants.hpp"

namespace fovea::particle::tag {

namespace {

constexpr double kWithin = 0.003;  // of the best possible AUC
constexpr double kErrors = 3;      // standard errors that chance may take

struct ShowerSettings {
  double quark_emissions = 4;
};

const Keys<ShowerSettings>& shower_keys() {
  static const auto keys =
      Keys<ShowerSettings>().key("shower.quark_emissions", &ShowerSettings::quark_emissions, Range::between(0.5, 20),
                                 "", "mean number of emissions of a quark");
  return keys;
}

class Shower final : public JetTask {
 public:
  Shower() : JetTask({"gluon", "quark"}) {}
  std::string_view name() const override { return "particle.shower"; }
  std::string_view summary() const override { return "does a tagger reach the best possible AUC, where it is known?"; }
  void keys(Schema& schema) const override {
    JetTask::keys(schema);
    shower_keys().declare(schema);
  }
  Index further_trainings(const Config& config) const override { return study::fitting_keys().read(config).members; }

  void examine(const study::StudyOutcome& outcome, Results& results) const override {
    const Random random = Random(outcome.config.seed.value_or(1)).stream("shower");
    write_rejection(outcome, {.fewer = true, .sculpting = false}, random.stream("rejection"), results);
    if (!jet_keys().read(outcome.config).train.empty()) {
      results.note("The best possible AUC is known for simulated showers alone; these jets come from files.");
      return;
    }
    compare(outcome, random, results);
  }

 protected:
  datasets::particles::ParticleSets made_jets(const Config& config, const Random& random) const override {
    return datasets::simulated::shower_jets(jet_keys().read(config).simulated,
                                            shower_keys().read(config).quark_emissions, random)
        .jets;
  }

 private:
  void compare(const study::StudyOutcome& outcome, const Random& random, Results& results) const;
};

/// What is compared, with what theory says of it.
struct Compared {
  std::vector<std::string> names;
  std::vector<std::vector<double>> scores;
};

void write_areas(const Compared& compared, const RocAreas& areas, double best, Results& results) {
  using Name = const std::string&;
  rows("compared_score", compared.names, std::identity(), "score")
      .number(
          "shower_auc", [&](Name, std::size_t k) { return areas.areas[k]; }, "AUC")
      .number(
          "shower_auc_error", [&](Name, std::size_t k) { return areas.standard_error(k); }, "standard error")
      .number(
          "auc_less_best", [&](Name, std::size_t k) { return areas.areas[k] - areas.areas[0]; },
          "less that of the number of constituents")
      .number(
          "auc_less_best_error", [&](Name, std::size_t k) { return areas.difference_error(k, 0); }, "standard error")
      .write(results)
      .table(results,
             {.name = "best_possible",
              .title = "Compared with the best possible",
              .caption = "AUC on the test jets, and its difference to that of the number of constituents on the same "
                         "jets, which is the likelihood ratio here. Standard errors by DeLong.",
              .digits = 4});
  results.scalar("best_auc", best, "1", "best possible AUC, of two Poisson laws");
}

void Shower::compare(const study::StudyOutcome& outcome, const Random& random, Results& results) const {
  const double mean = shower_keys().read(outcome.config).quark_emissions;
  const double best = datasets::simulated::poisson_auc(mean, 2.25 * mean);
  const std::vector<Index> items = known_test_cases(outcome), labels = labels_of(outcome, items);
  const Changes averaging{{"model.pooling", std::string("mean")}, {"model.blocks", std::int64_t{0}}};
  // The experiment's own stream of cases, from which the run made them.
  const auto jets = datasets::simulated::shower_jets(jet_keys().read(outcome.config).simulated, mean,
                                                     Random(outcome.config.seed.value_or(1)).stream("cases"));
  Compared compared{{"number of constituents", "tagger", "averaging alone", "largest kT"}, {}};
  std::vector<double> fewest, kt;
  for (const Index item : items) {
    fewest.push_back(-static_cast<double>(outcome.cases.size(item)));
    kt.push_back(-jets.largest_kt[item]);
  }
  compared.scores = {
      fewest, mean_logits(outcome.model.members, outcome, items),
      mean_logits(trained_variant("averaging", *this, outcome, averaging, random.stream("averaging")), outcome, items),
      kt};
  const RocAreas areas = roc_areas(compared.scores, labels);
  write_areas(compared, areas, best, results);
  const std::string counted = "the number of constituents is the likelihood ratio: two Poisson laws";
  results.check({"best_auc", "AUC of the number of constituents", counted, best, areas.areas[0],
                 absolute(kErrors * areas.standard_error(0))});
  results.check({"none_exceeds", "how far the better of both nets exceeds the likelihood ratio, in standard errors",
                 "Neyman & Pearson 1933", 0,
                 std::max({0.0, (areas.areas[1] - areas.areas[0]) / areas.difference_error(1, 0),
                           (areas.areas[2] - areas.areas[0]) / areas.difference_error(2, 0)}),
                 absolute(kErrors)});
  results.check({"tagger_reaches_it", "AUC of the tagger less that of the likelihood ratio, on the same jets", counted,
                 0, areas.areas[1] - areas.areas[0], absolute(kWithin)});
  results.check(
      {"averaging_does_not",
       "AUC of a net that averages over constituents, so far as it lies above that of the likelihood ratio less .003",
       "a mean does not know how many it is of", 0, std::max(0.0, areas.areas[2] - areas.areas[0] + kWithin),
       absolute(0)});
  results.check({"largest_kt", "AUC of the largest kT alone", "Larkoski, Salam, Thaler 2013: Casimir scaling, 9/13",
                 datasets::simulated::kLargestKtAuc, areas.areas[3], absolute(kErrors * areas.standard_error(3))});
}

}  // namespace

std::unique_ptr<Experiment> make_shower() { return study::make_study(std::make_unique<Shower>()); }

}  // namespace fovea::particle::tag
