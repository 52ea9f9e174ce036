#pragma once
/// The keys that say which events an experiment reads, and the reading.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/core/base/random.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/domains/ehr/record/cases.hpp"

namespace fovea::ehr::record {

/// What the keys data.* say; files and columns as `fovea inspect` takes them.
struct EventSettings : datasets::events::EventOptions {
  EventSettings() { distinct = {"ICUType"}; }
  std::vector<std::string> files;          ///< data.events; none: stays are simulated
  std::optional<std::string> number_unit;  ///< EventOptions::time_unit
  std::string unit = "hours";              ///< this and the next two: see CaseOptions
  double at = 48;
  std::vector<std::string> allowed;
  Index simulated = 2000;  ///< stays or subjects
  bool in_hours() const { return unit == "hours"; }
};
const Keys<EventSettings>& event_keys();

/// Those of a ward (two days, asked at hour 48) where data.unit is hours, else those of a cohort (twenty years, asked
/// at 0): simulated/clinical_events.hpp.
study::Cases simulated_cases(const EventSettings& settings, const Random& random);

/// The same before they are cases, with all that is known of their outcomes.
datasets::events::Stays simulated_stays(const EventSettings& settings, const Random& random);

/// The column of the outcomes of this name; nullptr: there is none.
const std::vector<double>* find_column(const datasets::events::Stays& stays, const std::string& name);

/// The stays of the files that are named, with their outcomes and folds. Throws DataError, StorageError.
datasets::events::StaysReader open_stays(const EventSettings& settings);

/// Their cases, block after block. finish: see read_stay_cases().
std::unique_ptr<study::CaseReader> open_cases(const EventSettings& settings, const CaseFinish& finish = {});

}  // namespace fovea::ehr::record
