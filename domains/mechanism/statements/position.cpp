/// The experiment "mechanism.position": without positions attention sees a set, not a sequence.
///
/// One point trains one small network for each encoding (order_task.hpp) and writes, over encoding: accuracy,
/// near_miss_accuracy, and over (encoding, length) accuracy_by_length, all on examples that no training saw; and what a
/// permutation of the tokens does to the network without an encoding (changed_numbers, rounding) and to the one with
/// the last encoding.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/losses.hpp"
#include "fovea/core/learning/training/training_series.hpp"
#include "fovea/domains/mechanism/experiments.hpp"
#include "fovea/domains/mechanism/pooled.hpp"
#include "fovea/domains/mechanism/tasks/order_task.hpp"

namespace fovea::mechanism::statements {

namespace {

const std::string kZaheer = "Zaheer et al. 2017, lemma 3; Vaswani et al. 2017, section 3.5";

learning::TrainingReport train_order_model(tasks::OrderModel& model, const tasks::OrderTask& task, Index validation,
                                           const Config& config, const Random& random, learning::TrainingSeries& series,
                                           const std::string& name) {
  learning::TrainingProblem problem = tasks::problem_of(task.sets, validation);
  problem.loss = [&](learning::Tape<float>& tape, std::span<const Index> examples, float total) {
    auto& targets = tape.kept<Matrix<float>>();
    targets.resize(static_cast<Index>(examples.size()), 1);
    for (std::size_t k = 0; k < examples.size(); ++k)
      targets(static_cast<Index>(k), 0) = task.increases(examples[k]) ? 1.0f : 0.0f;
    return learning::logistic_loss<float>(model.logits(tape, task, examples), targets, {}, total);
  };
  return series.train(model.parameters, problem, tasks::training_settings(config, name), random);
}

/// The shares of right answers.
struct OrderScore {
  double all = 0, near_miss = 0;
  std::vector<double> by_length;
};

OrderScore score_of(const tasks::OrderModel& model, const tasks::OrderTask& task,
                    const tasks::OrderTaskSettings& settings) {
  const Matrix<float> logits = learning::predict(
      model.parameters, task.sets.sizes(), tasks::numbers_from(0, task.sets.count()),
      [&](learning::Tape<float>& tape, std::span<const Index> examples) { return model.logits(tape, task, examples); });
  const auto lengths = static_cast<std::size_t>(settings.longest - settings.shortest + 1);
  std::vector<double> right(lengths), asked(lengths);
  double near_right = 0, near_asked = 0;
  for (Index e = 0; e < task.sets.count(); ++e) {
    const double is_right = (logits(e, 0) > 0) == task.increases(e) ? 1 : 0;
    const auto length = static_cast<std::size_t>(task.sets.size(e) - settings.shortest);
    right[length] += is_right;
    asked[length] += 1;
    if (task.kinds[static_cast<std::size_t>(e)] != tasks::OrderKind::near_miss) continue;
    near_right += is_right;
    near_asked += 1;
  }
  OrderScore score;
  for (std::size_t k = 0; k < lengths; ++k) {
    score.all += right[k] / static_cast<double>(task.sets.count());
    score.by_length.push_back(right[k] / asked[k]);
  }
  score.near_miss = near_right / near_asked;
  return score;
}

/// What permuting the tokens of sets does to the states, after the permutation is undone.
struct PermutationEffect {
  double changed_numbers = 0;  ///< with the tokens in canonical order inside
  double rounding = 0;         ///< largest difference without that, over the largest state
};

PermutationEffect permute_sets(const tasks::OrderModel& model, Index sets, Index longest, const Random& random) {
  PermutationEffect effect;
  for (Index set = 0; set < sets; ++set) {
    const auto entity = static_cast<std::uint64_t>(set);
    const Index size =
        2 + static_cast<Index>(random.stream("size").below(static_cast<std::uint64_t>(longest - 1), entity));
    const Matrix<float> rows = normal_matrix(size, 1, random.stream(concat("numbers ", set))).cast<float>();
    std::vector<Index> order = tasks::numbers_from(0, size);
    for (std::size_t k = order.size() - 1; k > 0; --k)
      std::swap(order[k], order[random.stream("order").below(k + 1, entity, k)]);
    Matrix<float> permuted(size, 1);
    for (Index k = 0; k < size; ++k) permuted.row(k) = rows.row(order[static_cast<std::size_t>(k)]);
    for (const bool canonical : {true, false}) {
      const Matrix<float> straight = tasks::states_of(model, rows, canonical),
                          crossed = tasks::states_of(model, permuted, canonical);
      float difference = 0;
      for (Index k = 0; k < size; ++k)
        for (Index c = 0; c < straight.cols(); ++c) {
          const float moved = std::abs(crossed(k, c) - straight(order[static_cast<std::size_t>(k)], c));
          if (canonical && !(moved == 0.0f)) effect.changed_numbers += 1;
          difference = std::max(difference, moved);
        }
      if (!canonical)
        effect.rounding = std::max(effect.rounding, static_cast<double>(difference / straight.cwiseAbs().maxCoeff()));
    }
  }
  return effect;
}

void add_figures_of_position(Results& merged) {
  merged.figure({.kind = "lines",
                 .name = "accuracy",
                 .title = "Does the sequence increase?",
                 .caption = "Share of right answers on new sequences. Without an encoding attention sees the set of "
                            "numbers, which says nothing about their order: it guesses. Dashed: chance.",
                 .variables = {"accuracy_by_length"},
                 .references = {"chance"},
                 .x = "length",
                 .hue = "encoding"});
  merged.figure({.kind = "lines",
                 .name = "learning",
                 .title = "How they learn",
                 .caption = "Loss on the sequences held back. Dashed: ln 2, that of a guess.",
                 .variables = {"validation_loss"},
                 .references = {"loss_of_a_guess"},
                 .x = "epoch",
                 .hue = "encoding"});
  merged.figure(
      {.kind = "table",
       .name = "encodings",
       .title = "Encodings compared",
       .caption = "Near misses: increasing sequences with two neighbours swapped, half of all that do not increase.",
       .variables = {"accuracy", "near_miss_accuracy", "effect_of_order"},
       .x = "encoding"});
}

class Position : public Experiment {
 public:
  std::string_view name() const override { return "mechanism.position"; }
  std::string_view summary() const override {
    return "deciding whether numbers increase, without and with position encodings; permuted tokens, bit for bit";
  }
  int result_version() const override { return 1; }

