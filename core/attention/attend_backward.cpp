#include <algorithm>
#include <optional>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/engine/gradient_rows.hpp"
#include "fovea/core/attention/engine/key_segments.hpp"
#include "fovea/core/attention/engine/listed_pairs.hpp"
#include "fovea/core/attention/grid/grid_attention.hpp"
#include "fovea/core/attention/shares.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea {
namespace {

/// Every sum has one owner and one order. A task is a block of keys: it goes through the queries of its set in
/// ascending order and owns its dL/dk and dL/dv. Its share of dL/dq stands apart until the tasks of a wave are done,
/// and is then added in the order of the keys; so are the shares of dL/dtheta in the order of the tasks.
///
/// With neighbour lists there are few pairs and each is met twice: a block of queries owns its dL/dq, a block of keys
/// its dL/dk and dL/dv.
template <typename Real>
class Backward {
 public:
  Backward(const Problem<Real>& problem, const MatrixView<Real>& values, const AttentionResult<Real>& forward,
           const MatrixView<Real>& output_gradient, const Matrix<Real>& draw_costs,
           const GradientPlaces<Real>& gradients)
      : problem_(problem),
        forward_(forward),
        output_gradient_(output_gradient),
        draw_costs_(draw_costs),
        gradients_(gradients),
        rows_(problem, values, forward, output_gradient),
        shape_(rows_.shape()),
        theta_(problem.spec()) {
    if (problem.skips()) boxes_.emplace(problem, rows_.prepared(), kGradientKeys);
    zeros(query_sums_, problem.heads() * problem.query_count() * rows_.width());
    if (rows_.distances()) zeros(query_totals_, problem.heads() * problem.query_count());
  }

  void run(AttentionGradients<Real>& theta) {
    std::vector<RowBlock> blocks = problem_.key_blocks();
    std::erase_if(blocks, [&](const RowBlock& block) { return !problem_.is_rectangle(block.set); });
    for (std::size_t first = 0; first < blocks.size();) first += run_wave(std::span(blocks).subspan(first));
    if (problem_.lists()) run_lists();
    finish_queries();
    theta_.move_to(theta);
  }

 private:
  /// Query heads that share a key head.
  Index group() const { return problem_.heads() / problem_.key_heads(); }
  const KeyBoxes<Real>* boxes() const { return boxes_ ? &*boxes_ : nullptr; }
  Index queries_in(Index set) const { return problem_.first_query(set + 1) - problem_.first_query(set); }
  /// All but the first block of a set; see keeps_shares_apart.
  bool needs_share(const RowBlock& block) const {
    return block.first > problem_.first_key(block.set) && (keeps_shares_apart || thread_count() > 1);
  }

  /// Where the sums of a head's queries go: of row `first` and those behind it.
  struct QuerySums {
    Real *sums, *totals;
    QuerySums at(Index row, Index width) const { return {sums + row * width, totals ? totals + row : nullptr}; }
  };
  QuerySums sums_of(Index head, Index first) {
    const Index row = head * problem_.query_count() + first;
    return QuerySums{query_sums_.data(), rows_.distances() ? query_totals_.data() : nullptr}.at(row, rows_.width());
  }
  /// What a block of keys adds to dL/dq, apart from the sums. met: which blocks of queries see a key of it (member
  /// after member); the rows of others are never written.
  struct Share {
    Real* memory = nullptr;  ///< nullptr: the block's sums go where they belong
    std::vector<char> met;
  };
  QuerySums share_of(const RowBlock& block, Index member, const Share& share) const {
    const Index queries = queries_in(block.set), width = rows_.width();
    return QuerySums{share.memory, rows_.distances() ? share.memory + group() * queries * width : nullptr}.at(
        member * queries, width);
  }
  GradientPlace<Real> key_gradients(const RowBlock& block) { return part_of(gradients_.keys, block); }
  /// The rows and columns of a block.
  GradientPlace<Real> part_of(GradientPlace<Real>& all, const RowBlock& block) const {
    const Index d = problem_.dimension();
    return {all.data() + block.first * all.outerStride() + block.head * d, block.count, d,
            Eigen::OuterStride<>(all.outerStride())};
  }
  Index query_blocks_in(Index set) const { return (queries_in(set) + kBlockQueries - 1) / kBlockQueries; }
  /// In whole registers.
  Index share_size(const RowBlock& block) const {
    return whole_lanes<Real>(group() * queries_in(block.set) * (rows_.width() + 1));
  }

