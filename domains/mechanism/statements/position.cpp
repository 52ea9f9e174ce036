/// The experiment "mechanism.position": without positions attention sees a set, not a sequence.
///
/// One point trains one small network for each encoding (order_task.hpp) and writes, over encoding: accuracy,
/// near_miss_accuracy, and over (encoding, length) accuracy_by_length, all on examples that no training saw; and what a
/// permutation of the tokens does to the network without an encoding (changed_numbers, rounding) and to the one with
/// the last encoding.

#include <algorithm>
#include <cmath>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/mechanism/learned.hpp"
#include "fovea/domains/mechanism/tasks/order_task.hpp"

namespace fovea::mechanism::statements {

namespace {

const std::string kZaheer = "Zaheer et al. 2017, lemma 3; Vaswani et al. 2017, section 3.5";

learning::TrainingProblem order_problem(const tasks::OrderModel& model, const tasks::OrderTask& task,
                                        Index validation) {
  learning::TrainingProblem problem = tasks::problem_of(task.sets.sizes(), validation);
  problem.loss = tasks::logistic_loss_of(tasks::answers_of(model, task.sets),
                                         [&](Index e) { return std::vector<float>{task.increases(e) ? 1.0f : 0.0f}; });
  return problem;
}

void add_figures_of_position(Results& merged) {
  Figure lines{.variables = {"accuracy_by_length"}, .references = {"chance"}, .x = "length", .hue = "encoding"};
  lines.name = "accuracy";
  show(merged, lines, "Accuracy: is the sequence increasing?",
       "Accuracy on test sequences. Without a position encoding the output depends only on the set of numbers, which "
       "has no information about their order. Dashed: chance.");
  lines = {.variables = {"validation_loss"}, .references = {"loss_of_a_guess"}, .x = "epoch", .hue = "encoding"};
  lines.name = "learning";
  show(merged, lines, "Training curves", "Loss on the validation sequences. Dashed: ln 2, the loss of a guess.");
  Figure table{.kind = "table", .name = "encodings", .x = "encoding"};
  table.variables = {"accuracy", "near_miss_accuracy", "effect_of_order"};
  show(merged, table, "Comparison of encodings",
       "Near misses: increasing sequences with two neighbours swapped, half of all sequences that do not increase.");
}

struct PositionSettings {
  tasks::OrderTaskSettings sequences;
  std::vector<std::string> encodings = tasks::position_encodings();
  tasks::ExampleCounts examples{16384, 2048, 20000};
  tasks::LessonSettings lessons{12, 1e-2};
  Index width = 16, heads = 2, permuted_sets = 100, longest_permuted = 300;
};

const Keys<PositionSettings>& position_keys() {
  using S = PositionSettings;
  using tasks::OrderTaskSettings;
  static const auto keys =
      Keys<S>()
          .key("shortest", inside(&S::sequences, &OrderTaskSettings::shortest), Range::between(3, 1000), "",
               "length of the shortest sequence")
          .key("longest", inside(&S::sequences, &OrderTaskSettings::longest), Range::between(3, 1000), "",
               "length of the longest sequence")
          .key("span", inside(&S::sequences, &OrderTaskSettings::span), Range::positive(), "",
               "the numbers are between -span / 2 and span / 2")
          .key("gap", inside(&S::sequences, &OrderTaskSettings::gap), Range::positive(), "",
               "smallest difference of two numbers of a sequence")
          .key("encodings", &S::encodings, "position encodings; none must be the first")
          .group(tasks::example_keys(), &S::examples)
          .group(tasks::lesson_keys(), &S::lessons)
          .key(kWidth, &S::width, "columns of a token's representation; a multiple of 4")
          .key(kHeads, &S::heads)
          .key("permuted_sets", &S::permuted_sets, Range::between(1, 1e6), "", "number of permuted sets")
          .key("longest_permuted", &S::longest_permuted, Range::between(2, 1e5), "",
               "tokens in the largest permuted set");
  return keys;
}

class Position final : public Statement<PositionSettings, position_keys> {
 public:
  std::string_view name() const override { return "mechanism.position"; }
  std::string_view summary() const override {
    return "classifying sequences as increasing, without and with position encodings; permutation of tokens, bit for "
           "bit";
  }
  int result_version() const override { return 2; }

  void check_settings(const PositionSettings& settings, const Complain& complain) const override {
    const auto& encodings = settings.encodings;
    for (const std::string& encoding : encodings) {
      const auto& known = tasks::position_encodings();
      if (std::find(known.begin(), known.end(), encoding) == known.end())
        complain("encodings", concat("encodings has '", encoding,
                                     "', but must have some of none, sinusoidal, learned, rotary, relative."));
    }
    if (encodings.size() < 2 || encodings.front() != "none")
      complain("encodings", "encodings must start with none and have at least one more.");
    if (settings.sequences.longest < settings.sequences.shortest)
      complain("longest", "longest must not be below shortest.");
    if (settings.sequences.gap * static_cast<double>(settings.sequences.longest - 1) >= settings.sequences.span)
      complain("gap", "gap is too large: (longest - 1) gaps must be less than the span.");
    if (settings.width % (2 * settings.heads) != 0)
      complain("width", "width must be a multiple of twice the heads, because rotations act on pairs.");
  }

