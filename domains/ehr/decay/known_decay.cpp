/// The experiment "ehr.known_decay": are half-lives that are known found again, and do their intervals say how well?
///
/// Made stays (datasets/simulated/clinical_events.hpp): events of four variables at irregular times; the outcome
/// depends on the first alone, through a mean with weights 2^(-age / h). One softmax over all events (recency.hpp) is
/// trained on them by gradients, without being told which variable matters or how long.
///
/// One point makes stays for each h and writes, over half_life: trained (by gradients), likely (the maximum of the
/// likelihood) with low and high (profile likelihood), free (the exponential that is closest to a free function of
/// time), mass (attention on the first variable), auroc on held-out stays and true_auroc, that of the true risks; over
/// half_life and age the weights of an event; of the control, whose labels are shuffled: its auroc, low, high.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/datasets/simulated/clinical_events.hpp"
#include "fovea/domains/ehr/decay/known_decay_page.hpp"
#include "fovea/domains/ehr/decay/recency.hpp"
#include "fovea/domains/ehr/experiments.hpp"

namespace fovea::ehr::decay {

namespace {

constexpr Index kInformative = 0;  ///< "a" of known_decay_plan()

/// Made stays: those to learn from, and others.
struct KnownStays {
  RecencyData training, others;
  std::vector<double> true_risks;  ///< of the others
};

struct KnownDecaySettings {
  std::vector<double> half_lives{2, 6, 12, 24};
  Index cases_training = 4000, cases_held_out = 2000;
  double cases_hours = 48;
  Index cases_fewest_events = 20, cases_most_events = 80;
  double level = 0.9;
  Index training_epochs = 24;
  double training_learning_rate = 0.06, training_start_half_life = 12;
};

const Keys<KnownDecaySettings>& known_decay_keys() {
  using S = KnownDecaySettings;
  static const auto keys =
      Keys<S>()
          .key("half_lives", &S::half_lives, Range::between(0.01, 1e4), "h",
               "true half-lives of the simulated variables, ascending")
          .key("cases.training", &S::cases_training, Range::between(50, 1e6), "", "training stays")
          .key("cases.held_out", &S::cases_held_out, Range::between(50, 1e6), "", "test stays, for the AUROC")
          .key("cases.hours", &S::cases_hours, Range::between(1, 1e5), "h", "length of a stay")
          .key("cases.fewest_events", &S::cases_fewest_events, Range::between(1, 10000), "", "fewest events of a stay")
          .key("cases.most_events", &S::cases_most_events, Range::between(1, 10000), "", "most events of a stay")
          .key("level", &S::level, Range::between(0.5, 0.99), "", "confidence level of the intervals")
          .key(study::kTrainingEpochs, &S::training_epochs, "passes over the stays")
          .key(study::kTrainingLearningRate, &S::training_learning_rate,
               "initial learning rate; falls to 0 by half a cosine")
          .key("training.start_half_life", &S::training_start_half_life, Range::positive(), "h",
               "initial half-life of all variables");
  return keys;
}

KnownStays known_stays(const KnownDecaySettings& settings, double half_life, const Random& random) {
  const Index training = settings.cases_training, others = settings.cases_held_out;
  datasets::simulated::EventPlan plan = datasets::simulated::known_decay_plan(half_life, training + others);
  plan.hours = settings.cases_hours;
  plan.fewest = settings.cases_fewest_events, plan.most = settings.cases_most_events;
  const datasets::simulated::MadeStays made = datasets::simulated::made_stays(plan, random);
  const RecencyData all = recency_data(made.stays, plan.hours);
  return {part_of(all, 0, training), part_of(all, training, others), {made.risks.begin() + training, made.risks.end()}};
}

/// The same labels in another order (Fisher & Yates 1938).
void shuffle_labels(RecencyData& data, const Random& random) {
  for (std::size_t i = data.outcomes.size(); i-- > 1;)
    std::swap(data.outcomes[i], data.outcomes[random.below(i + 1, i)]);
}

RecencyTraining training_of(const KnownDecaySettings& settings, std::string name) {
  return {.name = std::move(name),
          .epochs = settings.training_epochs,
          .learning_rate = settings.training_learning_rate,
          .start_half_life = settings.training_start_half_life};
}

/// What is found of one half-life.
struct Found {
  double half_life, trained, likely;
  HalfLifeInterval interval;
  double mass, auroc, true_auroc;
  FreeTime free;
};

Found find_half_life(const KnownDecaySettings& settings, double half_life, const Random& random,
                     learning::TrainingSeries& series) {
  const std::string name = concat(plain_text(half_life), " h");
  const KnownStays stays = known_stays(settings, half_life, random.stream("stays"));
  const RecencyModel model = trained(stays.training, training_of(settings, name), random.stream("training"), series);
  const RecencyFit fit = most_likely(stays.training, model);
  return {half_life,
          exponential(model.log_half_life[kInformative]),
          exponential(fit.model.log_half_life[kInformative]),
          half_life_interval(stays.training, fit, kInformative, settings.level),
          attention_mass(stays.training, model, kInformative),
          auroc(logits(stays.others, model), stays.others.outcomes),
          auroc(stays.true_risks, stays.others.outcomes),
          trained_free(stays.training, training_of(settings, name + ", free"), random.stream("free"), series)};
}

void add_found(Results& results, const std::vector<Found>& all) {
  rows("half_life", all, &Found::half_life, "true half-life", "h")
      .number("trained", &Found::trained, "half-life trained by gradients", "h")
      .number("likely", &Found::likely, "most likely half-life", "h")
      .range("interval", &Found::interval, "lower end of its interval; 0: open",
             "upper end of its interval; infinite: open", "h")
      .end_names("low", "high")
      .number(
          "free", [](const Found& one) { return one.free.half_life; },
          "half-life of the exponential closest to a free function of time", "h")
      .number("mass", &Found::mass, "attention on the variable that matters")
      .number("auroc", &Found::auroc, "AUROC on held-out stays")
      .number("true_auroc", &Found::true_auroc, "AUROC of the true risks there")
      .write(results);
  struct Weight {
    double learned, free, truth;
  };
  const std::vector<double>& ages = all.front().free.knots;
  std::vector<Weight> weights;
  for (const Found& one : all)
    for (std::size_t k = 0; k < ages.size(); ++k) {
      const auto fallen = [&](double half_life) { return exponential(-logarithm(2.0) * ages[k] / half_life); };
      weights.push_back({fallen(one.trained), one.free.weights[k], fallen(one.half_life)});
    }
  results.coordinate("age", ages, "h", "age of an event");
  rows({"half_life", "age"}, weights)
      .number("learned_weight", &Weight::learned, "learned exponential")
      .number("free_weight", &Weight::free, "free function of time")
      .number("true_weight", &Weight::truth, "true weight")
      .write(results);
}

/// Labels by chance: nothing can be learned, and the half-life must not seem known.
void add_control(const KnownDecaySettings& settings, double half_life, const Random& random,
                 learning::TrainingSeries& series, Results& results) {
  KnownStays stays = known_stays(settings, half_life, random.stream("stays"));
  shuffle_labels(stays.training, random.stream("shuffle"));
  shuffle_labels(stays.others, random.stream("shuffle others"));
  const RecencyModel model =
      trained(stays.training, training_of(settings, "control"), random.stream("training"), series);
  const RecencyFit fit = most_likely(stays.training, model);
  const HalfLifeInterval interval = half_life_interval(stays.training, fit, kInformative, settings.level);
  results.scalar("control_likely", exponential(fit.model.log_half_life[kInformative]), "h",
                 "half-life, labels shuffled");
  results.scalar("control_low", interval.low, "h", "lower end of its interval");
  results.scalar("control_high", interval.high, "h", "upper end of its interval");
  results.scalar("control_auroc", auroc(logits(stays.others, model), stays.others.outcomes), "1",
                 "AUROC on held-out stays, labels shuffled");
}

class KnownDecay : public KeyedExperiment<KnownDecaySettings, known_decay_keys> {
 public:
  std::string_view name() const override { return "ehr.known_decay"; }
  std::string_view summary() const override {
    return "simulated stays with known half-lives: recovered, within their intervals, attention on the right variable";
  }
  int result_version() const override { return 1; }