  Schema schema() const override {
    Schema schema;
    schema.integer("shortest", 4, Range::between(3, 1000), "", "numbers in the shortest sequence");
    schema.integer("longest", 16, Range::between(3, 1000), "", "numbers in the longest sequence");
    schema.real("span", 4.0, Range::positive(), "", "numbers lie between -span / 2 and span / 2");
    schema.real("gap", 0.1, Range::positive(), "", "smallest difference of two numbers of a sequence");
    schema.texts("encodings", tasks::position_encodings(), "ways to tell where a token stands; none is the first");
    schema.integer("training_examples", 16384, Range::between(10, 1e7), "", "sequences to learn from");
    schema.integer("validation_examples", 2048, Range::between(10, 1e7), "", "sequences that choose the best epoch");
    schema.integer("test_examples", 20000, Range::between(10, 1e7), "", "sequences that examine");
    schema.integer("epochs", 12, Range::between(1, 1e4), "", "passes through the training sequences");
    schema.real("learning_rate", 1e-2, Range::positive(), "", "highest rate, after a warm-up; it falls as a cosine");
    schema.integer("width", 16, Range::between(2, 1024), "", "numbers in a token's state; a multiple of 4");
    schema.integer("heads", 2, Range::between(1, 64), "", "attention heads");
    schema.integer("permuted_sets", 100, Range::between(1, 1e6), "", "sets that are permuted");
    schema.integer("longest_permuted", 300, Range::between(2, 1e5), "", "tokens in the largest of them");
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    const auto& encodings = config.texts("encodings");
    for (const std::string& encoding : encodings) {
      const auto& known = tasks::position_encodings();
      if (std::find(known.begin(), known.end(), encoding) == known.end())
        complaints.add(config.source("encodings"), concat("encodings names '", encoding,
                                                          "', but knows none, sinusoidal, learned, rotary, relative."));
    }
    if (encodings.size() < 2 || encodings.front() != "none")
      complaints.add(config.source("encodings"), "encodings must start with none, and name one more at least.");
    if (config.integer("longest") < config.integer("shortest"))
      complaints.add(config.source("longest"), "longest must not be below shortest.");
    if (config.real("gap") * static_cast<double>(config.integer("longest") - 1) >= config.real("span"))
      complaints.add(config.source("gap"), "gap must leave room: (longest - 1) gaps must be less than the span.");
    if (config.integer("width") % (2 * config.integer("heads")) != 0)
      complaints.add(config.source("width"), "width must be a multiple of twice the heads: rotations turn pairs.");
  }

