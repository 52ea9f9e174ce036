/// The experiment "mechanism.maximum_entropy": among all weights with the same mean score, softmax has the largest
/// entropy (Jaynes 1957), and the multiplier of the mean score is the inverse temperature.
///
/// One point draws scores and writes, over inverse_temperature: mean_score and entropy of the engine's weights;
/// maximum_entropy, multiplier and newton_steps of the maximiser found without a softmax; weight_difference, the
/// largest difference of a weight; other_entropy, the largest entropy of random other weights with the same mean score.

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/attention_weights.hpp"
#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/attention/normalizers.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/domains/mechanism/statement.hpp"
#include "fovea/domains/mechanism/tasks/entropy_maximiser.hpp"

namespace fovea::mechanism::statements {

namespace {

/// The engine's weights of one query for given scores: q . k with q = 1. normalizer: empty for softmax.
Vector<double> engine_weights(const Vector<double>& scores, double inverse_temperature,
                              std::shared_ptr<const Normalizer<double>> normalizer = nullptr) {
  AttentionSpec<double> spec;
  spec.score = {dot_product_score<double>(false), {}};
  spec.modifiers = {{temperature<double>(), {-logarithm(inverse_temperature)}}};
  spec.normalizer = std::move(normalizer);
  const Matrix<double> query = Matrix<double>::Ones(1, 1), keys = scores;
  const auto forward = attend<double>(query, keys, Matrix<double>::Zero(keys.rows(), 1), spec);
  return attention_weights<double>(query, keys, spec, forward, 0, {0}).row(0);
}

/// The largest score with probability p, else any score alike (epsilon-greedy); p such that the mean score is as asked.
Vector<double> greedy_weights(const Vector<double>& scores, double mean_score) {
  Index best = 0;
  const double top = scores.maxCoeff(&best), mean = scores.mean(), p = (mean_score - mean) / (top - mean);
  Vector<double> weights = Vector<double>::Constant(scores.size(), (1 - p) / static_cast<double>(scores.size()));
  weights[best] += p;
  return weights;
}

/// Sparsemax (Martins and Astudillo 2016) at the inverse temperature that gives the mean score, by bisection.
Vector<double> sparse_weights(const Vector<double>& scores, double mean_score) {
  constexpr int kHalvings = 60;
  double low = 1e-6, high = 1e6;
  for (int halving = 0; halving < kHalvings; ++halving) {
    const double middle = std::sqrt(low * high);
    (engine_weights(scores, middle, sparsemax<double>()).dot(scores) < mean_score ? low : high) = middle;
  }
  return engine_weights(scores, low, sparsemax<double>());
}

/// The largest entropy of `tries` random weights with the same mean score. Each is half way to the border along a
/// direction that few weights rise in and many fall in: such a way is long.
double best_of_others(const Vector<double>& weights, const Vector<double>& scores, Index tries, const Random& random) {
  const Matrix<double> directions = normal_matrix(tries, weights.size(), random).array().square();
  double best = 0;
  for (Index i = 0; i < tries; ++i)
    best = std::max(best, tasks::entropy_of(tasks::same_mean(weights, scores, directions.row(i), 0.5)));
  return best;
}

void add_figures_of_entropy(Results& merged) {
  show(merged,
       {.name = "entropy",
        .variables = {"maximum_entropy", "sparse_entropy", "greedy_entropy"},
        .references = {"entropy"},
        .x = "inverse_temperature",
        .log_x = true},
       "The largest entropy with a given mean score",
       "Each inverse temperature fixes a mean score. The largest entropy with that mean is that "
       "of the softmax (dashed). Sparsemax and epsilon-greedy with the same mean have less.");
  show(merged,
       {.variables = {"multiplier"},
        .references = {"predicted_multiplier"},
        .x = "inverse_temperature",
        .log_x = true,
        .log_y = true},
       "The multiplier is the inverse temperature",
       "Loss of entropy per unit of mean score, from the constrained maximum, against the inverse "
       "temperature of the softmax (dashed).");
  show(merged,
       {.name = "difference",
        .variables = {"weight_difference"},
        .x = "inverse_temperature",
        .log_x = true,
        .log_y = true},
       "Difference of the two methods", "Largest difference of a weight, due to rounding. The tolerance is 1e-8.");
}

/// The weights at one inverse temperature, and others with the same mean score.
struct AtBeta {
  double beta, mean_score;
  double entropy, maximum, other, greedy, sparse;  ///< nat
  double multiplier, difference, steps;
};

struct EntropySettings {
  Index keys = 64;
  std::vector<double> inverse_temperatures{0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 6, 8};
  Index tries = 200;
};

const Keys<EntropySettings>& entropy_keys() {
  using S = EntropySettings;
  static const auto keys =
      Keys<S>()
          .key("keys", &S::keys, Range::between(3, 10000), "", "M: scores, drawn from a standard normal distribution")
          .key("inverse_temperatures", &S::inverse_temperatures, Range::between(1e-3, 20), "",
               "beta: each fixes a mean score, at which the entropy is then maximised")
          .key("tries", &S::tries, Range::between(1, 1e6), "",
               "random alternative weights at each inverse temperature");
  return keys;
}

class MaximumEntropy final : public Statement<EntropySettings, entropy_keys> {
 public:
  std::string_view name() const override { return "mechanism.maximum_entropy"; }
  std::string_view summary() const override {
    return "softmax against the weights of largest entropy with the same mean score, found by Newton's method";
  }
  int result_version() const override { return 2; }

