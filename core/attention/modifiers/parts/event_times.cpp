#include "fovea/core/attention/modifiers/parts/event_times.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/attention/modifiers/parts/row_memory.hpp"
#include "fovea/core/attention/modifiers/parts/widest.hpp"
#include "fovea/core/base/error.hpp"

namespace fovea {
namespace {

struct MaskLater {
  template <typename Real>
  FOVEA_LOOP void operator()(Real* scores, const Real* times, Real now, Index count) const {
#pragma omp simd
    for (Index j = 0; j < count; ++j) scores[j] = select(times[j] > now, kMasked<Real>, scores[j]);
  }
};

}  // namespace

template <typename Real>
EventTimes<Real>::EventTimes(std::string_view who, Vector<Real> t_query, Vector<Real> t_key, bool past_only)
    : who_(who), t_query_(std::move(t_query)), t_key_(std::move(t_key)), past_only_(past_only) {
  check_size("t_query", t_query_);
  check_size("t_key", t_key_);
  for (Index first = 0; first < t_key_.size(); first += kBlock) {
    const auto block = t_key_.segment(first, std::min(kBlock, t_key_.size() - first));
    blocks_.push_back({block.minCoeff(), block.maxCoeff()});
    if (t_query_.size() == 0) continue;
    most_age_ = std::max({most_age_, t_query_.maxCoeff() - block.minCoeff(), block.maxCoeff() - t_query_.minCoeff()});
  }
}

template <typename Real>
void EventTimes<Real>::check_size(std::string_view name, const Vector<Real>& times) const {
  for (Index i = 0; i < times.size(); ++i)
    require(std::abs(times[i]) <= kLargest, who_, ": ", name, "[", i, "] is ", times[i],
            ", but must be finite, and at most ", kLargest, " in size.");
}

template <typename Real>
void EventTimes<Real>::check(const AttentionShape& shape) const {
  require(t_query_.size() == shape.queries && t_key_.size() == shape.keys, who_, ": there are times for ",
          t_query_.size(), " queries and ", t_key_.size(), " keys, but attend() got ", shape.queries, " queries and ",
          shape.keys, " keys; each needs exactly one time.");
}

template <typename Real>
const Real* EventTimes<Real>::of_keys(const TileRange& tile) const {
  if (!tile.key_list) return t_key_.data() + tile.first_key;
  struct Listed;
  Real* times = row_memory<Listed, Real>(tile.key_count);
  for (Index j = 0; j < tile.key_count; ++j) times[j] = t_key_[tile.key(j)];
  return times;
}

template <typename Real>
KeySpan EventTimes<Real>::visible(const TileRange& range) const {
  KeySpan span{0, range.key_count};
  if (!past_only_) return span;
  const Real latest = of_queries(range).most;
  const auto is_late = [&](Index j) { return t_key_[range.first_key + j] > latest; };
  const auto block_is_late = [&](Index j) {  // the whole block that starts at key j
    const Index row = range.first_key + j;
    return row % kBlock == 0 && j + kBlock <= span.end && blocks_[row / kBlock].least > latest;
  };
  while (!span.empty() && is_late(span.begin)) span.begin += block_is_late(span.begin) ? kBlock : 1;
  while (!span.empty() && is_late(span.end - 1))
    span.end -= span.end - kBlock >= span.begin && block_is_late(span.end - kBlock) ? kBlock : 1;
  return span;
}

template <typename Real>
typename EventTimes<Real>::Extent EventTimes<Real>::of_queries(const TileRange& range) const {
  const auto times = t_query_.segment(range.first_query, range.query_count);
  return {times.minCoeff(), times.maxCoeff()};
}

template <typename Real>
template <typename Visit>
void EventTimes<Real>::for_each_extent(const TileRange& range, const Visit& visit) const {
  for (Index j = 0; j < range.key_count;) {
    const Index row = range.key(j);
    if (!range.key_list && row % kBlock == 0 && j + kBlock <= range.key_count) {
      visit(blocks_[row / kBlock]);
      j += kBlock;
    } else {
      visit(Extent{t_key_[row], t_key_[row]});
      ++j;
    }
  }
}

template <typename Real>
Real EventTimes<Real>::least_age(const Extent& queries, const Extent& keys) const {
  if (past_only_ && keys.least > queries.most) return std::numeric_limits<Real>::infinity();
  const Real elapsed = std::max(Real(0), queries.least - keys.most);
  return past_only_ ? elapsed : std::max(elapsed, keys.least - queries.most);
}

template <typename Real>
Real EventTimes<Real>::least_age(const TileRange& range) const {
  const Extent queries = of_queries(range);
  Real least = std::numeric_limits<Real>::infinity();
  for_each_extent(range, [&](const Extent& keys) { least = std::min(least, least_age(queries, keys)); });
  return least;
}

template <typename Real>
void EventTimes<Real>::mask_future(const ScoreTile<Real>& tile, const Real* key_times) const {
  if (!past_only_) return;
  Real latest_key = -std::numeric_limits<Real>::infinity();
  for_each_extent(tile, [&](const Extent& keys) { latest_key = std::max(latest_key, keys.most); });
  for (Index i = 0; i < tile.query_count; ++i)
    if (const Real now = t_query_[tile.query(i)]; latest_key > now)
      run_widest<MaskLater>(tile.row(i), key_times, now, tile.key_count);
}

template class EventTimes<float>;
template class EventTimes<double>;

}  // namespace fovea
