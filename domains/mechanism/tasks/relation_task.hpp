#pragma once
/// Two relations at once: every token asks for the value of the token whose key is nearest to its question, and for the
/// value of the token a fixed number of places before it. And a layer of attention to learn them.

#include "fovea/core/base/random.hpp"
#include "fovea/core/learning/attention_operation.hpp"
#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/domains/mechanism/tasks/example_sets.hpp"

namespace fovea::mechanism::tasks {

struct RelationSettings {
  Index length = 16;   ///< tokens on a ring
  Index content = 8;   ///< numbers of a key and of a question
  Index offset = 3;    ///< places before
  double noise = 0.1;  ///< standard deviation of a question's number from its key's
};

/// Columns: question, key, kHarmonics sines and cosines of the place on the ring, value (standard normal). Keys have
/// norm 1. The two targets are never the same token, so their values are independent.
struct RelationTask {
  static constexpr Index kHarmonics = 4;
  ExampleSets sets;
  std::vector<Index> nearest, offset;  ///< of each row of `sets`: the place of each target in its set
  Matrix<float> targets;               ///< of each row: the two values
  std::vector<float> targets_of(Index example) const;
};

RelationTask relation_task(const RelationSettings& settings, Index count, const Random& random);

/// Answers = sum over heads and tokens j of w_ij value_j a_h, + b: weights by question, key and place alone, values
/// and answers linear. What one head can know about values is then one number, so that its two squared errors sum up to
/// the smaller eigenvalue of the targets' covariance, 1, at least (Eckart & Young 1936), whatever its weights.
class RelationModel {
 public:
  /// heads: a divisor of width, the columns of all heads together.
  RelationModel(const RelationSettings& settings, Index width, Index heads, const Random& random);
  learning::Parameters<float> parameters;
  /// Of each token: the two values.
  learning::Variable<float> answers(learning::Variable<float> x, const learning::Tokens& tokens,
                                    const learning::AttentionCall<float>** call = nullptr) const;
  /// Share of a head's attention on the two targets, mean over the tokens of these examples: heads x 2, sorted by the
  /// first column, largest first.
  Matrix<double> attention_on_targets(const RelationTask& task, std::span<const Index> examples) const;

 private:
  Index context_, heads_;
  learning::Linear<float> query_, key_, value_, answer_;
};

}  // namespace fovea::mechanism::tasks
