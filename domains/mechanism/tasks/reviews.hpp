#pragma once
/// Made-up reviews and a classifier whose attention can be held against what it really uses: for the experiment
/// "mechanism.explanation".

#include <optional>
#include <string>
#include <vector>

#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/learning/layers/positions.hpp"
#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/domains/mechanism/tasks/word_block.hpp"

namespace fovea::mechanism::tasks {

/// Words are numbered: 0 is "not", then the praising words, the blaming words, and those that say nothing.
struct ReviewLanguage {
  Index praising = 8, blaming = 8, neutral = 16;
  double negation = 0.15, opinion = 0.4;  ///< share of "not", and of praising and blaming words together
  Index words() const { return 1 + praising + blaming + neutral; }
};

struct Review {
  std::vector<Index> words;
  double rating = 0;  ///< praise less blame; "not" turns the word behind it round
  /// 1: more praise than blame; 0: less; 1/2: as much
  double label() const { return rating > 0 ? 1.0 : rating < 0 ? 0.0 : 0.5; }
};
double rating_of(const ReviewLanguage& language, const std::vector<Index>& words);
std::vector<Review> make_reviews(const ReviewLanguage& language, Index count, Index words, const Random& random);

/// What the attention of the classifier sees.
enum class ReviewEncoder {
  words,    ///< each word by itself
  context,  ///< the states of a Transformer block with positions: each word mixed with the others
};

struct ReviewSettings : WordBlock {
  ReviewEncoder encoder = ReviewEncoder::words;
};

/// logit = c a + b, c = sum_i w_i h_i, w = softmax(v . tanh(h_i P + p)): the classifier of Jain & Wallace (2019,
/// section 2; scores of Bahdanau, Cho, Bengio 2015), h_i the word vectors, or the states of a Transformer block.
template <typename Real>
class ReviewClassifier {
 public:
  ReviewClassifier(learning::Parameters<Real>& parameters, const ReviewSettings& settings, const Random& random);
  learning::Variable<Real> embedded(learning::Tape<Real>& tape, std::span<const Index> words) const;
  /// The logits of packed reviews, one a row, and the scores of their words (before the softmax).
  struct Parts {
    learning::Variable<Real> logits, scores;
  };
  Parts parts(learning::Variable<Real> vectors, const learning::Tokens& tokens) const;

 private:
  learning::ParameterPlace table_;
  learning::SinusoidalPositions<Real> positions_;
  std::optional<learning::TransformerBlock<Real>> block_;
  learning::Linear<Real> projection_, score_, logit_;
};

/// How the shares of a review's words in its logit are told.
inline const std::vector<std::string> kExplanations{"attention", "gradient x input", "integrated gradients",
                                                    "deletion"};

/// Shares of each word in the order of kExplanations (rows), the baseline a row of zeros; the answer to the review and
/// to the baseline; and what integrated gradients leave over.
struct ReviewExplanation {
  Matrix<double> shares;
  double answer = 0, baseline_answer = 0, remainder = 0;
};
ReviewExplanation explain(const learning::Parameters<double>& parameters, const ReviewClassifier<double>& classifier,
                          const Review& review, Index steps);

/// The same numbers in the other precision; both must hold the same entries.
void copy_values(const learning::Parameters<float>& from, learning::Parameters<double>& to);

/// One query over n tokens (u_i, v_i), with F = sum_i w_i v_i, w = softmax(u), made so that deleting token i (replacing
/// it by a row of zeros) takes away exactly effects_i: with Z = sum_j e^(u_j) and D = effects n / sum_j effects_j (Z -
/// e^(u_j) + 1),
///   v_i = e^(-u_i) (Z - (1 - D_i) (Z - e^(u_i) + 1)),   F = 1,   F - F_without_i = D_i.
/// So attention says nothing about deletion: whatever the weights, the effects can be in any order. (F = 1 fixes
/// sum_i e^(u_i) v_i = Z, which fixes the scale of D.)
struct BuiltCase {
  Matrix<double> tokens;     ///< n x 2: (u, v)
  Vector<double> attention;  ///< predicted, by plain sums
  Vector<double> deletion;   ///< predicted: D
};
BuiltCase built_case(const Vector<double>& scores, const Vector<double>& effects);

/// The same measured with the engine and core/learning/explanation.hpp: attention, deletion.
struct MeasuredCase {
  Vector<double> attention, deletion;
};
MeasuredCase measure(const BuiltCase& built);

}  // namespace fovea::mechanism::tasks
