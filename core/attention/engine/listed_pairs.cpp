#include "fovea/core/attention/engine/listed_pairs.hpp"

#include <algorithm>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {

template <typename Real>
ListedPairs<Real>::ListedPairs(const Problem<Real>& problem, const MatrixView<Real>& output_gradient)
    : problem_(problem),
      output_gradient_(output_gradient),
      value_columns_(output_gradient.cols() / problem.heads()),
      scale_(problem.score().factor(problem.dimension())) {
  const Index pairs = static_cast<Index>(problem.lists()->keys.size());
  room(weights_, pairs);
  room(gradients_, pairs);
  turn();
}

/// The lists by key instead of by query.
template <typename Real>
void ListedPairs<Real>::turn() {
  const NeighbourLists& lists = *problem_.lists();
  offsets_.assign(problem_.key_count() + 1, 0);
  for (const Index key : lists.keys) ++offsets_[key + 1];
  for (std::size_t j = 1; j < offsets_.size(); ++j) offsets_[j] += offsets_[j - 1];
  queries_.resize(lists.keys.size());
  places_.resize(lists.keys.size());
  std::vector<Index> next(offsets_.begin(), offsets_.end() - 1);
  for (Index i = 0; i < problem_.query_count(); ++i)
    for (Index e = lists.offsets[i]; e < lists.offsets[i + 1]; ++e) {
      const std::size_t at = next[lists.keys[e]]++;
      queries_[at] = i;
      places_[at] = e;
    }
}

template <typename Real>
std::vector<RowBlock> ListedPairs<Real>::blocks(std::vector<RowBlock> of_all, Index head) const {
  std::erase_if(of_all, [&](const RowBlock& block) { return block.head != head || problem_.is_rectangle(block.set); });
  return of_all;
}

template <typename Real>
void ListedPairs<Real>::start(Index head) {
  head_ = head;
  const Index columns = problem_.prepared_columns(), rows = problem_.query_count();
  Real* prepared = room(prepared_, rows * columns);
  const Index blocks = (rows + kBlockKeys - 1) / kBlockKeys;
  for_each_task(blocks, problem_.worth_threads(), [&](Index b) {
    const Index first = b * kBlockKeys;
    prepare_queries(problem_, head, first, std::min(kBlockKeys, rows - first), prepared + first * columns);
  });
}

template <typename Real>
void ListedPairs<Real>::note(Index first, Index count, const Real* weights, const Real* score_gradients) {
  std::copy_n(weights, count, weights_.data() + first);
  std::copy_n(score_gradients, count, gradients_.data() + first);
}

template <typename Real>
void ListedPairs<Real>::add_keys(const RowBlock& block, bool first_member, GradientPlaces<Real> gradients,
                                 ThetaGradients<Real>& theta) const {
  static thread_local AlignedVector<Real> memory;
  const auto add = kernels<Real>().add_scaled;
  const Index columns = problem_.prepared_columns(), dv = value_columns_, d = problem_.dimension();
  Real* sums = zeros(memory, block.count * columns);
  auto values = gradients.values.block(block.first, block.head * dv, block.count, dv);
  if (first_member) {
    values.setZero();
    gradients.keys.block(block.first, block.head * d, block.count, d).setZero();
  }
  const Real* outputs = output_gradient_.data() + head_ * dv;
  for (Index j = 0; j < block.count; ++j) {
    Real* value = gradients.values.data() + (block.first + j) * gradients.values.outerStride() + block.head * dv;
    const std::size_t key = block.first + j;
    for (std::size_t at = static_cast<std::size_t>(offsets_[key]); at < static_cast<std::size_t>(offsets_[key + 1]);
         ++at) {
      const std::size_t e = places_[at];
      add(sums + j * columns, prepared_.data() + queries_[at] * columns, gradients_[e], columns);
      add(value, outputs + queries_[at] * output_gradient_.outerStride(), weights_[e], dv);
    }
  }
  for (Index k = 0; k < block.count * columns; ++k) sums[k] *= scale_;
  prepare_keys_backward(problem_, head_, block.first, block.count, sums, columns, gradients.keys, theta);
}

template class ListedPairs<float>;
template class ListedPairs<double>;

}  // namespace fovea
