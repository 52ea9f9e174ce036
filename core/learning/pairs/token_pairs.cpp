#include "fovea/core/learning/pairs/token_pairs.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"

namespace fovea::learning {

TokenPairs TokenPairs::of_sets(std::span<const Index> offsets, bool symmetric) {
  require(!offsets.empty() && offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()),
          "token pairs: the offsets of the sets must start with 0 and must not fall.");
  TokenPairs pairs;
  pairs.symmetric_ = symmetric;
  pairs.offsets_.assign(offsets.begin(), offsets.end());
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const Index size = offsets[b + 1] - offsets[b];
    pairs.first_rows_.push_back(pairs.rows_);
    pairs.first_entries_.push_back(pairs.entries_);
    pairs.rows_ += symmetric ? size * (size + 1) / 2 : size * size;
    pairs.entries_ += size * size;
  }
  return pairs;
}

TokenPairs TokenPairs::all(std::span<const Index> offsets) { return of_sets(offsets, false); }
TokenPairs TokenPairs::symmetric(std::span<const Index> offsets) { return of_sets(offsets, true); }

TokenPairs TokenPairs::listed(std::shared_ptr<const NeighbourLists> lists) {
  require(lists != nullptr && !lists->offsets.empty(), "token pairs: there are no lists of neighbours.");
  TokenPairs pairs;
  pairs.rows_ = pairs.entries_ = static_cast<Index>(lists->keys.size());
  pairs.lists_ = std::move(lists);
  return pairs;
}

/// Rows of a set before those of a token.
Index TokenPairs::rows_before(Index set, Index position) const {
  const std::size_t b = set;
  const Index size = offsets_[b + 1] - offsets_[b];
  return symmetric_ ? position * size - position * (position - 1) / 2 : position * size;
}

void TokenPairs::read(Index first, std::span<TokenPair> pairs) const {
  if (pairs.empty()) return;
  if (lists_) return read_listed(first, pairs);
  const auto above = std::upper_bound(first_rows_.begin(), first_rows_.end(), first);
  std::size_t b = (above - first_rows_.begin()) - 1;
  Index size = offsets_[b + 1] - offsets_[b], low = 0, high = size;  // the token: rows_before(low) <= place < (high)
  const Index place = first - first_rows_[b];
  while (high - low > 1) {
    const Index middle = (low + high) / 2;
    (rows_before(static_cast<Index>(b), middle) <= place ? low : high) = middle;
  }
  Index i = low, j = place - rows_before(static_cast<Index>(b), low) + (symmetric_ ? low : 0);
  for (TokenPair& pair : pairs) {
    while (i == size) {
      ++b;
      size = offsets_[b + 1] - offsets_[b];
      i = j = 0;
    }
    const Index entry = first_entries_[b] + i * size + j;
    pair = {offsets_[b] + i, offsets_[b] + j, entry, symmetric_ ? first_entries_[b] + j * size + i : entry};
    if (++j == size) j = symmetric_ ? ++i : (++i, 0);
  }
}

void TokenPairs::read_listed(Index first, std::span<TokenPair> pairs) const {
  const std::vector<Index>& offsets = lists_->offsets;
  Index i = static_cast<Index>(std::upper_bound(offsets.begin(), offsets.end(), first) - offsets.begin()) - 1;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const Index entry = first + static_cast<Index>(p);
    while (offsets[i + 1] <= entry) ++i;
    pairs[p] = {i, lists_->keys[entry], entry, entry};
  }
}

}  // namespace fovea::learning
