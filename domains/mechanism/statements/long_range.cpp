/// The experiment "mechanism.long_range": what was seen long ago reaches attention in one step, a recurrence in as many
/// steps as have passed.
///
/// One point trains an attention network and a GRU with equally many parameters to recall a token (memory_task.hpp), on
/// each delay alone and on all together, and writes, over (condition, delay): accuracy on sequences that no training
/// saw; over (model, step): the geometric mean of the norm of the gradient that arrives at the token,
/// gradient_untrained and gradient_trained (on all delays); and the decay of each.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/core/statistics/line_fit.hpp"
#include "fovea/domains/mechanism/experiments.hpp"
#include "fovea/domains/mechanism/pooled.hpp"
#include "fovea/domains/mechanism/statements/long_range_figures.hpp"
#include "fovea/domains/mechanism/tasks/memory_task.hpp"

namespace fovea::mechanism::statements {

namespace {

const std::string kBengio = "Bengio, Simard and Frasconi 1994; Vaswani et al. 2017, table 1";
const std::vector<std::string> kMemories{"attention", "GRU"};
const std::vector<std::string> kStages{"untrained", "trained"};

/// Every delay as often as fits into `tokens`, then each `validation` times.
std::vector<Index> equal_shares(const std::vector<std::int64_t>& delays, Index tokens, Index validation) {
  std::vector<Index> all;
  for (const std::int64_t delay : delays)
    all.insert(all.end(), static_cast<std::size_t>(std::max<Index>(1, tokens / delay)), delay);
  for (const std::int64_t delay : delays) all.insert(all.end(), static_cast<std::size_t>(validation), delay);
  return all;
}

learning::Variable<float> memory_logits(const tasks::MemoryModel<float>& model, const tasks::MemoryTask& task,
                                        learning::Tape<float>& tape, std::span<const Index> examples) {
  const tasks::PackedSets<float> packed = tasks::pack(tape, task.sets, examples);
  return model.logits(packed.x, *packed.tokens);
}

/// Trains networks of one point.
struct Trainer {
  const Config& config;
  const Random& random;
  learning::TrainingSeries& series;

  learning::TrainingReport train(tasks::MemoryModel<float>& model, const std::vector<std::int64_t>& delays,
                                 const std::string& name) const {
    const tasks::MemorySettings memory{config.integer("symbols"), config.integer("longest_lead"), config.real("mark")};
    const bool alone = delays.size() == 1;
    const Index each = config.integer("validation_each"), validation = each * static_cast<Index>(delays.size());
    const std::vector<Index> shares =
        alone ? std::vector<Index>(static_cast<std::size_t>(config.integer("training_examples") + each), delays[0])
              : equal_shares(delays, config.integer("training_tokens"), each);
    const tasks::MemoryTask task = tasks::memory_task(memory, shares, random.stream("examples to learn from, " + name));
    learning::TrainingProblem problem;
    problem.tokens = alone ? std::vector<Index>(shares.size(), 1) : task.sets.sizes();
    const Index training = task.sets.count() - validation;
    problem.training = tasks::numbers_from(0, training);
    problem.validation = tasks::numbers_from(training, validation);
    problem.loss = [&](learning::Tape<float>& tape, std::span<const Index> examples, float total) {
      auto& answers = tape.kept<std::vector<Index>>();
      answers.clear();
      for (const Index example : examples) answers.push_back(task.symbols[static_cast<std::size_t>(example)]);
      return learning::cross_entropy_loss<float>(memory_logits(model, task, tape, examples), answers, {}, total);
    };
    learning::TrainingSettings settings;
    settings.name = name;
    settings.epochs = config.integer("epochs");
    settings.schedule.learning_rate = config.real("learning_rate");
    settings.schedule.warm_up_steps = 20;
    settings.schedule.course = learning::RateCourse::cosine;
    const Index batch = config.integer(alone ? "batch_examples" : "batch_tokens");
    settings.batches = {batch, std::max<Index>(1, batch / 2), true, 0};
    return series.train(model.parameters, problem, settings, random.stream(name));
  }
};

double accuracy_of(const tasks::MemoryModel<float>& model, const tasks::MemoryTask& task) {
  const Matrix<float> logits =
      learning::predict(model.parameters, task.sets.sizes(), tasks::numbers_from(0, task.sets.count()),
                        [&](learning::Tape<float>& tape, std::span<const Index> examples) {
                          return memory_logits(model, task, tape, examples);
                        });
  Index right = 0;
  for (Index e = 0; e < logits.rows(); ++e) {
    Index said = 0;
    logits.row(e).maxCoeff(&said);
    right += said == task.symbols[static_cast<std::size_t>(e)] ? 1 : 0;
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
    const std::vector<Index> delays(static_cast<std::size_t>(examples), step);
    const tasks::MemoryTask task = tasks::memory_task(settings, delays, random.stream(concat("steps ", step)));
    double sum = 0;
    for (const double norm : tasks::gradient_at_cue(model, task, settings.symbols))
      sum += norm > kNormal ? logarithm(norm) : kNan;
    means.push_back(sum / static_cast<double>(examples));
  }
  return means;
}

std::vector<double> reals_of(const std::vector<std::int64_t>& whole) { return {whole.begin(), whole.end()}; }

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

class LongRange : public Experiment {
 public:
  std::string_view name() const override { return "mechanism.long_range"; }
  std::string_view summary() const override {
    return "recall of a token seen long ago, and the gradient that arrives there: attention against a GRU";
  }
  int result_version() const override { return 1; }

