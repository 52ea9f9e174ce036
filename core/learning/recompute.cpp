#include "fovea/core/learning/recompute.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"

namespace fovea::learning {

namespace {

constexpr Index kRowsOfMasks = 64;  // dropout draws for so many entries at once

}  // namespace

/// One recomputed part of a pass; lives in the arena of the outer tape.
template <typename Real>
class InnerPasses {
 public:
  using Some = std::span<const Variable<Real>>;

  InnerPasses(Tape<Real>& tape, Some inputs, InnerFunction<Real> function, Index rows_at_once)
      : tape_(&tape),
        inputs_(copied(inputs)),
        function_(function),
        rows_(inputs.front().rows()),
        rows_at_once_(rows_at_once > 0 ? std::min(rows_at_once, rows_) : rows_),
        first_random_(tape.random_operations_) {}

  /// Computes the results, and keeps nothing else.
  std::vector<Variable<Real>> forward(bool learns) {
    std::vector<Variable<Real>> results;
    Index first = 0;
    do {
      const std::vector<Variable<Real>> inner = function_.call(function_.object, begin(first, {}));
      for (std::size_t r = 0; r < inner.size(); ++r) {
        if (first == 0) results.push_back(room_for(inner[r], learns));
        std::copy_n(inner[r].data(), inner[r].size(), results[r].data() + first * inner[r].columns());
      }
      first += rows_at_once_;
    } while (first < rows_);
    tape_->random_operations_ = tape_->inner().random_operations_;
    results_ = copied(results);
    return results;
  }

  /// Once the gradients of all results are complete, which is when the first of them asks for it.
  void backward() {
    if (done_) return;
    done_ = true;
    std::vector<bool> fresh;  // before anything is added: an input may stand twice among them
    for (const Variable<Real>& input : inputs_) fresh.push_back(!input.node_->touched);
    for (const Variable<Real>& input : inputs_)
      if (input.learns()) (void)input.first_gradient();
    Index first = 0;
    do {
      const std::vector<Variable<Real>> in = begin(first, tape_->gradients_, &fresh);
      const std::vector<Variable<Real>> inner = function_.call(function_.object, in);
      for (std::size_t r = 0; r < inner.size(); ++r) give(results_[r], first, inner[r]);
      tape_->inner().run_back();
      for (const Variable<Real>& input : in)
        if (input.learns()) (void)input.gradient();  // zeros where the function did not look at it
      first += rows_at_once_;
    } while (first < rows_);
  }

 private:
  Some copied(Some variables) {
    auto* const kept = tape_->scratch().template take<Variable<Real>>(static_cast<Index>(variables.size()));
    std::uninitialized_copy(variables.begin(), variables.end(), kept);
    return {kept, variables.size()};
  }

  Variable<Real> room_for(const Variable<Real>& inner, bool learns) {
    const Index rows = rows_at_once_ < rows_ ? rows_ : inner.rows();
    return {tape_, tape_->node(tape_->room(rows * inner.columns()), rows, inner.columns(), learns)};
  }

  /// Starts a pass over the rows from `first`: the inputs on the inner tape. fresh: which of them write their gradients
  /// and do not add; nullptr in a pass without.
  std::vector<Variable<Real>> begin(Index first, std::span<Real> gradients, const std::vector<bool>* fresh = nullptr) {
    Tape<Real>& inner = tape_->inner();
    Pass pass = tape_->pass();
    pass.first_row += first;
    inner.begin(tape_->parameters_, gradients, pass);
    inner.random_operations_ = first_random_;
    std::vector<Variable<Real>> in;
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      const auto* const outer = inputs_[k].node_;
      const auto same = std::find_if(inputs_.begin(), inputs_.begin() + static_cast<std::ptrdiff_t>(k),
                                     [&](const Variable<Real>& input) { return input.node_ == outer; });
      if (same != inputs_.begin() + static_cast<std::ptrdiff_t>(k)) {
        in.push_back(in[same - inputs_.begin()]);
        continue;
      }
      const Index rows = rows_at_once_ < rows_ ? std::min(rows_at_once_, rows_ - first) : outer->rows;
      const bool learns = fresh && outer->learns;
      auto* const node = inner.node(outer->value + first * outer->columns, rows, outer->columns, learns);
      if (learns) {
        node->gradient = outer->gradient + first * outer->columns;
        node->touched = !(*fresh)[k];
      }
      in.push_back({&inner, node});
    }
    return in;
  }

  /// dL/d(rows of a result) to the inner tape, which reads it where it is, if it can.
  void give(const Variable<Real>& result, Index first, const Variable<Real>& inner) {
    if (!result.node_->touched || !inner.learns()) return;
    Real* const gradient = result.node_->gradient + first * result.columns();
    auto* const node = inner.node_;
    if (!node->gradient && !node->touched) {
      node->gradient = gradient;
      node->touched = true;
      return;
    }
    Real* const to = inner.gradient();
    for (Index k = 0; k < inner.size(); ++k) to[k] += gradient[k];
  }

  Tape<Real>* tape_;
  Some inputs_, results_;
  InnerFunction<Real> function_;
  Index rows_, rows_at_once_;
  std::uint64_t first_random_;
  bool done_ = false;
};

template <typename Real>
std::vector<Variable<Real>> recomputed_function(std::span<const Variable<Real>> inputs, InnerFunction<Real> function,
                                                Index rows_at_once) {
  require(!inputs.empty(), "recomputed: there are no inputs; at least one is needed.");
  require(rows_at_once >= 0 && rows_at_once % kRowsOfMasks == 0, "recomputed: rows_at_once = ", rows_at_once,
          ", but must be a multiple of ", kRowsOfMasks, ", or 0 for all at once.");
  for (const Variable<Real>& input : inputs)
    require(rows_at_once == 0 || input.rows() == inputs.front().rows(), "recomputed: one input has ", input.rows(),
            " rows, the first ", inputs.front().rows(), "; rows that go through by themselves need as many in each.");
  Tape<Real>& tape = inputs.front().tape();
  const bool learns =
      tape.learns() || std::any_of(inputs.begin(), inputs.end(), [](const auto& input) { return input.learns(); });
  auto* const passes =
      new (tape.scratch().template take<InnerPasses<Real>>(1)) InnerPasses<Real>(tape, inputs, function, rows_at_once);
  std::vector<Variable<Real>> results = passes->forward(learns);
  for (const Variable<Real>& result : results) tape.on_backward(result, [passes] { passes->backward(); });
  return results;
}

#define FOVEA_RECOMPUTED(Real) \
  template std::vector<Variable<Real>> recomputed_function(std::span<const Variable<Real>>, InnerFunction<Real>, Index);
FOVEA_RECOMPUTED(float)
FOVEA_RECOMPUTED(double)

}  // namespace fovea::learning
