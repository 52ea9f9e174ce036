/// The tasks and models of the statements about alignment, explanation and confounders.

#include "fovea/core/learning/operations.hpp"
#include "fovea/core/statistics/tests/rank_correlation.hpp"
#include "fovea/domains/mechanism/tasks/forecaster.hpp"
#include "fovea/domains/mechanism/tasks/reviews.hpp"
#include "fovea/domains/mechanism/tasks/translator.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::mechanism;

namespace {

std::vector<double> entries(const Vector<double>& vector) { return {vector.data(), vector.data() + vector.size()}; }

std::vector<tasks::TranslatorSettings> every_translator() {
  std::vector<tasks::TranslatorSettings> all;
  for (const tasks::CrossScore score :
       {tasks::CrossScore::additive, tasks::CrossScore::general, tasks::CrossScore::scaled_dot})
    for (const tasks::CrossWeights weights : {tasks::CrossWeights::soft, tasks::CrossWeights::hard})
      for (const tasks::CrossValues values : {tasks::CrossValues::words, tasks::CrossValues::states})
        all.push_back({9, 8, 2, 12, 100, score, weights, values});
  return all;
}

Matrix<float> logits_of_all(const learning::Parameters<float>& parameters, const tasks::Translator& translator,
                            const std::vector<tasks::SentencePair>& corpus) {
  std::vector<Index> all(corpus.size());
  std::iota(all.begin(), all.end(), Index(0));
  learning::Tape<float> tape;
  tape.begin(&parameters, {});
  return translator.parts(tape, corpus, all).logits.value();
}

}  // namespace

TEST_CASE("the translation of a pattern is in the order that the header shows", "[mechanism][alignment]") {
  const tasks::ToyLanguage language = tasks::toy_language(3, 4, 2, Random(1));
  const tasks::SentencePair pair = tasks::sentence_of(language, "ANVNAN", Random(2), 0);
  CHECK(pair.alignment == std::vector<Index>{1, 0, 3, 5, 4, 2});
  for (std::size_t i = 0; i < pair.target.size(); ++i)
    CHECK(pair.target[i] == language.dictionary[pair.source[pair.alignment[i]]]);
  CHECK((pair.source[0] < 3 && pair.source[1] >= 3 && pair.source[1] < 7 && pair.source[2] >= 7));
  std::vector<Index> words = language.dictionary;
  std::sort(words.begin(), words.end());
  for (Index k = 0; k < 9; ++k) CHECK(words[k] == k);
  for (const char* broken : {"NVA", "NN", "NVVN", "NXN"})
    CHECK_THROWS_AS(tasks::sentence_of(language, broken, Random(2), 0), ArgumentError);
}

TEST_CASE("random patterns have one verb between nouns, and a noun behind each adjective", "[mechanism][alignment]") {
  for (std::uint64_t sentence = 0; sentence < 300; ++sentence) {
    const Index words = 3 + static_cast<Index>(sentence % 10);
    const std::string pattern = tasks::random_pattern(words, Random(4), sentence);
    INFO(pattern);
    REQUIRE(pattern.size() == static_cast<std::size_t>(words));
    const std::size_t verb = pattern.find('V');
    REQUIRE(verb != std::string::npos);
    CHECK(pattern.find('V', verb + 1) == std::string::npos);
    CHECK(pattern[verb - 1] == 'N');
    CHECK(pattern.back() == 'N');
    for (std::size_t k = 0; k < pattern.size(); ++k)
      if (pattern[k] == 'A') CHECK(pattern[k + 1] == 'N');
  }
}

TEST_CASE("the alignment error counts wrong links, and chance is what random links have", "[mechanism][alignment]") {
  const tasks::ToyLanguage language = tasks::toy_language(3, 4, 2, Random(1));
  const auto corpus = tasks::toy_corpus(language, 400, 4, 9, Random(5));
  std::vector<std::vector<Index>> known, random_links;
  const Random random(6);
  for (std::size_t s = 0; s < corpus.size(); ++s) {
    known.push_back(corpus[s].alignment);
    random_links.emplace_back();
    for (std::size_t i = 0; i < corpus[s].alignment.size(); ++i)
      random_links.back().push_back(static_cast<Index>(random.below(corpus[s].source.size(), s, i)));
  }
  CHECK(tasks::alignment_error(corpus, known) == 0);
  constexpr double kSampling = 0.03;  // 2600 words: a standard error of 0.007
  CHECK(std::abs(tasks::alignment_error(corpus, random_links) - tasks::chance_alignment_error(corpus)) < kSampling);
  double words = 0;
  for (const tasks::SentencePair& pair : corpus) words += static_cast<double>(pair.target.size());
  known[7][2] = (known[7][2] + 1) % static_cast<Index>(corpus[7].source.size());
  CHECK(std::abs(tasks::alignment_error(corpus, known) - 1 / words) < 1e-15);
}