  Schema schema() const override {
    Schema schema;
    schema.integers("delays", {10, 30, 100, 300, 1000}, Range::between(1, 1e5), "step",
                    "between the token and the question, ascending");
    schema.integers("alone_delays", {10, 30, 100, 300}, Range::between(1, 1e5), "step",
                    "delays that are also learned alone, ascending");
    schema.integers("gradient_steps", {10, 14, 20, 30, 45, 70, 100, 140, 200, 300, 450, 700, 1000},
                    Range::between(1, 1e5), "step", "delays at which the gradient is measured, ascending");
    schema.integer("symbols", 8, Range::between(2, 1000), "", "different tokens");
    schema.integer("longest_lead", 8, Range::at_least(0), "", "distractors before the token, at most");
    schema.integer("gru_width", 16, Range::between(2, 256), "", "numbers in the GRU's state; the attention is matched");
    schema.real("mark", 4.0, Range::positive(), "", "entry that marks the token to recall; others are 0 or 1");
    schema.integer("training_examples", 1600, Range::between(1, 1e7), "", "sequences to learn each delay from alone");
    schema.integer("batch_examples", 16, Range::between(1, 1e6), "", "sequences of a training step, each delay alone");
    schema.integer("training_tokens", 60000, Range::between(100, 1e9), "",
                   "tokens of each delay to learn all together from: short delays have more sequences");
    schema.integer("validation_each", 20, Range::between(1, 1e6), "", "sequences of each that choose the best epoch");
    schema.integer("test_each", 200, Range::between(1, 1e6), "", "sequences of each delay that examine");
    schema.integer("gradient_each", 8, Range::between(1, 1e6), "", "sequences of each step for the gradient");
    schema.integer("epochs", 5, Range::between(1, 1e4), "", "passes through the training sequences");
    schema.integer("batch_tokens", 2048, Range::between(2, 1e6), "", "tokens of a training step, all delays together");
    schema.real("learning_rate", 1e-2, Range::positive(), "", "highest rate, after a warm-up; it falls as a cosine");
    schema.integer("forgetting_steps", 4000, Range::between(100, 1e7), "step", "from which the rate of forgetting is");
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    for (const char* key : {"delays", "alone_delays", "gradient_steps"}) {
      const auto& steps = config.integers(key);
      if (steps.size() < 3 || !std::is_sorted(steps.begin(), steps.end(), std::less_equal<>()))
        complaints.add(config.source(key), concat(key, " must ascend, and be three at least."));
    }
  }

  void run(const Config& config, const Random& random, Results& results, Workbench& bench) const override {
    const tasks::MemorySettings settings = settings_of(config);
    const tasks::MemoryWidths widths = tasks::matched_widths(settings, config.integer("gru_width"));
    const auto& delays = config.integers("delays");
    const auto& alone_delays = config.integers("alone_delays");
    const auto test = [&](std::int64_t delay) {
      return tasks::memory_task(settings,
                                std::vector<Index>(static_cast<std::size_t>(config.integer("test_each")), delay),
                                random.stream(concat("examples to examine ", delay)));
    };
    learning::TrainingSeries series(bench, static_cast<Index>(2 * (alone_delays.size() + 1)));
    const Trainer trainer{config, random, series};
    std::vector<double> alone, together, counts, validation_loss;
    std::vector<std::vector<double>> gradients(2);  // by stage: attention, GRU
    for (const tasks::MemoryKind kind : {tasks::MemoryKind::attention, tasks::MemoryKind::gru}) {
      const bool attends = kind == tasks::MemoryKind::attention;
      const std::string name = attends ? "attention" : "gru";
      const tasks::MemoryModel<float> untrained(kind, settings, widths, random.stream("start"));
      counts.push_back(static_cast<double>(untrained.parameters.size()));
      for (const std::int64_t delay : alone_delays) {
        tasks::MemoryModel<float> model(kind, settings, widths, random.stream("start"));
        trainer.train(model, {delay}, concat(name, "_", delay));
        alone.push_back(accuracy_of(model, test(delay)));
      }
      tasks::MemoryModel<float> trained(kind, settings, widths, random.stream("start"));
      const auto report = trainer.train(trained, delays, name);
      validation_loss.insert(validation_loss.end(), report.validation_loss.begin(), report.validation_loss.end());
      for (const std::int64_t delay : delays) together.push_back(accuracy_of(trained, test(delay)));
      for (const std::size_t stage : {0U, 1U}) {
        const tasks::MemoryModel<double> measured = in_double(stage == 0 ? untrained : trained, kind, settings, widths);
        const std::vector<double> logs = log_gradients(measured, settings, config.integers("gradient_steps"),
                                                       config.integer("gradient_each"), random.stream("gradients"));
        gradients[stage].insert(gradients[stage].end(), logs.begin(), logs.end());
        add_decay(config, random, measured, kStages[stage], attends, logs, results);
      }
    }
    add_coordinates(config, results);
    results.add("parameters", {"model"}, counts, "1", "numbers that are learned");
    results.add("accuracy_alone", {"model", "alone_delay"}, alone, "1", "right answers");
    results.add("accuracy_together", {"model", "delay"}, together, "1", "right answers");
    results.add("validation_loss", {"model", "epoch"}, validation_loss, "nat", "loss held back");
    add_gradients(config, gradients, results);
  }

