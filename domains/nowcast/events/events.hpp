#pragma once
/// What happened to an economy: events with a moment of release, found in its series by rules that look at the past
/// alone.

#include <string>
#include <vector>

#include "fovea/domains/nowcast/series/known_series.hpp"

namespace fovea::nowcast {

/// A kind of event: of one series, and by one rule.
struct EventKind {
  std::string series;  ///< its words: "payrolls"
  std::string what;    ///< "surprise"
  std::string name() const { return series + ": " + what; }
};

struct Event {
  Index kind = 0;      ///< in Events::kinds
  double size = 0;     ///< of the order of 1, at most 3 in size; below 0 only of surprises
  Index released = 0;  ///< the month at whose end it is known
};

struct Events {
  std::vector<EventKind> kinds;  ///< all that the rules can find in these series, names ascending
  std::vector<Event> events;     ///< by month of release
};

/// Rules, each on values that were released by then:
///   surprise    a release that differs from its forecast by a deviation or more: the transformed series follows
///               y = m + a (y_before - m), m the median of its past, a and the deviation of the error fitted on its
///               past (36 values at least), which is clipped at 3 robust deviations about m; size: the error in
///               deviations, clipped at 3
///   in a row    the third and later fall (of claims, unemployment and the federal funds rate: rise) in a row; size:
///               how many beyond the second, at most 3
///   thresholds  the month in which a condition becomes true that was false when its values were last there, size 1:
///               claims up 20 % in 3 months; unemployment .5 above its low (Sahm 2019); permits down 20 % in a year;
///               share prices down 10 % in 3 months; oil up 30 % in 3 months; consumer prices rise faster than in the
///               last 12 months by .2 points; sentiment down 10 points in a year; the spread below 0; the credit
///               spread .3 above its low of a year
///   rate moves  the federal funds rate changes by .25 or more in a month; size: the change in points, at most 1.5
Events find_events(const std::vector<KnownSeries>& series);

}  // namespace fovea::nowcast