  void check_settings(const KnownDecaySettings& settings, const Complain& complain) const override {
    const std::vector<double>& half_lives = settings.half_lives;
    if (half_lives.empty() || !std::is_sorted(half_lives.begin(), half_lives.end(), std::less_equal<>()))
      complain("half_lives", "half_lives must have at least one value, ascending.");
    if (settings.cases_fewest_events > settings.cases_most_events)
      complain("cases.fewest_events",
               concat("cases.fewest_events = ", settings.cases_fewest_events,
                      ", but must not be above cases.most_events = ", settings.cases_most_events, "."));
  }

  void measure(const KnownDecaySettings& settings, const Random& random, Results& results,
               Workbench& bench) const override {
    const std::vector<double>& half_lives = settings.half_lives;
    learning::TrainingSeries series(bench, 2 * static_cast<Index>(half_lives.size()) + 1);
    std::vector<Found> found;
    for (const double half_life : half_lives)
      found.push_back(
          find_half_life(settings, half_life, random.stream(concat("half-life ", exact_text(half_life))), series));
    add_found(results, found);
    add_control(settings, half_lives[half_lives.size() / 2], random.stream("control"), series, results);
    results.scalar("training_stays", static_cast<double>(settings.cases_training), "1", "training stays");
    results.scalar("held_out_stays", static_cast<double>(settings.cases_held_out), "1", "stays to measure on");
    results.scalar("window", settings.cases_hours, "h", "length of a stay");
    results.scalar("level", settings.level, "1", "level of the intervals");
  }

  void conclude(Results& merged) const override { conclude_known_decay(merged); }
};

}  // namespace

std::unique_ptr<Experiment> make_known_decay() { return std::make_unique<KnownDecay>(); }

}  // namespace fovea::ehr::decay
