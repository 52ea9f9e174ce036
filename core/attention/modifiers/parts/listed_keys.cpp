#include "fovea/core/attention/modifiers/parts/listed_keys.hpp"

#include <algorithm>
#include <functional>

#include "fovea/core/attention/modifiers/parts/list_entries.hpp"
#include "fovea/core/attention/modifiers/parts/mask.hpp"

namespace fovea {
namespace {

template <typename Real>
class ListedKeys final : public Mask<Real> {
 public:
  ListedKeys(std::string_view who, NeighbourLists lists, PackedSets sets)
      : who_(who), lists_(std::move(lists)), sets_(std::move(sets)) {}

  void check(const AttentionShape& shape) const override { check_same_sets(who_, sets_, shape); }
  const NeighbourLists* neighbours() const override { return &lists_; }

  KeySpan visible(const TileRange& range) const override {
    KeySpan span{range.key_count, 0};
    for (Index i = 0; i < range.query_count; ++i) {
      const Index* end = end_of(range.query(i));
      const Index* first = std::lower_bound(begin_of(range.query(i)), end, range.first_key);
      const Index* last = std::lower_bound(first, end, range.first_key + range.key_count);
      if (first == last) continue;
      span.begin = std::min(span.begin, *first - range.first_key);
      span.end = std::max(span.end, last[-1] + 1 - range.first_key);
    }
    return span;
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    for (Index i = 0; i < tile.query_count; ++i)
      if (!is_from_list(tile, tile.query(i))) mask_row(tile, i);
  }

  bool works_by_keys() const override { return true; }
  void apply_by_keys(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    add_listed_by_keys(lists_, tile, [](Index) { return Real(0); });
  }

 private:
  const Index* begin_of(Index query) const { return lists_.keys.data() + lists_.offsets[query]; }
  const Index* end_of(Index query) const { return begin_of(query + 1); }

  /// Whether the tile's keys are a stretch of this query's own list: nothing is to be masked then.
  bool is_from_list(const TileRange& tile, Index query) const {
    const std::less_equal<const Index*> before;
    return tile.key_list && before(begin_of(query), tile.key_list) &&
           before(tile.key_list + tile.key_count, end_of(query));
  }

  void mask_row(const ScoreTile<Real>& tile, Index i) const {
    if (tile.key_count == 0) return;
    const Index* end = end_of(tile.query(i));
    const Index* listed = std::lower_bound(begin_of(tile.query(i)), end, tile.key(0));
    for (Index j = 0; j < tile.key_count; ++j) {
      while (listed != end && *listed < tile.key(j)) ++listed;
      if (listed == end || *listed != tile.key(j)) tile.row(i)[j] = kMasked<Real>;
    }
  }

  std::string_view who_;
  NeighbourLists lists_;
  PackedSets sets_;
};

}  // namespace

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> listed_keys(std::string_view who, NeighbourLists lists, PackedSets sets) {
  return std::make_shared<ListedKeys<Real>>(who, std::move(lists), std::move(sets));
}
template std::shared_ptr<const ScoreModifier<float>> listed_keys(std::string_view, NeighbourLists, PackedSets);
template std::shared_ptr<const ScoreModifier<double>> listed_keys(std::string_view, NeighbourLists, PackedSets);

}  // namespace fovea
