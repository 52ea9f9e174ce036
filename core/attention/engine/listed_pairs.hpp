#pragma once
/// Gradients through neighbour lists: what the queries' tasks find out about each listed pair of a head, summed by key.
/// Internal to core/attention.

#include <span>
#include <vector>

#include "fovea/core/attention/engine/prepare.hpp"
#include "fovea/core/attention/engine/problem.hpp"
#include "fovea/core/base/memory.hpp"

namespace fovea {

/// Of scores that compare by a product. The sums of a key are in ascending order of its queries.
template <typename Real>
class ListedPairs {
 public:
  ListedPairs(const Problem<Real>& problem, const MatrixView<Real>& output_gradient);
  /// Those of one head, in sets that are worked off as lists.
  std::vector<RowBlock> blocks(std::vector<RowBlock> of_all, Index head) const;
  /// The pairs of this head follow.
  void start(Index head);
  /// Notes w and dL/ds of the listed pairs [first, first + count).
  void note(Index first, Index count, const Real* weights, const Real* score_gradients);
  /// Adds what the noted pairs give to dL/dk and dL/dv of a block of keys. first_member: of the query heads that share
  /// these keys: its sums start at 0.
  void add_keys(const RowBlock& block, bool first_member, GradientPlaces<Real> gradients,
                ThetaGradients<Real>& theta) const;

 private:
  void turn();

  const Problem<Real>& problem_;
  const MatrixView<Real>& output_gradient_;
  Index head_ = 0, value_columns_;
  Real scale_;
  std::vector<Index> offsets_;           ///< of each key's pairs
  std::vector<Index> queries_, places_;  ///< of its pairs: the query, and where it stands in the lists
  CallMemory<Real> weights_, gradients_, prepared_;
};

}  // namespace fovea
