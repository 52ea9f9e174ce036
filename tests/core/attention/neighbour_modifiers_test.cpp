// Modifiers that choose keys by geometry or pattern: which pairs they leave, in tiles and in lists.

#include "fovea/core/attention.hpp"
#include "fovea/core/attention/neighbours/search.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::test;

namespace {

using Modifier = std::shared_ptr<const ScoreModifier<double>>;
using Pairs = std::set<std::pair<Index, Index>>;

Index offset_of(const std::vector<Index>& offsets, std::size_t set) { return offsets[set]; }

/// Calls visit(range) for all tiles of some size.
void for_each_range(const PackedSets& sets, Index query_count, Index key_count,
                    const std::function<void(TileRange)>& visit) {
  for (std::size_t set = 0; set + 1 < sets.query_offsets.size(); ++set)
    for (Index i = sets.query_offsets[set]; i < sets.query_offsets[set + 1]; i += query_count)
      for (Index j = sets.key_offsets[set]; j < sets.key_offsets[set + 1]; j += key_count) {
        TileRange range;
        range.first_query = i;
        range.query_count = std::min(query_count, sets.query_offsets[set + 1] - i);
        range.first_key = j;
        range.key_count = std::min(key_count, sets.key_offsets[set + 1] - j);
        range.set_first_query = offset_of(sets.query_offsets, set);
        range.set_first_key = offset_of(sets.key_offsets, set);
        visit(range);
      }
}

/// The pairs that apply() leaves in a tile of ones; the others must be masked.
void add_visible_pairs(const ScoreModifier<double>& modifier, const TileRange& range, Pairs& pairs) {
  std::vector<double> scores(range.query_count * range.key_count, 1);
  ScoreTile<double> tile;
  static_cast<TileRange&>(tile) = range;
  tile.scores = scores.data();
  tile.stride = range.key_count;
  modifier.apply(tile, {});
  for (Index i = 0; i < tile.query_count; ++i)
    for (Index j = 0; j < tile.key_count; ++j) {
      if (tile.row(i)[j] == 1)
        pairs.emplace(tile.query(i), tile.key(j));
      else if (tile.row(i)[j] != kMasked<double>)
        FAIL_CHECK("a score of 1 became " << tile.row(i)[j]);
    }
}

/// The pairs a modifier leaves, seen through tiles of contiguous keys. visible() and bound() must not contradict them.
Pairs pairs_in_tiles(const ScoreModifier<double>& modifier, const PackedSets& sets, Index queries, Index keys) {
  Pairs all;
  for_each_range(sets, queries, keys, [&](const TileRange& range) {
    Pairs pairs;
    add_visible_pairs(modifier, range, pairs);
    const KeySpan span = modifier.visible(range);
    for (const auto& [i, j] : pairs) {
      const Index place = j - range.first_key;
      if (place < span.begin || place >= span.end) FAIL_CHECK("visible() leaves out the pair " << i << ", " << j);
    }
    if (!pairs.empty()) CHECK(modifier.bound(range, 2, {}) >= 2);
    all.merge(pairs);
  });
  return all;
}

/// The same through tiles of listed keys: every third key of the set.
Pairs pairs_in_listed_tiles(const ScoreModifier<double>& modifier, const PackedSets& sets) {
  Pairs all;
  for_each_range(sets, 5, 700, [&](TileRange range) {
    std::vector<Index> listed;
    for (Index j = 0; j < range.key_count; j += 3) listed.push_back(range.first_key + j);
    range.key_list = listed.data();
    range.key_count = static_cast<Index>(listed.size());
    add_visible_pairs(modifier, range, all);
  });
  return all;
}

Pairs every_third_key(const Pairs& pairs, const PackedSets& sets) {
  Pairs kept;
  for_each_range(sets, 5, 700, [&](const TileRange& range) {
    for (Index i = 0; i < range.query_count; ++i)
      for (Index j = 0; j < range.key_count; j += 3)
        if (pairs.count({range.query(i), range.key(j)})) kept.emplace(range.query(i), range.key(j));
  });
  return kept;
}

Pairs pairs_of(const NeighbourLists& lists) {
  Pairs pairs;
  for (std::size_t i = 0; i + 1 < lists.offsets.size(); ++i)
    for (Index e = lists.offsets[i]; e < lists.offsets[i + 1]; ++e) pairs.emplace(static_cast<Index>(i), lists.keys[e]);
  return pairs;
}

/// sees(query position, key position) for all pairs of the same set.
Pairs pairs_where(const PackedSets& sets, const std::function<bool(Index, Index)>& sees) {
  Pairs pairs;
  for_each_range(sets, 1, 1, [&](const TileRange& range) {
    if (sees(range.query_position(0), range.key_position(0))) pairs.emplace(range.first_query, range.first_key);
  });
  return pairs;
}

void check_pairs(const Modifier& modifier, const PackedSets& sets, const Pairs& expected) {
  CHECK(pairs_in_tiles(*modifier, sets, 32, 512) == expected);
  CHECK(pairs_in_tiles(*modifier, sets, 7, 50) == expected);
  CHECK(pairs_in_tiles(*modifier, sets, 1, 1) == expected);
  CHECK(pairs_in_listed_tiles(*modifier, sets) == every_third_key(expected, sets));
  if (modifier->neighbours()) CHECK(pairs_of(*modifier->neighbours()) == expected);
}

PackedSets sets_of(const std::vector<std::pair<Index, Index>>& sizes) {
  const ExampleProblem example = packed_problem(sizes, 1, 1, 1, 1).example;
  return {example.query_offsets, example.key_offsets};
}

/// Points in the square [-1, 1)^2, whose second axis is periodic.
Coordinates square_of_points(const PackedSets& sets) {
  return {random_matrix(sets.query_offsets.back(), 2, 11), random_matrix(sets.key_offsets.back(), 2, 12), {0, 2}, sets};
}

Pairs pairs_within(const Coordinates& c, double radius) {
  Pairs pairs;
  for_each_range(c.sets, 1, 1, [&](const TileRange& r) {
    const double x = c.queries(r.first_query, 0) - c.keys(r.first_key, 0);
    const double y = std::remainder(c.queries(r.first_query, 1) - c.keys(r.first_key, 1), 2);
    if (x * x + y * y <= radius * radius) pairs.emplace(r.first_query, r.first_key);
  });
  return pairs;
}

const std::vector<std::pair<Index, Index>> kSizes{{40, 170}, {1, 1}, {0, 4}, {3, 0}, {70, 65}};

}  // namespace

