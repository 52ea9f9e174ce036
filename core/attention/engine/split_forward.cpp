#include "fovea/core/attention/engine/split_forward.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/attention/engine/block_sums.hpp"
#include "fovea/core/attention/engine/prepare.hpp"
#include "fovea/core/attention/engine/scorer.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/kernels.hpp"
#include "fovea/core/kernels/split_bf16.hpp"

namespace fovea {
namespace {

/// Keys and values of a call as right tiles, packed once for all queries.
class SplitKeys {
 public:
  SplitKeys(const Problem<float>& problem, const MatrixView<float>& values, const SplitKernels& kernel, int parts);

  const Problem<float>& problem() const { return problem_; }
  int parts() const { return parts_; }
  Index value_columns() const { return value_columns_; }
  RowSource<float> prepared(Index head) const { return prepared_.of(head); }
  /// The range begins at a whole group of its set: there, tiles begin too.
  Tiles keys(const TileRange& range, Index set) const;
  Tiles values(const TileRange& range, Index set) const;

 private:
  void pack(Index set, Index part, const MatrixView<float>& values, const SplitKernels& kernel);
  Bf16* keys_place(Index copy, Index set);
  Bf16* values_place(Index key_head, Index set);
  Index room_before(Index set) const { return room_before_[set]; }

  const Problem<float>& problem_;
  PreparedKeys<float> prepared_;
  int parts_;
  Index value_columns_;
  Index key_size_, value_size_;     ///< numbers of 16 bits that a key takes
  std::vector<Index> room_before_;  ///< keys in whole groups of the sets before
  AlignedVector<Bf16> keys_, values_;
};

static_assert(kGroup<float> == kTileTerms);  // so a group of keys is two tiles of columns, or one step of terms

SplitKeys::SplitKeys(const Problem<float>& problem, const MatrixView<float>& values, const SplitKernels& kernel,
                     int parts)
    : problem_(problem),
      prepared_(problem),
      parts_(parts),
      value_columns_(values.cols() / problem.key_heads()),
      key_size_(parts * whole_tiles(problem.prepared_columns(), kTileTerms) * kTileTerms),
      value_size_(parts * whole_lanes<float>(value_columns_)) {
  room_before_.push_back(0);
  for (Index set = 0; set < problem.set_count(); ++set)
    room_before_.push_back(room_before_.back() +
                           whole_groups<float>(problem.first_key(set + 1) - problem.first_key(set)));
  room(keys_, prepared_.copies() * room_before_.back() * key_size_);
  room(values_, problem.key_heads() * room_before_.back() * value_size_);
  const Index copies = prepared_.copies() + problem.key_heads();
  for_each_task(problem.set_count() * copies, problem.worth_threads(),
                [&](Index task) { pack(task / copies, task % copies, values, kernel); });
}

Bf16* SplitKeys::keys_place(Index copy, Index set) {
  return keys_.data() + (copy * room_before_.back() + room_before(set)) * key_size_;
}

Bf16* SplitKeys::values_place(Index key_head, Index set) {
  return values_.data() + (key_head * room_before_.back() + room_before(set)) * value_size_;
}

// part: a copy of the keys, or behind them a head of the values
void SplitKeys::pack(Index set, Index part, const MatrixView<float>& values, const SplitKernels& kernel) {
  const Index first = problem_.first_key(set), count = problem_.first_key(set + 1) - first;
  const Index copies = prepared_.copies();
  if (count == 0) return;
  if (part >= copies) {
    const float* from = values.data() + first * values.outerStride() + (part - copies) * value_columns_;
    kernel.pack_rows(parts_, value_columns_, count, from, values.outerStride(), values_place(part - copies, set));
    return;
  }
  const Index head = copies == problem_.heads() ? part : part * (problem_.heads() / problem_.key_heads());
  const RowSource<float> rows = prepared_.of(head);
  kernel.pack_columns(parts_, count, rows.columns, rows.row(first), rows.stride, keys_place(part, set));
}

Tiles SplitKeys::keys(const TileRange& range, Index set) const {
  const Index before = prepared_.copy_of(range.head) * room_before_.back() + room_before(set) + range.key_position(0);
  return column_tiles(keys_.data() + before * key_size_, parts_, problem_.prepared_columns());
}

Tiles SplitKeys::values(const TileRange& range, Index set) const {
  const Index before = problem_.key_head(range.head) * room_before_.back() + room_before(set) + range.key_position(0);
  return row_tiles(values_.data() + before * value_size_, parts_, value_columns_);
}

/// Memory of a thread for a block of queries and a tile of scores.
struct SplitMemory {
  AlignedVector<float> queries, scores;
  AlignedVector<Bf16> query_tiles, weight_tiles;
  static SplitMemory& mine() {
    static thread_local SplitMemory memory;
    return memory;
  }
};

/// One block of queries.
class SplitBlock {
 public:
  SplitBlock(const SplitKeys& packed, const SplitKernels& kernel, const RowBlock& block)
      : packed_(packed),
        problem_(packed.problem()),
        kernel_(kernel),
        block_(block),
        parts_(packed.parts()),
        columns_(problem_.prepared_columns()),
        width_(whole_lanes<float>(packed.value_columns())),
        scorer_(problem_, block.head, false),
        memory_(SplitMemory::mine()),
        sums_(BlockSums<float>::cleared(whole_tiles(block.count, kTileEdge) * kTileEdge, packed.value_columns())) {
    prepare_queries(problem_, block.head, block.first, block.count, room(memory_.queries, block.count * columns_));
    kernel.pack_left(parts_, block.count, columns_, memory_.queries.data(), columns_,
                     room(memory_.query_tiles, left_room(parts_, block.count, columns_)));
    room(memory_.scores, kSplitQueries * kTileKeys);
    room(memory_.weight_tiles, left_room(parts_, kSplitQueries, kTileKeys));
  }