  void conclude(Results& merged) const override;

 private:
  static tasks::MemorySettings settings_of(const Config& config) {
    return {config.integer("symbols"), config.integer("longest_lead"), config.real("mark")};
  }

  static void add_decay(const Config& config, const Random& random, const tasks::MemoryModel<double>& model,
                        const std::string& stage, bool attends, const std::vector<double>& logs, Results& results) {
    const auto& steps = config.integers("gradient_steps");
    const tasks::MemorySettings settings = settings_of(config);
    if (attends) {
      results.scalar("attention_exponent_" + stage, exponent_of(steps, logs, settings), "1",
                     "exponent of the gradient against the number of tokens, attention, " + stage);
      return;
    }
    results.scalar("gru_rate_" + stage, -fit_line(reals_of(steps), logs).slope, "1/step",
                   "decay of the gradient a step, GRU, " + stage);
    results.scalar("forgetting_" + stage,
                   tasks::rate_of_forgetting(model.parameters, settings, config.integer("forgetting_steps"),
                                             random.stream("distractors")),
                   "1/step", "rate at which states of the GRU forget each other, " + stage);
  }

  static void add_coordinates(const Config& config, Results& results) {
    results.coordinate("model", kMemories, "", "network");
    results.coordinate("stage", kStages, "", "stage");
    results.coordinate("delay", config.integers("delays"), "step", "steps since the token was seen");
    results.coordinate("alone_delay", config.integers("alone_delays"), "step", "steps since the token was seen");
    results.coordinate("step", config.integers("gradient_steps"), "step", "steps back to the token");
    const std::vector<Index> epochs = tasks::numbers_from(1, config.integer("epochs"));
    results.coordinate("epoch", std::vector<std::int64_t>(epochs.begin(), epochs.end()), "1", "epoch");
    results.scalar("test_each", static_cast<double>(config.integer("test_each")), "1", "sequences that examine");
    results.scalar("chance", 1 / static_cast<double>(config.integer("symbols")), "1", "chance");
  }