  /// One block of keys.
  void key_block(const RowBlock& block, Share& share, ThetaGradients<Real>& theta) {
    if (!keys_are_plain()) key_gradients(block).setZero();
    const Index size = whole_groups<Real>(block.count);
    Real* value_sums = rows_.value_sums(size);
    for (Index member = 0; member < group(); ++member) {
      const Index head = block.head * group() + member;
      const Real* origin = rows_.origin(head, block.set);
      const TileRange all = problem_.range({block.set, head, problem_.first_query(block.set), queries_in(block.set)},
                                           block.first, block.count);
      const QuerySums sums = share.memory ? share_of(block, member, share) : sums_of(head, all.first_query);
      GradientKeys<Real> keys = rows_.keys(all, size, origin);
      keys.value_gradient = value_sums;
      GradientTile<Real> tile(problem_, shape_, forward_, draw_costs_, boxes(), head, block.set);
      for (Index i = 0; i < all.query_count; i += kBlockQueries) {
        const TileRange range = with_queries(all, all.first_query + i, std::min(kBlockQueries, all.query_count - i));
        if (problem_.visible(range).empty()) continue;
        if (share.memory)
          meet(share, member * query_blocks_in(block.set) + i / kBlockQueries, range, sums.at(i, rows_.width()));
        add_tiles(tile, range, block.set, keys, origin, sums.at(i, rows_.width()), theta);
      }
      finish_keys(keys, block, head, theta);
      if (member + 1 == group()) add_values(keys, block);
    }
  }

  /// Some queries of a share for the first time.
  void meet(Share& share, Index query_block, const TileRange& range, const QuerySums& sums) const {
    share.met[query_block] = 1;
    std::fill_n(sums.sums, range.query_count * rows_.width(), Real(0));
    if (sums.totals) std::fill_n(sums.totals, range.query_count, Real(0));
  }

  /// A block of queries against a block of keys.
  void add_tiles(GradientTile<Real>& tile, const TileRange& range, Index set, const GradientKeys<Real>& keys,
                 const Real* origin, const QuerySums& sums, ThetaGradients<Real>& theta) const {
    GradientQueries<Real> queries = rows_.queries(range.head, set, range.first_query, range.query_count, origin);
    queries.gradient = sums.sums;
    queries.sums = sums.totals;
    for (Index key = 0; key < range.key_count; key += kGradientKeys)
      tile.add(narrowed(range, {key, std::min(key + kGradientKeys, range.key_count)}), range.key_position(key), queries,
               keys.from(key, shape_), theta);
  }

  void finish_keys(const GradientKeys<Real>& keys, const RowBlock& block, Index head, ThetaGradients<Real>& theta) {
    rows_.finish_keys(keys, block.count);
    if (keys_are_plain()) return rows_.write_keys(keys, key_gradients(block));
    if (!shape_.keys_transposed) {
      prepare_keys_backward(problem_, head, block.first, block.count, keys.gradient, keys.apart, gradients_.keys,
                            theta);
      return;
    }
    Matrix<Real> gradient(block.count, shape_.columns);
    for (Index j = 0; j < block.count; ++j)
      for (Index c = 0; c < shape_.columns; ++c) gradient(j, c) = keys.gradient[c * keys.apart + j];
    prepare_keys_backward(problem_, head, block.first, block.count, gradient.data(), shape_.columns, gradients_.keys,
                          theta);
  }

  /// Whether the rows that are compared are those of the call, each of one query head: their gradients are written.
  bool keys_are_plain() const { return group() == 1 && !rows_.prepared().changed(); }

  void add_values(const GradientKeys<Real>& keys, const RowBlock& block) {
    const Index columns = shape_.value_columns;
    for (Index j = 0; j < block.count; ++j) {
      Real* target =
          gradients_.values.data() + (block.first + j) * gradients_.values.outerStride() + block.head * columns;
      if (!shape_.values_transposed)
        copy_row(keys.value_gradient + j * keys.value_apart, columns, target);
      else
        for (Index c = 0; c < columns; ++c) target[c] = keys.value_gradient[c * keys.value_apart + j];
    }
  }

