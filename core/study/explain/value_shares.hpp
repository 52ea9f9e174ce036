#pragma once
/// What the value of each token adds to what a model says of its case: integrated gradients by token.
///
///   F(x) = F(b) + sum_i share_i + remainder
///   share_i = sum_c (x - b)_ic int_0^1 dF/dx_ic(b + a (x - b)) da        (Sundararajan, Taly, Yan 2017, eq. 1)
///
/// F   the model's first output: a logit, or the mean of a number in deviations of the target
/// x   the prepared inputs of the tokens
/// b   the same with every number at its middle, 0: the median of its class, or without classes the mean; and no
///     category. Marks of missing values stay, so F(b) holds *that* things were there: which, how many, when.
///
/// The remainder is the error of the integral's rule: small for smooth models, and up to a unit of the logit where the
/// way from the middle begins steeply, as behind the normalisation of layers that see nothing there.

#include <optional>

#include "fovea/core/learning/tape.hpp"
#include "fovea/core/study/trained/model_file.hpp"

namespace fovea::study {

/// Some cases that models explain together, packed; for targets of cases.
class ExplainedCases {
 public:
  /// These cases of all, as the preparation's members see them.
  ExplainedCases(const Cases& all, const Preparation& preparation, const std::vector<Index>& items);

  const Cases& cases() const { return cases_; }
  const Matrix<float>& x() const { return x_; }
  const Matrix<float>& at_middle() const { return middle_; }  ///< b

  /// F of each case, for inputs such as x() or at_middle().
  std::vector<double> answers(const Member& member, const Matrix<float>& x);
  /// One a token, by the midpoint rule with `points`. F of all cases together is one answer, because no case knows of
  /// another.
  std::vector<double> shares(const Member& member, Index points = 8);

 private:
  Batch batch(learning::Variable<float> x) const;

  learning::Tape<float> tape_;
  Cases cases_;
  Matrix<float> x_, middle_;
  learning::Tokens tokens_;
};

/// One prediction taken apart, as the mean over the members, calibrated:
///   base + sum of shares + trees + remainder = answer
struct ExplainedPrediction {
  double answer = 0;           ///< the calibrated logit, or the number in its unit
  double base = 0;             ///< the same with every value at its middle
  std::vector<double> shares;  ///< one a token
  /// What boosted trees beside the members add (trees/companion.hpp), which are not taken apart; nullopt: there are
  /// none.
  std::optional<double> trees{};
  double remainder = 0;
};

/// Whether predictions of such a target are one number a case, which can be taken apart.
bool can_be_taken_apart(const Target& target);

/// The cases one by one, on the threads there are; what is said of a case depends on it alone. For a line the answer is
/// the logit of the predicted probability. For a temperature it is the mean logit over the temperature, whose
/// probability differs a little from the mean of the members' probabilities. Throws ArgumentError for targets of
/// tokens, or of several classes.
std::vector<ExplainedPrediction> explained_predictions(const TrainedModel& model, const Target& target,
                                                       const Cases& cases);

}  // namespace fovea::study
