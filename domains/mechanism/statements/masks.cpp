/// The experiment "mechanism.masks": what a mask hides, it hides to the last bit; what it does not hide is copied.
///
/// One point trains the same Transformer with and without a causal mask to forecast a Markov chain (markov_task.hpp)
/// and writes, over mask (causal, none): loss, excess over the best forecast there is, and over (mask, place)
/// loss_by_place; the mean attention over (mask, query_place, key_place); and how many numbers changes of the future
/// and of other sets changed.

#include <algorithm>
#include <numeric>

#include "fovea/domains/mechanism/learned.hpp"
#include "fovea/domains/mechanism/tasks/markov_task.hpp"

namespace fovea::mechanism::statements {

namespace {

const std::string kShannon = "Shannon 1948, theorem 7";
const std::string kMaskSource = "Vaswani et al. 2017, section 3.2.3";
const std::vector<std::string> kMasks{"causal", "none"};

learning::TrainingProblem forecast_problem(const tasks::ForecastModel& model, const tasks::MarkovTask& task,
                                           Index validation) {
  learning::TrainingProblem problem = tasks::problem_of(task.sets.sizes(), validation);
  problem.weights.assign(problem.tokens.begin(), problem.tokens.end());
  problem.loss = tasks::cross_entropy_of(tasks::answers_of(model, task.sets), [&](Index e) { return task.next_of(e); });
  return problem;
}

/// Random states, any number of them.
std::vector<Index> random_states(Index count, Index states, const Random& random) {
  std::vector<Index> drawn;
  for (Index i = 0; i < count; ++i)
    drawn.push_back(
        static_cast<Index>(random.below(static_cast<std::uint64_t>(states), static_cast<std::uint64_t>(i))));
  return drawn;
}

/// What happens to the answers of one sequence up to a place when all behind it changes, and when others stand beside.
struct Tampering {
  double changed_by_future = 0, changed_by_others = 0;  ///< numbers, of all tries
  double tries_changed_by_future = 0;                   ///< share of the tries
};

Tampering tamper(const tasks::ForecastModel& model, Index states, Index length, Index tries, const Random& random) {
  Tampering found;
  for (Index t = 0; t < tries; ++t) {
    const Random mine = random.stream(concat("try ", t));
    const auto draw = [&](const char* what, Index count) {
      return static_cast<Index>(mine.stream(what).below(static_cast<std::uint64_t>(count), 0));
    };
    const std::vector<Index> sequence = random_states(length, states, mine.stream("sequence"));
    const Matrix<float> straight = tasks::logits_of(model, tasks::one_hot({sequence}, states));

    const Index seen = 1 + draw("seen", length - 1);  // places 0 .. seen - 1 are compared
    std::vector<Index> other_future(sequence.begin(), sequence.begin() + seen);
    other_future.push_back((sequence[seen] + 1 + draw("step", states - 1)) % states);
    for (const Index state : random_states(draw("longer", 2 * length), states, mine.stream("future")))
      other_future.push_back(state);
    const Matrix<float> tampered = tasks::logits_of(model, tasks::one_hot({other_future}, states));
    const auto changed = (tampered.topRows(seen).array() != straight.topRows(seen).array()).count();
    found.changed_by_future += static_cast<double>(changed);
    found.tries_changed_by_future += changed > 0 ? 1 / static_cast<double>(tries) : 0;

    std::vector<std::vector<Index>> crowd;
    const Index before = draw("before", 4), after = draw("after", 4);
    for (Index k = 0; k < before + after; ++k) {
      if (k == before) crowd.push_back(sequence);
      crowd.push_back(random_states(draw(k % 2 == 0 ? "even" : "odd", 3 * length), states, mine.stream(concat(k))));
    }
    if (after == 0) crowd.push_back(sequence);
    const tasks::ExampleSets sets = tasks::one_hot(crowd, states);
    const Matrix<float> beside = tasks::logits_of(model, sets).middleRows(sets.begin(before), length);
    found.changed_by_others += static_cast<double>((beside.array() != straight.array()).count());
  }
  return found;
}

void add_figures_of_masks(Results& merged) {
  Figure losses{.references = {"mean_entropy_rate"}, .hue = "mask"};
  losses.name = "loss_by_place";
  losses.variables = {"mean_loss_by_place"};
  losses.x = "place";
  show(merged, losses, "Loss at each position",
       "Loss of the forecast at each position, on test sequences. Without a mask the model copies the next state from "
       "the next position; only the last position has none. Dashed: the entropy rate of the chain, the smallest "
       "possible loss of a forecast.");
  const std::string each = "Mean attention of each query position (vertical) to each key position (horizontal): ";
  show(merged, {.kind = "heatmap", .variables = {"attention_causal"}, .x = "key_place", .y = "query_place"},
       "Attention with a causal mask", each + "to itself and the past.");
  show(merged, {.kind = "heatmap", .variables = {"attention_none"}, .x = "key_place", .y = "query_place"},
       "Attention without a mask", each + "to the next position.");
  losses.name = "learning";
  losses.variables = {"mean_validation_loss"};
  losses.x = "epoch";
  show(merged, losses, "Training curves",
       "Loss on the validation sequences, including the last position, where nothing can be copied. The loss of the "
       "masked model converges to the entropy rate. A loss below the entropy rate shows a leak of the future.");
}

struct MaskSettings {
  tasks::ForecastSettings model;
  double sharpness = 1.5;
  Index length = 24, looked_at = 64, changes = 300;
  tasks::ExampleCounts examples{8192, 1024, 4096};
  tasks::LessonSettings lessons{5, 5e-3};
};

const Keys<MaskSettings>& mask_keys() {
  using S = MaskSettings;
  using tasks::ForecastSettings;
  static const auto keys =
      Keys<S>()
          .key("states", inside(&S::model, &ForecastSettings::states), Range::between(2, 100), "",
               "states of the Markov chain")
          .key("sharpness", &S::sharpness, Range::at_least(0), "",
               "0: all transitions are equally likely; larger: more predictable")
          .key(kLength, &S::length)
          .group(tasks::example_keys(), &S::examples)
          .key(kLookedAt, &S::looked_at)
          .group(tasks::lesson_keys(), &S::lessons)
          .key(kWidth, inside(&S::model, &ForecastSettings::width))
          .key(kHeads, inside(&S::model, &ForecastSettings::heads), "attention heads; must divide the width")
          .key("changes", &S::changes, Range::between(1, 1e6), "", "random changes of the future and of other sets");
  return keys;
}

class Masks final : public Statement<MaskSettings, mask_keys> {
 public:
  std::string_view name() const override { return "mechanism.masks"; }
  std::string_view summary() const override {
    return "a causal mask hides the future exactly, to the last bit; without it a forecast copies the future";
  }
  int result_version() const override { return 2; }

