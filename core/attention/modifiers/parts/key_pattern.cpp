#include "fovea/core/attention/modifiers/parts/key_pattern.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/core/attention/modifiers/parts/listed_keys.hpp"
#include "fovea/core/attention/modifiers/parts/mask.hpp"

namespace fovea {
namespace {

template <typename Real>
class PatternTiles final : public Mask<Real> {
 public:
  PatternTiles(std::string_view who, std::shared_ptr<const KeyPattern> pattern, PackedSets sets)
      : who_(who), pattern_(std::move(pattern)), sets_(std::move(sets)) {}

  void check(const AttentionShape& shape) const override {
    if (!sets_.query_offsets.empty()) check_same_sets(who_, sets_, shape);
  }

  KeySpan visible(const TileRange& range) const override {
    if (range.key_count == 0) return {0, 0};
    const Index first = range.key_position(0), query = range.query_position(0);
    const KeySpan seen = pattern_->hull(set_of(range), {query, query + range.query_count}, keys_of(range));
    return {seen.begin - first, seen.end - first};
  }

  Real bound(const TileRange& range, Real incoming, std::span<const Real>) const override {
    return !range.key_list && visible(range).empty() ? kMasked<Real> : incoming;
  }

  void apply(const ScoreTile<Real>& tile, std::span<const Real>) const override {
    std::vector<KeySpan>& spans = memory();
    for (Index i = 0; i < tile.query_count; ++i) {
      find_spans(tile, i, spans);
      Index j = 0;
      for (const KeySpan& span : spans) {
        j = mask_up_to(span.begin, tile, i, j);
        j = first_from(span.end, tile, j);
      }
      std::fill(tile.row(i) + j, tile.row(i) + tile.key_count, kMasked<Real>);
    }
  }

 private:
  static std::vector<KeySpan>& memory() {
    static thread_local std::vector<KeySpan> spans;
    return spans;
  }

  void find_spans(const TileRange& range, Index i, std::vector<KeySpan>& spans) const {
    spans.clear();
    if (range.key_count == 0) return;
    pattern_->append_spans(set_of(range), range.query_position(i), keys_of(range), spans);
  }

  Index set_of(const TileRange& range) const {
    return sets_.query_offsets.empty() ? 0 : sets_.set_of_query(range.first_query);
  }

  static KeySpan keys_of(const TileRange& range) {
    return {range.key_position(0), range.key_position(range.key_count - 1) + 1};
  }

  /// The first key from j on whose position is not below.
  static Index first_from(Index position, const TileRange& range, Index j) {
    if (!range.key_list) return std::clamp(position - range.key_position(0), j, range.key_count);
    while (j < range.key_count && range.key_position(j) < position) ++j;
    return j;
  }

  static Index mask_up_to(Index position, const ScoreTile<Real>& tile, Index i, Index j) {
    const Index end = first_from(position, tile, j);
    std::fill(tile.row(i) + j, tile.row(i) + end, kMasked<Real>);
    return end;
  }

  std::string_view who_;
  std::shared_ptr<const KeyPattern> pattern_;
  PackedSets sets_;
};

NeighbourLists lists_of(const KeyPattern& pattern, const PackedSets& sets) {
  NeighbourLists lists;
  lists.offsets.push_back(0);
  std::vector<KeySpan> spans;
  for (Index set = 0; set < sets.count(); ++set)
    for (Index query = 0; query < sets.queries(set); ++query) {
      spans.clear();
      pattern.append_spans(set, query, {0, sets.keys(set)}, spans);
      for (const KeySpan& span : spans)
        for (Index key = span.begin; key < span.end; ++key) lists.keys.push_back(sets.first_key(set) + key);
      lists.offsets.push_back(static_cast<Index>(lists.keys.size()));
    }
  return lists;
}

}  // namespace

void KeyPattern::append(Index begin, Index end, KeySpan range, std::vector<KeySpan>& spans) {
  const KeySpan part{std::max(begin, range.begin), std::min(end, range.end)};
  if (!part.empty()) spans.push_back(part);
}

KeySpan KeyPattern::hull(Index set, KeySpan queries, KeySpan range) const {
  KeySpan seen{range.end, range.begin};
  std::vector<KeySpan> spans;
  for (Index query = queries.begin; query < queries.end; ++query) {
    spans.clear();
    append_spans(set, query, range, spans);
    if (spans.empty()) continue;
    seen = {std::min(seen.begin, spans.front().begin), std::max(seen.end, spans.back().end)};
    if (seen.begin == range.begin && seen.end == range.end) break;
  }
  return seen;
}

template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> pattern_mask(std::string_view who, std::shared_ptr<const KeyPattern> pattern,
                                                        PackedSets sets) {
  const bool sets_are_given = !sets.query_offsets.empty() || !sets.key_offsets.empty();
  if (sets_are_given) check_sets(who, sets);
  if (sets_are_given && pattern->leaves_few_keys()) return listed_keys<Real>(who, lists_of(*pattern, sets), sets);
  return std::make_shared<PatternTiles<Real>>(who, std::move(pattern), std::move(sets));
}
template std::shared_ptr<const ScoreModifier<float>> pattern_mask(std::string_view, std::shared_ptr<const KeyPattern>,
                                                                  PackedSets);
template std::shared_ptr<const ScoreModifier<double>> pattern_mask(std::string_view, std::shared_ptr<const KeyPattern>,
                                                                   PackedSets);

}  // namespace fovea
