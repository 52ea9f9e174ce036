#include "fovea/core/learning/neighbourhood.hpp"

#include <algorithm>
#include <deque>
#include <numeric>

#include "fovea/core/attention/modifiers.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea::learning {

namespace {

/// What a search read, to be recognised.
struct NeighbourSearch {
  Tokens queries, keys;  ///< offsets, coordinates, periods and class tokens of them
  Neighbourhood what;
  std::shared_ptr<const NeighbourLists> found;
};

bool same_places(const Tokens& a, const Tokens& b) {
  return a.offsets == b.offsets && a.class_tokens == b.class_tokens && a.coordinates.rows() == b.coordinates.rows() &&
         a.coordinates.cols() == b.coordinates.cols() && a.coordinates == b.coordinates && a.periods == b.periods;
}
bool same_neighbourhood(const Neighbourhood& a, const Neighbourhood& b) {
  return a.radius == b.radius && a.nearest == b.nearest && a.class_tokens_seen == b.class_tokens_seen;
}

Tokens places_of(const Tokens& tokens) {
  Tokens places;
  places.offsets = tokens.offsets;
  places.coordinates = tokens.coordinates;
  places.periods = tokens.periods;
  places.class_tokens = tokens.class_tokens;
  return places;
}

/// The tokens of the sets without their class tokens.
struct Placed {
  Matrix<double> coordinates;
  std::vector<Index> offsets{0}, rows;  ///< rows: of each among all tokens

  explicit Placed(const Tokens& tokens) {
    for (Index b = 0; b < tokens.sets(); ++b) {
      for (Index i = first_of(tokens, b); i < tokens.offsets[b + 1]; ++i) rows.push_back(i);
      offsets.push_back(static_cast<Index>(rows.size()));
    }
    coordinates.resize(static_cast<Index>(rows.size()), tokens.coordinates.cols());
    for (std::size_t k = 0; k < rows.size(); ++k)
      coordinates.row(static_cast<Index>(k)) = tokens.coordinates.row(rows[k]);
  }
  /// The first row of a set behind its class tokens.
  static Index first_of(const Tokens& tokens, Index set) {
    const std::size_t b = set;
    return std::min(tokens.offsets[b] + tokens.class_tokens, tokens.offsets[b + 1]);
  }
};

/// Lists whose owner is the modifier that searched them.
std::shared_ptr<const NeighbourLists> lists_of(std::shared_ptr<const ScoreModifier<float>> modifier) {
  const NeighbourLists* lists = modifier->neighbours();
  return {std::move(modifier), lists};
}

/// Among the placed tokens, by their numbers there. Without others a token has itself alone, which is nobody's search.
std::shared_ptr<const NeighbourLists> search(const Placed& queries, const Placed& keys,
                                             const std::vector<double>& periods, const Neighbourhood& what,
                                             bool includes_self) {
  Coordinates coordinates{queries.coordinates, keys.coordinates, periods, {queries.offsets, keys.offsets}};
  if (what.radius > 0) return lists_of(radius<float>(std::move(coordinates), what.radius));
  const Index others = includes_self ? what.nearest - 1 : what.nearest;
  if (others > 0) return lists_of(nearest_neighbours<float>(std::move(coordinates), others, !includes_self));
  auto none = std::make_shared<NeighbourLists>();
  none->offsets.assign(queries.rows.size() + 1, 0);
  return none;
}

/// Of how many searches the lists are kept: those of many pairs would be felt in memory.
std::size_t searches_kept(const NeighbourSearch& last) {
  constexpr std::ptrdiff_t kManyPairs = 1 << 18;
  return std::ssize(last.found->keys) > kManyPairs ? 2 : 4;
}

void append_rows(Index first, Index end, NeighbourLists& lists) {
  for (Index j = first; j < end; ++j) lists.keys.push_back(j);
}

/// The lists of all tokens from those of the placed ones.
NeighbourLists with_class_tokens(const Tokens& queries, const Tokens& keys, const Placed& placed_keys,
                                 const NeighbourLists& found, bool class_tokens_seen, bool add_self) {
  NeighbourLists lists;
  lists.offsets.push_back(0);
  std::size_t query = 0;  // among the placed ones
  for (Index b = 0; b < queries.sets(); ++b) {
    const std::size_t set = b;
    const Index first_placed = Placed::first_of(queries, b), end = queries.offsets[set + 1];
    for (Index i = queries.offsets[set]; i < end; ++i) {
      if (i < first_placed) {
        append_rows(keys.offsets[set], keys.offsets[set + 1], lists);
      } else {
        if (class_tokens_seen) append_rows(keys.offsets[set], Placed::first_of(keys, b), lists);
        const std::size_t before = lists.keys.size();
        for (Index e = found.offsets[query]; e < found.offsets[query + 1]; ++e)
          lists.keys.push_back(placed_keys.rows[found.keys[e]]);
        const auto mine = lists.keys.begin() + static_cast<std::ptrdiff_t>(before);
        if (add_self) lists.keys.insert(std::lower_bound(mine, lists.keys.end(), i), i);
        ++query;
      }
      lists.offsets.push_back(static_cast<Index>(lists.keys.size()));
    }
  }
  return lists;
}

void check_places(const Tokens& tokens, const char* side) {
  require(tokens.coordinates.rows() == tokens.count() && tokens.coordinates.cols() > 0, "neighbours: there are ",
          tokens.count(), " ", side, ", but coordinates of ", tokens.coordinates.rows(), "; each token needs them.");
  require(tokens.class_tokens >= 0, "neighbours: class_tokens = ", tokens.class_tokens, ", but must be at least 0.");
}

std::shared_ptr<const NeighbourLists> searched(const Tokens& queries, const Tokens& keys, const Neighbourhood& what) {
  const bool same = same_places(queries, keys);
  const bool add_self = what.nearest > 0 && same;
  const Placed placed_queries(queries), placed_keys(keys);
  const auto found = search(placed_queries, placed_keys, keys.periods, what, add_self);
  if (queries.class_tokens == 0 && keys.class_tokens == 0 && !add_self) return found;
  return std::make_shared<const NeighbourLists>(
      with_class_tokens(queries, keys, placed_keys, *found, what.class_tokens_seen, add_self));
}

}  // namespace

std::shared_ptr<const NeighbourLists> neighbours_of(const Tokens& queries, const Tokens& keys,
                                                    const Neighbourhood& neighbourhood) {
  check_places(queries, "queries");
  check_places(keys, "keys");
  require(queries.sets() == keys.sets(), "neighbours: the queries are in ", queries.sets(), " sets, the keys in ",
          keys.sets(), ".");
  require((neighbourhood.radius > 0) != (neighbourhood.nearest > 0) && neighbourhood.nearest >= 0,
          "neighbours: radius = ", neighbourhood.radius, " and nearest = ", neighbourhood.nearest,
          "; exactly one of them must be above 0.");
  static thread_local std::deque<NeighbourSearch> last;
  for (const NeighbourSearch& search : last)
    if (same_neighbourhood(search.what, neighbourhood) && same_places(search.keys, keys) &&
        same_places(search.queries, queries))
      return search.found;
  last.push_front({places_of(queries), places_of(keys), neighbourhood, searched(queries, keys, neighbourhood)});
  while (last.size() > searches_kept(last.front())) last.pop_back();
  return last.front().found;
}

}  // namespace fovea::learning