  void check_settings(const MaskSettings& settings, const Complain& complain) const override {
    if (settings.model.width % settings.model.heads != 0) complain("width", "width must be a multiple of the heads.");
    if (settings.looked_at > settings.examples.test) complain("looked_at", "looked_at must not exceed test_examples.");
  }

  void measure(const MaskSettings& settings, const Random& random, Results& results, Workbench& bench) const override {
    const Index states = settings.model.states, length = settings.length;
    const tasks::MarkovChain chain(states, settings.sharpness, random.stream("chain"));
    const auto [learned, test] = tasks::examples_of(
        settings.examples, random,
        [&](Index count, const Random& examples) { return tasks::markov_task(chain, count, length, examples); });
    learning::TrainingSeries series(bench, static_cast<Index>(kMasks.size()));
    Gathered found;
    for (const std::string& mask : kMasks) {
      tasks::ForecastModel model({states, settings.model.width, settings.model.heads, mask == "causal"},
                                 random.stream("start"));
      const auto problem = forecast_problem(model, learned, settings.examples.validation);
      const auto report = series.train(model.parameters, problem, tasks::training_settings(settings.lessons, mask),
                                       random.stream("training"));
      found.append("validation_loss", report.validation_loss);
      const tasks::ForecastLoss loss = tasks::loss_of(model, test, chain);
      found.append("loss", loss.all);
      found.append("excess", loss.excess);
      found.append("loss_by_place", loss.by_place);
      found.append("attention", tasks::mean_attention(model, test, settings.looked_at, settings.model.heads));
      const Tampering tampering = tamper(model, states, length, settings.changes, random.stream("changes"));
      found.append("changed_by_future", tampering.changed_by_future);
      found.append("changed_by_others", tampering.changed_by_others);
      found.append("tries_changed_by_future", tampering.tries_changed_by_future);
    }
    add_coordinates(settings, results);
    results.scalar("entropy_rate", chain.entropy_rate(), "nat", "entropy rate of the chain");
    found.add_to(results, "loss", {"mask"}, "nat", "loss, all positions but the last");
    found.add_to(results, "excess", {"mask"}, "nat", "loss minus that of the true transition probabilities");
    found.add_to(results, "loss_by_place", {"mask", "place"}, "nat", "loss");
    found.add_to(results, "attention", {"mask", "query_place", "key_place"}, "1", "mean attention");
    found.add_to(results, "validation_loss", {"mask", "epoch"}, "nat", "loss on validation sequences");
    found.add_to(results, "changed_by_future", {"mask"}, "1", "outputs that changes of the future changed");
    found.add_to(results, "changed_by_others", {"mask"}, "1", "outputs that changes of other sets changed");
    found.add_to(results, "tries_changed_by_future", {"mask"}, "1",
                 "share of changes of the future that changed an output");
  }

