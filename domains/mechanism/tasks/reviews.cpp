#include "fovea/domains/mechanism/tasks/reviews.hpp"

#include <algorithm>

#include "fovea/core/attention/scores.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/explanation.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::mechanism::tasks {

double rating_of(const ReviewLanguage& language, const std::vector<Index>& words) {
  double rating = 0, sign = 1;
  for (const Index word : words) {
    if (word >= 1 && word <= language.praising) rating += sign;
    if (word > language.praising && word <= language.praising + language.blaming) rating -= sign;
    sign = word == 0 ? -1 : 1;
  }
  return rating;
}

std::vector<Review> make_reviews(const ReviewLanguage& language, Index count, Index words, const Random& random) {
  const Random kinds = random.stream("kinds"), choices = random.stream("words");
  const auto drawn = [&](Index many, Index review, Index place) {
    return static_cast<Index>(choices.below(static_cast<std::uint64_t>(many), static_cast<std::uint64_t>(review),
                                            static_cast<std::uint64_t>(place)));
  };
  const Index opinions = language.praising + language.blaming;
  std::vector<Review> reviews(count);
  for (Index r = 0; r < count; ++r) {
    Review& review = reviews[r];
    for (Index place = 0; place < words; ++place) {
      const double kind = kinds.uniform(static_cast<std::uint64_t>(r), static_cast<std::uint64_t>(place));
      if (kind < language.negation)
        review.words.push_back(0);
      else if (kind < language.negation + language.opinion)
        review.words.push_back(1 + drawn(opinions, r, place));
      else
        review.words.push_back(1 + opinions + drawn(language.neutral, r, place));
    }
    review.rating = rating_of(language, review.words);
  }
  return reviews;
}

template <typename Real>
ReviewClassifier<Real>::ReviewClassifier(learning::Parameters<Real>& parameters, const ReviewSettings& settings,
                                         const Random& random)
    : table_(
          parameters.add("words", learning::normal_start<Real>(settings.words, settings.width, 0.5, random, "words"))),
      positions_(settings.position_base),
      projection_(parameters, "attention.projection", settings.width, settings.width, random),
      score_(parameters, "attention.score", settings.width, 1, random, learning::Bias::no),
      logit_(parameters, "logit", settings.width, 1, random) {
  if (settings.encoder == ReviewEncoder::words) return;
  learning::BlockSettings<Real> block;
  block.attention.width = settings.width;
  block.attention.heads = settings.heads;
  block.hidden = settings.hidden;
  block_.emplace(parameters, "encoder", block, random);
}

template <typename Real>
learning::Variable<Real> ReviewClassifier<Real>::embedded(learning::Tape<Real>& tape,
                                                          std::span<const Index> words) const {
  return gather_rows(tape.parameter(table_), words);
}

template <typename Real>
typename ReviewClassifier<Real>::Parts ReviewClassifier<Real>::parts(learning::Variable<Real> vectors,
                                                                     const learning::Tokens& tokens) const {
  const auto states = block_ ? (*block_)(positions_(vectors, tokens), tokens) : vectors;
  const auto scores = score_(tanh(projection_(states)));
  return {logit_(attention_pooling(states, scores, learning::Offsets(tokens.offsets))), scores};
}

template class ReviewClassifier<float>;
template class ReviewClassifier<double>;

namespace {

Vector<double> softmax_of(const Vector<double>& scores) {
  Vector<double> weights(scores.size());
  const double top = scores.maxCoeff();
  for (Index i = 0; i < scores.size(); ++i) weights[i] = exponential(scores[i] - top);
  return weights / weights.sum();
}

}  // namespace

ReviewExplanation explain(const learning::Parameters<double>& parameters, const ReviewClassifier<double>& classifier,
                          const Review& review, Index steps) {
  learning::Tape<double> tape;
  learning::Tokens tokens;
  tokens.offsets = {0, static_cast<Index>(review.words.size())};
  const learning::Answer<double> answer = [&](learning::Variable<double> x) {
    return classifier.parts(x, tokens).logits;
  };
  tape.begin(&parameters, {});
  const Matrix<double> x = classifier.embedded(tape, review.words).value();
  const Matrix<double> baseline = Matrix<double>::Zero(x.rows(), x.cols());
  tape.begin(&parameters, {});
  const auto parts = classifier.parts(tape.input(x), tokens);
  ReviewExplanation result;
  result.answer = parts.logits.data()[0];
  result.shares.resize(static_cast<Index>(kExplanations.size()), x.rows());
  result.shares.row(0) = softmax_of(parts.scores.value().col(0)).transpose();
  tape.begin(&parameters, {});
  result.baseline_answer = classifier.parts(tape.input(baseline), tokens).logits.data()[0];
  result.shares.row(1) = gradient_times_input(tape, parameters, answer, x).transpose();
  const auto integrated = integrated_gradients(tape, parameters, answer, x, baseline, steps);
  result.shares.row(2) = integrated.shares.transpose();
  result.remainder = integrated.remainder;
  result.shares.row(3) = deletion(tape, parameters, answer, x, baseline).transpose();
  return result;
}

void copy_values(const learning::Parameters<float>& from, learning::Parameters<double>& to) {
  require(from.size() == to.size(), "copy_values: ", from.size(), " numbers for ", to.size(), " places.");
  std::transform(from.values().begin(), from.values().end(), to.values().begin(),
                 [](float value) { return static_cast<double>(value); });
}

BuiltCase built_case(const Vector<double>& scores, const Vector<double>& effects) {
  require(scores.size() == effects.size() && scores.size() > 0, "built_case: ", scores.size(), " scores and ",
          effects.size(), " effects; each token needs one of both.");
  const Index n = scores.size();
  Vector<double> grown(n);
  for (Index i = 0; i < n; ++i) grown[i] = exponential(scores[i]);
  const double sum = grown.sum();
  BuiltCase built;
  const Vector<double> without = (sum + 1 - grown.array()).matrix();
  built.deletion = effects * (static_cast<double>(n) / effects.dot(without));
  built.attention = grown / sum;
  built.tokens.resize(n, 2);
  built.tokens.col(0) = scores;
  built.tokens.col(1) = ((sum - (1 - built.deletion.array()) * without.array()) / grown.array()).matrix();
  return built;
}

MeasuredCase measure(const BuiltCase& built) {
  AttentionSpec<double> spec;
  spec.score.function = dot_product_score<double>(false);
  const Matrix<double> query = Matrix<double>::Ones(1, 1);
  const learning::Answer<double> answer = [&](learning::Variable<double> x) {
    return learning::attention<double>({x.tape().input(query), {x, 0, 1}, {x, 1, 1}}, spec);
  };
  learning::Tape<double> tape;
  const learning::Parameters<double> none;
  const Matrix<double> baseline = Matrix<double>::Zero(built.tokens.rows(), 2);
  MeasuredCase measured;
  measured.deletion = deletion(tape, none, answer, built.tokens, baseline);
  const Matrix<double> keys = built.tokens.leftCols(1), values = built.tokens.rightCols(1);
  const auto forward = attend<double>(query, keys, values, spec);
  measured.attention = attention_weights<double>(query, keys, spec, forward, 0, {0}).row(0).transpose();
  return measured;
}

}  // namespace fovea::mechanism::tasks