  void measure(const EntropySettings& settings, const Random& random, Results& results,
               Workbench& bench) const override {
    const std::vector<double>& betas = settings.inverse_temperatures;
    const Vector<double> scores = normal_matrix(settings.keys, 1, random.stream("scores"));
    std::vector<AtBeta> list;
    for (std::size_t k = 0; k < betas.size(); ++k) {
      const Vector<double> weights = engine_weights(scores, betas[k]);
      const double mean_score = weights.dot(scores);
      const tasks::EntropyMaximum found = tasks::maximise_entropy(scores, mean_score);
      list.push_back(
          {.beta = betas[k],
           .mean_score = mean_score,
           .entropy = tasks::entropy_of(weights),
           .maximum = tasks::entropy_of(found.weights),
           .other = best_of_others(weights, scores, settings.tries, random.stream("others").stream(concat(k))),
           .greedy = tasks::entropy_of(greedy_weights(scores, mean_score)),
           .sparse = tasks::entropy_of(sparse_weights(scores, mean_score)),
           .multiplier = found.multiplier,
           .difference = (found.weights - weights).cwiseAbs().maxCoeff(),
           .steps = static_cast<double>(found.steps)});
      bench.progress(static_cast<double>(k + 1) / static_cast<double>(betas.size()));
    }
    rows("inverse_temperature", list, &AtBeta::beta, "inverse temperature")
        .number("mean_score", &AtBeta::mean_score, "mean score under the softmax weights")
        .number("entropy", &AtBeta::entropy, "softmax", "nat")
        .number("maximum_entropy", &AtBeta::maximum, "largest entropy, by Newton's method", "nat")
        .number("other_entropy", &AtBeta::other, "largest of random alternative weights", "nat")
        .number("greedy_entropy", &AtBeta::greedy, "epsilon-greedy", "nat")
        .number("sparse_entropy", &AtBeta::sparse, "sparsemax", "nat")
        .number("multiplier", &AtBeta::multiplier, "multiplier of the mean score")
        .number("predicted_multiplier", &AtBeta::beta, "inverse temperature")
        .number("weight_difference", &AtBeta::difference, "largest difference of a weight")
        .number("newton_steps", &AtBeta::steps, "Newton steps")
        .write(results);
  }

  void conclude(Results& merged) const override {
    const auto values = [&](const char* name) { return view(merged.data, name).values(); };
    const std::vector<double> entropy = values("entropy"), maximum = values("maximum_entropy");
    const std::vector<double> multiplier = values("multiplier"), beta = values("predicted_multiplier");
    double off_entropy = 0, off_multiplier = 0, excess = -1;
    for (std::size_t k = 0; k < entropy.size(); ++k) {
      off_entropy = std::max(off_entropy, std::abs(maximum[k] - entropy[k]));
      off_multiplier = std::max(off_multiplier, std::abs(multiplier[k] / beta[k] - 1));
    }
    for (const char* rival : {"other_entropy", "greedy_entropy", "sparse_entropy"}) {
      const std::vector<double> less = values(rival);
      for (std::size_t k = 0; k < entropy.size(); ++k) excess = std::max(excess, less[k] - entropy[k]);
    }
    const double off_weight = view(merged.data, "weight_difference").largest();
    constexpr double kIssue = 1e-8;  // Newton's last step is quadratic: what remains is rounding, far below
    const std::string jaynes = "Jaynes 1957, section 2";
    merged.check({"weights", "largest difference of a weight, softmax against the entropy maximum", jaynes, 0.0,
                  off_weight, absolute(kIssue)});
    merged.check({"entropy", "largest difference of the entropies (nats)", jaynes, 0.0, off_entropy, absolute(kIssue)});
    merged.check({"multiplier", "largest relative difference of multiplier and inverse temperature", jaynes, 0.0,
                  off_multiplier, absolute(kIssue)});
    merged.check({"others_have_less",
                  "excess of the entropy of other weights with the same mean score over that of the softmax", jaynes,
                  0.0, std::max(0.0, excess), absolute(0.0)});
    merged.scalar("largest_weight_difference", off_weight, "1", "largest difference of a weight, all seeds");
    merged.scalar("largest_multiplier_difference", off_multiplier, "1",
                  "largest relative difference of the multiplier");
    merged.scalar("smallest_deficit", -excess, "nat", "smallest deficit of entropy of other weights");
    merged.headline({.variable = "largest_weight_difference",
                     .label = "Softmax against the entropy maximum: largest difference of a weight",
                     .meaning = "Over all inverse temperatures and seeds; the tolerance is 1e-8."});
    merged.headline({.variable = "largest_multiplier_difference",
                     .label = "Multiplier against inverse temperature",
                     .meaning = "Largest relative difference; the tolerance is 1e-8."});
    merged.headline({.variable = "smallest_deficit",
                     .label = "Smallest deficit of entropy of other weights",
                     .meaning = "Sparsemax, epsilon-greedy and random weights with the same mean. A value above 0 "
                                "means that none has as much."});
    add_figures_of_entropy(merged);
    give_verdict(merged, "Of all weights with the same mean score, softmax has the largest entropy",
                 concat(plain_text(off_weight, 2), " in the weights and ", plain_text(off_multiplier, 2),
                        " in the multiplier, which is the inverse temperature"));
  }
};

}  // namespace

std::unique_ptr<Experiment> make_maximum_entropy() { return std::make_unique<MaximumEntropy>(); }

}  // namespace fovea::mechanism::statements
