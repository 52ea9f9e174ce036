#pragma once
/// Examples of a learning task: sets of tokens, one after the other, and their way onto a tape.

#include <span>
#include <vector>

#include "fovea/core/learning/tape.hpp"
#include "fovea/core/learning/tokens.hpp"
#include "fovea/core/learning/training/training.hpp"

namespace fovea::mechanism::tasks {

/// Example e has the rows [offsets[e], offsets[e + 1]) of `tokens`.
struct ExampleSets {
  std::vector<Index> offsets{0};
  Matrix<float> tokens;

  Index count() const { return static_cast<Index>(offsets.size()) - 1; }
  Index begin(Index example) const { return offsets[example]; }
  Index size(Index example) const { return begin(example + 1) - begin(example); }
  std::vector<Index> sizes() const;
};

/// Some examples on a tape; tokens: kept by the tape until its next begin().
template <typename Real>
struct PackedSets {
  learning::Variable<Real> x;
  const learning::Tokens* tokens;
};
template <typename Real>
PackedSets<Real> pack(learning::Tape<Real>& tape, const ExampleSets& sets, std::span<const Index> examples);

/// first, first + 1, ..., `count` of them.
std::vector<Index> numbers_from(Index first, Index count);

}  // namespace fovea::mechanism::tasks
