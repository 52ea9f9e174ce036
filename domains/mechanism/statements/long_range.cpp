/// The experiment "mechanism.long_range": what was seen long ago reaches attention in one step, a recurrence in as many
/// steps as have passed.
///
/// One point trains an attention network and a GRU with equally many parameters to recall a token (memory_task.hpp), on
/// each delay alone and on all together, and writes, over (condition, delay): accuracy on sequences that no training
/// saw; over (model, step): the geometric mean of the norm of the gradient that arrives at the token,
/// gradient_untrained and gradient_trained (on all delays); and the decay of each.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/line_fit.hpp"
#include "fovea/domains/mechanism/learned.hpp"
#include "fovea/domains/mechanism/tasks/memory_task.hpp"

namespace fovea::mechanism::statements {

namespace {

const std::string kBengio = "Bengio, Simard and Frasconi 1994; Vaswani et al. 2017, table 1";
const std::vector<std::string> kMemories{"attention", "GRU"};
const std::vector<std::string> kStages{"untrained", "trained"};

struct LongRangeSettings {
  std::vector<Index> delays{10, 30, 100, 300, 1000};
  std::vector<Index> alone_delays{10, 30, 100, 300};
  std::vector<Index> gradient_steps{10, 14, 20, 30, 45, 70, 100, 140, 200, 300, 450, 700, 1000};
  tasks::MemorySettings memory{.mark = 4};
  Index gru_width = 16, training_examples = 1600, batch_examples = 16, training_tokens = 60000, validation_each = 20;
  Index test_each = 200, gradient_each = 8, batch_tokens = 2048, forgetting_steps = 4000;
  tasks::LessonSettings lessons{5, 1e-2};
};

const Keys<LongRangeSettings>& long_range_keys() {
  using S = LongRangeSettings;
  using tasks::MemorySettings;
  static const auto keys =
      Keys<S>()
          .key("delays", &S::delays, Range::between(1, 1e5), "step",
               "delays between the token and the query, ascending")
          .key("alone_delays", &S::alone_delays, Range::between(1, 1e5), "step",
               "delays that are also trained one at a time, ascending")
          .key("gradient_steps", &S::gradient_steps, Range::between(1, 1e5), "step",
               "delays at which the gradient is measured, ascending")
          .key("symbols", inside(&S::memory, &MemorySettings::symbols), Range::between(2, 1000), "", "different tokens")
          .key("longest_lead", inside(&S::memory, &MemorySettings::longest_lead), Range::at_least(0), "",
               "largest number of distractors before the token")
          .key("gru_width", &S::gru_width, Range::between(2, 256), "",
               "width of the GRU's state; the attention has as many parameters")
          .key("mark", inside(&S::memory, &MemorySettings::mark), Range::positive(), "",
               "value of the entry that marks the token to recall; other entries are 0 or 1")
          .key(kTrainingExamples, &S::training_examples, "training sequences for each delay alone")
          .key("batch_examples", &S::batch_examples, Range::between(1, 1e6), "",
               "sequences in a training step, each delay alone")
          .key("training_tokens", &S::training_tokens, Range::between(100, 1e9), "",
               "training tokens of each delay, all delays together; short delays have more sequences")
          .key("validation_each", &S::validation_each, Range::between(1, 1e6), "",
               "validation sequences of each delay, for the choice of the epoch")
          .key("test_each", &S::test_each, Range::between(1, 1e6), "", "test sequences of each delay")
          .key("gradient_each", &S::gradient_each, Range::between(1, 1e6), "",
               "sequences at each delay for the gradient")
          .key(kEpochs, inside(&S::lessons, &tasks::LessonSettings::epochs))
          .key("batch_tokens", &S::batch_tokens, Range::between(2, 1e6), "",
               "tokens in a training step, all delays together")
          .key(kLearningRate, inside(&S::lessons, &tasks::LessonSettings::learning_rate))
          .key("forgetting_steps", &S::forgetting_steps, Range::between(100, 1e7), "step",
               "steps from which the rate of convergence of nearby states is measured");
  return keys;
}

/// Every delay as often as fits into `tokens`, then each `validation` times.
std::vector<Index> equal_shares(const std::vector<std::int64_t>& delays, Index tokens, Index validation) {
  std::vector<Index> all;
  for (const std::int64_t delay : delays) all.insert(all.end(), std::max<Index>(1, tokens / delay), delay);
  for (const std::int64_t delay : delays) all.insert(all.end(), validation, delay);
  return all;
}

tasks::Answers answers_of(const tasks::MemoryModel<float>& model, const tasks::ExampleSets& sets) {
  return tasks::answers_to(sets, [&](auto x, const auto& tokens) { return model.logits(x, tokens); });
}

/// Trains networks of one point.
struct Trainer {
  const LongRangeSettings& asked;
  const Random& random;
  learning::TrainingSeries& series;

