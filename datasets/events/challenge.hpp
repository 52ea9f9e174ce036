#pragma once
/// The own files of the PhysioNet challenge 2012: RecordID.txt in a folder or an archive. Internal to datasets/events.

#include <optional>
#include <string>

#include "fovea/datasets/events/builder.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::events {

/// Whether a CSV file with these columns is a record.
bool is_record(const text::CsvReader& reader);

/// Outcomes-a.txt as it lay beside the records.
using BesideRecords = std::optional<text::CsvText>;

/// The stay of one record: its RecordID and its events. Throws DataError for a record that was read before, whose
/// RecordID is not first, or is not the number that the file is called by.
void read_record(const std::string& path, text::CsvReader& reader, StayBuilder& builder);

/// All records of a folder (by name), or of an archive. Throws DataError if there is none.
BesideRecords read_record_folder(const std::string& folder, StayBuilder& builder);
BesideRecords read_record_archive(const std::string& path, StayBuilder& builder);

}  // namespace fovea::datasets::events
