/// The experiment "mechanism.long_range": what was seen long ago reaches attention in one step, a recurrence in as many
/// steps as have passed.
///
/// One point trains an attention network and a GRU with equally many parameters to recall a token (memory_task.hpp) and
/// writes, over model (attention, GRU): parameters; over (model, delay): accuracy on sequences that no training saw;
/// over (stage, model, step): gradient, before and after training, the geometric mean of the norm that arrives at the
/// token; and the decay of each.

#include <algorithm>
#include <cmath>

#include "fovea/core/attention/kernels/exponential.hpp"
#include "fovea/core/error.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/training_series.hpp"
#include "fovea/core/statistics/line_fit.hpp"
#include "fovea/core/statistics/missing.hpp"
#include "fovea/domains/mechanism/experiments.hpp"
#include "fovea/domains/mechanism/memory_task.hpp"
#include "fovea/domains/mechanism/pooled.hpp"

namespace fovea::mechanism {

namespace {

const std::string kBengio = "Bengio, Simard and Frasconi 1994; Vaswani et al. 2017, table 1";
const std::vector<std::string> kMemories{"attention", "GRU"};
const std::vector<std::string> kStages{"untrained", "trained"};

/// Each delay in turn, `each` times.
std::vector<Index> repeated(const std::vector<std::int64_t>& delays, Index each) {
  std::vector<Index> all;
  for (Index k = 0; k < each; ++k) all.insert(all.end(), delays.begin(), delays.end());
  return all;
}

/// Every delay as often as fits into `tokens`, then each `validation` times: short ones, from which a recurrence can
/// learn, do not drown among the long.
std::vector<Index> equal_shares(const std::vector<std::int64_t>& delays, Index tokens, Index validation) {
  std::vector<Index> all;
  for (const std::int64_t delay : delays)
    all.insert(all.end(), static_cast<std::size_t>(std::max<Index>(1, tokens / delay)), delay);
  const std::vector<Index> held_back = repeated(delays, validation);
  all.insert(all.end(), held_back.begin(), held_back.end());
  return all;
}

learning::Variable<float> memory_logits(const MemoryModel<float>& model, const MemoryTask& task,
                                        learning::Tape<float>& tape, std::span<const Index> examples) {
  const PackedSets<float> packed = pack(tape, task.sets, examples);
  return model.logits(packed.x, *packed.tokens);
}

learning::TrainingReport train_memory(MemoryModel<float>& model, const MemoryTask& task, Index validation,
                                      const Config& config, const Random& random, learning::TrainingSeries& series,
                                      const std::string& name) {
  learning::TrainingProblem problem;
  problem.tokens = task.sets.sizes();
  const Index training = task.sets.count() - validation;
  problem.training = numbers_from(0, training);
  problem.validation = numbers_from(training, validation);
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
  settings.batches = {config.integer("batch_tokens"), config.integer("batch_tokens") / 2, true, 0};
  return series.train(model.parameters, problem, settings, random);
}

std::vector<double> accuracy_by_delay(const MemoryModel<float>& model, const MemoryTask& task, std::size_t delays) {
  const Matrix<float> logits =
      learning::predict(model.parameters, task.sets.sizes(), numbers_from(0, task.sets.count()),
                        [&](learning::Tape<float>& tape, std::span<const Index> examples) {
                          return memory_logits(model, task, tape, examples);
                        });
  std::vector<double> right(delays, 0.0);
  for (Index e = 0; e < logits.rows(); ++e) {
    Index said = 0;
    logits.row(e).maxCoeff(&said);
    const auto k = static_cast<std::size_t>(e);
    if (said == task.symbols[k]) right[k % delays] += static_cast<double>(delays) / static_cast<double>(logits.rows());
  }
  return right;
}

/// The same numbers in double.
MemoryModel<double> in_double(const MemoryModel<float>& model, MemoryKind kind, const MemorySettings& settings,
                              const MemoryWidths& widths) {
  MemoryModel<double> copy(kind, settings, widths, Random(0));
  std::copy(model.parameters.values().begin(), model.parameters.values().end(), copy.parameters.values().begin());
  return copy;
}

/// log of the gradient's norm at the token, mean over the examples of each step; NaN where one is too small for a
/// double.
std::vector<double> log_gradients(const MemoryModel<double>& model, const MemorySettings& settings,
                                  const std::vector<std::int64_t>& steps, Index examples, const Random& random) {
  constexpr double kNormal = 1e-290;
  std::vector<double> means;
  for (const std::int64_t step : steps) {
    const std::vector<Index> delays(static_cast<std::size_t>(examples), step);
    const MemoryTask task = memory_task(settings, delays, random.stream(concat("steps ", step)));
    double sum = 0;
    for (const double norm : gradient_at_cue(model, task, settings.symbols))
      sum += norm > kNormal ? logarithm(norm) : kNan;
    means.push_back(sum / static_cast<double>(examples));
  }
  return means;
}

std::vector<double> reals_of(const std::vector<std::int64_t>& whole) { return {whole.begin(), whole.end()}; }

/// The mean number of tokens of a sequence with that delay.
double tokens_of(std::int64_t delay, const MemorySettings& settings) {
  return static_cast<double>(delay + 1) + static_cast<double>(settings.longest_lead) / 2;
}

/// d log |gradient| / d log tokens: -1 for attention that is spread evenly, 0 for attention that has found its token.
double exponent_of(const std::vector<std::int64_t>& steps, const std::vector<double>& logs,
                   const MemorySettings& settings) {
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
  Figure figure;
  figure.kind = FigureKind::lines;
  figure.name = "accuracy";
  figure.title = "Recall of a token seen long ago";
  figure.caption =
      "Share of right answers on sequences that no training saw, against the steps that have passed. Both networks "
      "have "
      "the same number of parameters within 2 %. Dashed: chance.";
  figure.variables = {"accuracy"};
  figure.references = {"chance"};
  figure.x = "delay";
  figure.hue = "model";
  figure.log_x = true;
  merged.figure(figure);
  figure.name = "gradient_untrained";
  figure.title = "What there is to learn from, before training";
  figure.caption =
      "Geometric mean of the norm of the gradient that arrives at the token. Through the recurrence it decays "
      "exponentially, with the rate at which states of the GRU forget each other; attention that is still spread "
      "evenly "
      "dilutes it as one over the number of tokens. Dashed: both predictions.";
  figure.variables = {"gradient_untrained"};
  figure.references = {"predicted_untrained"};
  figure.x = "step";
  figure.log_x = false;
  figure.log_y = true;
  merged.figure(figure);
  figure.name = "gradient_trained";
  figure.title = "What arrives after training";
  figure.caption =
      "The same after training, for an answer that would have to be changed. Dashed: no decay, and the rate at which "
      "the "
      "states of the trained GRU forget each other.";
  figure.variables = {"gradient_trained"};
  figure.references = {"predicted_trained"};
  merged.figure(figure);
  figure.name = "gradient_attention";
  figure.title = "The gradient through attention";
  figure.caption =
      "The same for attention alone. Untrained, it is spread evenly and dilutes the gradient as one over the number of "
      "tokens; once it has found the token, the gradient arrives undiminished from any distance. Dashed: both "
      "predictions.";
  figure.variables = {"gradient_attention"};
  figure.references = {"predicted_attention"};
  figure.hue = "stage";
  figure.log_x = true;
  merged.figure(figure);
  figure.name = "learning";
  figure.title = "How they learn";
  figure.caption = "Loss on the sequences held back, all delays.";
  figure.variables = {"validation_loss"};
  figure.references = {};
  figure.hue = "model";
  figure.x = "epoch";
  figure.log_x = false;
  merged.figure(figure);
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
    schema.integers("gradient_steps", {10, 14, 20, 30, 45, 70, 100, 140, 200, 300, 450, 700, 1000},
                    Range::between(1, 1e5), "step", "delays at which the gradient is measured, ascending");
    schema.integer("symbols", 8, Range::between(2, 1000), "", "different tokens");
    schema.integer("longest_lead", 8, Range::at_least(0), "", "distractors before the token, at most");
    schema.integer("gru_width", 16, Range::between(2, 256), "", "numbers in the GRU's state; the attention is matched");
    schema.integer("training_tokens", 50000, Range::between(100, 1e9), "",
                   "tokens of each delay to learn from: short delays have more sequences");
    schema.integer("validation_each", 20, Range::between(1, 1e6), "", "sequences of each that choose the best epoch");
    schema.integer("test_each", 200, Range::between(1, 1e6), "", "sequences of each delay that examine");
    schema.integer("gradient_each", 8, Range::between(1, 1e6), "", "sequences of each step for the gradient");
    schema.integer("epochs", 12, Range::between(1, 1e4), "", "passes through the training sequences");
    schema.integer("batch_tokens", 8192, Range::between(2, 1e6), "", "tokens of a training step");
    schema.real("learning_rate", 1e-2, Range::positive(), "", "highest rate, after a warm-up; it falls as a cosine");
    schema.integer("forgetting_steps", 4000, Range::between(100, 1e7), "step", "from which the rate of forgetting is");
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    for (const char* key : {"delays", "gradient_steps"}) {
      const auto& steps = config.integers(key);
      if (steps.size() < 3 || !std::is_sorted(steps.begin(), steps.end(), std::less_equal<>()))
        complaints.add(config.source(key), concat(key, " must ascend, and be three at least."));
    }
  }