TEST_CASE("nearest neighbours leave the listed keys, in a tile as in a list", "[modifier][twin]") {
  const Coordinates c = square_of_points(sets_of(kSizes));
  for (const Index k : {1, 5, 80}) {
    const Modifier modifier = nearest_neighbours<double>(c, k);
    REQUIRE(modifier->neighbours());
    check_pairs(modifier, c.sets, pairs_of(nearest_keys(CheckedCoordinates("test", c), k)));
  }
}

TEST_CASE("a radius leaves the same pairs as tiles and as lists", "[modifier][twin]") {
  Coordinates c = square_of_points(sets_of(kSizes));
  for (const bool sorted : {false, true})
    for (const double limit : {0.01, 0.3, 0.9, 4.0}) {
      // Along the first axis in order, so that whole boxes of keys are out of reach.
      if (sorted) std::sort(c.keys.col(0).begin(), c.keys.col(0).end());
      const Pairs expected = pairs_within(c, limit);
      const Modifier tiles = radius<double>(c, limit, PairsAs::tiles);
      const Modifier lists = radius<double>(c, limit, PairsAs::lists);
      CHECK(tiles->neighbours() == nullptr);
      CHECK(lists->neighbours() != nullptr);
      check_pairs(tiles, c.sets, expected);
      check_pairs(lists, c.sets, expected);
    }
}

TEST_CASE("a radius lists its pairs unless it is asked for tiles, whatever it is packed with", "[modifier][limit]") {
  const Coordinates c{Matrix<double>::Zero(10, 1), Matrix<double>::Zero(500, 1), {}, {}};
  CHECK(radius<double>(c, 1)->neighbours() != nullptr);
  CHECK(radius<double>(c, 1, PairsAs::tiles)->neighbours() == nullptr);
}

TEST_CASE("a radius leaves out the tiles that are beyond it", "[modifier][limit]") {
  const Index n = 4096;
  Coordinates c{Matrix<double>(n, 1), {}, {1}, sets_of({{n, n}})};
  for (Index i = 0; i < n; ++i) c.queries(i, 0) = static_cast<double>(i) / static_cast<double>(n);
  c.keys = c.queries;
  const Modifier modifier = radius<double>(c, 0.01, PairsAs::tiles);
  Index left_out = 0, all = 0;
  for_each_range(c.sets, 32, 64, [&](const TileRange& range) {
    const bool empty = modifier->visible(range).empty();
    CHECK(modifier->bound(range, 3, {}) == (empty ? kMasked<double> : 3));
    ++all;
    left_out += empty;
  });
  // 32 queries and 41 keys to either side reach into 3 or 4 of 64 boxes, and the box on the ring's cut into all.
  CHECK(left_out >= all * 59 / 64);
  TileRange whole;
  whole.first_query = 1024;
  whole.query_count = 32;
  whole.key_count = n / 2;
  CHECK(modifier->visible(whole).end - modifier->visible(whole).begin <= 4 * 64);
}