  void attend(AttentionResult<float>& result) {
    const Index last_key = problem_.first_key(block_.set + 1), last_query = block_.first + block_.count;
    for (Index key = problem_.first_key(block_.set); key < last_key; key += kTileKeys) {
      const TileRange all = problem_.range(block_, key, std::min(kTileKeys, last_key - key));
      if (problem_.visible(all).empty()) continue;
      for (Index query = block_.first; query < last_query; query += kSplitQueries) {
        const TileRange range = with_queries(all, query, std::min(kSplitQueries, last_query - query));
        const KeySpan span = problem_.visible(range);
        if (!span.empty()) add_tile(narrowed(range, span));
      }
    }
    sums_.finish(block_, packed_.value_columns(), result);
  }

 private:
  void add_tile(const TileRange& range) {
    compare(range);
    const ScoreTile<float> tile = scorer_.finish(range, memory_.scores.data(), kTileKeys);
    const Index row = range.first_query - block_.first;
    float kept[kSplitQueries];
    kernels<float>().blocks.softmax(tile.query_count, tile.key_count, tile.scores, tile.stride,
                                    sums_.maximum.data() + row, sums_.lanes.data() + row * kLanes<float>, kept);
    float* outputs = sums_.outputs.data() + row * width_;
    for (Index i = 0; i < tile.query_count; ++i)
      if (kept[i] != 1)
        for (Index c = 0; c < width_; ++c) outputs[i * width_ + c] *= kept[i];
    Bf16* weights = memory_.weight_tiles.data();
    kernel_.pack_weights(parts_, tile.query_count, tile.key_count, tile.scores, tile.stride, weights);
    kernel_.product(parts_, tile.query_count, packed_.value_columns(), tile.key_count,
                    left_tiles(weights, parts_, tile.key_count), packed_.values(range, block_.set), true, outputs,
                    width_);
  }

  void compare(const TileRange& range) {
    Tiles queries = left_tiles(memory_.query_tiles.data(), parts_, columns_);
    queries.data += (range.first_query - block_.first) / kTileEdge * queries.edge;
    float* scores = memory_.scores.data();
    kernel_.product(parts_, range.query_count, range.key_count, columns_, queries, packed_.keys(range, block_.set),
                    false, scores, kTileKeys);
    const float factor = problem_.score().factor(problem_.dimension());
    if (!kernel_.scale(range.query_count, range.key_count, factor, scores, kTileKeys)) compare_again(range, factor);
  }

  /// Scores that were not finite, as the full precision has them: a part of a product may overflow where the whole has
  /// a sign, and inf - inf has none.
  void compare_again(const TileRange& range, float factor) {
    constexpr float kMost = std::numeric_limits<float>::max();
    const RowSource<float> keys = packed_.prepared(range.head);
    for (Index i = 0; i < range.query_count; ++i)
      for (Index j = 0; j < range.key_count; ++j) {
        float& score = memory_.scores[i * kTileKeys + j];
        if (std::isfinite(score)) continue;
        const float *query = memory_.queries.data() + (range.query(i) - block_.first) * columns_,
                    *key = keys.row(range.key(j));
        float sum = 0;
        for (Index c = 0; c < columns_; ++c) sum = std::fma(query[c], key[c], sum);
        sum *= factor;
        score = sum > kMost ? kMost : sum < -kMost ? -kMost : sum;
      }
  }

  const SplitKeys& packed_;
  const Problem<float>& problem_;
  const SplitKernels& kernel_;
  RowBlock block_;
  int parts_;
  Index columns_, width_;
  Scorer<float> scorer_;
  SplitMemory& memory_;
  BlockSums<float>& sums_;
};

}  // namespace

bool split_applies(const Problem<float>& problem, const MatrixView<float>& values) {
  const AttentionSpec<float>& spec = problem.spec();
  return spec.precision != Precision::full && !spec.normalizer && !problem.lists() && !problem.skips() &&
         problem.score().comparison() == Comparison::product && problem.prepared_columns() >= kSplitColumns &&
         values.cols() / problem.key_heads() >= kSplitValueColumns;
}

void attend_split(const Problem<float>& problem, const MatrixView<float>& values, AttentionResult<float>& result) {
  const SplitKernels& kernel = *split_kernels_for(best_tile_unit());
  const SplitKeys packed(problem, values, kernel, problem.spec().precision == Precision::split_bf16 ? 2 : 3);
  const std::vector<RowBlock> blocks = problem.query_blocks(kSplitBlockQueries);
  for_each_task(static_cast<Index>(blocks.size()), problem.worth_threads(),
                [&](Index b) { SplitBlock(packed, kernel, blocks[b]).attend(result); });
}

}  // namespace fovea
