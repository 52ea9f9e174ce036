#pragma once
/// Recall a token seen many steps ago among distractors, and two networks with equally many parameters that try: one
/// that attends and one that recurs.

#include <optional>

#include "fovea/core/base/random.hpp"
#include "fovea/core/learning/layers/gru.hpp"
#include "fovea/core/learning/layers/multi_head_attention.hpp"
#include "fovea/domains/mechanism/tasks/example_sets.hpp"

namespace fovea::mechanism::tasks {

struct MemorySettings {
  Index symbols = 8;
  Index longest_lead = 8;  ///< distractors before the token to recall: 0 ... longest_lead
  double mark = 1;         ///< what stands in the column of the mark
};

/// Columns: one for each symbol, one that marks the token to recall, one for the question. A sequence is a few
/// distractors, the marked token, more distractors, and the question `delay` steps after the marked token.
struct MemoryTask {
  ExampleSets sets;
  std::vector<Index> cues;     ///< of each example: the marked token's place in its sequence
  std::vector<Index> symbols;  ///< of each example: the answer
};
/// Example e has delays[e].
MemoryTask memory_task(const MemorySettings& settings, std::span<const Index> delays, const Random& random);

enum class MemoryKind { attention, gru };

/// Widths of the two networks with about as many parameters.
struct MemoryWidths {
  Index gru = 16;
  Index attention = 16, head_columns = 17;
};
/// The attention's widths nearest in parameters to a GRU of that width.
MemoryWidths matched_widths(const MemorySettings& settings, Index gru);

/// attention: e = x A + a; the question's e attends to all; logits of e + what it found.
/// gru: logits of the last state.
template <typename Real>
class MemoryModel {
 public:
  MemoryModel(MemoryKind kind, const MemorySettings& settings, const MemoryWidths& widths, const Random& random);
  learning::Parameters<Real> parameters;
  /// One row a sequence: the logits of the symbols.
  learning::Variable<Real> logits(learning::Variable<Real> x, const learning::Tokens& tokens) const;

 private:
  std::optional<learning::Linear<Real>> embedding_;
  std::optional<learning::MultiHeadAttention<Real>> attention_;
  std::optional<learning::Gru<Real>> gru_;
  std::optional<learning::Linear<Real>> answer_;
};

/// |dL/dx| at the marked token of each example, L the cross-entropy towards a symbol that it is not, so that there is
/// something left to learn: the lesson that arrives.
std::vector<double> gradient_at_cue(const MemoryModel<double>& model, const MemoryTask& task, Index symbols);

/// The rate, per step, at which two nearby states of a GRU that reads distractors approach each other (minus its
/// largest Lyapunov exponent; Benettin, Galgani, Giorgilli, Strelcyn 1980), from its parameters alone.
double rate_of_forgetting(const learning::Parameters<double>& gru, const MemorySettings& settings, Index steps,
                          const Random& random);

}  // namespace fovea::mechanism::tasks
