#include "fovea/domains/mechanism/tasks/markov_task.hpp"

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/operations.hpp"

namespace fovea::mechanism::tasks {

namespace {

/// The first state at which the cumulated probabilities exceed u in [0, 1).
template <typename Probabilities>
Index drawn_state(const Probabilities& probabilities, double u) {
  for (Index j = 0; j + 1 < probabilities.size(); ++j) {
    u -= probabilities[j];
    if (u < 0) return j;
  }
  return probabilities.size() - 1;
}

learning::BlockSettings<float> forecast_block(const ForecastSettings& settings) {
  constexpr Index kReach = 2;
  learning::BlockSettings<float> block;
  block.attention.width = settings.width;
  block.attention.heads = settings.heads;
  block.hidden = 2 * settings.width;
  if (settings.masked) block.attention.modifiers = {learning::same_for_all<float>("causal", causal<float>())};
  block.attention.modifiers.push_back(learning::same_for_all<float>(
      "relative", relative_position<float>(kReach), std::vector<float>(settings.heads * (2 * kReach + 1))));
  return block;
}

}  // namespace

MarkovChain::MarkovChain(Index states, double sharpness, const Random& random) : transitions_(states, states) {
  require(states >= 2, "MarkovChain: ", states, " states; there must be 2 at least.");
  for (Index i = 0; i < states; ++i) {
    for (Index j = 0; j < states; ++j)
      transitions_(i, j) =
          exponential(sharpness * random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)));
    transitions_.row(i) /= transitions_.row(i).sum();
  }
  // All p_ij > 0, so powers converge; squaring 60 times is 10^18 steps.
  Matrix<double> power = transitions_;
  for (int k = 0; k < 60; ++k) {
    power = (power * power).eval();
    for (Index i = 0; i < states; ++i) power.row(i) /= power.row(i).sum();
  }
  stationary_ = power.row(0);
}

double MarkovChain::entropy_rate() const {
  double rate = 0;
  for (Index i = 0; i < transitions_.rows(); ++i)
    for (Index j = 0; j < transitions_.cols(); ++j)
      rate -= stationary_[i] * transitions_(i, j) * logarithm(transitions_(i, j));
  return rate;
}

ExampleSets one_hot(const std::vector<std::vector<Index>>& sequences, Index states) {
  ExampleSets sets;
  for (const auto& sequence : sequences)
    sets.offsets.push_back(sets.offsets.back() + static_cast<Index>(sequence.size()));
  sets.tokens = Matrix<float>::Zero(sets.offsets.back(), states);
  Index row = 0;
  for (const auto& sequence : sequences)
    for (const Index state : sequence) sets.tokens(row++, state) = 1;
  return sets;
}

std::span<const Index> MarkovTask::next_of(Index example) const {
  return std::span(next).subspan(sets.begin(example), sets.size(example));
}

MarkovTask markov_task(const MarkovChain& chain, Index count, Index length, const Random& random) {
  MarkovTask task;
  std::vector<std::vector<Index>> sequences(count);
  for (Index e = 0; e < count; ++e) {
    const auto entity = static_cast<std::uint64_t>(e);
    Index state = drawn_state(chain.stationary(), random.uniform(entity, 0));
    for (Index i = 0; i < length; ++i) {
      sequences[e].push_back(state);
      task.states.push_back(state);
      state = drawn_state(chain.transitions().row(state), random.uniform(entity, static_cast<std::uint64_t>(i + 1)));
      task.next.push_back(state);
    }
  }
  task.sets = one_hot(sequences, chain.transitions().rows());
  return task;
}

ForecastModel::ForecastModel(const ForecastSettings& settings, const Random& random)
    : embedding_(parameters, "embedding", settings.states, settings.width, random),
      block_(parameters, "block", forecast_block(settings), random),
      norm_(parameters, "norm", settings.width),
      answer_(parameters, "answer", settings.width, settings.states, random) {}

learning::Variable<float> ForecastModel::logits(learning::Variable<float> x, const learning::Tokens& tokens,
                                                const learning::AttentionCall<float>** call) const {
  return answer_(norm_(block_(embedding_(x), tokens, call)));
}

Matrix<float> logits_of(const ForecastModel& model, const ExampleSets& sets) {
  learning::Tape<float> tape;
  tape.begin(&model.parameters, {});
  const std::vector<Index> all = numbers_from(0, sets.count());
  const PackedSets<float> packed = pack(tape, sets, all);
  return model.logits(packed.x, *packed.tokens).value();
}

Answers answers_of(const ForecastModel& model, const ExampleSets& sets) {
  return answers_to(sets, [&](auto x, const auto& tokens) { return model.logits(x, tokens); });
}

namespace {

/// -log of the probability that the logits of a row give to its next state.
double surprise(const Matrix<float>& logits, Index row, Index next) {
  const double top = logits.row(row).maxCoeff();
  double sum = 0;
  for (Index c = 0; c < logits.cols(); ++c) sum += exponential(static_cast<double>(logits(row, c)) - top);
  return logarithm(sum) + top - static_cast<double>(logits(row, next));
}

}  // namespace

ForecastLoss loss_of(const ForecastModel& model, const MarkovTask& task, const MarkovChain& chain) {
  const Matrix<float> logits = examine(model.parameters, task.sets, answers_of(model, task.sets));
  const Index length = task.sets.size(0);
  ForecastLoss loss;
  loss.by_place.assign(length, 0.0);
  const double sequences = static_cast<double>(task.sets.count());
  for (Index row = 0; row < logits.rows(); ++row) {
    const std::size_t place = row % length;
    const Index state = task.states[row], next = task.next[row];
    const double mine = surprise(logits, row, next);
    loss.by_place[place] += mine / sequences;
    if (row % length == length - 1) continue;
    const double share = 1 / (sequences * static_cast<double>(length - 1));
    loss.all += mine * share;
    loss.excess += (mine + logarithm(chain.transitions()(state, next))) * share;
  }
  return loss;
}

Matrix<double> mean_attention(const ForecastModel& model, const MarkovTask& task, Index sequences, Index heads) {
  const Index length = task.sets.size(0);
  Matrix<double> mean = Matrix<double>::Zero(length, length);
  const std::vector<Index> rows = numbers_from(0, length);
  learning::Tape<float> tape;
  for (Index example = 0; example < sequences; ++example) {
    tape.begin(&model.parameters, {});
    const PackedSets<float> packed = pack(tape, task.sets, std::span<const Index>(&example, 1));
    const learning::AttentionCall<float>* call = nullptr;
    model.logits(packed.x, *packed.tokens, &call);
    for (Index head = 0; head < heads; ++head) mean += learning::attention_weights(*call, head, rows).cast<double>();
  }
  return mean / static_cast<double>(sequences * heads);
}

}  // namespace fovea::mechanism::tasks