  /// Blocks whose shares of dL/dq find room beside each other; the first block of a set needs none.
  std::size_t wave_of(std::span<const RowBlock> blocks) const {
    constexpr std::size_t kMost = 256;  // tasks, each with its dL/dtheta
    // What the shares of a wave may take in any case: one thread waits for nobody, and works in the cache with fewer.
    const Index little = thread_count() > 1 ? (Index{16} << 20) / static_cast<Index>(sizeof(Real)) : 0;
    const Index most_shares = std::max<Index>(8, 2 * thread_count());
    std::size_t count = 0;
    for (Index shares = 0, size = 0; count < std::min(kMost, blocks.size()); ++count) {
      if (!needs_share(blocks[count])) continue;
      size += share_size(blocks[count]);
      if (++shares > most_shares && size > little) break;
    }
    const std::size_t threads = thread_count();
    return count < blocks.size() && count > threads ? count / threads * threads : count;  // nobody waits at its end
  }

  /// Runs some of the blocks at once, and says how many.
  std::size_t run_wave(std::span<const RowBlock> blocks) {
    blocks = blocks.first(wave_of(blocks));
    std::vector<ThetaGradients<Real>> parts;
    for (std::size_t b = 0; b < blocks.size(); ++b) parts.emplace_back(problem_.spec(), &theta_);
    std::vector<Share> shares = shares_for(blocks);
    const std::vector<std::size_t> order = large_first(blocks);
    for_each_task(static_cast<Index>(blocks.size()), problem_.worth_threads(), [&](Index b) {
      const std::size_t task = order[b];
      key_block(blocks[task], shares[task], parts[task]);
    });
    add_shares(blocks, shares);
    for (const ThetaGradients<Real>& part : parts) theta_.add(part);
    return blocks.size();
  }

