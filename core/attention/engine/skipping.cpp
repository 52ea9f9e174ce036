#include "fovea/core/attention/engine/skipping.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

/// Tiles of a region: about as many as there are regions in the largest set.
template <typename Real>
Index region_size(const Problem<Real>& problem) {
  Index most = 0;
  for (Index set = 0; set < problem.set_count(); ++set)
    most = std::max(most, problem.first_key(set + 1) - problem.first_key(set));
  Index size = 1;
  while (size * size * kTileKeys < most) ++size;
  return size * kTileKeys;
}

}  // namespace

template <typename Real>
QueryBox<Real> box_of(Index first, Index count, const Real* rows, Index stride, Index columns) {
  static thread_local std::vector<Real> box;
  box.assign(rows, rows + columns);
  box.insert(box.end(), rows, rows + columns);
  Real *low = box.data(), *high = box.data() + columns;
  for (Index i = 1; i < count; ++i)
    for (Index c = 0; c < columns; ++c) {
      low[c] = std::min(low[c], rows[i * stride + c]);
      high[c] = std::max(high[c], rows[i * stride + c]);
    }
  return {first, count, low, high};
}

template <typename Real>
KeyBoxes<Real>::KeyBoxes(const Problem<Real>& problem, const PreparedKeys<Real>& prepared, Index block)
    : problem_(problem), prepared_(prepared), block_(block) {
  first_block_.push_back(0);
  for (Index set = 0; set < problem.set_count(); ++set) first_block_.push_back(first_block_.back() + count(set));
  const Index columns = problem.prepared_columns();
  low_.resize(prepared.copies() * first_block_.back(), columns);
  high_.resize(low_.rows(), columns);
  for_each_task(problem.set_count() * prepared.copies(), problem.worth_threads(), [&](Index task) {
    const Index set = task / prepared.copies(), copy = task % prepared.copies();
    const Index head = prepared.copies() == problem.heads() ? copy : copy * (problem.heads() / problem.key_heads());
    const RowSource<Real> keys = prepared.of(head);
    for (Index b = 0; b < count(set); ++b) {
      const TileRange tile = range(head, set, b, 0, 1);
      const Index row = copy * first_block_.back() + first_block_[set] + b;
      for (Index j = 0; j < tile.key_count; ++j) {
        const Real* key = keys.row(tile.first_key + j);
        for (Index c = 0; c < columns; ++c) {
          low_(row, c) = j == 0 ? key[c] : std::min(low_(row, c), key[c]);
          high_(row, c) = j == 0 ? key[c] : std::max(high_(row, c), key[c]);
        }
      }
    }
  });
}

template <typename Real>
Index KeyBoxes<Real>::count(Index set) const {
  return (problem_.first_key(set + 1) - problem_.first_key(set) + block_ - 1) / block_;
}

template <typename Real>
TileRange KeyBoxes<Real>::range(Index head, Index set, Index block, Index query, Index count) const {
  const Index first = problem_.first_key(set) + block * block_;
  return problem_.range({set, head, query, count}, first, std::min(block_, problem_.first_key(set + 1) - first));
}

// The largest product of, or the least squared distance between, any two points of the boxes. In double, so that
// rounding here is far below that of the scores.
template <typename Real>
Real KeyBoxes<Real>::comparison(Index head, Index set, Index block, const QueryBox<Real>& queries) const {
  const Index row = prepared_.copy_of(head) * first_block_.back() + first_block_[set] + block;
  const Real *low = low_.data() + row * low_.cols(), *high = high_.data() + row * high_.cols();
  const bool products = problem_.score().comparison() == Comparison::product;
  double sum = 0;
  for (Index c = 0; c < low_.cols(); ++c) {
    const double q_low = static_cast<double>(queries.low[c]), q_high = static_cast<double>(queries.high[c]);
    const double k_low = static_cast<double>(low[c]), k_high = static_cast<double>(high[c]);
    if (products) {
      sum += std::max(std::max(q_low * k_low, q_low * k_high), std::max(q_high * k_low, q_high * k_high));
    } else {
      const double gap = std::max(std::max(k_low - q_high, q_low - k_high), 0.0);
      sum += gap * gap;
    }
  }
  return static_cast<Real>(sum);
}