  void conclude(Results& merged) const override {
    const View excess = view(merged.data, "excess").at({{"mask", 0}});
    const View future = view(merged.data, "changed_by_future").at({{"mask", 0}});
    const View tries = view(merged.data, "tries_changed_by_future").at({{"mask", 1}});
    const std::vector<double> loss = view(merged.data, "loss").means({"mask"});
    const double changed = std::accumulate(future.values().begin(), future.values().end(), 0.0);
    merged.check({"future_is_hidden", "outputs that changes of the future change, with a causal mask", kMaskSource, 0.0,
                  changed, absolute(0.0)});
    merged.check({"others_are_hidden", "outputs that changes of other sets change, with or without a mask", kMaskSource,
                  0.0, view(merged.data, "changed_by_others").largest(), absolute(0.0)});
    merged.check({"future_is_seen", "share of changes of the future that change an output, without a mask", kMaskSource,
                  1.0, tries.mean().mean, absolute(0.01)});
    // about 1200 parameters learned from 2e5 states cost about 1200 / (2 * 2e5) = 0.003 nats
    merged.check({"best_forecast", "loss of the masked model minus that of the true transition probabilities", kShannon,
                  0.0, excess.mean().mean, absolute(0.01)});
    // chance may favour a model a little on 1e5 states: by a deviation of about sqrt(2 * 0.003 / 1e5) = 2.4e-4
    merged.check(
        {"not_beaten",
         "amount by which the masked model falls below the loss of the true transition probabilities, worst seed",
         kShannon, 0.0, std::max(0.0, -excess.range().first), absolute(1e-3)});
    merged.check(
        {"leak", "loss without a mask, where the next state is visible", kMaskSource, 0.0, loss[1], absolute(0.01)});
    add_seed_means(merged);
    add_headlines(merged, loss);
    add_figures_of_masks(merged);
    give_verdict(merged, "A causal mask hides the future to the last bit; without it a forecast copies the future",
                 concat("0.01 nats: masked ", plain_text(loss[0], 4), " nats, the true transition probabilities ",
                        plain_text(loss[0] - excess.mean().mean, 4), "; without a mask ", plain_text(loss[1], 2), ". ",
                        plain_text(view(merged.data, "changes").first() * static_cast<double>(future.size()), 6),
                        " changes of the future, and as many of other sets, changed 0 bits"));
  }

 private:
  static void add_coordinates(const MaskSettings& settings, Results& results) {
    const std::int64_t length = settings.length;
    results.coordinate("mask", kMasks, "", "mask");
    add_numbers(results, "place", 1, length, "1", "position in the sequence");
    add_numbers(results, "query_place", 1, length, "1", "position of the query");
    add_numbers(results, "key_place", 1, length, "1", "position of the key");
    add_numbers(results, "epoch", 1, settings.lessons.epochs, "1", "epoch");
    results.scalar("changes", static_cast<double>(settings.changes), "1", "number of random changes");
  }

  /// Each seed has a chain of its own, so means over the seeds go with the mean of their entropy rates.
  static void add_seed_means(Results& merged) {
    add_means(merged, "loss_by_place", "mean_loss_by_place", {"mask", "place"}, "loss");
    const std::vector<std::string> pairs{"query_place", "key_place"};
    const View attention = view(merged.data, "attention");
    for (std::size_t mask = 0; mask < kMasks.size(); ++mask)
      merged.add("attention_" + kMasks[mask], pairs, attention.at({{"mask", mask}}).means(pairs), "1", "attention");
    add_means(merged, "validation_loss", "mean_validation_loss", {"mask", "epoch"}, "loss");
    merged.scalar("mean_entropy_rate", view(merged.data, "entropy_rate").mean().mean, "nat", "entropy rate");
  }

  static void add_headlines(Results& merged, const std::vector<double>& loss) {
    merged.scalar("loss_masked", loss[0], "nat", "loss with a causal mask, mean over the seeds");
    merged.scalar("loss_unmasked", loss[1], "nat", "loss without a mask, mean over the seeds");
    merged.scalar("nothing", 0.0, "nat", "prediction");
    merged.headline({.variable = "loss_masked",
                     .label = "Loss with a causal mask",
                     .predicted = "mean_entropy_rate",
                     .meaning = "On test sequences, against the mean entropy rate of the seeds' chains."});
    merged.headline({.variable = "loss_unmasked",
                     .label = "Loss without a mask",
                     .predicted = "nothing",
                     .meaning = "Below the entropy rate: the next state is copied from the next position."});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_masks() { return std::make_unique<Masks>(); }

}  // namespace fovea::mechanism::statements
