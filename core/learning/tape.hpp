#pragma once
/// Reverse-mode differentiation of matrices (Linnainmaa 1970; Griewank & Walther 2008): operations write down how their
/// result came about; backward() goes through the notes from the last to the first.
///
///   Tape<float> tape;
///   tape.begin(&parameters, gradients);                        gradients: as long as parameters.values()
///   auto y = linear(tape.input(x), tape.parameter(w), tape.parameter(b));
///   tape.backward(squared_loss(y, targets, {}, 1));            adds to gradients
///
/// A tape belongs to one thread; several tapes work side by side on parts of a batch. Everything it allocates is used
/// again by the next pass. Rows are tokens of packed sets: what does not pool treats each row by itself, so that a row
/// has the same bits in any batch.

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/learning/arena.hpp"
#include "fovea/core/learning/parameters.hpp"
#include "fovea/core/learning/variable.hpp"

namespace fovea::learning {

/// What a pass is for.
struct Pass {
  bool training = false;   ///< dropout acts
  Random random{0};        ///< of the dropout masks
  std::uint64_t step = 0;  ///< counts passes: each has its own masks
  Index first_row = 0;     ///< rows before those of the pass, where it is a part of a larger one (recompute.hpp)
};

template <typename Real>
class Tape {
 public:
  /// Starts a pass; all variables of the last one are gone. parameters may be nullptr where none are used. gradients:
  /// empty for a pass without backward(), where nothing is written down; else as long as parameters->values().
  void begin(const Parameters<Real>* parameters, std::span<Real> gradients, const Pass& pass = {});
  const Pass& pass() const { return pass_; }
  /// Whether parameters want gradients.
  bool learns() const { return !gradients_.empty(); }
  /// 0, 1, 2, ... within a pass: tells its random operations apart.
  std::uint64_t next_random_operation() { return random_operations_++; }

  /// A constant, read where it is: the matrix must outlive the pass.
  Variable<Real> input(const Matrix<Real>& matrix);
  /// A constant of that size, to be filled by the caller.
  Variable<Real> constant(Index rows, Index columns);
  /// A copy whose gradient can be asked for after backward(): for checks and for explanations.
  Variable<Real> variable(const Matrix<Real>& matrix);
  Variable<Real> parameter(const ParameterPlace& place);

  /// What a pass has taken so far. forget() gives back the memory that it took since, but for y, which may come to lie
  /// elsewhere: all other variables made since are gone, objects kept stay in use. Nothing is given back where y
  /// learns. So values of a layer make room for those of the next while they are in the cache.
  struct Mark {
    Arena::Mark arena;
    std::vector<std::size_t> objects;
  };
  Mark mark() const;
  Variable<Real> forget(const Mark& mark, Variable<Real> y);

  // For operations.

  /// A result that learns if one of `from` does; its values are undefined.
  Variable<Real> result(Index rows, Index columns, std::initializer_list<Variable<Real>> from);
  Variable<Real> result(Index rows, Index columns, std::span<const Variable<Real>> from);
  /// The same with values that are already somewhere, until the end of the pass.
  Variable<Real> result_at(Real* values, Index rows, Index columns, std::span<const Variable<Real>> from);
  /// backward() is called once dL/dy is complete, unless y does not learn or nothing depends on it. It may hold
  /// variables, pointers and numbers, whatever needs no destructor.
  template <typename Backward>
  void on_backward(Variable<Real> y, const Backward& backward);
  /// Room until the end of the pass; undefined.
  Real* room(Index count) { return arena_.take<Real>(count); }
  Index* index_room(Index count) { return arena_.take<Index>(count); }
  Arena& scratch() { return arena_; }
  /// An object with memory of its own (an engine's result, a list of offsets), as the last pass left it.
  template <typename Object>
  Object& kept();

  /// For parts of this pass that keep nothing: see recompute.hpp.
  Tape& inner();

  /// Adds dL/dparameter to the gradients of begin(), L = loss (1 x 1); once a pass.
  void backward(Variable<Real> loss);
  /// Bytes held by the arena, and by that of the inner tape.
  std::size_t capacity() const { return arena_.capacity() + (inner_ ? inner_->capacity() : 0); }

 private:
  using Node = typename Variable<Real>::Node;
  friend class Variable<Real>;
  template <typename>
  friend class InnerPasses;
  struct Step {
    Node* result;
    void* closure;
    void (*run)(void*);
  };
  struct KeptObject {
    virtual ~KeptObject() = default;
  };
  template <typename Object>
  struct Kept : KeptObject {
    Object object;
  };
  struct Pool {
    std::type_index type;
    std::vector<std::unique_ptr<KeptObject>> objects;
    std::size_t used = 0;
  };
  Node* node(Real* value, Index rows, Index columns, bool learns);
  Pool& pool(std::type_index type);
  Real* gradient_room(Index count);
  void clear();
  void run_back();

  Arena arena_;
  std::vector<Step> steps_;
  std::vector<Pool> pools_;
  std::vector<std::pair<Index, Real*>> spare_;  ///< memory of gradients that nobody needs any more
  std::unique_ptr<Tape> inner_;
  const Parameters<Real>* parameters_ = nullptr;
  std::span<Real> gradients_;
  Pass pass_;
  std::uint64_t random_operations_ = 0;
};

template <typename Real>
template <typename Backward>
void Tape<Real>::on_backward(Variable<Real> y, const Backward& backward) {
  if (!y.learns()) return;
  auto* const closure = new (arena_.take<Backward>(1)) Backward(backward);
  steps_.push_back({y.node_, closure, [](void* what) { (*static_cast<Backward*>(what))(); }});
}

template <typename Real>
template <typename Object>
Object& Tape<Real>::kept() {
  Pool& mine = pool(typeid(Object));
  if (mine.used == mine.objects.size()) mine.objects.push_back(std::make_unique<Kept<Object>>());
  return static_cast<Kept<Object>&>(*mine.objects[mine.used++]).object;
}

}  // namespace fovea::learning