TEST_CASE("a translator does not see the words that are still to come, nor other sentences", "[mechanism][alignment]") {
  const tasks::ToyLanguage language = tasks::toy_language(3, 4, 2, Random(1));
  const auto corpus = tasks::toy_corpus(language, 3, 5, 7, Random(5));
  for (const tasks::TranslatorSettings& settings : every_translator()) {
    learning::Parameters<float> parameters;
    const tasks::Translator translator(parameters, settings, Random(3));
    const Matrix<float> whole = logits_of_all(parameters, translator, corpus);
    const Index first = static_cast<Index>(corpus[0].target.size());
    CHECK(whole.topRows(first) == logits_of_all(parameters, translator, {corpus[0]}));
    auto changed = corpus;
    changed[0].target[2] = (changed[0].target[2] + 1) % 9;
    const Matrix<float> other = logits_of_all(parameters, translator, changed);
    CHECK(whole.topRows(3) == other.topRows(3));  // word 2 itself is told to the words behind it
    CHECK(whole.row(3) != other.row(3));
    CHECK(whole.bottomRows(whole.rows() - first) == other.bottomRows(whole.rows() - first));
  }
}

TEST_CASE("links are the largest weights of the cross-attention", "[mechanism][alignment]") {
  const tasks::ToyLanguage language = tasks::toy_language(3, 4, 2, Random(1));
  const auto corpus = tasks::toy_corpus(language, 100, 5, 7, Random(5));  // more than are computed together
  for (const tasks::TranslatorSettings& settings : every_translator()) {
    learning::Parameters<float> parameters;
    const tasks::Translator translator(parameters, settings, Random(3));
    const tasks::Translation translation = tasks::translate(parameters, translator, corpus);
    for (const std::size_t s : {0u, 63u, 64u, 99u}) {
      const Matrix<float> weights = tasks::cross_weights(parameters, translator, corpus[s]);
      for (Index i = 0; i < weights.rows(); ++i) {
        Index largest = 0;
        weights.row(i).maxCoeff(&largest);
        CHECK(translation.links[s][i] == largest);
        CHECK(std::abs(weights.row(i).sum() - 1) < 1e-5f);
        if (settings.weights == tasks::CrossWeights::hard) CHECK(weights(i, largest) == 1);
      }
    }
  }
}

TEST_CASE("a review's rating is praise less blame, turned round behind not", "[mechanism][explanation]") {
  const tasks::ReviewLanguage language{2, 2, 3};  // 0 not, 1 2 praise, 3 4 blame, 5 6 7 nothing
  CHECK(tasks::rating_of(language, {1, 2, 5}) == 2);
  CHECK(tasks::rating_of(language, {3, 7, 1, 4}) == -1);
  CHECK(tasks::rating_of(language, {0, 3, 0, 1, 0, 5, 2}) == 1);
  CHECK(tasks::rating_of(language, {0, 0, 1}) == -1);
  for (const tasks::Review& review : tasks::make_reviews(language, 50, 9, Random(2))) {
    CHECK(review.words.size() == 9);
    CHECK(*std::max_element(review.words.begin(), review.words.end()) < language.words());
    CHECK(review.rating == tasks::rating_of(language, review.words));
  }
}

TEST_CASE("explanations of a review: weights sum to 1, integrated gradients to the answer",
          "[mechanism][explanation]") {
  constexpr double kRule = 1e-3;  // midpoint rule with 200 points
  const tasks::ReviewLanguage language;
  for (const tasks::ReviewEncoder encoder : {tasks::ReviewEncoder::words, tasks::ReviewEncoder::context}) {
    const tasks::ReviewSettings settings{language.words(), 8, 2, 12, 100, encoder};
    learning::Parameters<float> single;
    learning::Parameters<double> parameters;
    const tasks::ReviewClassifier<float> classifier(single, settings, Random(1));
    const tasks::ReviewClassifier<double> twin(parameters, settings, Random(7));
    tasks::copy_values(single, parameters);
    const tasks::Review review = tasks::make_reviews(language, 1, 7, Random(2))[0];
    const tasks::ReviewExplanation found = tasks::explain(parameters, twin, review, 200);
    CHECK(std::abs(found.shares.row(0).sum() - 1) < 1e-12);
    CHECK(std::abs(found.remainder) < kRule);
    CHECK(std::abs(found.shares.row(2).sum() + found.remainder - (found.answer - found.baseline_answer)) < 1e-12);
    learning::Tape<float> tape;
    learning::Tokens tokens;
    tokens.offsets = {0, 7};
    tape.begin(&single, {});
    const float answer = classifier.parts(classifier.embedded(tape, review.words), tokens).logits.data()[0];
    CHECK(std::abs(static_cast<double>(answer) - found.answer) < 1e-5);
  }
}

