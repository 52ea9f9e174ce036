#include "fovea/core/attention/engine/problem.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/kernels/blocks.hpp"

namespace fovea {
namespace {

constexpr Index kPairsWorthThreads = 20000;  // below, waking the threads takes longer than the work

template <typename Real>
void check_finite(std::string_view who, std::string_view name, const MatrixView<Real>& matrix) {
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index c = 0; c < matrix.cols(); ++c)
      require(std::isfinite(matrix(i, c)), who, ": ", name, "(", i, ", ", c, ") is ", matrix(i, c),
              ", but every entry must be finite.");
}

void check_offsets_of(std::string_view who, std::string_view name, const std::vector<Index>& offsets, Index rows) {
  require(offsets.front() == 0, who, ": ", name, "_offsets start at ", offsets.front(), ", but must start at 0.");
  require(offsets.back() == rows, who, ": ", name, "_offsets end at ", offsets.back(), ", but there are ", rows, " ",
          name, " rows; the last offset must be their number.");
  for (std::size_t b = 1; b < offsets.size(); ++b)
    require(offsets[b - 1] <= offsets[b], who, ": ", name, "_offsets fall from ", offsets[b - 1], " to ", offsets[b],
            " at set ", b - 1, "; they must not fall.");
}

/// size_at(set, left): of the next block, where so many rows of the set are left.
template <typename Size>
std::vector<RowBlock> blocks_of(const std::vector<Index>& offsets, Index heads, const Size& size_at) {
  std::vector<RowBlock> blocks;
  for (Index set = 0; set + 1 < static_cast<Index>(offsets.size()); ++set) {
    const Index end = offsets[set + 1];
    for (Index head = 0; head < heads; ++head)
      for (Index first = offsets[set]; first < end;) {
        const Index count = std::min(size_at(set, end - first), end - first);
        blocks.push_back({set, head, first, count});
        first += count;
      }
  }
  return blocks;
}

}  // namespace

template <typename Real>
Problem<Real>::Problem(std::string_view who, const MatrixView<Real>& queries, const MatrixView<Real>& keys,
                       const AttentionSpec<Real>& spec)
    : queries_(queries), keys_(keys), spec_(spec) {
  check_instruction_choice();
  check_spec(who);
  check_offsets(who);
  check_modifiers(who);
  if (spec.check_finite) {
    check_finite<Real>(who, "queries", queries);
    check_finite<Real>(who, "keys", keys);
  }
  Index pairs = lists_ ? static_cast<Index>(lists_->keys.size()) : 0;
  for (Index set = 0; !lists_ && set < set_count(); ++set)
    pairs += (first_query(set + 1) - first_query(set)) * (first_key(set + 1) - first_key(set));
  worth_threads_ = pairs * spec.heads >= kPairsWorthThreads;
}

template <typename Real>
Problem<Real>::Problem(std::string_view who, const MatrixView<Real>& queries, const MatrixView<Real>& keys,
                       const MatrixView<Real>& values, const AttentionSpec<Real>& spec)
    : Problem(who, queries, keys, spec) {
  require(keys.rows() == values.rows(), who, ": there are ", keys.rows(), " keys but ", values.rows(),
          " values; each key needs exactly one value.");
  require(values.cols() % key_heads_ == 0, who, ": values have ", values.cols(), " columns, which ", key_heads_,
          " heads cannot share equally.");
  if (spec.check_finite) check_finite<Real>(who, "values", values);
}

