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
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/metrics.hpp"
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

KnownStays known_stays(const Config& config, double half_life, const Random& random) {
  const Index training = config.integer("cases.training"), others = config.integer("cases.held_out");
  datasets::simulated::EventPlan plan = datasets::simulated::known_decay_plan(half_life, training + others);
  plan.hours = config.real("cases.hours");
  plan.fewest = config.integer("cases.fewest_events"), plan.most = config.integer("cases.most_events");
  const datasets::simulated::MadeStays made = datasets::simulated::made_stays(plan, random);
  const RecencyData all = recency_data(made.stays, plan.hours);
  return {part_of(all, 0, training), part_of(all, training, others), {made.risks.begin() + training, made.risks.end()}};
}

/// The same labels in another order (Fisher & Yates 1938).
void shuffle_labels(RecencyData& data, const Random& random) {
  for (std::size_t i = data.outcomes.size(); i-- > 1;)
    std::swap(data.outcomes[i], data.outcomes[random.below(i + 1, i)]);
}

RecencyTraining training_of(const Config& config, std::string name) {
  return {.name = std::move(name),
          .epochs = config.integer("training.epochs"),
          .learning_rate = config.real("training.learning_rate"),
          .start_half_life = config.real("training.start_half_life")};
}

/// Everything over half_life, one value after the other.
struct Found {
  std::vector<double> trained, likely, low, high, free, mass, auroc, true_auroc;
  std::vector<double> ages, learned_weight, free_weight, true_weight;
};

void add_weights(Found& found, double half_life, double trained_half_life, const FreeTime& free) {
  found.ages = free.knots;
  for (std::size_t k = 0; k < free.knots.size(); ++k) {
    const auto weight = [&](double tau) { return exponential(-logarithm(2.0) * free.knots[k] / tau); };
    found.true_weight.push_back(weight(half_life));
    found.learned_weight.push_back(weight(trained_half_life));
    found.free_weight.push_back(free.weights[k]);
  }
}

void find_half_life(const Config& config, double half_life, const Random& random, learning::TrainingSeries& series,
                    Found& found) {
  const std::string name = concat(plain_text(half_life), " h");
  const KnownStays stays = known_stays(config, half_life, random.stream("stays"));
  const RecencyModel model = trained(stays.training, training_of(config, name), random.stream("training"), series);
  const RecencyFit fit = most_likely(stays.training, model);
  const HalfLifeInterval interval = half_life_interval(stays.training, fit, kInformative, config.real("level"));
  const FreeTime free =
      trained_free(stays.training, training_of(config, name + ", free"), random.stream("free"), series);
  found.trained.push_back(exponential(model.log_half_life[kInformative]));
  found.likely.push_back(exponential(fit.model.log_half_life[kInformative]));
  found.low.push_back(interval.low);
  found.high.push_back(interval.high);
  found.free.push_back(free.half_life);
  found.mass.push_back(attention_mass(stays.training, model, kInformative));
  found.auroc.push_back(auroc(logits(stays.others, model), stays.others.outcomes));
  found.true_auroc.push_back(auroc(stays.true_risks, stays.others.outcomes));
  add_weights(found, half_life, found.trained.back(), free);
}

void add_found(Results& results, const std::vector<double>& half_lives, const Found& found) {
  results.coordinate("half_life", half_lives, "h", "true half-life");
  results.coordinate("age", found.ages, "h", "age of an event");
  const auto add = [&](const char* name, const std::vector<double>& values, const char* unit, const char* meaning) {
    results.add(name, {"half_life"}, values, unit, meaning);
  };
  add("trained", found.trained, "h", "half-life trained by gradients");
  add("likely", found.likely, "h", "most likely half-life");
  add("low", found.low, "h", "lower end of its interval; 0: open");
  add("high", found.high, "h", "upper end of its interval; infinite: open");
  add("free", found.free, "h", "half-life of the exponential closest to a free function of time");
  add("mass", found.mass, "1", "attention on the variable that matters");
  add("auroc", found.auroc, "1", "AUROC on held-out stays");
  add("true_auroc", found.true_auroc, "1", "AUROC of the true risks there");
  const auto add_weight = [&](const char* name, const std::vector<double>& values, const char* meaning) {
    results.add(name, {"half_life", "age"}, values, "1", meaning);
  };
  add_weight("learned_weight", found.learned_weight, "learned exponential");
  add_weight("free_weight", found.free_weight, "free function of time");
  add_weight("true_weight", found.true_weight, "true weight");
}

