#pragma once
/// The times of queries and keys, in any order, and how old the keys of a range are. Internal to core/attention.

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "fovea/core/attention/tile.hpp"

namespace fovea {

template <typename Real>
class EventTimes {
 public:
  /// who: the modifier, for messages. past_only: a query sees the keys with t_key <= t_query.
  EventTimes(std::string_view who, Vector<Real> t_query, Vector<Real> t_key, bool past_only);

  void check(const AttentionShape& shape) const;
  Real of_query(Index row) const { return t_query_[row]; }
  /// The rate, or the largest one below it that leaves rate * age finite for all ages.
  Real finite_rate(Real rate) const { return std::min(rate, kLargest / most_age_); }
  /// The times of the tile's keys, one after the other; valid until the thread asks again.
  const Real* of_keys(const TileRange& tile) const;
  /// The keys that are not too late for all queries, as ScoreModifier::visible().
  KeySpan visible(const TileRange& range) const;
  /// No pair of the range is closer in time; infinity where no query sees a key. Found from least and largest times of
  /// blocks of keys, not from pairs.
  Real least_age(const TileRange& range) const;
  /// Masks the pairs whose key is later than the query; key_times: of_keys(tile).
  void mask_future(const ScoreTile<Real>& tile, const Real* key_times) const;

 private:
  struct Extent {
    Real least, most;
  };
  static constexpr Index kBlock = 64;
  static constexpr Real kLargest = std::numeric_limits<Real>::max() / 4;

  void check_size(std::string_view name, const Vector<Real>& times) const;
  Extent of_queries(const TileRange& range) const;
  Real least_age(const Extent& queries, const Extent& keys) const;
  /// Calls visit(extent) for blocks and single keys that make up the range.
  template <typename Visit>
  void for_each_extent(const TileRange& range, const Visit& visit) const;

  std::string_view who_;
  Vector<Real> t_query_, t_key_;
  bool past_only_;
  Real most_age_ = 1;
  std::vector<Extent> blocks_;  ///< of key rows [64 b, 64 (b + 1))
};

}  // namespace fovea
