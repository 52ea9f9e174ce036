/// The experiment "mechanism.explanation": attention weights against what the model really used.
///
/// Ten models that differ in their start alone learn the same reviews, once attending to words and once to the states
/// of a Transformer block. On held-out reviews the shares of the words by attention, gradient x input, integrated
/// gradients and deletion are compared by Spearman's rank correlation of their sizes, review by review, as Jain &
/// Wallace (2019) did. Over encoder and pair: agreement, its mean over the reviews; over encoder and rho: densities of
/// single reviews. Over encoder, method, review and word: share. From all seeds: stability, the correlation between two
/// models' shares.
///
/// And a case built by hand in which attention ranks the tokens exactly against what deleting them does.

#include <algorithm>
#include <cmath>
#include <functional>

#include "fovea/core/data/rows.hpp"
#include "fovea/core/statistics/tests/rank_correlation.hpp"
#include "fovea/domains/mechanism/learned.hpp"
#include "fovea/domains/mechanism/tasks/review_learning.hpp"

namespace fovea::mechanism::statements {

namespace {

const std::vector<std::string> kEncoders{"words", "context"};
constexpr std::size_t kMethods = 4;
constexpr std::size_t kRhoBins = 20;

struct MethodPair {
  std::size_t a, b;
};
constexpr MethodPair kMethodPairs[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
constexpr std::size_t kPairs = std::size(kMethodPairs), kAttentionDeletion = 2, kIntegratedDeletion = 5;

/// Rank correlation of the sizes of two methods' shares: Jain & Wallace compare with |gradient|. NaN where one side is
/// all equal.
double size_correlation(std::span<const double> a, std::span<const double> b) {
  std::vector<double> sizes_a, sizes_b;
  for (const double share : a) sizes_a.push_back(std::abs(share));
  for (const double share : b) sizes_b.push_back(std::abs(share));
  return rank_correlation(sizes_a, sizes_b);
}

/// Correlations of one review's shares, pair by pair.
std::vector<double> correlations(const Matrix<double>& shares) {
  std::vector<double> found;
  const auto row = [&](std::size_t method) {
    return std::span<const double>(shares.data() + static_cast<Index>(method) * shares.cols(), shares.cols());
  };
  for (const MethodPair& pair : kMethodPairs) found.push_back(size_correlation(row(pair.a), row(pair.b)));
  return found;
}

/// Per unit of rho, over kRhoBins bins of [-1, 1]; NaN is left out.
std::vector<double> rho_density(const std::vector<double>& rhos) {
  std::vector<double> density(kRhoBins);
  double count = 0;
  for (const double rho : rhos) {
    if (std::isnan(rho)) continue;
    const auto bin = static_cast<std::size_t>((rho + 1) / 2 * static_cast<double>(kRhoBins));
    ++density[std::min(bin, kRhoBins - 1)];
    ++count;
  }
  for (double& value : density) value /= count * 2 / static_cast<double>(kRhoBins);
  return density;
}

struct ExplanationSettings {
  tasks::ReviewDataSettings reviews;
  Index explained = 100, steps = 128, built_tokens = 10;
  tasks::ReviewSettings model{{.width = 16, .hidden = 32}};
  tasks::CourseSettings training{.epochs = 20, .batch = 64, .rate = 0.01};
};

const Keys<ExplanationSettings>& explanation_keys() {
  using S = ExplanationSettings;
  static const auto keys =
      Keys<S>()
          .group(tasks::review_data_keys(), &S::reviews)
          .key("explained", &S::explained, Range::between(2, 1e5), "",
               "test reviews that are explained; at most reviews.test")
          .key("steps", &S::steps, Range::between(1, 1e5), "", "points of the integral in integrated gradients")
          .group(tasks::word_block_keys(), &S::model)
          .key("built_tokens", &S::built_tokens, Range::between(3, 100), "", "tokens of the constructed case")
          .group(tasks::course_keys(), &S::training)
          .key(kBatch, inside(&S::training, &tasks::CourseSettings::batch), "reviews in a batch");
  return keys;
}

/// Explains the first reviews of the test set.
void explain_all(const ExplanationSettings& settings, const learning::Parameters<double>& parameters,
                 const tasks::ReviewClassifier<double>& classifier, const tasks::ReviewData& data, Gathered& found) {
  std::vector<std::vector<double>> by_pair(kPairs);
  double largest_remainder = 0, squares = 0;
  const std::size_t count = settings.explained;
  std::vector<tasks::ReviewExplanation> explanations(count);
#pragma omp parallel for schedule(static)
  for (std::size_t r = 0; r < count; ++r)
    explanations[r] = tasks::explain(parameters, classifier, data.test[r], settings.steps);
  for (const tasks::ReviewExplanation& one : explanations) {
    const std::vector<double> rhos = correlations(one.shares);
    for (std::size_t p = 0; p < kPairs; ++p) by_pair[p].push_back(rhos[p]);
    largest_remainder = std::max(largest_remainder, std::abs(one.remainder));
    squares += (one.answer - one.baseline_answer) * (one.answer - one.baseline_answer);
    found.append("share", one.shares);
  }
  found.append("remainder", largest_remainder / std::sqrt(squares / static_cast<double>(count)));
  for (const std::vector<double>& rhos : by_pair) found.append("agreement", mean_with_error(rhos).mean);
  found.append("density_attention", rho_density(by_pair[kAttentionDeletion]));
  found.append("density_integrated", rho_density(by_pair[kIntegratedDeletion]));
}

/// A case in which attention rises from token to token while what deletion takes away falls.
tasks::BuiltCase opposed_case(Index tokens, const Random& random) {
  Vector<double> scores(tokens), effects(tokens);
  double score = 0, effect = 1;
  for (Index i = 0; i < tokens; ++i) {
    score += 0.1 + 0.4 * random.uniform(0, static_cast<std::uint64_t>(i));
    effect *= 0.5 + 0.4 * random.uniform(1, static_cast<std::uint64_t>(i));
    scores[i] = score;
    effects[i] = effect;
  }
  return tasks::built_case(scores, effects);
}

void add_figures_of_explanation(Results& merged) {
  Figure densities{.kind = "histogram", .name = "correlations", .x = "rho"};
  densities.variables = {"density_attention", "density_integrated"};
  show(merged, densities, "Rank correlation with deletion, review by review",
       "Spearman's rank correlation of the absolute attributions with the effect of deleting a word. Integrated "
       "gradients rank the words nearly as deletion does; attention weights do not. Slider: attention to words, or to "
       "the states of a Transformer block.");
  Figure built{.name = "built_case", .variables = {"built_attention", "built_deletion"}, .x = "token", .log_y = true};
  built.references = {"built_attention_predicted", "built_deletion_predicted"};
  show(merged, built, "A constructed case in which attention ranks the tokens in reverse",
       "One query over ten tokens with constructed parameters: the more attention a token receives, the less its "
       "deletion changes the output. Dashed: the exact prediction.");
  show(merged, {.kind = "table", .variables = {"agreement"}, .x = "pair"},
       "Rank correlation of the absolute attributions", "Mean over the explained reviews and the seeds.");
  show(merged, {.kind = "table", .variables = {"stability"}, .x = "method"},
       "Rank correlation between two models that differ only in initialization",
       "Mean over the explained reviews and all pairs of seeds.");
}

class ExplanationExperiment final : public Statement<ExplanationSettings, explanation_keys> {
 public:
  std::string_view name() const override { return "mechanism.explanation"; }
  std::string_view summary() const override {
    return "attention weights against gradient x input, integrated gradients and deletion";
  }
  int result_version() const override { return 2; }

  void check_settings(const ExplanationSettings& settings, const Complain& complain) const override {
    if (settings.explained > settings.reviews.test) complain("explained", "explained must not be above reviews.test.");
    if (settings.model.width % settings.model.heads != 0)
      complain("model.heads", "model.heads must divide model.width.");
  }

  void measure(const ExplanationSettings& settings, const Random& random, Results& results,
               Workbench& bench) const override {
    const tasks::ReviewData data = tasks::review_data(settings.reviews);
    learning::TrainingSeries trainings(bench, static_cast<Index>(kEncoders.size()));
    Gathered found;
    for (std::size_t e = 0; e < kEncoders.size(); ++e) {
      tasks::ReviewSettings model = settings.model;
      model.words = data.language.words(), model.encoder = static_cast<tasks::ReviewEncoder>(e);
      learning::Parameters<float> parameters;
      const tasks::ReviewClassifier<float> classifier(parameters, model, random.stream("start"));
      trainings.train(parameters, tasks::review_problem(classifier, data),
                      tasks::training_table(settings.training, kEncoders[e], settings.reviews.words),
                      random.stream(kEncoders[e]));
      found.append("accuracy", tasks::review_accuracy(parameters, classifier, data.test));
      learning::Parameters<double> exact;  // integrals in double: what is left over is the rule's, not rounding's
      const tasks::ReviewClassifier<double> twin(exact, model, random.stream("start"));
      tasks::copy_values(parameters, exact);
      explain_all(settings, exact, twin, data, found);
    }
    write(settings, found, results);
    write_built(opposed_case(settings.built_tokens, random.stream("built")), results);
  }

  void conclude(Results& merged) const override {
    add_stability(merged);
    const auto agreement = [&](std::size_t encoder, std::size_t pair) {
      return view(merged.data, "agreement").at({{"encoder", encoder}, {"pair", pair}});
    };
    merged.check({"completeness", "largest remainder of integrated gradients over the typical size of the output",
                  "Sundararajan, Taly, Yan 2017, proposition 1", 0.0, view(merged.data, "remainder").largest(),
                  absolute(0.01)});
    merged.check({"built_correlation", "rank correlation of attention and deletion in the constructed case",
                  "derived in domains/mechanism/theory.md", -1.0, view(merged.data, "built_correlation").mean().mean,
                  absolute(1e-12)});
    merged.check({"built_deletion", "largest error of the predicted effects of deletion in the constructed case",
                  "derived in domains/mechanism/theory.md", 0.0, view(merged.data, "built_error").largest(),
                  absolute(1e-12)});
    for (std::size_t e = 0; e < 2; ++e) {
      const double better =
          share_above(agreement(e, kIntegratedDeletion).values(), agreement(e, kAttentionDeletion).values());
      merged.check(
          {"integrated_beat_attention_" + kEncoders[e],
           concat("share of models (attention to ", kEncoders[e],
                  ") in which integrated gradients have a larger rank correlation with deletion than attention has"),
           "Jain & Wallace 2019; Serrano & Smith 2019", 1.0, better, absolute(0.0)});
    }
    const double weaker =
        share_above(agreement(0, kAttentionDeletion).values(), agreement(1, kAttentionDeletion).values());
    merged.check({"context_weakens_attention",
                  "share of seeds in which attention to states has a lower rank correlation with deletion than "
                  "attention to words",
                  "Jain & Wallace 2019, section 4.1", 1.0, weaker, absolute(0.0)});
    merged.check({"accuracy", "share of test reviews that the models with context classify correctly",
                  "stated beforehand", 1.0, view(merged.data, "accuracy").at({{"encoder", 1}}).mean().mean,
                  absolute(0.05)});
    add_headlines(merged);
    add_figures_of_explanation(merged);
    const auto mean = [&](std::size_t e, std::size_t p) { return plain_text(agreement(e, p).mean().mean, 2); };
    give_verdict(merged, "Attention weights do not rank the words as deletion does",
                 concat("the bounds: against deletion, attention has a rank correlation of ",
                        mean(0, kAttentionDeletion), " (attending to words) and ", mean(1, kAttentionDeletion),
                        " (to states), integrated gradients of ", mean(0, kIntegratedDeletion), " and ",
                        mean(1, kIntegratedDeletion), "; in the constructed case, attention has -1"));
  }

 private:
  static void write(const ExplanationSettings& settings, const Gathered& found, Results& results) {
    std::vector<std::string> pairs;
    for (const MethodPair& pair : kMethodPairs)
      pairs.push_back(tasks::kExplanations[pair.a] + " - " + tasks::kExplanations[pair.b]);
    std::vector<double> centres;
    for (std::size_t bin = 0; bin < kRhoBins; ++bin)
      centres.push_back(-1 + 2 * (static_cast<double>(bin) + 0.5) / static_cast<double>(kRhoBins));
    results.coordinate("encoder", kEncoders, "", "attention to");
    results.coordinate("method", tasks::kExplanations, "", "method");
    results.coordinate("pair", pairs, "", "pair of methods");
    add_numbers(results, "review", 1, settings.explained, "", "review");
    add_numbers(results, "word", 1, settings.reviews.words, "", "word");
    results.coordinate("rho", centres, "1", "rank correlation");
    found.add_to(results, "accuracy", {"encoder"}, "1", "accuracy on test reviews");
    found.add_to(results, "remainder", {"encoder"}, "1", "largest remainder of integrated gradients");
    found.add_to(results, "agreement", {"encoder", "pair"}, "1", "rank correlation");
    found.add_to(results, "density_attention", {"encoder", "rho"}, "1", "attention");
    found.add_to(results, "density_integrated", {"encoder", "rho"}, "1", "integrated gradients");
    found.add_to(results, "share", {"encoder", "method", "review", "word"}, "1", "attribution of the word");
  }

  static void write_built(const tasks::BuiltCase& built, Results& results) {
    const tasks::MeasuredCase measured = tasks::measure(built);
    const auto values = [](const Vector<double>& v) { return std::vector<double>(v.data(), v.data() + v.size()); };
    const double error = std::max((measured.deletion - built.deletion).cwiseAbs().maxCoeff(),
                                  (measured.attention - built.attention).cwiseAbs().maxCoeff());
    add_numbers(results, "token", 1, built.tokens.rows(), "", "token");
    rows("token", measured.attention)
        .number("built_attention", std::identity(), "attention weight")
        .number(
            "built_deletion", [&](double, std::size_t k) { return measured.deletion[k]; }, "effect of deletion")
        .number(
            "built_attention_predicted", [&](double, std::size_t k) { return built.attention[k]; }, "predicted weight")
        .number(
            "built_deletion_predicted", [&](double, std::size_t k) { return built.deletion[k]; }, "predicted effect")
        .write(results);
    results.scalar("built_error", error, "1", "largest error of the prediction");
    results.scalar("built_correlation", size_correlation(values(measured.attention), values(measured.deletion)), "1",
                   "rank correlation of attention and deletion in the constructed case");
  }

  /// Over encoder and method: the mean over the reviews and pairs of seeds of the correlation between two models.
  static void add_stability(Results& merged) {
    std::vector<double> stability;
    for (const View& encoder : view(merged.data, "share").along("encoder"))
      for (const View& method : encoder.along("method")) {
        std::vector<double> rhos;
        for (const View& review : method.along("review")) {
          const std::vector<std::vector<double>> models = review.series("word");
          for (std::size_t a = 0; a < models.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) rhos.push_back(size_correlation(models[a], models[b]));
        }
        stability.push_back(mean_with_error(rhos).mean);
      }
    merged.add("stability", {"encoder", "method"}, stability, "1", "rank correlation between two models");
  }

  static void add_headlines(Results& merged) {
    const View agreement = view(merged.data, "agreement").at({{"encoder", 1}});
    const std::string meaning = "Mean over the explained reviews, attention to the states of a Transformer block.";
    const auto add = [&](const std::string& name, const std::string& label, std::size_t pair) {
      add_headline(merged, {.variable = name, .label = label + " (rank correlation)", .meaning = meaning},
                   agreement.at({{"pair", pair}}).mean(), "1", label + ": mean rank correlation, attention to states");
    };
    add("attention_deletion", "Attention against deletion", kAttentionDeletion);
    add("integrated_deletion", "Integrated gradients against deletion", kIntegratedDeletion);
    add_pooled(merged, "built_correlation", "built", "rank correlation in the constructed case");
    merged.scalar("built_predicted", -1, "1", "predicted");
    merged.headline({.variable = "built",
                     .label = "Attention against deletion, constructed case",
                     .predicted = "built_predicted",
                     .meaning = "Attention weights do not determine the order of the effects."});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_explanation() { return std::make_unique<ExplanationExperiment>(); }

}  // namespace fovea::mechanism::statements