TEST_CASE("in a built case deletion takes away what it was told to, against any weights", "[mechanism][explanation]") {
  constexpr double kRounding = 1e-12;
  Vector<double> scores(6), effects(6);
  scores << -0.5, 0.1, 0.4, 1.0, 1.7, 2.0;
  effects << 6, 5, 4, 3, 2, 1;
  const tasks::MeasuredCase opposed = tasks::measure(tasks::built_case(scores, effects));
  CHECK(std::abs(rank_correlation(entries(opposed.attention), entries(opposed.deletion)) + 1) < kRounding);
  effects << 2, 6, -1, 5, 0.5, 3;  // any order, and signs
  const tasks::BuiltCase built = tasks::built_case(scores, effects);
  const tasks::MeasuredCase measured = tasks::measure(built);
  CHECK((measured.attention - built.attention).cwiseAbs().maxCoeff() < kRounding);
  CHECK((measured.deletion - built.deletion).cwiseAbs().maxCoeff() < kRounding);
  CHECK(std::abs((built.deletion / built.deletion[0] - effects / effects[0]).norm()) < kRounding);
}

TEST_CASE("a forecaster with equal scores forecasts the mean times its gain", "[mechanism][confounder]") {
  constexpr double kFloat = 1e-5;
  learning::Parameters<float> parameters;
  const tasks::Forecaster forecaster(parameters, 6, {2, 3}, Random(1));
  for (const auto& entry : parameters.entries()) parameters.matrix(entry.place).setZero();
  parameters.matrix(forecaster.gain()) << 3.0f, -1.0f;
  datasets::simulated::DrivenUnits units = datasets::simulated::driven_by_common({});
  const Matrix<double> series = datasets::simulated::simulate(units, 400, Random(2));
  const tasks::PastWindow window = tasks::past_window(1, {1, 0}, 3);
  const tasks::Reliance found = tasks::reliance(parameters, forecaster, series, window);
  double error = 0;
  for (Index t = 3; t < series.rows(); ++t) {
    const double mean = (series.block(t - 3, 0, 3, 2).sum()) / 6;
    error += std::pow(2 * mean - series(t, 1), 2) / static_cast<double>(series.rows() - 3);
  }
  CHECK(std::abs(found.squared_error - error) < kFloat * error);
  for (std::size_t j = 0; j < 6; ++j) {
    CHECK(std::abs(found.gradient[j] - 2.0 / 6) < kFloat);
    CHECK(std::abs(found.attention[j] - 1.0 / 6) < kFloat);
  }
}

TEST_CASE("what a forecaster relies on is the mean slope of its forecasts", "[mechanism][confounder][gradient]") {
  constexpr double kDifferences = 2e-3;  // central differences in float
  learning::Parameters<float> parameters;
  const tasks::Forecaster forecaster(parameters, 4, {3, 2}, Random(1));
  for (float& value : parameters.values()) value += 0.3f;  // off its start: scores depend on values
  const Matrix<double> series =
      datasets::simulated::simulate(datasets::simulated::driven_by_common({}), 300, Random(2));
  const tasks::PastWindow window = tasks::past_window(1, {0, 2}, 2);
  const tasks::Reliance found = tasks::reliance(parameters, forecaster, series, window);
  std::vector<Index> steps(298);
  std::iota(steps.begin(), steps.end(), Index(2));
  learning::Tape<float> tape;
  for (Index j = 0; j < 4; ++j) {
    double slope = 0;
    for (const float sign : {1.0f, -1.0f}) {
      tape.begin(&parameters, {});
      const auto values = tasks::past_values(tape, series, window, steps);
      for (Index e = 0; e < 298; ++e) values.data()[4 * e + j] += 0.01f * sign;
      slope += static_cast<double>(sign) * forecaster.parts(values).forecasts.value().cast<double>().sum() / 0.02 / 298;
    }
    CHECK(std::abs(found.gradient[j] - slope) < kDifferences);
  }
  CHECK(std::abs(std::accumulate(found.attention.begin(), found.attention.end(), 0.0) - 1) < 1e-5);
}