TEST_CASE("a Longformer pattern is a window and global positions that see and are seen by all", "[modifier][twin]") {
  const PackedSets sets = sets_of(kSizes);
  for (const std::vector<Index>& globals : {std::vector<Index>{}, {0}, {2, 3, 64, 100}})
    for (const Index reach : {0, 4, 63, 1000}) {
      const auto is_global = [&](Index at) { return std::count(globals.begin(), globals.end(), at) > 0; };
      const Pairs expected =
          pairs_where(sets, [&](Index i, Index j) { return std::abs(i - j) <= reach || is_global(i) || is_global(j); });
      check_pairs(longformer<double>(reach, globals), sets, expected);
      const Modifier with_sets = longformer<double>(reach, globals, sets);
      check_pairs(with_sets, sets, expected);
      CHECK((with_sets->neighbours() != nullptr) == (reach <= 4));
    }
}

TEST_CASE("a strided pattern is the last keys and every stride-th before", "[modifier][twin]") {
  const PackedSets sets = sets_of(kSizes);
  for (const Index stride : {1, 5, 8, 13, 1000}) {
    const Pairs expected =
        pairs_where(sets, [&](Index i, Index j) { return j <= i && (i - j <= stride || (i - j) % stride == 0); });
    check_pairs(strided<double>(stride), sets, expected);
    const Modifier with_sets = strided<double>(stride, sets);
    check_pairs(with_sets, sets, expected);
    CHECK((with_sets->neighbours() != nullptr) == (stride >= 8));
  }
}

TEST_CASE("a BigBird row has its window, the global blocks and as many random blocks as asked", "[modifier][twin]") {
  const PackedSets sets = sets_of({{90, 203}, {2, 1}, {50, 33}});
  for (const Index block : {3, 16}) {
    const BigBird shape{block, 3, 2, 2, 5};
    const Modifier modifier = big_bird<double>(shape, sets);
    const Pairs pairs = pairs_in_tiles(*modifier, sets, 32, 512);
    check_pairs(modifier, sets, pairs);
    CHECK((modifier->neighbours() != nullptr) == (block == 3));
    std::set<std::pair<Index, Index>> random;  // (query, block of keys)
    for_each_range(sets, 1, 1, [&](const TileRange& r) {
      const Index row = r.query_position(0) / block, column = r.key_position(0) / block;
      const bool fixed = row < 2 || column < 2 || std::abs(row - column) <= 1;
      const bool sees = pairs.count({r.first_query, r.first_key}) > 0;
      if (fixed) CHECK(sees);
      if (!fixed && sees) {
        random.emplace(r.first_query, column);
        const Index first = r.set_first_query + row * block;  // the whole block of queries, the whole block of keys
        CHECK(pairs.count({first, r.set_first_key + column * block}) == 1);
      }
    });
    for (Index i = 2 * block; i < 90; ++i)
      CHECK(std::count_if(random.begin(), random.end(), [&](const auto& pair) { return pair.first == i; }) == 2);
  }
}

TEST_CASE("BigBird draws each block equally often, others with another seed, and the same for a set among others",
          "[modifier][statistics]") {
  const PackedSets alone = sets_of({{3000, 40}}), packed = sets_of({{7, 90}, {3000, 40}, {4, 4}});
  const Modifier modifier = big_bird<double>({1, 1, 0, 1, 3}, alone);
  std::vector<double> counts(40, 0);
  for (Index i = 40; i < 3000; ++i)  // beyond the keys: no window
    ++counts[modifier->neighbours()->keys[modifier->neighbours()->offsets[i]]];
  // 2960 draws of 40: chi-square with 39 degrees of freedom exceeds 82.1 with probability 7e-5.
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - 74) * (count - 74) / 74;
  CHECK(chi_square < 82.1);
  CHECK(pairs_of(*modifier->neighbours()) != pairs_of(*big_bird<double>({1, 1, 0, 1, 4}, alone)->neighbours()));
  Pairs moved;
  for (const auto& [i, j] : pairs_of(*modifier->neighbours())) moved.emplace(i + 7, j + 90);
  const Pairs among = pairs_of(*big_bird<double>({1, 1, 0, 1, 3}, packed)->neighbours());
  CHECK(std::includes(among.begin(), among.end(), moved.begin(), moved.end()));
}
