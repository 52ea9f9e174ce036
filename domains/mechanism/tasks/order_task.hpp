#pragma once
/// Does a sequence of numbers strictly increase? A question that only the positions answer, and a small network for it.

#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/learning/layers/feed_forward.hpp"
#include "fovea/core/learning/layers/multi_head_attention.hpp"
#include "fovea/core/learning/layers/positions.hpp"
#include "fovea/domains/mechanism/tasks/lessons.hpp"

namespace fovea::mechanism::tasks {

struct OrderTaskSettings {
  Index shortest = 4, longest = 16;  ///< numbers in a sequence, equally likely
  double span = 4;                   ///< numbers lie in [-span / 2, span / 2]
  double gap = 0.1;                  ///< two numbers of a sequence differ by this much at least
};

/// The kinds of sequences: half increase; a quarter are random orders that do not, a quarter have two neighbours of an
/// increasing one swapped. The numbers are drawn before the order, so as a set they say nothing about it.
enum class OrderKind { increasing, shuffled, near_miss };

struct OrderTask {
  ExampleSets sets;  ///< one column: the number
  std::vector<OrderKind> kinds;
  bool increases(Index example) const { return kinds[example] == OrderKind::increasing; }
};

/// Sequence e is a function of (settings, random, e). Throws ArgumentError where the longest does not fit the span.
OrderTask order_task(const OrderTaskSettings& settings, Index count, const Random& random);

/// The ways to tell a network where a token stands.
const std::vector<std::string>& position_encodings();  // "none", "sinusoidal", "learned", "rotary", "relative"

struct OrderModelSettings {
  std::string encoding = "none";
  Index width = 16, heads = 2, hidden = 32, longest = 16;
};

/// e = x A + a (+ p);  h = e + attention(e);  u = h + feed_forward(h);  logit = max over tokens of u, times B, + b.
class OrderModel {
 public:
  OrderModel(const OrderModelSettings& settings, const Random& random);
  learning::Parameters<float> parameters;
  /// u, one row a token: without an encoding it permutes with the tokens.
  learning::Variable<float> states(learning::Variable<float> x, const learning::Tokens& tokens) const;
  /// One logit a sequence, > 0 for "it increases".
  learning::Variable<float> logits(learning::Variable<float> x, const learning::Tokens& tokens) const;

 private:
  std::string encoding_;
  learning::Linear<float> embedding_;
  learning::SinusoidalPositions<float> sinusoidal_;
  std::vector<learning::LearnedPositions<float>> learned_;  ///< one or none
  learning::MultiHeadAttention<float> attention_;
  learning::FeedForward<float> feed_forward_;
  learning::Linear<float> answer_;
};

/// The order of rows by content: first column first; rows with equal content stay as they are.
std::vector<Index> content_order(const Matrix<float>& rows);

/// states() of one set. canonical: its rows are put into content_order() first and back after, so that every sum over
/// keys has one order and the result permutes with the rows bit for bit.
Matrix<float> states_of(const OrderModel& model, const Matrix<float>& rows, bool canonical);

/// logits() of some of these sets.
Answers answers_of(const OrderModel& model, const ExampleSets& sets);

/// The shares of right answers.
struct OrderScore {
  double all = 0, near_miss = 0;
  std::vector<double> by_length;
};
OrderScore score_of(const OrderModel& model, const OrderTask& task, const OrderTaskSettings& settings);

/// What permuting the tokens of sets does to the states, after the permutation is undone.
struct PermutationEffect {
  double changed_numbers = 0;  ///< with the tokens in canonical order inside
  double rounding = 0;         ///< largest difference without that, over the largest state
};
/// Of `sets` sets with 2 ... longest tokens, drawn from a standard normal distribution and permuted at random.
PermutationEffect permute_sets(const OrderModel& model, Index sets, Index longest, const Random& random);

}  // namespace fovea::mechanism::tasks