/// Labels by chance: nothing can be learned, and the half-life must not seem known.
void add_control(const Config& config, double half_life, const Random& random, learning::TrainingSeries& series,
                 Results& results) {
  KnownStays stays = known_stays(config, half_life, random.stream("stays"));
  shuffle_labels(stays.training, random.stream("shuffle"));
  shuffle_labels(stays.others, random.stream("shuffle others"));
  const RecencyModel model = trained(stays.training, training_of(config, "control"), random.stream("training"), series);
  const RecencyFit fit = most_likely(stays.training, model);
  const HalfLifeInterval interval = half_life_interval(stays.training, fit, kInformative, config.real("level"));
  results.scalar("control_likely", exponential(fit.model.log_half_life[kInformative]), "h",
                 "half-life, labels shuffled");
  results.scalar("control_low", interval.low, "h", "lower end of its interval");
  results.scalar("control_high", interval.high, "h", "upper end of its interval");
  results.scalar("control_auroc", auroc(logits(stays.others, model), stays.others.outcomes), "1",
                 "AUROC on held-out stays, labels shuffled");
}

class KnownDecay : public Experiment {
 public:
  std::string_view name() const override { return "ehr.known_decay"; }
  std::string_view summary() const override {
    return "simulated stays with known half-lives: recovered, within their intervals, attention on the right variable";
  }
  int result_version() const override { return 1; }

  Schema schema() const override {
    Schema schema;
    schema.reals("half_lives", {2, 6, 12, 24}, Range::between(0.01, 1e4), "h",
                 "true half-lives of the simulated variables, ascending");
    schema.integer("cases.training", 4000, Range::between(50, 1e6), "", "training stays");
    schema.integer("cases.held_out", 2000, Range::between(50, 1e6), "", "test stays, for the AUROC");
    schema.real("cases.hours", 48, Range::between(1, 1e5), "h", "length of a stay");
    schema.integer("cases.fewest_events", 20, Range::between(1, 10000), "", "fewest events of a stay");
    schema.integer("cases.most_events", 80, Range::between(1, 10000), "", "most events of a stay");
    schema.real("level", 0.9, Range::between(0.5, 0.99), "", "confidence level of the intervals");
    schema.integer("training.epochs", 24, Range::between(1, 10000), "", "passes over the stays");
    schema.real("training.learning_rate", 0.06, Range::positive(), "",
                "initial learning rate; falls to 0 by half a cosine");
    schema.real("training.start_half_life", 12, Range::positive(), "h", "initial half-life of all variables");
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    const std::vector<double>& half_lives = config.reals("half_lives");
    if (half_lives.empty() || !std::is_sorted(half_lives.begin(), half_lives.end(), std::less_equal<>()))
      complaints.add(config.source("half_lives"), "half_lives must have at least one value, ascending.");
    if (config.integer("cases.fewest_events") > config.integer("cases.most_events"))
      complaints.add(config.source("cases.fewest_events"),
                     concat("cases.fewest_events = ", config.integer("cases.fewest_events"),
                            ", but must not be above cases.most_events = ", config.integer("cases.most_events"), "."));
  }

  void run(const Config& config, Inputs, const Random& random, Results& results, Workbench& bench) const override {
    const std::vector<double> half_lives = config.reals("half_lives");
    learning::TrainingSeries series(bench, 2 * static_cast<Index>(half_lives.size()) + 1);
    Found found;
    for (const double half_life : half_lives)
      find_half_life(config, half_life, random.stream(concat("half-life ", exact_text(half_life))), series, found);
    add_found(results, half_lives, found);
    add_control(config, half_lives[half_lives.size() / 2], random.stream("control"), series, results);
    results.scalar("training_stays", static_cast<double>(config.integer("cases.training")), "1", "training stays");
    results.scalar("held_out_stays", static_cast<double>(config.integer("cases.held_out")), "1", "stays to measure on");
    results.scalar("window", config.real("cases.hours"), "h", "length of a stay");
    results.scalar("level", config.real("level"), "1", "level of the intervals");
  }

  void conclude(Results& merged) const override { conclude_known_decay(merged); }
};

}  // namespace

std::unique_ptr<Experiment> make_known_decay() { return std::make_unique<KnownDecay>(); }

}  // namespace fovea::ehr::decay
