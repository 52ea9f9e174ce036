#pragma once
/// Sequences whose best possible forecast is known: a Markov chain, and a Transformer that forecasts its next state.

#include "fovea/core/base/random.hpp"
#include "fovea/core/learning/layers/transformer_block.hpp"
#include "fovea/domains/mechanism/tasks/lessons.hpp"

namespace fovea::mechanism::tasks {

/// p_ij: the probability that j follows i; all are above 0.
class MarkovChain {
 public:
  /// p_ij ~ exp(sharpness g_ij), g standard normal.
  MarkovChain(Index states, double sharpness, const Random& random);
  const Matrix<double>& transitions() const { return transitions_; }
  /// pi = pi P
  const Eigen::RowVectorXd& stationary() const { return stationary_; }
  /// -sum_i pi_i sum_j p_ij log p_ij in nats: no forecast has a smaller mean loss (Shannon 1948, theorem 7).
  double entropy_rate() const;

 private:
  Matrix<double> transitions_;
  Eigen::RowVectorXd stationary_;
};

/// Columns: one for each state, 1 where the chain is there. next: the state that follows each row.
struct MarkovTask {
  ExampleSets sets;
  std::vector<Index> states, next;
  std::span<const Index> next_of(Index example) const;
};
/// `count` sequences of `length` states in equilibrium, each with one more to forecast.
MarkovTask markov_task(const MarkovChain& chain, Index count, Index length, const Random& random);

struct ForecastSettings {
  Index states = 5, width = 16, heads = 2;
  bool masked = true;  ///< causal: position i sees positions j <= i
};

/// One-hot states -> width -> one Transformer block with relative positions -> norm -> logits of the next state.
class ForecastModel {
 public:
  ForecastModel(const ForecastSettings& settings, const Random& random);
  learning::Parameters<float> parameters;
  learning::Variable<float> logits(learning::Variable<float> x, const learning::Tokens& tokens,
                                   const learning::AttentionCall<float>** call = nullptr) const;

 private:
  learning::Linear<float> embedding_;
  learning::TransformerBlock<float> block_;
  learning::Norm<float> norm_;
  learning::Linear<float> answer_;
};

/// Sequences of states as one-hot rows, packed.
ExampleSets one_hot(const std::vector<std::vector<Index>>& sequences, Index states);

/// logits() of all sets in one pass.
Matrix<float> logits_of(const ForecastModel& model, const ExampleSets& sets);

/// logits() of some of these sets.
Answers answers_of(const ForecastModel& model, const ExampleSets& sets);

/// What the next states cost a forecast.
struct ForecastLoss {
  std::vector<double> by_place;  ///< mean surprise at each place
  double all = 0;                ///< mean over all places but the last, whose next state nobody can see
  double excess = 0;             ///< of that over the surprise of the chain itself, on the same states
};
ForecastLoss loss_of(const ForecastModel& model, const MarkovTask& task, const MarkovChain& chain);

/// Attention of each place on each, mean over heads and sequences.
Matrix<double> mean_attention(const ForecastModel& model, const MarkovTask& task, Index sequences, Index heads);

}  // namespace fovea::mechanism::tasks
