/// The experiment "mechanism.alignment": translating a toy language with another order of words, an encoder-decoder
/// finds the alignment that it was never told.
///
/// Over score (additive, general, scaled dot product) and choice (soft, hard): token_accuracy and alignment_error on
/// held-out sentences, the latter beside untrained_error (before learning), chance_error (links drawn evenly) and
/// diagonal_error (each target word linked with the source word of its place). Over epoch besides: validation_error,
/// the alignment error while it learns. Over target_word and source_word: the weights of one sentence of a given
/// pattern, and its known alignment.

#include <algorithm>

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/mechanism/learned.hpp"
#include "fovea/domains/mechanism/tasks/translator.hpp"

namespace fovea::mechanism::statements {

namespace {

const std::vector<std::string> kCrossScores{"additive", "general", "scaled dot product"};
const std::vector<std::string> kCrossChoices{"soft", "hard"};

struct AlignmentSettings {
  Index adjectives = 8, nouns = 16, verbs = 6;
  Index shortest = 5, longest = 12, training_sentences = 3000, validation_sentences = 200, test_sentences = 500;
  std::string example = "ANVANNANN";
  tasks::TranslatorSettings model;
  tasks::CourseSettings training{.epochs = 12, .batch = 1024, .rate = 0.01};
  Index warm_up = 40;
};

const Keys<AlignmentSettings>& alignment_keys() {
  using S = AlignmentSettings;
  using Model = tasks::TranslatorSettings;
  static const auto keys =
      Keys<S>()
          .key("language.adjectives", &S::adjectives, Range::between(1, 1000), "", "adjectives of the source language")
          .key("language.nouns", &S::nouns, Range::between(1, 1000), "", "nouns")
          .key("language.verbs", &S::verbs, Range::between(1, 1000), "", "verbs")
          .key("sentences.shortest", &S::shortest, Range::between(3, 100), "words", "the shortest sentence")
          .key("sentences.longest", &S::longest, Range::between(3, 100), "words", "the longest sentence")
          .key("sentences.training", &S::training_sentences, Range::between(10, 1e6), "", "training sentences")
          .key("sentences.validation", &S::validation_sentences, Range::between(10, 1e6), "",
               "validation sentences, for the choice of the epoch")
          .key("sentences.test", &S::test_sentences, Range::between(10, 1e6), "",
               "test sentences, on which the results are reported")
          .key("sentences.example", &S::example, "pattern of the heat map: A adjective, N noun, V verb")
          .group(tasks::word_block_keys(), &S::model)
          .choice("model.values", inside(&S::model, &Model::values),
                  {{"words", tasks::CrossValues::words}, {"states", tasks::CrossValues::states}},
                  "values of the cross-attention: the source words alone, or the states of the encoder")
          .group(tasks::course_keys(), &S::training)
          .key("training.warm_up", &S::warm_up, Range::between(0, 1e5), "steps",
               "warm-up: training steps until the highest rate")
          .key(kBatch, inside(&S::training, &tasks::CourseSettings::batch),
               "words in a batch, of both languages together");
  return keys;
}

/// Sentences from streams of their own; joined: those to learn from, then those that choose the best epoch.
struct Corpora {
  std::vector<tasks::SentencePair> joined, validation, test;
};

Corpora make_corpora(const AlignmentSettings& settings, const tasks::ToyLanguage& language, const Random& random) {
  const auto corpus = [&](const char* purpose, Index sentences) {
    return tasks::toy_corpus(language, sentences, settings.shortest, settings.longest, random.stream(purpose));
  };
  Corpora corpora{corpus("training", settings.training_sentences), corpus("validation", settings.validation_sentences),
                  corpus("test", settings.test_sentences)};
  corpora.joined.insert(corpora.joined.end(), corpora.validation.begin(), corpora.validation.end());
  return corpora;
}

learning::TrainingProblem translation_problem(const tasks::Translator& translator, const Corpora& corpora) {
  std::vector<Index> tokens;
  std::vector<double> words;
  for (const tasks::SentencePair& pair : corpora.joined) {
    tokens.push_back(static_cast<Index>(2 * pair.source.size()));
    words.push_back(static_cast<double>(pair.source.size()));
  }
  learning::TrainingProblem problem = tasks::problem_of(tokens, static_cast<Index>(corpora.validation.size()));
  problem.weights = words;
  const auto logits = [&](learning::Tape<float>& tape, std::span<const Index> sentences) {
    return translator.parts(tape, corpora.joined, sentences).logits;
  };
  problem.loss =
      tasks::cross_entropy_of(logits, [&](Index s) -> std::span<const Index> { return corpora.joined[s].target; });
  const auto error = [&](const learning::Parameters<float>& parameters) {
    return tasks::alignment_error(corpora.validation,
                                  tasks::translate(parameters, translator, corpora.validation).links);
  };
  problem.metric = learning::TrainingMetric{error, false, false};
  return problem;
}

learning::TrainingSettings translation_training(const AlignmentSettings& settings, const std::string& name) {
  learning::TrainingSettings course = tasks::training_table(settings.training, name, 1);
  course.schedule.warm_up_steps = settings.warm_up;
  course.optimizer = learning::AdamW{.decay = 0};
  return course;
}

void add_figures_of_alignment(Results& merged) {
  Figure learning{.name = "learning", .references = {"chance_error"}, .x = "epoch", .hue = "score"};
  learning.variables = {"validation_error"};
  show(merged, learning, "Alignment error while learning to translate",
       "Share of target words whose largest weight is on a wrong source word, on validation sentences. The models are "
       "trained on translations alone. Dashed: random links, the value before training.");
  show(merged, {.kind = "heatmap", .variables = {"weights"}, .x = "source_word", .y = "target_word"},
       "Weights of the cross-attention",
       "Rows: target words, from below. Columns: source words. Mean over the seeds, which share the pattern but not "
       "the words. Off the diagonal: adjectives that follow their nouns, and the verb at the end.");
  show(merged, {.kind = "heatmap", .variables = {"known_alignment"}, .x = "source_word", .y = "target_word"},
       "The known alignment of that sentence", "The true alignment, for comparison with the weights.");
  Figure table{.kind = "table", .name = "errors", .x = "score"};
  table.variables = {"token_accuracy", "alignment_error", "untrained_error"};
  show(merged, table, "Translation and alignment on test sentences", "Mean and standard error over the seeds.");
}

class Alignment final : public Statement<AlignmentSettings, alignment_keys> {
 public:
  std::string_view name() const override { return "mechanism.alignment"; }
  std::string_view summary() const override {
    return "a toy translation with reordered words: alignment error of three scores, soft and hard";
  }
  int result_version() const override { return 2; }