  learning::TrainingReport train(tasks::MemoryModel<float>& model, const std::vector<std::int64_t>& delays,
                                 const std::string& name) const {
    const bool alone = delays.size() == 1;
    const Index each = asked.validation_each, validation = each * static_cast<Index>(delays.size());
    const std::vector<Index> shares = alone ? std::vector<Index>(asked.training_examples + each, delays[0])
                                            : equal_shares(delays, asked.training_tokens, each);
    const tasks::MemoryTask task =
        tasks::memory_task(asked.memory, shares, random.stream("examples to learn from, " + name));
    learning::TrainingProblem problem =
        tasks::problem_of(alone ? std::vector<Index>(shares.size(), 1) : task.sets.sizes(), validation);
    problem.loss = tasks::cross_entropy_of(answers_of(model, task.sets),
                                           [&](Index e) { return std::span<const Index>(&task.symbols[e], 1); });
    learning::TrainingSettings settings = tasks::training_settings(asked.lessons, name);
    settings.schedule.warm_up_steps = 20;
    const Index batch = alone ? asked.batch_examples : asked.batch_tokens;
    settings.batches = {batch, std::max<Index>(1, batch / 2), true, 0};
    return series.train(model.parameters, problem, settings, random.stream(name));
  }
};

double accuracy_of(const tasks::MemoryModel<float>& model, const tasks::MemoryTask& task) {
  const Matrix<float> logits = tasks::examine(model.parameters, task.sets, answers_of(model, task.sets));
  Index right = 0;
  for (Index e = 0; e < logits.rows(); ++e) {
    Index said = 0;
    logits.row(e).maxCoeff(&said);
    right += said == task.symbols[e] ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(logits.rows());
}

/// The same numbers in double.
tasks::MemoryModel<double> in_double(const tasks::MemoryModel<float>& model, tasks::MemoryKind kind,
                                     const tasks::MemorySettings& settings, const tasks::MemoryWidths& widths) {
  tasks::MemoryModel<double> copy(kind, settings, widths, Random(0));
  std::copy(model.parameters.values().begin(), model.parameters.values().end(), copy.parameters.values().begin());
  return copy;
}

/// log of the gradient's norm at the token, mean over the examples of each step; NaN where one is too small for a
/// double.
std::vector<double> log_gradients(const tasks::MemoryModel<double>& model, const tasks::MemorySettings& settings,
                                  const std::vector<std::int64_t>& steps, Index examples, const Random& random) {
  constexpr double kNormal = 1e-290;
  std::vector<double> means;
  for (const std::int64_t step : steps) {
    const std::vector<Index> delays(examples, step);
    const tasks::MemoryTask task = tasks::memory_task(settings, delays, random.stream(concat("steps ", step)));
    double sum = 0;
    for (const double norm : tasks::gradient_at_cue(model, task, settings.symbols))
      sum += norm > kNormal ? logarithm(norm) : kNan;
    means.push_back(sum / static_cast<double>(examples));
  }
  return means;
}

/// The mean number of tokens of a sequence with that delay.
double tokens_of(std::int64_t delay, const tasks::MemorySettings& settings) {
  return static_cast<double>(delay + 1) + static_cast<double>(settings.longest_lead) / 2;
}

/// d log |gradient| / d log tokens: -1 for attention that is spread evenly, 0 for attention that has found its token.
double exponent_of(const std::vector<std::int64_t>& steps, const std::vector<double>& logs,
                   const tasks::MemorySettings& settings) {
  std::vector<double> x;
  for (const std::int64_t step : steps) x.push_back(logarithm(tokens_of(step, settings)));
  return fit_line(x, logs).slope;
}

/// exp(shape + c) with the c that is nearest to the logs in the mean; 0 where that is too small for a double.
std::vector<double> anchored(const std::vector<double>& shape, const std::vector<double>& logs) {
  std::vector<double> differences;
  for (std::size_t k = 0; k < logs.size(); ++k)
    if (!std::isnan(logs[k])) differences.push_back(logs[k] - shape[k]);
  const double shift = mean_with_error(differences).mean;
  std::vector<double> curve;
  for (const double value : shape) curve.push_back(value + shift > -660 ? exponential(value + shift) : kNan);
  return curve;
}

void add_figures_of_long_range(Results& merged) {
  show(merged,
       {.variables = {"accuracy_alone"}, .references = {"chance"}, .x = "alone_delay", .hue = "model", .log_x = true},
       "Accuracy of recall, trained on one delay",
       "Accuracy on test sequences, with one training for each point. The GRU learns only those delays at which a "
       "gradient reaches the token. Both models have the same number of parameters within 2 %. Dashed: chance.");
  show(merged,
       {.variables = {"accuracy_together"}, .references = {"chance"}, .x = "delay", .hue = "model", .log_x = true},
       "Accuracy of recall, trained on all delays",
       "The same, with one training for all delays. Short delays teach the GRU to store the token, and it can then "
       "store it for long delays: the limit of training on one delay is the gradient, not the memory.");
  Figure gradient{
      .variables = {"gradient_untrained"}, .references = {"predicted_untrained"}, .x = "step", .log_y = true};
  gradient.hue = "model";
  show(merged, gradient, "Gradient at the token before training",
       "Geometric mean of the norm of the gradient at the token. Through the recurrence it decays exponentially, at "
       "the rate at which nearby states of the GRU converge. Attention that is still uniform dilutes it as one over "
       "the number of tokens. Dashed: both predictions.");
  show(merged, {.variables = {"gradient_trained"}, .x = "step", .hue = "model", .log_y = true},
       "Gradient at the token after training",
       "The same after training on all delays, for a changed target. In a GRU that has learned to store the token the "
       "gradient decays much more slowly than in an untrained one.");
  gradient = {.variables = {"gradient_attention"}, .references = {"predicted_attention"}, .x = "step", .log_y = true};
  gradient.hue = "stage";
  gradient.log_x = true;
  show(merged, gradient, "Gradient through attention",
       "The same for attention alone. Before training it is uniform and dilutes the gradient as one over the number of "
       "tokens. After training it attends to the token, and the gradient does not depend on the distance. Dashed: both "
       "predictions.");
  show(merged, {.name = "learning", .variables = {"validation_loss"}, .x = "epoch", .hue = "model", .log_y = true},
       "Training curves", "Loss on the validation sequences, trained on all delays.");
}

class LongRange final : public Statement<LongRangeSettings, long_range_keys> {
 public:
  std::string_view name() const override { return "mechanism.long_range"; }
  std::string_view summary() const override {
    return "recall of a distant token, and the gradient at that token: attention against a GRU";
  }
  int result_version() const override { return 2; }

  void check_settings(const LongRangeSettings& settings, const Complain& complain) const override {
    const auto check_steps = [&](const char* key, const std::vector<Index>& steps) {
      if (steps.size() < 3 || !std::is_sorted(steps.begin(), steps.end(), std::less_equal<>()))
        complain(key, concat(key, " must have at least three values, ascending."));
    };
    check_steps("delays", settings.delays);
    check_steps("alone_delays", settings.alone_delays);
    check_steps("gradient_steps", settings.gradient_steps);
  }

  void measure(const LongRangeSettings& asked, const Random& random, Results& results,
               Workbench& bench) const override {
    const tasks::MemorySettings& settings = asked.memory;
    const tasks::MemoryWidths widths = tasks::matched_widths(settings, asked.gru_width);
    const auto& delays = asked.delays;
    const auto& alone_delays = asked.alone_delays;
    const auto test = [&](std::int64_t delay) {
      return tasks::memory_task(settings, std::vector<Index>(asked.test_each, delay),
                                random.stream(concat("examples to examine ", delay)));
    };
    learning::TrainingSeries series(bench, static_cast<Index>(2 * (alone_delays.size() + 1)));
    const Trainer trainer{asked, random, series};
    Gathered found;
    for (const tasks::MemoryKind kind : {tasks::MemoryKind::attention, tasks::MemoryKind::gru}) {
      const bool attends = kind == tasks::MemoryKind::attention;
      const std::string name = attends ? "attention" : "gru";
      const tasks::MemoryModel<float> untrained(kind, settings, widths, random.stream("start"));
      found.append("parameters", static_cast<double>(untrained.parameters.size()));
      for (const std::int64_t delay : alone_delays) {
        tasks::MemoryModel<float> model(kind, settings, widths, random.stream("start"));
        trainer.train(model, {delay}, concat(name, "_", delay));
        found.append("accuracy_alone", accuracy_of(model, test(delay)));
      }
      tasks::MemoryModel<float> trained(kind, settings, widths, random.stream("start"));
      found.append("validation_loss", trainer.train(trained, delays, name).validation_loss);
      for (const std::int64_t delay : delays) found.append("accuracy_together", accuracy_of(trained, test(delay)));
      for (const std::size_t stage : {0U, 1U}) {
        const tasks::MemoryModel<double> measured = in_double(stage == 0 ? untrained : trained, kind, settings, widths);
        const std::vector<double> logs =
            log_gradients(measured, settings, asked.gradient_steps, asked.gradient_each, random.stream("gradients"));
        add_gradient(asked, random, measured, kStages[stage], attends, logs, found, results);
      }
    }
    add_coordinates(asked, results);
    found.add_to(results, "parameters", {"model"}, "1", "number of parameters");
    found.add_to(results, "accuracy_alone", {"model", "alone_delay"}, "1", "right answers");
    found.add_to(results, "accuracy_together", {"model", "delay"}, "1", "right answers");
    found.add_to(results, "validation_loss", {"model", "epoch"}, "nat", "loss on validation sequences");
    for (const std::string& stage : kStages) {
      found.add_to(results, "gradient_" + stage, {"model", "step"}, "1", "norm of the gradient");
      found.add_to(results, "predicted_" + stage, {"model", "step"}, "1", "prediction");
    }
    found.add_to(results, "gradient_attention", {"stage", "step"}, "1", "norm of the gradient");
    found.add_to(results, "predicted_attention", {"stage", "step"}, "1", "prediction");
  }

  void conclude(Results& merged) const override;

 private:
  /// The decay of the gradient, its norms and their predicted shape: for a GRU an exponential, for untrained attention
  /// one over the number of tokens, for trained attention no change.
  static void add_gradient(const LongRangeSettings& asked, const Random& random,
                           const tasks::MemoryModel<double>& model, const std::string& stage, bool attends,
                           const std::vector<double>& logs, Gathered& found, Results& results) {
    const auto& steps = asked.gradient_steps;
    const tasks::MemorySettings& settings = asked.memory;
    std::vector<double> norms, shape;
    for (const double log : logs) norms.push_back(std::isnan(log) ? kNan : exponential(log));
    if (attends) {
      results.scalar("attention_exponent_" + stage, exponent_of(steps, logs, settings), "1",
                     "exponent of the gradient against the number of tokens, attention, " + stage);
      for (const std::int64_t step : steps)
        shape.push_back(stage == kStages[0] ? -logarithm(tokens_of(step, settings)) : 0.0);
    } else {
      const double rate =
          tasks::rate_of_forgetting(model.parameters, settings, asked.forgetting_steps, random.stream("distractors"));
      results.scalar("gru_rate_" + stage, -fit_line(std::vector<double>(steps.begin(), steps.end()), logs).slope,
                     "1/step", "decay rate of the gradient per step, GRU, " + stage);
      results.scalar("forgetting_" + stage, rate, "1/step",
                     "rate at which nearby states of the GRU converge, " + stage);
      for (const std::int64_t step : steps) shape.push_back(-rate * static_cast<double>(step));
    }
    for (const std::string& name : {stage, std::string("attention")}) {
      if (name != stage && !attends) continue;
      found.append("gradient_" + name, norms);
      found.append("predicted_" + name, anchored(shape, logs));
    }
  }

  static void add_coordinates(const LongRangeSettings& asked, Results& results) {
    results.coordinate("model", kMemories, "", "network");
    results.coordinate("stage", kStages, "", "stage");
    results.coordinate("delay", asked.delays, "step", "steps since the token");
    results.coordinate("alone_delay", asked.alone_delays, "step", "steps since the token");
    results.coordinate("step", asked.gradient_steps, "step", "steps back to the token");
    add_numbers(results, "epoch", 1, asked.lessons.epochs, "1", "epoch");
    results.scalar("test_each", static_cast<double>(asked.test_each), "1", "number of test sequences");
    results.scalar("chance", 1 / static_cast<double>(asked.memory.symbols), "1", "chance");
  }
};

void LongRange::conclude(Results& merged) const {
  const View together = view(merged.data, "accuracy_together"), alone = view(merged.data, "accuracy_alone");
  const View parameters = view(merged.data, "parameters");
  const auto mean = [&](const char* name) { return view(merged.data, name).mean().mean; };
  const auto worst_of_attention = [](const View& accuracy, const char* delay) {
    const std::vector<double> right = accuracy.at({{"model", 0}}).means({delay});
    return *std::min_element(right.begin(), right.end());
  };
  merged.check({"equal_parameters", "parameters of the attention over those of the GRU", "condition of the comparison",
                1.0, parameters.at({{"model", 0}}).first() / parameters.at({{"model", 1}}).first(), relative(0.02)});
  merged.check({"attention_recalls", "accuracy of attention at the worst delay, trained on all delays", kBengio, 1.0,
                worst_of_attention(together, "delay"), absolute(0.01)});
  merged.check({"attention_learns", "accuracy of attention at the worst delay, trained on that delay alone", kBengio,
                1.0, worst_of_attention(alone, "alone_delay"), absolute(0.01)});
  const double chance = mean("chance");
  const View gru_alone = alone.at({{"model", 1}, {"alone_delay", kLast}});
  const double asked = mean("test_each") * static_cast<double>(gru_alone.size());
  const MeanWithError gru_last = gru_alone.mean();
  merged.check({"gru_guesses", "accuracy of a GRU at the longest delay, trained on that delay alone", kBengio, chance,
                gru_last.mean, tolerance_of_guessing(chance, asked)});
  merged.check({"attention_is_flat", "exponent of the gradient against the number of tokens, trained attention",
                kBengio, 0.0, mean("attention_exponent_trained"), absolute(0.05)});
  merged.check({"attention_dilutes", "exponent of the gradient against the number of tokens, untrained attention",
                "derived in domains/mechanism/theory.md", -1.0, mean("attention_exponent_untrained"), absolute(0.1)});
  merged.check({"gru_decays", "decay rate of the gradient per step through an untrained GRU",
                "Benettin et al. 1980; Pascanu, Mikolov and Bengio 2013", mean("forgetting_untrained"),
                mean("gru_rate_untrained"), relative(0.05)});
  const double attention_last = alone.at({{"model", 0}, {"alone_delay", kLast}}).mean().mean;
  merged.scalar("attention_alone", attention_last, "1", "accuracy of attention, longest delay alone");
  const auto longest = [&](const char* name) {
    return std::get<std::vector<std::int64_t>>(merged.data.at(name).values).back();
  };
  merged.headline({.variable = "attention_alone",
                   .label = concat("Attention recalls after ", longest("alone_delay"), " steps"),
                   .meaning = "Accuracy on test sequences, trained on that delay alone."});
  add_headline(merged,
               {.variable = "gru_alone",
                .label = concat("The GRU recalls after ", longest("alone_delay"), " steps"),
                .predicted = "chance",
                .meaning = "With as many parameters and the same examples. Predicted: chance."},
               gru_last, "1", "accuracy of the GRU, longest delay alone");
  add_figures_of_long_range(merged);
  const std::vector<double> last = together.at({{"delay", kLast}}).means({"model"});
  give_verdict(
      merged,
      "The gradient from a distant token does not decay through attention, but decays exponentially through a GRU",
      concat("5 %: the gradient decays by exp(-", plain_text(mean("gru_rate_untrained")),
             ") per step through the GRU, the rate at which its states converge, and as distance to the power ",
             plain_text(mean("attention_exponent_trained"), 1), " through attention; from ", longest("alone_delay"),
             " steps alone attention learns to recall ", plain_text(100 * attention_last, 4), " %, the GRU ",
             plain_text(100 * gru_last.mean), " %; from all delays together ", plain_text(100 * last[0], 4), " % and ",
             plain_text(100 * last[1], 4), " % after ", longest("delay"), " steps"));
}

}  // namespace

std::unique_ptr<Experiment> make_long_range() { return std::make_unique<LongRange>(); }

}  // namespace fovea::mechanism::statements