  /// Small blocks last, so that threads end together.
  static std::vector<std::size_t> large_first(std::span<const RowBlock> blocks) {
    std::vector<std::size_t> order(blocks.size());
    for (std::size_t b = 0; b < order.size(); ++b) order[b] = b;
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t b) { return blocks[b].count; });
    return order;
  }

  std::vector<Share> shares_for(std::span<const RowBlock> blocks) {
    Index size = 0;
    for (const RowBlock& block : blocks) size += needs_share(block) ? share_size(block) : 0;
    Real* next = room(shares_, size);
    std::vector<Share> shares(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (!needs_share(blocks[b])) continue;
      shares[b].memory = next;
      shares[b].met.assign(group() * query_blocks_in(blocks[b].set), 0);
      next += share_size(blocks[b]);
    }
    return shares;
  }

  /// A task: a block of queries of all sets, so that the shares of a row are added in the order of the keys.
  void add_shares(std::span<const RowBlock> blocks, const std::vector<Share>& shares) {
    Index most = 0;
    for (const RowBlock& block : blocks) most = std::max(most, query_blocks_in(block.set));
    for_each_task(most * group(), problem_.worth_threads(), [&](Index task) {
      for (std::size_t b = 0; b < blocks.size(); ++b)
        if (shares[b].memory) add_share(blocks[b], shares[b], task % group(), task / group());
    });
  }

  void add_share(const RowBlock& block, const Share& share, Index member, Index query_block) {
    const Index all = query_blocks_in(block.set), first = query_block * kBlockQueries;
    if (query_block >= all || !share.met[member * all + query_block]) return;
    const Index count = std::min(kBlockQueries, queries_in(block.set) - first), width = rows_.width();
    const QuerySums from = share_of(block, member, share).at(first, width);
    const QuerySums to = sums_of(block.head * group() + member, problem_.first_query(block.set) + first);
    kernels<Real>().add_scaled(to.sums, from.sums, Real(1), count * width);
    if (from.totals) kernels<Real>().add_scaled(to.totals, from.totals, Real(1), count);
  }

  /// Of products each listed pair is met once: what its query finds out is noted, and summed by key.
  void run_listed_products() {
    ListedPairs<Real> pairs(problem_, output_gradient_);
    for (Index head = 0; head < problem_.heads(); ++head) {
      pairs.start(head);
      const std::vector<RowBlock> queries = pairs.blocks(problem_.query_blocks(), head),
                                  keys = pairs.blocks(problem_.key_blocks(), problem_.key_head(head));
      in_waves(std::ssize(queries),
               [&](Index b, ThetaGradients<Real>& theta) { list_queries(queries[b], theta, &pairs); });
      in_waves(std::ssize(keys), [&](Index b, ThetaGradients<Real>& theta) {
        pairs.add_keys(keys[b], head % group() == 0, gradients_, theta);
      });
    }
  }

  void run_lists() {
    if (problem_.score().comparison() == Comparison::product) return run_listed_products();
    const std::vector<RowBlock> blocks = problem_.query_blocks();
    in_waves(std::ssize(blocks), [&](Index b, ThetaGradients<Real>& theta) { list_queries(blocks[b], theta); });
    const std::vector<RowBlock> key_blocks = problem_.key_blocks();
    const KeySegments segments = key_segments(problem_, key_blocks);
    in_waves(std::ssize(key_blocks),
             [&](Index b, ThetaGradients<Real>& theta) { list_keys(key_blocks[b], segments.of_block(b), theta); });
  }

  /// Calls task(b, theta), a wave of tasks at a time, so that the parts of dL/dtheta need no memory that grows with N.
  template <typename Task>
  void in_waves(Index count, const Task& task) {
    constexpr Index kWave = 256;
    for (Index first = 0; first < count; first += kWave) {
      const Index wave = std::min(kWave, count - first);
      std::vector<ThetaGradients<Real>> parts;
      for (Index b = 0; b < wave; ++b) parts.emplace_back(problem_.spec(), &theta_);
      for_each_task(wave, problem_.worth_threads(), [&](Index b) { task(first + b, parts[b]); });
      for (const ThetaGradients<Real>& part : parts) theta_.add(part);
    }
  }

  /// pairs: to be told about each pair; nullptr where nobody asks.
  void list_queries(const RowBlock& block, ThetaGradients<Real>& theta, ListedPairs<Real>* pairs = nullptr) {
    const NeighbourLists& lists = *problem_.lists();
    GradientTile<Real> tile(problem_, shape_, forward_, draw_costs_, boxes(), block.head, block.set);
    const Real* origin = rows_.origin(block.head, block.set);
    for (Index i = block.first; i < block.first + block.count; ++i) {
      GradientQueries<Real> queries = rows_.queries(block.head, block.set, i, 1, origin);
      const QuerySums sums = sums_of(block.head, i);
      queries.gradient = sums.sums;
      queries.sums = sums.totals;
      const Index begin = lists.offsets[i];
      const Index end = lists.offsets[i + 1];
      for (Index at = begin; at < end; at += kGradientKeys) {
        const TileRange range =
            problem_.listed_range({block.set, block.head, i, 1}, at, std::min(kGradientKeys, end - at));
        GradientKeys<Real> keys = rows_.keys(range, kGradientKeys, origin);
        keys.gradient = nullptr;
        tile.add(range, at - begin, queries, keys, theta);
        if (pairs) pairs->note(at, range.key_count, tile.weights(), tile.score_gradients());
      }
    }
  }

  void list_keys(const RowBlock& block, std::span<const KeySegment> segments, ThetaGradients<Real>& theta) {
    key_gradients(block).setZero();
    ThetaGradients<Real> met_before(problem_.spec(), nullptr);  // the queries' tasks have these already
    Matrix<Real> values = Matrix<Real>::Zero(block.count, shape_.value_columns);
    for (Index member = 0; member < group(); ++member) {
      const Index head = block.head * group() + member;
      const Real* origin = rows_.origin(head, block.set);
      GradientTile<Real> tile(problem_, shape_, forward_, draw_costs_, boxes(), head, block.set);
      Matrix<Real> gradient = Matrix<Real>::Zero(block.count, shape_.columns);
      for (const KeySegment& segment : segments) {
        const GradientQueries<Real> queries = rows_.queries(head, block.set, segment.query, 1, origin);
        const Index row_begin = problem_.lists()->offsets[segment.query];
        for (Index at = segment.begin; at < segment.begin + segment.count; at += kGradientKeys) {
          const Index count = std::min(kGradientKeys, segment.begin + segment.count - at);
          const TileRange range = problem_.listed_range({block.set, head, segment.query, 1}, at, count);
          GradientKeys<Real> keys = rows_.keys(range, kGradientKeys, origin);
          keys.value_gradient = rows_.value_sums(kGradientKeys);
          tile.add(range, at - row_begin, queries, keys, met_before);
          rows_.finish_keys(keys, range.key_count);
          scatter(keys, range, block.first, gradient, values);
        }
      }
      prepare_keys_backward(problem_, head, block.first, block.count, gradient.data(), shape_.columns, gradients_.keys,
                            theta);
    }
    gradients_.values.block(block.first, block.head * shape_.value_columns, block.count, shape_.value_columns) = values;
  }

  void scatter(const GradientKeys<Real>& keys, const TileRange& range, Index first, Matrix<Real>& gradient,
               Matrix<Real>& values) const {
    for (Index j = 0; j < range.key_count; ++j) {
      const Index row = range.key(j) - first;
      for (Index c = 0; c < shape_.columns; ++c) gradient(row, c) += rows_.key_gradient(keys, j, c);
      for (Index c = 0; c < shape_.value_columns; ++c) values(row, c) += rows_.value_gradient(keys, j, c);
    }
  }

  /// From the prepared queries to those of the call.
  void finish_queries() {
    const std::vector<RowBlock> blocks = problem_.query_blocks();
    in_waves(std::ssize(blocks), [&](Index b, ThetaGradients<Real>& theta) {
      const RowBlock& block = blocks[b];
      const QuerySums sums = sums_of(block.head, block.first);
      GradientPlace<Real> target = part_of(gradients_.queries, block);
      rows_.finish_queries(block.head, block.set, block.first, block.count, sums.sums, sums.totals);
      if (!problem_.score().prepares()) return rows_.write_queries(sums.sums, target);
      target.setZero();
      prepare_queries_backward(problem_, block.head, block.first, block.count, sums.sums, rows_.width(),
                               gradients_.queries, theta);
    });
  }

  const Problem<Real>& problem_;
  const AttentionResult<Real>& forward_;
  const MatrixView<Real>& output_gradient_;
  const Matrix<Real>& draw_costs_;
  GradientPlaces<Real> gradients_;
  GradientRows<Real> rows_;
  GradientShape shape_;
  ThetaGradients<Real> theta_;
  std::optional<KeyBoxes<Real>> boxes_;  ///< with a tolerance
  CallMemory<Real> query_sums_;          ///< head after head, N rows of rows_.width(): dL/d(prepared query)
  CallMemory<Real> query_totals_;        ///< head after head, N: see GradientQueries::sums
  CallMemory<Real> shares_;              ///< of blocks of keys of a wave: the same for the queries of their set
};

}  // namespace