  void run(const Config& config, const Random& random, Results& results, Workbench& bench) const override {
    const MemorySettings settings{config.integer("symbols"), config.integer("longest_lead")};
    const MemoryWidths widths = matched_widths(settings, config.integer("gru_width"));
    const auto& delays = config.integers("delays");
    const auto& steps = config.integers("gradient_steps");
    const Index validation = config.integer("validation_each");
    const MemoryTask learned =
        memory_task(settings, equal_shares(delays, config.integer("training_tokens"), validation),
                    random.stream("examples to learn from"));
    const MemoryTask test =
        memory_task(settings, repeated(delays, config.integer("test_each")), random.stream("examples to examine"));
    learning::TrainingSeries series(bench, 2);
    std::vector<double> accuracy, counts, validation_loss;
    std::vector<std::vector<double>> gradients(2);  // by stage: attention, GRU
    for (const MemoryKind kind : {MemoryKind::attention, MemoryKind::gru}) {
      const bool attends = kind == MemoryKind::attention;
      MemoryModel<float> model(kind, settings, widths, random.stream("start"));
      counts.push_back(static_cast<double>(model.parameters.size()));
      const MemoryModel<double> untrained = in_double(model, kind, settings, widths);
      const std::string name = attends ? "attention" : "gru";
      const auto report = train_memory(model, learned, validation * static_cast<Index>(delays.size()), config,
                                       random.stream(name), series, name);
      validation_loss.insert(validation_loss.end(), report.validation_loss.begin(), report.validation_loss.end());
      const std::vector<double> right = accuracy_by_delay(model, test, delays.size());
      accuracy.insert(accuracy.end(), right.begin(), right.end());
      const MemoryModel<double> trained = in_double(model, kind, settings, widths);
      for (const std::size_t stage : {0, 1}) {
        const MemoryModel<double>& measured = stage == 0 ? untrained : trained;
        const std::vector<double> logs =
            log_gradients(measured, settings, steps, config.integer("gradient_each"), random.stream("gradients"));
        gradients[stage].insert(gradients[stage].end(), logs.begin(), logs.end());
        add_decay(config, random, measured, kStages[stage], attends, logs, results);
      }
    }
    add_coordinates(config, results);
    results.add("parameters", {"model"}, counts, "1", "numbers that are learned");
    results.add("accuracy", {"model", "delay"}, accuracy, "1", "right answers");
    results.add("validation_loss", {"model", "epoch"}, validation_loss, "nat", "loss held back");
    add_gradients(config, gradients, results);
  }

