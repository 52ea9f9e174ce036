#pragma once
/// The keys of a config that say which events an experiment reads, and the reading.

#include <memory>

#include "fovea/core/config/config.hpp"
#include "fovea/core/study/cases.hpp"

namespace fovea::ehr::record {

/// data.events, data.outcomes, data.folds: files; data.outcome, data.stay, data.patient, data.time, data.variable,
/// data.value, data.time_unit: columns, as `fovea inspect` takes them; data.at, data.codes, data.allowed: see
/// record/cases.hpp.
void add_event_keys(Schema& schema);

/// Whether files are named; else stays are simulated.
bool has_files(const Config& config);

/// The cases of the files that are named. Throws DataError, StorageError; ConfigError for a unit of time that is none.
study::Cases read_cases(const Config& config);

}  // namespace fovea::ehr::record
