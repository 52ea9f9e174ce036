#pragma once
/// What the block patterns have in common. Internal to core/attention.

#include <memory>
#include <string_view>
#include <vector>

#include "fovea/core/attention/modifier.hpp"
#include "fovea/core/attention/packed_sets.hpp"

namespace fovea {

/// Which keys of its set the query at a position sees. All numbers are positions: they count from the start of a set.
class KeyPattern {
 public:
  virtual ~KeyPattern() = default;
  /// Appends the parts within `range` of what the query sees: ascending, disjoint, not empty.
  /// set: number of the set; 0 where the sets are not given.
  virtual void append_spans(Index set, Index query, KeySpan range, std::vector<KeySpan>& spans) const = 0;
  /// A span that holds what any of these queries sees within `range`; empty if they see nothing there.
  virtual KeySpan hull(Index set, KeySpan queries, KeySpan range) const;
  /// Whether lists are faster than tiles. By the parameters of the pattern alone, so that what a set is packed with
  /// changes none of its bits.
  virtual bool leaves_few_keys() const = 0;

 protected:
  /// Appends what [begin, end) has in common with the range, if anything.
  static void append(Index begin, Index end, KeySpan range, std::vector<KeySpan>& spans);
};

/// The most keys that a query sees where lists are faster than tiles. (A tile of 512 keys costs about as much as a
/// list of this length.)
inline constexpr Index kFewKeys = 64;

/// The modifier of a pattern. sets: empty, or those of attend(); without them it always works tile by tile.
template <typename Real>
std::shared_ptr<const ScoreModifier<Real>> pattern_mask(std::string_view who, std::shared_ptr<const KeyPattern> pattern,
                                                        PackedSets sets);

}  // namespace fovea
