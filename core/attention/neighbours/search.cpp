#include "fovea/core/attention/neighbours/search.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/core/attention/neighbours/search_tree.hpp"
#include "fovea/core/base/parallel.hpp"

namespace fovea {
namespace {

constexpr Index kSearchQueries = 128;            // of one task
constexpr Index kSearchQueriesForThreads = 512;  // fewer are found before the threads are awake

/// Some queries of one set.
struct SearchBlock {
  Index set, first, count;
};

/// One tree for each set, and the queries cut into tasks.
class Search {
 public:
  explicit Search(const CheckedCoordinates& coordinates)
      : sets_(coordinates.sets()), worth_threads_(coordinates.queries().rows() >= kSearchQueriesForThreads) {
    const PackedSets& sets = sets_;
    trees_.reserve(sets.count());
    for (Index set = 0; set < sets.count(); ++set) {
      trees_.emplace_back(coordinates, set);
      for (Index first = sets.first_query(set); first < sets.first_query(set + 1); first += kSearchQueries)
        blocks_.push_back({set, first, std::min(kSearchQueries, sets.first_query(set + 1) - first)});
    }
  }

  /// Calls find(tree, query, memory of the task) for all queries. Where a set has as many queries as keys, those that
  /// are near in space follow each other, so that the parts of the tree they visit stay in the cache.
  template <typename Memory, typename Find>
  void for_each_query(const Find& find) const {
    for_each_task(static_cast<Index>(blocks_.size()), worth_threads_, [&](Index b) {
      const SearchBlock& block = blocks_[b];
      const SearchTree& tree = trees_[block.set];
      Memory memory;
      for (Index i = block.first; i < block.first + block.count; ++i) find(tree, query(tree, block.set, i), memory);
    });
  }

 private:
  Index query(const SearchTree& tree, Index set, Index i) const {
    const Index first = sets_.first_query(set);
    if (sets_.keys(set) != sets_.first_query(set + 1) - first) return i;
    return first + tree.rows()[i - first] - sets_.first_key(set);
  }

  const PackedSets& sets_;
  bool worth_threads_;
  std::vector<SearchTree> trees_;
  std::vector<SearchBlock> blocks_;
};

/// From the length of each list, in offsets[i + 1], to where it starts.
void add_up(NeighbourLists& lists) {
  std::partial_sum(lists.offsets.begin(), lists.offsets.end(), lists.offsets.begin());
  lists.keys.resize(lists.offsets.back());
}

Index* list_of(NeighbourLists& lists, Index query) { return lists.keys.data() + lists.offsets[query]; }

/// Puts the number of keys of each query within the radius into offsets[i + 1].
void count_keys(const CheckedCoordinates& coordinates, const Search& search, double radius, NeighbourLists& lists) {
  lists.offsets.assign(coordinates.queries().rows() + 1, 0);
  struct Nothing {};
  search.for_each_query<Nothing>([&](const SearchTree& tree, Index i, Nothing&) {
    lists.offsets[i + 1] = tree.count_within(coordinates.query(i), radius * radius);
  });
}

}  // namespace

NeighbourLists nearest_keys(const CheckedCoordinates& coordinates, Index k, bool include_self) {
  NeighbourLists lists;
  const PackedSets& sets = coordinates.sets();
  lists.offsets.push_back(0);
  for (Index set = 0; set < sets.count(); ++set)
    for (Index i = sets.first_query(set); i < sets.first_query(set + 1); ++i)
      lists.offsets.push_back(std::min(k, sets.keys(set) - (include_self ? 0 : 1)));
  add_up(lists);
  using Found = std::vector<Candidate>;
  Search(coordinates).for_each_query<Found>([&](const SearchTree& tree, Index i, Found& found) {
    tree.nearest(coordinates.query(i), k, include_self ? -1 : i, found);
    Index* rows = list_of(lists, i);
    std::transform(found.begin(), found.end(), rows, [](const Candidate& candidate) { return candidate.second; });
    std::sort(rows, rows + found.size());
  });
  return lists;
}

NeighbourLists keys_within(const CheckedCoordinates& coordinates, double radius) {
  NeighbourLists lists;
  const Search search(coordinates);
  count_keys(coordinates, search, radius, lists);
  add_up(lists);
  using Found = std::vector<Index>;
  search.for_each_query<Found>([&](const SearchTree& tree, Index i, Found& found) {
    found.clear();
    tree.within(coordinates.query(i), radius * radius, found);
    std::sort(found.begin(), found.end());
    std::copy(found.begin(), found.end(), list_of(lists, i));
  });
  return lists;
}

}  // namespace fovea