  void run(const Config& config, const Random& random, Results& results, Workbench& bench) const override {
    tasks::OrderTaskSettings settings;
    settings.shortest = config.integer("shortest");
    settings.longest = config.integer("longest");
    settings.span = config.real("span");
    settings.gap = config.real("gap");
    const Index validation = config.integer("validation_examples");
    const tasks::OrderTask learned = tasks::order_task(settings, config.integer("training_examples") + validation,
                                                       random.stream("examples to learn from"));
    const tasks::OrderTask test =
        tasks::order_task(settings, config.integer("test_examples"), random.stream("examples to examine"));
    const auto& encodings = config.texts("encodings");
    learning::TrainingSeries series(bench, static_cast<Index>(encodings.size()));
    std::vector<double> accuracy, near_miss, by_length, effect, validation_loss;
    for (const std::string& encoding : encodings) {
      tasks::OrderModel model({encoding, config.integer("width"), config.integer("heads"), 2 * config.integer("width"),
                               std::max(settings.longest, config.integer("longest_permuted"))},
                              random.stream("start"));
      const auto report =
          train_order_model(model, learned, validation, config, random.stream(encoding), series, encoding);
      validation_loss.insert(validation_loss.end(), report.validation_loss.begin(), report.validation_loss.end());
      const OrderScore score = score_of(model, test, settings);
      accuracy.push_back(score.all);
      near_miss.push_back(score.near_miss);
      by_length.insert(by_length.end(), score.by_length.begin(), score.by_length.end());
      const PermutationEffect permuted = permute_sets(model, config.integer("permuted_sets"),
                                                      config.integer("longest_permuted"), random.stream("permuted"));
      effect.push_back(permuted.rounding);
      if (encoding == "none")
        results.scalar("changed_numbers", permuted.changed_numbers, "1",
                       "numbers that a permutation changes, tokens in canonical order");
    }
    write(config, accuracy, near_miss, by_length, effect, results);
    add_epochs(config.integer("epochs"), results);
    results.add("validation_loss", {"encoding", "epoch"}, validation_loss, "nat", "loss on sequences held back");
  }