  void check_settings(const AlignmentSettings& settings, const Complain& complain) const override {
    if (settings.longest < settings.shortest)
      complain("sentences.longest", "sentences.longest must not be below sentences.shortest.");
    if (settings.model.width % settings.model.heads != 0)
      complain("model.heads", "model.heads must divide model.width.");
    const tasks::ToyLanguage any = tasks::toy_language(1, 1, 1, Random(0));
    try {
      tasks::sentence_of(any, settings.example, Random(0), 0);
    } catch (const ArgumentError& error) {
      complain("sentences.example", error.what());
    }
  }

  void measure(const AlignmentSettings& settings, const Random& random, Results& results,
               Workbench& bench) const override {
    const tasks::ToyLanguage language =
        tasks::toy_language(settings.adjectives, settings.nouns, settings.verbs, random.stream("language"));
    const Corpora corpora = make_corpora(settings, language, random);
    const tasks::SentencePair example = tasks::sentence_of(language, settings.example, random.stream("example"), 0);
    learning::TrainingSeries trainings(bench, static_cast<Index>(kCrossScores.size() * kCrossChoices.size()));
    Gathered found;
    for (std::size_t s = 0; s < kCrossScores.size(); ++s)
      for (std::size_t c = 0; c < kCrossChoices.size(); ++c) {
        tasks::TranslatorSettings model = settings.model;
        model.words = language.words();
        model.score = static_cast<tasks::CrossScore>(s), model.weights = static_cast<tasks::CrossWeights>(c);
        learn(settings, model, concat("score_", s, "_", kCrossChoices[c]), corpora, example, random, trainings, found);
      }
    write(settings, corpora, example, found, results);
  }

