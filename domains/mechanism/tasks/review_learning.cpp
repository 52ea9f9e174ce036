#include "fovea/domains/mechanism/tasks/review_learning.hpp"

#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/losses.hpp"

namespace fovea::mechanism::tasks {

ReviewData review_data(const Config& config) {
  const Random random = Random(static_cast<std::uint64_t>(config.integer("reviews.data_seed")));
  ReviewData data;
  data.language.negation = config.real("reviews.negation");
  data.language.opinion = config.real("reviews.opinion");
  const auto reviews = [&](const char* purpose) {
    return make_reviews(data.language, config.integer(concat("reviews.", purpose)), config.integer("reviews.words"),
                        random.stream(purpose));
  };
  data.joined = reviews("training");
  data.training = static_cast<Index>(data.joined.size());
  const std::vector<Review> validation = reviews("validation");
  data.joined.insert(data.joined.end(), validation.begin(), validation.end());
  data.test = reviews("test");
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
    const std::vector<Index>& these = reviews[static_cast<std::size_t>(r)].words;
    words.insert(words.end(), these.begin(), these.end());
    tokens.offsets.push_back(static_cast<Index>(words.size()));
  }
  return classifier.parts(classifier.embedded(tape, words), tokens).logits;
}

}  // namespace

learning::TrainingProblem review_problem(const ReviewClassifier<float>& classifier, const ReviewData& data) {
  learning::TrainingProblem problem;
  for (std::size_t r = 0; r < data.joined.size(); ++r) {
    problem.tokens.push_back(static_cast<Index>(data.joined[r].words.size()));
    (static_cast<Index>(r) < data.training ? problem.training : problem.validation).push_back(static_cast<Index>(r));
  }
  problem.loss = [&](learning::Tape<float>& tape, std::span<const Index> some, float total) {
    auto& labels = tape.kept<Matrix<float>>();
    labels.resize(static_cast<Index>(some.size()), 1);
    for (std::size_t e = 0; e < some.size(); ++e)
      labels(static_cast<Index>(e), 0) = static_cast<float>(data.joined[static_cast<std::size_t>(some[e])].label());
    return learning::logistic_loss<float>(logits_of(tape, classifier, data.joined, some), labels, {}, total);
  };
  return problem;
}

double review_accuracy(const learning::Parameters<float>& parameters, const ReviewClassifier<float>& classifier,
                       const std::vector<Review>& reviews) {
  std::vector<Index> all(reviews.size()), sizes;
  std::iota(all.begin(), all.end(), Index(0));
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