  void conclude(Results& merged) const override {
    const std::size_t count = merged.data.size_of("encoding");
    const auto names = std::get<std::vector<std::string>>(merged.data.at("encoding").values);
    const View accuracies = view(merged.data, "accuracy"), effect = view(merged.data, "effect_of_order");
    const std::vector<double> accuracy = accuracies.means({"encoding"});
    const double replicas = static_cast<double>(accuracies.at({{"encoding", 0}}).size());
    merged.check({"permutes_bit_for_bit", "numbers that permuting the tokens changes, without positions", kZaheer, 0.0,
                  view(merged.data, "changed_numbers").largest(), absolute(0.0)});
    const double tests = view(merged.data, "test_examples").first() * replicas;
    // right answers of one who guesses are binomial; 3.29 deviations leave one guesser in a thousand outside
    merged.check({"without_encoding", "accuracy without an encoding", kZaheer, 0.5, accuracy[0],
                  absolute(3.29 * std::sqrt(0.25 / tests))});
    const std::size_t chosen = chosen_encoding(merged);
    const double best = accuracy[chosen];
    const std::string best_name = names[chosen];
    for (std::size_t k = 1; k < count; ++k) {
      // an encoding that the network does not use would leave it permuting: rounding only
      merged.check({"order_matters_" + names[k],
                    "share of seeds in which permuting the tokens changes the states, with " + names[k] + " positions",
                    kZaheer, 1.0, seeds_above(effect.at({{"encoding", k}}), 1e-3), absolute(0.0)});
      merged.note(concat("With ", names[k], " positions ", plain_text(100 * accuracy[k], 4), " % are right."));
    }
    merged.check({"with_encoding", "accuracy with the encoding that does best on the sequences held back", kZaheer, 1.0,
                  best, absolute(0.01)});
    merged.scalar("accuracy_without", accuracy[0], "1", "accuracy without an encoding");
    merged.scalar("accuracy_without_error", std::sqrt(0.25 / tests), "1", "its binomial standard error");
    merged.scalar("accuracy_with", best, "1", "accuracy with the encoding chosen");
    merged.headline({.variable = "accuracy_without",
                     .label = "Right answers without positions",
                     .predicted = "chance",
                     .half_width = "accuracy_without_error",
                     .meaning = "Guessing: the same numbers in another order are the same set."});
    merged.headline({.variable = "accuracy_with",
                     .label = concat("Right answers with positions (", best_name, ")"),
                     .meaning = "On sequences that no training saw, half of the wrong ones near misses."});
    add_figures_of_position(merged);
    give_verdict(merged,
                 "Without positions attention permutes with its tokens, and cannot tell whether numbers increase",
                 concat("0 bits and ", plain_text(100 * std::abs(accuracy[0] - 0.5), 2), " % of chance on ",
                        static_cast<long long>(tests), " sequences; with ", best_name, " positions it is right in ",
                        plain_text(100 * best, 4), " %; in an order that is not canonical, rounding differs by ",
                        plain_text(effect.at({{"encoding", 0}}).mean().mean, 1)));
  }

 private:
  /// The encoding with the lowest mean loss on the sequences held back, each seed at its best epoch.
  static std::size_t chosen_encoding(const Results& merged) {
    const std::vector<View> losses = view(merged.data, "validation_loss").along("encoding");
    std::size_t chosen = 1;
    double least = 1e300;
    for (std::size_t k = 1; k < losses.size(); ++k) {
      double sum = 0;
      for (const std::vector<double>& seed : losses[k].series("epoch"))
        sum += *std::min_element(seed.begin(), seed.end());
      if (sum < least) chosen = k;
      least = std::min(least, sum);
    }
    return chosen;
  }

  static double seeds_above(const View& seeds, double bound) {
    double above = 0;
    for (const double value : seeds.values()) above += value > bound ? 1 : 0;
    return above / static_cast<double>(seeds.size());
  }

  static void add_epochs(std::int64_t epochs, Results& results) {
    const std::vector<Index> numbers = tasks::numbers_from(1, epochs);
    results.coordinate("epoch", std::vector<std::int64_t>(numbers.begin(), numbers.end()), "1", "epoch");
  }

  static void write(const Config& config, const std::vector<double>& accuracy, const std::vector<double>& near_miss,
                    const std::vector<double>& by_length, const std::vector<double>& effect, Results& results) {
    std::vector<std::int64_t> lengths;
    for (std::int64_t n = config.integer("shortest"); n <= config.integer("longest"); ++n) lengths.push_back(n);
    results.coordinate("encoding", config.texts("encodings"), "", "position encoding");
    results.coordinate("length", lengths, "1", "numbers in the sequence");
    results.add("accuracy", {"encoding"}, accuracy, "1", "right answers");
    results.add("near_miss_accuracy", {"encoding"}, near_miss, "1", "right answers to near misses");
    results.add("effect_of_order", {"encoding"}, effect, "1", "largest change of a state when tokens are permuted");
    results.add("accuracy_by_length", {"encoding", "length"}, by_length, "1", "right answers");
    results.scalar("loss_of_a_guess", logarithm(2.0), "nat", "loss of a guess");
    results.scalar("chance", 0.5, "1", "chance");
    results.scalar("test_examples", static_cast<double>(config.integer("test_examples")), "1",
                   "sequences that examine");
  }
};

}  // namespace

std::unique_ptr<Experiment> make_position() { return std::make_unique<Position>(); }

}  // namespace fovea::mechanism::statements