  void conclude(Results& merged) const override {
    const View error = view(merged.data, "alignment_error"), accuracy = view(merged.data, "token_accuracy");
    std::vector<double> worst_error(kCrossChoices.size()), worst_accuracy(kCrossChoices.size(), 1.0);
    for (std::size_t score = 0; score < kCrossScores.size(); ++score)
      for (std::size_t choice = 0; choice < kCrossChoices.size(); ++choice) {
        const double wrong = error.at({{"score", score}, {"choice", choice}}).mean().mean;
        const double right = accuracy.at({{"score", score}, {"choice", choice}}).mean().mean;
        merged.check({concat("error_", score, "_", kCrossChoices[choice]),
                      concat("alignment error rate, ", kCrossScores[score], ", ", kCrossChoices[choice]),
                      kSources[score], 0.0, wrong, absolute(kBounds[choice])});
        worst_error[choice] = std::max(worst_error[choice], wrong);
        worst_accuracy[choice] = std::min(worst_accuracy[choice], right);
      }
    for (std::size_t choice = 0; choice < kCrossChoices.size(); ++choice)
      merged.check({"token_accuracy_" + kCrossChoices[choice],
                    concat("share of correctly translated target words, worst score, ", kCrossChoices[choice]),
                    "Bahdanau, Cho, Bengio 2015", 1.0, worst_accuracy[choice], absolute(kBounds[choice])});
    const double chance = view(merged.data, "chance_error").mean().mean;
    // one untrained model prefers some places: +-0.05 around chance, the mean of thirty +-0.01
    merged.check({"untrained", "alignment error rate before training", "Och & Ney 2003; random links", chance,
                  view(merged.data, "untrained_error").mean().mean, absolute(0.05)});
    add_headlines(merged);
    add_figures_of_alignment(merged);
    give_verdict(merged, "Attention trained to translate finds the alignment of the words",
                 concat(plain_text(kBounds[0]), " (soft) and ", plain_text(kBounds[1]),
                        " (hard): the alignment error rate is at most ", plain_text(worst_error[0], 2),
                        " for any score with soft weights and ", plain_text(worst_error[1], 2),
                        " with hard weights, against chance at ", plain_text(chance, 2)));
  }

 private:
  /// One word in twenty may be linked or translated wrongly; hard weights learn by a biased gradient: one in ten.
  static constexpr double kBounds[] = {0.05, 0.1};
  static constexpr const char* kSources[] = {"Bahdanau, Cho, Bengio 2015", "Luong, Pham, Manning 2015 (general)",
                                             "Vaswani et al. 2017"};

  static void learn(const AlignmentSettings& settings, const tasks::TranslatorSettings& model, const std::string& name,
                    const Corpora& corpora, const tasks::SentencePair& example, const Random& random,
                    learning::TrainingSeries& trainings, Gathered& found) {
    learning::Parameters<float> parameters;
    const tasks::Translator translator(parameters, model, random.stream("start"));
    const tasks::Translation untrained = tasks::translate(parameters, translator, corpora.test);
    const learning::TrainingReport report =
        trainings.train(parameters, translation_problem(translator, corpora), translation_training(settings, name),
                        random.stream("training"));
    const tasks::Translation translation = tasks::translate(parameters, translator, corpora.test);
    std::vector<double> curve = report.metric;
    curve.resize(report.planned_epochs, kNan);
    found.append("token_accuracy", translation.token_accuracy);
    found.append("alignment_error", tasks::alignment_error(corpora.test, translation.links));
    found.append("untrained_error", tasks::alignment_error(corpora.test, untrained.links));
    found.append("validation_error", curve);
    found.append("weights", tasks::cross_weights(parameters, translator, example));
  }

