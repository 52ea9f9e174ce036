#pragma once
/// What the operations of class_pooling.hpp share: checks, and the groups of a call one by one. Internal to
/// core/learning/operations.

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/learning/class_pooling.hpp"
#include "fovea/core/learning/kernels/learning_kernels.hpp"
#include "fovea/core/learning/operations/shapes.hpp"

namespace fovea::learning {

inline constexpr double kLn2 = 0.693147180559945309417;

struct PooledShape {
  Index sets, queries, classes, heads, masses;
  Index lanes() const { return heads + masses; }
  Index width() const { return pooled_columns(heads, masses); }  ///< of a class in a row of the result
};

/// Times that do not fall within the parts of `offsets`.
inline void check_times(std::string_view what, std::span<const Index> offsets, std::span<const double> times) {
  const Index parts = check_offsets("class_pooling", static_cast<Index>(times.size()), offsets);
  for (Index p = 0; p < parts; ++p) {
    const std::size_t first = offsets[p];
    const std::size_t last = offsets[p + 1];
    bool sound = first == last || (std::isfinite(times[first]) && std::isfinite(times[last - 1]));
    for (std::size_t i = first + 1; i < last; ++i) sound &= times[i] >= times[i - 1];  // NaN is not
    for (std::size_t i = first; i < last && !sound; ++i) {
      require(std::isfinite(times[i]), "class_pooling: the time of ", what, " ", i, " is not finite.");
      require(i == first || times[i] >= times[i - 1], "class_pooling: ", what, " ", i, " is at ", times[i],
              ", but the one before at ", times[i - 1], "; times must not fall within a group.");
    }
  }
}

template <typename Real>
PooledShape check_call(const Variable<Real>& values, const Variable<Real>& sharpness, const Variable<Real>& log_mass,
                       const ClassEvents& events, const TimedQueries& queries) {
  require(values.columns() == 1 && values.rows() == static_cast<Index>(events.times.size()),
          "class_pooling: the values are ", values.rows(), " x ", values.columns(), ", but must be ",
          events.times.size(), " x 1, one for each event.");
  require(events.classes >= 1, "class_pooling: there are ", events.classes, " classes, but must be at least 1.");
  require(sharpness.rows() == events.classes && log_mass.rows() == events.classes, "class_pooling: there are heads of ",
          sharpness.rows(), " classes and masses of ", log_mass.rows(), ", but events of ", events.classes,
          "; all must be as many.");
  check_times("event", events.offsets, events.times);
  check_times("query", queries.offsets, queries.times);
  const auto sets = static_cast<Index>(queries.offsets.size()) - 1;
  require(static_cast<Index>(events.offsets.size()) == sets * events.classes + 1, "class_pooling: there are ",
          events.offsets.size(), " offsets of events for ", sets, " sets of ", events.classes,
          " classes; there must be one for each set and class, and one more.");
  return {sets, static_cast<Index>(queries.times.size()), events.classes, sharpness.columns(), log_mass.columns()};
}

/// f(group, b, c) for every class of every set.
template <typename Real, typename F>
void each_group(const PooledShape& shape, const Real* values, const ClassEvents& events, const TimedQueries& queries,
                F f) {
  for (Index b = 0; b < shape.sets; ++b) {
    const Index asked = queries.offsets[b];
    const Index asked_end = queries.offsets[b + 1];
    for (Index c = 0; c < shape.classes && asked < asked_end; ++c) {
      const std::size_t place = b * shape.classes + c;
      const Index first = events.offsets[place];
      f(ClassGroup<Real>{values + first, events.times.data() + first, events.offsets[place + 1] - first,
                         queries.times.data() + asked, asked_end - asked},
        asked, c, first);
    }
  }
}

template <typename Real>
Real rate_of(Real log_half_life) {
  return static_cast<Real>(kLn2) * exponential(-log_half_life);
}

/// logarithm(1 + count); small counts, which most are, from a table.
template <typename Real>
Real logarithm_of_next(Index count) {
  static const auto table = [] {
    std::array<Real, 256> logs;
    for (std::size_t k = 0; k < logs.size(); ++k) logs[k] = logarithm(static_cast<Real>(1 + k));
    return logs;
  }();
  return count < std::ssize(table) ? table[count] : logarithm(static_cast<Real>(1 + count));
}

/// Age of the last event and log(1 + count), behind the lanes of each class; their slopes are 0.
template <typename Real>
void put_recency(const ClassGroup<Real>& group, Index lanes, const ClassResults<Real>& to) {
  Index seen = 0;
  for (Index q = 0; q < group.queries; ++q) {
    while (seen < group.events && group.times[seen] <= group.query_times[q]) ++seen;
    Real* const place = to.y + q * to.stride + lanes;
    place[0] = seen > 0 ? static_cast<Real>(group.query_times[q] - group.times[seen - 1]) : Real(0);
    place[1] = logarithm_of_next<Real>(seen);
    for (Real* const slopes : {to.by_sharpness, to.by_time, to.by_exponent})
      if (slopes) std::fill_n(slopes + q * to.stride + lanes, 2, Real(0));
  }
}

}  // namespace fovea::learning
