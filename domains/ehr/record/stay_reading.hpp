#pragma once
/// What is said of the reading of dated events, by `inspect` and by every run (core/study/cases/reading.hpp).

#include <vector>

#include "fovea/core/study/cases/reading.hpp"
#include "fovea/domains/ehr/record/cases.hpp"

namespace fovea::ehr::record {

/// What lies before and behind the time at which each stay is asked.
struct Window {
  Index inside = 0, late = 0, statics = 0;  ///< events, statics
  Index late_stays = 0;                     ///< stays of which all events are late
  std::vector<bool> has, has_late;          ///< of a variable: some event or static is read; some is late
  void see(const datasets::events::Stays& block, double hour);
};

/// Units, what was left out and notes of the files themselves; window: nothing where events are not asked about.
study::Reading stay_reading(const datasets::events::Stays& index, const CaseOptions& options, const Window* window);

/// Throws DataError where all events are later than the time of asking, and there is no static.
void refuse_empty_window(const Window& window, const datasets::events::Stays& index, const CaseOptions& options);

}  // namespace fovea::ehr::record