  void measure(const PositionSettings& settings, const Random& random, Results& results,
               Workbench& bench) const override {
    const auto [learned, test] = tasks::examples_of(
        settings.examples, random,
        [&](Index count, const Random& examples) { return tasks::order_task(settings.sequences, count, examples); });
    const auto& encodings = settings.encodings;
    learning::TrainingSeries series(bench, static_cast<Index>(encodings.size()));
    Gathered found;
    for (const std::string& encoding : encodings) {
      tasks::OrderModel model({encoding, settings.width, settings.heads, 2 * settings.width,
                               std::max(settings.sequences.longest, settings.longest_permuted)},
                              random.stream("start"));
      const auto problem = order_problem(model, learned, settings.examples.validation);
      const auto report = series.train(model.parameters, problem, tasks::training_settings(settings.lessons, encoding),
                                       random.stream(encoding));
      found.append("validation_loss", report.validation_loss);
      const tasks::OrderScore score = tasks::score_of(model, test, settings.sequences);
      found.append("accuracy", score.all);
      found.append("near_miss_accuracy", score.near_miss);
      found.append("accuracy_by_length", score.by_length);
      const tasks::PermutationEffect permuted =
          tasks::permute_sets(model, settings.permuted_sets, settings.longest_permuted, random.stream("permuted"));
      found.append("effect_of_order", permuted.rounding);
      if (encoding == "none")
        results.scalar("changed_numbers", permuted.changed_numbers, "1",
                       "outputs that a permutation changes, tokens in canonical order");
    }
    write(settings, found, results);
  }

  void conclude(Results& merged) const override {
    const std::size_t count = merged.data.size_of("encoding");
    const auto names = std::get<std::vector<std::string>>(merged.data.at("encoding").values);
    const View accuracies = view(merged.data, "accuracy"), effect = view(merged.data, "effect_of_order");
    const std::vector<double> accuracy = accuracies.means({"encoding"});
    const double replicas = static_cast<double>(accuracies.at({{"encoding", 0}}).size());
    merged.check({"permutes_bit_for_bit", "outputs that permuting the tokens changes, without positions", kZaheer, 0.0,
                  view(merged.data, "changed_numbers").largest(), absolute(0.0)});
    const double tests = view(merged.data, "test_examples").first() * replicas;
    merged.check({"without_encoding", "accuracy without an encoding", kZaheer, 0.5, accuracy[0],
                  tolerance_of_guessing(0.5, tests)});
    const std::size_t chosen = chosen_encoding(merged);
    const double best = accuracy[chosen];
    const std::string best_name = names[chosen];
    for (std::size_t k = 1; k < count; ++k) {
      // an encoding that the network does not use would leave it permuting: rounding only
      merged.check({"order_matters_" + names[k],
                    "share of seeds in which permuting the tokens changes the states, with " + names[k] + " positions",
                    kZaheer, 1.0, share_above(effect.at({{"encoding", k}}).values(), 1e-3), absolute(0.0)});
      merged.note(concat("With ", names[k], " positions, ", plain_text(100 * accuracy[k], 4),
                         " % of the answers are correct."));
    }
    merged.check(
        {"with_encoding", "accuracy with the encoding of lowest validation loss", kZaheer, 1.0, best, absolute(0.01)});
    merged.scalar("accuracy_without", accuracy[0], "1", "accuracy without an encoding");
    merged.scalar("accuracy_without_error", std::sqrt(0.25 / tests), "1", "its binomial standard error");
    merged.scalar("accuracy_with", best, "1", "accuracy with the chosen encoding");
    merged.headline({.variable = "accuracy_without",
                     .label = "Accuracy without positions",
                     .predicted = "chance",
                     .half_width = "accuracy_without_error",
                     .meaning = "Chance level: the same numbers in another order are the same set."});
    merged.headline({.variable = "accuracy_with",
                     .label = concat("Accuracy with positions (", best_name, ")"),
                     .meaning = "On test sequences. Half of those that do not increase are near misses."});
    add_figures_of_position(merged);
    give_verdict(merged,
                 "Without positions attention is permutation-equivariant, and cannot classify sequences as increasing",
                 concat("0 bits and ", plain_text(100 * std::abs(accuracy[0] - 0.5), 2), " % of chance on ",
                        static_cast<long long>(tests), " sequences; with ", best_name, " positions its accuracy is ",
                        plain_text(100 * best, 4), " %; without the canonical order of sums, rounding differs by ",
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

  static void write(const PositionSettings& settings, const Gathered& found, Results& results) {
    results.coordinate("encoding", settings.encodings, "", "position encoding");
    add_numbers(results, "length", settings.sequences.shortest, settings.sequences.longest, "1",
                "length of the sequence");
    found.add_to(results, "accuracy", {"encoding"}, "1", "right answers");
    found.add_to(results, "near_miss_accuracy", {"encoding"}, "1", "accuracy on near misses");
    found.add_to(results, "effect_of_order", {"encoding"}, "1", "largest change of a state when tokens are permuted");
    found.add_to(results, "accuracy_by_length", {"encoding", "length"}, "1", "right answers");
    results.scalar("loss_of_a_guess", logarithm(2.0), "nat", "loss of a guess");
    results.scalar("chance", 0.5, "1", "chance");
    results.scalar("test_examples", static_cast<double>(settings.examples.test), "1", "number of test sequences");
    add_numbers(results, "epoch", 1, settings.lessons.epochs, "1", "epoch");
    found.add_to(results, "validation_loss", {"encoding", "epoch"}, "nat", "loss on validation sequences");
  }
};

}  // namespace

std::unique_ptr<Experiment> make_position() { return std::make_unique<Position>(); }

}  // namespace fovea::mechanism::statements