template <typename Real>
void Problem<Real>::check_spec(std::string_view who) {
  require(spec_.heads >= 1, who, ": heads = ", spec_.heads, ", but must be at least 1.");
  key_heads_ = spec_.key_heads == 0 ? spec_.heads : spec_.key_heads;
  require(key_heads_ >= 1 && spec_.heads % key_heads_ == 0, who, ": key_heads = ", key_heads_,
          ", but must be a divisor of heads = ", spec_.heads, "; 0 stands for as many.");
  require(queries_.cols() >= 1 && queries_.cols() % spec_.heads == 0, who, ": queries have ", queries_.cols(),
          " columns, which ", spec_.heads, " heads cannot share equally.");
  require(dimension() * key_heads_ == keys_.cols(), who, ": queries have ", queries_.cols(), " columns but keys have ",
          keys_.cols(), "; a query is compared with a key, so both need the same",
          key_heads_ == spec_.heads ? "." : concat(" for each head: ", dimension(), "."));
  require(spec_.tolerance >= 0 && spec_.tolerance < 1, who, ": tolerance = ", spec_.tolerance,
          ", but must be in [0, 1): the weight of a row that may be skipped.");
  require(spec_.tolerance == 0 || !spec_.normalizer, who, ": tolerance = ", spec_.tolerance,
          ", but only softmax can skip keys; set it to 0 with this normaliser.");
  require(spec_.score.function != nullptr, who, ": the spec has no score function; set spec.score.function.");
  const Index expected = spec_.score.function->parameter_count(dimension(), spec_.heads);
  require(static_cast<Index>(spec_.score.theta.size()) == expected, who, ": the score function got ",
          spec_.score.theta.size(), " parameters, but has ", expected, ".");
}

template <typename Real>
void Problem<Real>::check_offsets(std::string_view who) {
  require(spec_.query_offsets.size() == spec_.key_offsets.size(), who, ": there are ", spec_.query_offsets.size(),
          " query_offsets but ", spec_.key_offsets.size(), " key_offsets; each set needs both.");
  query_offsets_ = spec_.query_offsets;
  key_offsets_ = spec_.key_offsets;
  if (query_offsets_.empty()) {
    query_offsets_ = {0, queries_.rows()};
    key_offsets_ = {0, keys_.rows()};
  }
  check_offsets_of(who, "query", query_offsets_, queries_.rows());
  check_offsets_of(who, "key", key_offsets_, keys_.rows());
}

template <typename Real>
void Problem<Real>::check_modifiers(std::string_view who) {
  for (std::size_t m = 0; m < spec_.modifiers.size(); ++m) {
    const ModifierTerm<Real>& term = spec_.modifiers[m];
    require(term.modifier != nullptr, who, ": modifier ", m, " of the spec is empty.");
    const Index expected = term.modifier->parameter_count(spec_.heads);
    require(term.given_gradient.empty() || term.given_gradient.size() == term.parameters().size(), who, ": modifier ",
            m, " has ", term.parameters().size(), " parameters, but room for the gradients of ",
            term.given_gradient.size(), "; each needs one.");
    require(static_cast<Index>(term.parameters().size()) == expected, who, ": modifier ", m, " got ",
            term.parameters().size(), " parameters, but has ", expected, ".");
    term.modifier->check({query_count(), key_count(), spec_.heads, dimension(), query_offsets_, key_offsets_});
    if (!lists_) lists_ = term.modifier->neighbours();
  }
  if (lists_) check_lists(who);
}

template <typename Real>
void Problem<Real>::check_lists(std::string_view who) const {
  for (Index set = 0; set < set_count(); ++set)
    for (Index i = first_query(set); i < first_query(set + 1); ++i) {
      const Index begin = lists_->offsets[i];
      const Index end = lists_->offsets[i + 1];
      if (begin == end) continue;
      const Index least = lists_->keys[begin];
      const Index most = lists_->keys[end - 1];
      require(first_key(set) <= least && most < first_key(set + 1), who, ": the neighbours of query ", i, " are keys ",
              least, " to ", most, ", but its set has keys ", first_key(set), " to ", first_key(set + 1) - 1, ".");
    }
}

// Measured for 8 heads of 16 columns: masks cost less forward and backward up to 12 pairs for one that is listed.
template <typename Real>
bool Problem<Real>::is_rectangle(Index set) const {
  if (!lists_) return true;
  constexpr Index kPairsForOne = 12;
  const Index first = first_query(set), last = first_query(set + 1), keys = first_key(set + 1) - first_key(set);
  const Index listed = lists_->offsets[last] - lists_->offsets[first];
  return score().comparison() == Comparison::product && !spec_.normalizer && keys <= kTileKeys &&
         (last - first) * keys <= kPairsForOne * listed;
}