template <typename Real>
void attend_backward_at(const GradientPlaces<Real>& places, AttentionGradients<Real>& theta,
                        const MatrixInput<Real>& queries, const MatrixInput<Real>& keys,
                        const MatrixInput<Real>& values, const AttentionSpec<Real>& spec,
                        const AttentionResult<Real>& forward, const MatrixInput<Real>& output_gradient,
                        const Matrix<Real>& draw_costs) {
  const Problem<Real> problem("attend_backward", queries, keys, values, spec);
  problem.check_forward("attend_backward", forward);
  problem.check_output_gradient(forward, output_gradient, draw_costs);
  if (attend_grid_backward<Real>(problem, values, forward, output_gradient, places, theta)) return;
  // Each block clears or writes its own rows.
  Backward<Real>(problem, values, forward, output_gradient, draw_costs, places).run(theta);
}

#define FOVEA_BACKWARD(Real)                                                                                         \
  template void attend_backward_at(const GradientPlaces<Real>&, AttentionGradients<Real>&, const MatrixInput<Real>&, \
                                   const MatrixInput<Real>&, const MatrixInput<Real>&, const AttentionSpec<Real>&,   \
                                   const AttentionResult<Real>&, const MatrixInput<Real>&, const Matrix<Real>&);
FOVEA_BACKWARD(float)
FOVEA_BACKWARD(double)

}  // namespace fovea