  static std::vector<std::string> named(const std::string& pattern, const std::vector<Index>& places) {
    std::vector<std::string> names;
    for (const Index place : places) {
      const char kind = pattern[place];
      names.push_back(concat(names.size() + 1, kind == 'A' ? " adjective" : kind == 'N' ? " noun" : " verb"));
    }
    return names;
  }

  static void write(const AlignmentSettings& settings, const Corpora& corpora, const tasks::SentencePair& example,
                    const Gathered& found, Results& results) {
    const std::vector<Index> in_order = tasks::numbers_from(0, static_cast<Index>(example.source.size()));
    std::vector<double> known(in_order.size() * in_order.size());
    for (std::size_t i = 0; i < in_order.size(); ++i) known[i * in_order.size() + example.alignment[i]] = 1;
    std::vector<std::vector<Index>> diagonal;
    for (const tasks::SentencePair& pair : corpora.test)
      diagonal.push_back(tasks::numbers_from(0, static_cast<Index>(pair.source.size())));
    const std::string& pattern = settings.example;
    const std::vector<std::string> cells{"score", "choice"};
    results.coordinate("score", kCrossScores, "", "score");
    results.coordinate("choice", kCrossChoices, "", "weights");
    add_numbers(results, "epoch", 1, settings.training.epochs, "", "epoch");
    results.coordinate("source_word", named(pattern, in_order), "", "source word");
    results.coordinate("target_word", named(pattern, example.alignment), "", "target word");
    found.add_to(results, "token_accuracy", cells, "1", "token accuracy");
    found.add_to(results, "alignment_error", cells, "1", "alignment error rate");
    found.add_to(results, "untrained_error", cells, "1", "alignment error rate before training");
    found.add_to(results, "validation_error", {"score", "choice", "epoch"}, "1", "alignment error rate");
    found.add_to(results, "weights", {"score", "choice", "target_word", "source_word"}, "1", "weight");
    results.add("known_alignment", {"target_word", "source_word"}, known, "1", "known alignment");
    results.scalar("chance_error", tasks::chance_alignment_error(corpora.test), "1",
                   "alignment error rate of random links");
    results.scalar("diagonal_error", tasks::alignment_error(corpora.test, diagonal), "1",
                   "alignment error rate of linking in the same order");
  }

  static void add_headlines(Results& merged) {
    const View error = view(merged.data, "alignment_error");
    for (std::size_t c = 0; c < kCrossChoices.size(); ++c) {
      const std::string& choice = kCrossChoices[c];
      std::vector<double> pooled;  // score by score: the order of the sum
      for (const View& score : error.at({{"choice", c}}).along("score"))
        pooled.insert(pooled.end(), score.values().begin(), score.values().end());
      add_headline(merged,
                   {.variable = "error_" + choice,
                    .label = concat("Alignment error rate, ", choice, " attention"),
                    .meaning = "Over the three scores and all seeds."},
                   mean_with_error(pooled), "1", "alignment error rate, " + choice + ", mean over scores and seeds",
                   "its standard error");
    }
    add_pooled(merged, "chance_error", "chance", "alignment error rate of random links");
    merged.headline({.variable = "chance",
                     .label = "Alignment error rate of random links",
                     .half_width = "chance_half_width",
                     .meaning = "The value before training."});
    add_pooled(merged, "diagonal_error", "diagonal", "alignment error rate of linking in the same order");
    merged.headline({.variable = "diagonal",
                     .label = "Alignment error rate of linking in the same order",
                     .half_width = "diagonal_half_width",
                     .meaning = "The difference of the two word orders."});
  }
};

}  // namespace

std::unique_ptr<Experiment> make_alignment() { return std::make_unique<Alignment>(); }

}  // namespace fovea::mechanism::statements