template <typename Real>
Real KeyBoxes<Real>::bound(Index head, Index set, Index block, const QueryBox<Real>& queries) const {
  const TileRange tile = range(head, set, block, queries.first, queries.count);
  if (problem_.visible(tile).empty()) return kMasked<Real>;
  Real bound = std::numeric_limits<Real>::infinity();
  if (problem_.score().comparison() != Comparison::tanh_sum)
    bound = problem_.score().bound(comparison(head, set, block, queries), problem_.dimension());
  for (const ModifierTerm<Real>& term : problem_.spec().modifiers)
    bound = term.modifier->bound(tile, bound, term.parameters());
  return std::isnan(bound) ? std::numeric_limits<Real>::infinity() : bound;
}

template <typename Real>
Skipping<Real>::Skipping(const Problem<Real>& problem, const PreparedKeys<Real>& prepared)
    : problem_(problem), tiles_(problem, prepared, kTileKeys), regions_(problem, prepared, region_size(problem)) {}

// The tile with the largest bound in the region with the largest bound, the first of equals; -1: all are masked.
template <typename Real>
Index Skipping<Real>::most_promising(const RowBlock& block, const QueryBox<Real>& query) const {
  const auto best_of = [&](const KeyBoxes<Real>& boxes, Index begin, Index end) {
    Index best = -1;
    Real highest = kMasked<Real>;
    for (Index b = begin; b < end; ++b)
      if (const Real bound = boxes.bound(block.head, block.set, b, query); bound > highest) {
        best = b;
        highest = bound;
      }
    return best;
  };
  const Index region = best_of(regions_, 0, regions_.count(block.set));
  if (region < 0) return -1;
  const Index first = region * tiles_of_region();
  return best_of(tiles_, first, std::min(first + tiles_of_region(), tiles_.count(block.set)));
}

template <typename Real>
void Skipping<Real>::set_threshold(Index set, std::span<Real> scores, RowSkips<Real>& row) const {
  const Index count = static_cast<Index>(scores.size());
  const Real maximum = kernels<Real>().maximum(scores.data(), count);
  if (!(maximum > kMasked<Real>)) return;  // nothing to compare with, or a NaN: the row leaves nothing out
  const Real sum = kernels<Real>().exponentials(scores.data(), count, maximum, scores.data());
  const Real keys = static_cast<Real>(problem_.first_key(set + 1) - problem_.first_key(set));
  row.least_log_sum = maximum + logarithm(sum);
  row.threshold = row.least_log_sum + logarithm(static_cast<Real>(problem_.spec().tolerance) / keys);
}

template <typename Real>
void Skipping<Real>::skip(const RowBlock& block, const Real* prepared, std::vector<RowSkips<Real>>& rows) const {
  Real least = std::numeric_limits<Real>::infinity();
  for (const RowSkips<Real>& row : rows) least = std::min(least, row.threshold);
  const Index columns = problem_.prepared_columns();
  const QueryBox<Real> box = box_of(block.first, block.count, prepared, columns, columns);
  for (Index region = 0; region < regions_.count(block.set); ++region) {
    const Index first = region * tiles_of_region();
    const Index end = std::min(first + tiles_of_region(), tiles_.count(block.set));
    const bool all = regions_.bound(block.head, block.set, region, box) <= least;
    for (Index tile = first; tile < end; ++tile)
      skip_tile(block, tile, prepared, all || tiles_.bound(block.head, block.set, tile, box) <= least, rows);
  }
}

// all: every row is known to leave the tile out
template <typename Real>
void Skipping<Real>::skip_tile(const RowBlock& block, Index tile, const Real* prepared, bool all,
                               std::vector<RowSkips<Real>>& rows) const {
  const Index keys = tiles_.range(block.head, block.set, tile, block.first, 1).key_count;
  for (Index i = 0; i < block.count; ++i) {
    const Real* query = prepared + i * problem_.prepared_columns();
    RowSkips<Real>& row = rows[i];
    if (!all && !(tiles_.bound(block.head, block.set, tile, {block.first + i, 1, query, query}) <= row.threshold))
      continue;
    row.skipped[tile] = 1;
    row.keys += keys;
  }
}

template QueryBox<float> box_of(Index, Index, const float*, Index, Index);
template QueryBox<double> box_of(Index, Index, const double*, Index, Index);
template class KeyBoxes<float>;
template class KeyBoxes<double>;
template class Skipping<float>;
template class Skipping<double>;

}  // namespace fovea