  void conclude(Results& merged) const override;

 private:
  static void add_decay(const Config& config, const Random& random, const MemoryModel<double>& model,
                        const std::string& stage, bool attends, const std::vector<double>& logs, Results& results) {
    const auto& steps = config.integers("gradient_steps");
    const MemorySettings settings{config.integer("symbols"), config.integer("longest_lead")};
    if (attends) {
      results.scalar("attention_exponent_" + stage, exponent_of(steps, logs, settings), "1",
                     "exponent of the gradient against the number of tokens, attention, " + stage);
      return;
    }
    results.scalar("gru_rate_" + stage, -fit_line(reals_of(steps), logs).slope, "1/step",
                   "decay of the gradient a step, GRU, " + stage);
    results.scalar("forgetting_" + stage,
                   rate_of_forgetting(model.parameters, settings, config.integer("forgetting_steps"),
                                      random.stream("distractors")),
                   "1/step", "rate at which states of the GRU forget each other, " + stage);
  }

  static void add_coordinates(const Config& config, Results& results) {
    results.coordinate("model", kMemories, "", "network");
    results.coordinate("stage", kStages, "", "stage");
    results.coordinate("delay", config.integers("delays"), "step", "steps since the token was seen");
    results.coordinate("step", config.integers("gradient_steps"), "step", "steps back to the token");
    const std::vector<Index> epochs = numbers_from(1, config.integer("epochs"));
    results.coordinate("epoch", std::vector<std::int64_t>(epochs.begin(), epochs.end()), "1", "epoch");
    results.scalar("chance", 1 / static_cast<double>(config.integer("symbols")), "1", "chance");
  }

