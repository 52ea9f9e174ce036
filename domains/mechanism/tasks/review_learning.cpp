#include "fovea/domains/mechanism/tasks/review_learning.hpp"

#include "fovea/domains/mechanism/tasks/lessons.hpp"

namespace fovea::mechanism::tasks {

const Keys<ReviewDataSettings>& review_data_keys() {
  using S = ReviewDataSettings;
  static const auto keys =
      Keys<S>()
          .key("reviews.data_seed", &S::data_seed, Range::between(0, 1e9), "",
               "seed of the reviews, which are the same for all models")
          .key("reviews.words", &S::words, Range::between(3, 1000), "", "words of a review")
          .key("reviews.negation", inside(&S::language, &ReviewLanguage::negation), Range::between(0, 0.5), "",
               "share of negations, which reverse the sign of the next word")
          .key("reviews.opinion", inside(&S::language, &ReviewLanguage::opinion), Range::between(0.01, 0.5), "",
               "share of positive and negative words")
          .key("reviews.training", &S::training, Range::between(10, 1e6), "", "training reviews")
          .key("reviews.validation", &S::validation, Range::between(10, 1e6), "",
               "validation reviews, for the choice of the epoch")
          .key("reviews.test", &S::test, Range::between(10, 1e6), "", "test reviews");
  return keys;
}

ReviewData review_data(const ReviewDataSettings& settings) {
  const Random random = Random(static_cast<std::uint64_t>(settings.data_seed));
  const auto reviews = [&](const char* purpose, Index count) {
    return make_reviews(settings.language, count, settings.words, random.stream(purpose));
  };
  ReviewData data{settings.language, reviews("training", settings.training), reviews("test", settings.test),
                  settings.training};
  const std::vector<Review> validation = reviews("validation", settings.validation);
  data.joined.insert(data.joined.end(), validation.begin(), validation.end());
  return data;
}

namespace {

/// The logits of some reviews, one after the other.
learning::Variable<float> logits_of(learning::Tape<float>& tape, const ReviewClassifier<float>& classifier,
                                    const std::vector<Review>& reviews, std::span<const Index> some) {
  auto& words = tape.kept<std::vector<Index>>();
  auto& tokens = tape.kept<learning::Tokens>();
  words.clear();
  tokens.offsets.assign(1, 0);
  for (const Index r : some) {
    const std::vector<Index>& these = reviews[r].words;
    words.insert(words.end(), these.begin(), these.end());
    tokens.offsets.push_back(static_cast<Index>(words.size()));
  }
  return classifier.parts(classifier.embedded(tape, words), tokens).logits;
}

}  // namespace

learning::TrainingProblem review_problem(const ReviewClassifier<float>& classifier, const ReviewData& data) {
  std::vector<Index> words;
  for (const Review& review : data.joined) words.push_back(static_cast<Index>(review.words.size()));
  learning::TrainingProblem problem = problem_of(words, static_cast<Index>(data.joined.size()) - data.training);
  const auto logits = [&](learning::Tape<float>& tape, std::span<const Index> some) {
    return logits_of(tape, classifier, data.joined, some);
  };
  problem.loss =
      logistic_loss_of(logits, [&](Index r) { return std::vector<float>{static_cast<float>(data.joined[r].label())}; });
  return problem;
}

double review_accuracy(const learning::Parameters<float>& parameters, const ReviewClassifier<float>& classifier,
                       const std::vector<Review>& reviews) {
  const std::vector<Index> all = numbers_from(0, static_cast<Index>(reviews.size()));
  std::vector<Index> sizes;
  for (const Review& review : reviews) sizes.push_back(static_cast<Index>(review.words.size()));
  const Matrix<float> logits =
      learning::predict(parameters, sizes, all, [&](learning::Tape<float>& tape, std::span<const Index> some) {
        return logits_of(tape, classifier, reviews, some);
      });
  double decided = 0, right = 0;
  for (std::size_t r = 0; r < reviews.size(); ++r) {
    if (reviews[r].rating == 0) continue;
    ++decided;
    right += (logits(static_cast<Index>(r), 0) > 0) == (reviews[r].rating > 0) ? 1 : 0;
  }
  return right / decided;
}

}  // namespace fovea::mechanism::tasks
