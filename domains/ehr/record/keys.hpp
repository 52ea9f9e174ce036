#pragma once
/// The keys of a config that say which events an experiment reads, and the reading.

#include <memory>

#include "fovea/core/base/random.hpp"
#include "fovea/core/config/config.hpp"
#include "fovea/core/study/cases/cases.hpp"
#include "fovea/domains/ehr/record/cases.hpp"

namespace fovea::ehr::record {

/// data.events, data.outcomes, data.folds: files; data.outcome, data.stay, data.patient, data.time, data.variable,
/// data.value, data.time_unit: columns, as `fovea inspect` takes them; data.unit, data.at, data.codes, data.allowed:
/// see record/cases.hpp.
void add_event_keys(Schema& schema);

/// Whether files are named; else stays are simulated.
bool has_files(const Config& config);

/// data.simulated: how many stays or subjects are simulated.
void add_simulated_key(Schema& schema);

/// Those of a ward (two days, asked at hour 48) where data.unit is hours, else those of a cohort (twenty years, asked
/// at 0): simulated/clinical_events.hpp.
study::Cases simulated_cases(const Config& config, const Random& random);

/// The same before they are cases, with all that is known of their outcomes.
datasets::events::Stays simulated_stays(const Config& config, const Random& random);

/// The column of the outcomes of this name; nullptr: there is none.
const std::vector<double>* find_column(const datasets::events::Stays& stays, const std::string& name);

/// The stays of the files that are named, with their outcomes and folds. Throws DataError, StorageError; ConfigError
/// for a unit of time that is none.
datasets::events::StaysReader open_stays(const Config& config);

/// Their cases, as the config has them, block after block. finish: see read_stay_cases().
std::unique_ptr<study::CaseReader> open_cases(const Config& config, const CaseFinish& finish = {});

}  // namespace fovea::ehr::record
