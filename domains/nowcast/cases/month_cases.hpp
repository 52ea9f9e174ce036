#pragma once
/// A month as a case: the columns and the events that were known at its end.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fovea/core/study/cases/cases.hpp"
#include "fovea/datasets/panels/recessions.hpp"
#include "fovea/domains/nowcast/events/events.hpp"

namespace fovea::nowcast {

/// What the model needs to tell tokens apart, by the names of their classes.
inline constexpr const char* kColumnPrefix = "column: ";  ///< of a column of the ridge part
inline constexpr const char* kNothing = "(nothing)";      ///< a token that each case has, for months without events

double time_of(Index month);  ///< in study::kMonthsSince1900
Index month_of(double time);
std::string date_of(Index month);  ///< "2008-01-01"
/// Of a text such as "1985-01" or "1985-01-01"; -1: it is none.
Index month_of_date(const std::string& text);

/// What is known of an economy at the end of a month.
struct KnownMonths {
  std::vector<KnownSeries> series;
  Events events;
};
KnownMonths known_months(std::vector<KnownSeries> series);

struct CaseSettings {
  Index window = 36;  ///< months of events
  Index horizon = 0;  ///< months ahead for which a recession is predicted
  Index delay = 12;   ///< months after which a label is known
  Index fewest = 6;   ///< columns that a month needs to be a case
};

/// Cases of the months [first, last] that have enough columns, each with its id YYYY-MM-01, its tokens by class, its
/// end and, where recessions are given, its target and when that is known. known(month): what is known at its end,
/// valid until the next call. Classes: columns and kinds of events of all series, whether a month has them or not.
study::Cases month_cases(Index first, Index last, const std::function<const KnownMonths&(Index month)>& known,
                         const datasets::panels::Recessions* recessions, const CaseSettings& settings);

/// Episodes of recession within known months: [first, last] months.
struct RecessionEpisode {
  Index first, last;
};
std::vector<RecessionEpisode> episodes_of(const datasets::panels::Recessions& recessions);

/// For each month the episode nearest to it, from 0: what is drawn together in intervals.
Index nearest_episode(const std::vector<RecessionEpisode>& episodes, Index month);

}  // namespace fovea::nowcast