template <typename Real>
void Problem<Real>::check_forward(std::string_view who, const AttentionResult<Real>& forward) const {
  require(forward.max_score.rows() == query_count() && forward.max_score.cols() == spec_.heads &&
              forward.sum_exp.rows() == query_count() && forward.sum_exp.cols() == spec_.heads,
          who, ": the forward result is for ", forward.max_score.rows(), " queries and ", forward.max_score.cols(),
          " heads, but there are ", query_count(), " queries and ", spec_.heads,
          " heads; pass what attend() gave for the same inputs.");
  require(!spec_.normalizer ||
              (forward.threshold.rows() == query_count() && forward.threshold.cols() == spec_.heads &&
               forward.slope_means.rows() == query_count() && forward.slope_means.cols() == forward.outputs.cols()),
          who, ": the forward result has no thresholds; pass what attend() gave with the same normaliser.");
  require(!skips() || forward.skip_threshold.rows() == query_count(), who,
          ": the forward result has no skip_threshold, but tolerance = ", spec_.tolerance,
          "; pass what attend() gave for the same spec.");
}

template <typename Real>
void Problem<Real>::check_output_gradient(const AttentionResult<Real>& forward, const MatrixView<Real>& gradient,
                                          const Matrix<Real>& draw_costs) const {
  require(gradient.rows() == forward.outputs.rows() && gradient.cols() == forward.outputs.cols(),
          "attend_backward: output_gradient is ", gradient.rows(), " x ", gradient.cols(), ", but the outputs are ",
          forward.outputs.rows(), " x ", forward.outputs.cols(), "; both need the same shape.");
  if (spec_.check_finite) check_finite<Real>("attend_backward", "output_gradient", gradient);
  const bool draws = spec_.normalizer && spec_.normalizer->draws();
  require(draws ? draw_costs.rows() == query_count() && draw_costs.cols() == spec_.heads : draw_costs.size() == 0,
          "attend_backward: draw_costs is ", draw_costs.rows(), " x ", draw_costs.cols(), ", but must be ",
          draws ? concat(query_count(), " x ", spec_.heads, ", one for each row and head that drew a key.")
                : "empty: the normaliser draws nothing.");
}

template <typename Real>
Index Problem<Real>::set_of_query(Index row) const {
  const auto above = std::upper_bound(query_offsets_.begin(), query_offsets_.end(), row);
  return static_cast<Index>(above - query_offsets_.begin()) - 1;
}

template <typename Real>
std::vector<RowBlock> Problem<Real>::query_blocks() const {
  return query_blocks([](Index) { return kBlockQueries; });
}

template <typename Real>
std::vector<RowBlock> Problem<Real>::query_blocks(const std::function<Index(Index set)>& size) const {
  return blocks_of(query_offsets_, spec_.heads, [&](Index set, Index) { return size(set); });
}

template <typename Real>
std::vector<RowBlock> Problem<Real>::key_blocks() const {
  return blocks_of(key_offsets_, key_heads_, [&](Index set, Index left) {
    const bool whole = lists_ || first_key(set + 1) - first_key(set) <= 4 * kBlockKeys || left > 2 * kBlockKeys;
    return whole ? kBlockKeys : kBlockKeys / 2;
  });
}

template <typename Real>
TileRange Problem<Real>::range(const RowBlock& queries, Index first, Index count) const {
  TileRange range;
  range.head = queries.head;
  range.first_query = queries.first;
  range.query_count = queries.count;
  range.first_key = first;
  range.key_count = count;
  range.set_first_query = first_query(queries.set);
  range.set_first_key = first_key(queries.set);
  return range;
}

template <typename Real>
TileRange Problem<Real>::listed_range(const RowBlock& query, Index begin, Index count) const {
  TileRange listed = range(query, 0, count);
  listed.key_list = lists_->keys.data() + begin;
  listed.first_key = listed.key_list[0];
  return listed;
}

template <typename Real>
KeySpan Problem<Real>::visible(const TileRange& range) const {
  KeySpan span{0, range.query_count > 0 ? range.key_count : 0};
  for (const ModifierTerm<Real>& term : spec_.modifiers) {
    if (span.empty()) return {0, 0};
    const KeySpan seen = term.modifier->visible(range);
    span = {std::max(span.begin, seen.begin), std::min(span.end, seen.end)};
  }
  if (span.empty()) return {0, 0};
  return {span.begin / kGroup<Real> * kGroup<Real>, std::min(range.key_count, whole_groups<Real>(span.end))};
}

template class Problem<float>;
template class Problem<double>;

}  // namespace fovea