  /// Norms and their predicted shapes: for a GRU an exponential, for untrained attention one over the number of tokens,
  /// for trained attention no change.
  static void add_gradients(const Config& config, const std::vector<std::vector<double>>& logs_by_stage,
                            Results& results) {
    const auto& steps = config.integers("gradient_steps");
    const MemorySettings settings{config.integer("symbols"), config.integer("longest_lead")};
    std::vector<double> of_attention, predicted_of_attention;
    for (const std::size_t stage : {0, 1}) {
      const double rate = results.data.at("forgetting_" + kStages[stage]).reals()[0];
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
  const std::size_t delays = merged.data.size_of("delay");
  const Pool accuracy(merged.data, "accuracy", 2 * delays), parameters(merged.data, "parameters", 2);
  const auto mean = [&](const char* name) { return Pool(merged.data, name, 1).mean(0).mean; };
  merged.check({"equal_parameters", "parameters of the attention over those of the GRU", "the comparison's condition",
                1.0, parameters.at(0, 0) / parameters.at(0, 1), 0.02, true});
  double worst = 1;
  for (std::size_t k = 0; k < delays; ++k) worst = std::min(worst, accuracy.mean(k).mean);
  merged.check({"attention_recalls", "accuracy of attention at its worst delay", kBengio, 1.0, worst, 0.01, false});
  merged.check({"attention_is_flat", "exponent of the gradient against the number of tokens, trained attention",
                kBengio, 0.0, mean("attention_exponent_trained"), 0.05, false});
  merged.check({"attention_dilutes", "exponent of the gradient against the number of tokens, untrained attention",
                "derived in domains/mechanism/README.md", -1.0, mean("attention_exponent_untrained"), 0.1, false});
  merged.check({"gru_decays", "decay of the gradient a step through an untrained GRU",
                "Benettin et al. 1980; Pascanu, Mikolov and Bengio 2013", mean("forgetting_untrained"),
                mean("gru_rate_untrained"), 0.05, true});
  const double gru_last = accuracy.mean(2 * delays - 1).mean;
  merged.scalar("attention_at_longest", accuracy.mean(delays - 1).mean, "1", "accuracy of attention, longest delay");
  merged.scalar("gru_at_longest", gru_last, "1", "accuracy of the GRU, longest delay");
  merged.scalar("gru_at_longest_error", accuracy.mean(2 * delays - 1).error, "1", "its standard error over the seeds");
  const auto longest = std::get<std::vector<std::int64_t>>(merged.data.at("delay").values).back();
  merged.headline({"attention_at_longest", concat("Attention recalls after ", longest, " steps"), "", "",
                   "Share of right answers on sequences that no training saw."});
  merged.headline({"gru_at_longest", concat("The GRU recalls after ", longest, " steps"), "chance",
                   "gru_at_longest_error", "With as many parameters and the same examples; beside it, chance."});
  add_figures_of_long_range(merged);
  give_verdict(merged, "What was seen long ago reaches attention undiminished, a GRU exponentially weakened",
               concat("5 %: the gradient decays by exp(-", shown(mean("gru_rate_untrained")),
                      ") a step through the GRU, as its states forget each other, and as distance to the power ",
                      shown(mean("attention_exponent_trained"), 1), " through attention; after ", longest,
                      " steps attention recalls ", shown(100 * accuracy.mean(delays - 1).mean, 4), " %, the GRU ",
                      shown(100 * gru_last), " %"));
}

}  // namespace

std::unique_ptr<Experiment> make_long_range() { return std::make_unique<LongRange>(); }

}  // namespace fovea::mechanism