  /// Norms and their predicted shapes: for a GRU an exponential, for untrained attention one over the number of tokens,
  /// for trained attention no change.
  static void add_gradients(const Config& config, const std::vector<std::vector<double>>& logs_by_stage,
                            Results& results) {
    const auto& steps = config.integers("gradient_steps");
    const tasks::MemorySettings settings = settings_of(config);
    std::vector<double> of_attention, predicted_of_attention;
    for (const std::size_t stage : {0U, 1U}) {
      const double rate = view(results.data, "forgetting_" + kStages[stage]).first();
      const std::vector<double>& all = logs_by_stage[stage];
      std::vector<double> norms, predicted;
      for (const double log : all) norms.push_back(std::isnan(log) ? kNan : exponential(log));
      for (const bool attends : {true, false}) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(attends ? 0 : steps.size());
        const std::vector<double> logs(begin, begin + static_cast<std::ptrdiff_t>(steps.size()));
        std::vector<double> shape;
        for (const std::int64_t step : steps) {
          const double diluted = stage == 0 ? -logarithm(tokens_of(step, settings)) : 0.0;
          shape.push_back(attends ? diluted : -rate * static_cast<double>(step));
        }
        const std::vector<double> curve = anchored(shape, logs);
        predicted.insert(predicted.end(), curve.begin(), curve.end());
      }
      results.add("gradient_" + kStages[stage], {"model", "step"}, norms, "1", "norm of the gradient");
      results.add("predicted_" + kStages[stage], {"model", "step"}, predicted, "1", "prediction");
      const auto count = static_cast<std::ptrdiff_t>(steps.size());
      of_attention.insert(of_attention.end(), norms.begin(), norms.begin() + count);
      predicted_of_attention.insert(predicted_of_attention.end(), predicted.begin(), predicted.begin() + count);
    }
    results.add("gradient_attention", {"stage", "step"}, of_attention, "1", "norm of the gradient");
    results.add("predicted_attention", {"stage", "step"}, predicted_of_attention, "1", "prediction");
  }
};

void LongRange::conclude(Results& merged) const {
  const View together = view(merged.data, "accuracy_together"), alone = view(merged.data, "accuracy_alone");
  const View parameters = view(merged.data, "parameters");
  const auto mean = [&](const char* name) { return view(merged.data, name).mean().mean; };
  const auto worst_of_attention = [](const View& accuracy, const char* delay) {
    double least = 1;
    for (const double right : accuracy.at({{"model", 0}}).means({delay})) least = std::min(least, right);
    return least;
  };
  merged.check({"equal_parameters", "parameters of the attention over those of the GRU", "the comparison's condition",
                1.0, parameters.at({{"model", 0}}).first() / parameters.at({{"model", 1}}).first(), relative(0.02)});
  merged.check({"attention_recalls", "accuracy of attention at the worst delay, learned together", kBengio, 1.0,
                worst_of_attention(together, "delay"), absolute(0.01)});
  merged.check({"attention_learns", "accuracy of attention at the worst delay, learned alone", kBengio, 1.0,
                worst_of_attention(alone, "alone_delay"), absolute(0.01)});
  const double chance = mean("chance");
  const View gru_alone = alone.at({{"model", 1}, {"alone_delay", kLast}});
  const double asked = mean("test_each") * static_cast<double>(gru_alone.size());
  const MeanWithError gru_last = gru_alone.mean();
  // right answers of one who guesses are binomial; 3.29 deviations leave one guesser in a thousand outside
  merged.check({"gru_guesses", "accuracy of a GRU at the longest delay, learned alone", kBengio, chance, gru_last.mean,
                absolute(3.29 * std::sqrt(chance * (1 - chance) / asked))});
  merged.check({"attention_is_flat", "exponent of the gradient against the number of tokens, trained attention",
                kBengio, 0.0, mean("attention_exponent_trained"), absolute(0.05)});
  merged.check({"attention_dilutes", "exponent of the gradient against the number of tokens, untrained attention",
                "derived in domains/mechanism/README.md", -1.0, mean("attention_exponent_untrained"), absolute(0.1)});
  merged.check({"gru_decays", "decay of the gradient a step through an untrained GRU",
                "Benettin et al. 1980; Pascanu, Mikolov and Bengio 2013", mean("forgetting_untrained"),
                mean("gru_rate_untrained"), relative(0.05)});
  const double attention_last = alone.at({{"model", 0}, {"alone_delay", kLast}}).mean().mean;
  merged.scalar("attention_alone", attention_last, "1", "accuracy of attention, longest delay alone");
  merged.scalar("gru_alone", gru_last.mean, "1", "accuracy of the GRU, longest delay alone");
  merged.scalar("gru_alone_error", gru_last.error, "1", "its standard error over the seeds");
  const auto longest = [&](const char* name) {
    return std::get<std::vector<std::int64_t>>(merged.data.at(name).values).back();
  };
  merged.headline(
      {.variable = "attention_alone",
       .label = concat("Attention recalls after ", longest("alone_delay"), " steps"),
       .meaning = "Learned from that delay alone; share of right answers on sequences that no training saw."});
  merged.headline({.variable = "gru_alone",
                   .label = concat("The GRU recalls after ", longest("alone_delay"), " steps"),
                   .predicted = "chance",
                   .half_width = "gru_alone_error",
                   .meaning = "With as many parameters and the same examples; beside it, chance."});
  add_figures_of_long_range(merged);
  const std::vector<double> last = together.at({{"delay", kLast}}).means({"model"});
  give_verdict(
      merged, "What was seen long ago reaches attention undiminished, a GRU exponentially weakened",
      concat("5 %: the gradient decays by exp(-", plain_text(mean("gru_rate_untrained")),
             ") a step through the GRU, as its states forget each other, and as distance to the power ",
             plain_text(mean("attention_exponent_trained"), 1), " through attention; from ", longest("alone_delay"),
             " steps alone attention learns to recall ", plain_text(100 * attention_last, 4), " %, the GRU ",
             plain_text(100 * gru_last.mean), " %; from all delays together ", plain_text(100 * last[0], 4), " % and ",
             plain_text(100 * last[1], 4), " % after ", longest("delay"), " steps"));
}

}  // namespace

std::unique_ptr<Experiment> make_long_range() { return std::make_unique<LongRange>(); }

}  // namespace fovea::mechanism::statements
