#pragma once
/// A model of gaps in a file.

#include <string>

#include "fovea/core/data/dataset.hpp"
#include "fovea/domains/fusion/gapfill/gap_model.hpp"

namespace fovea::fusion::gapfill {

/// kind = "fovea model", the experiment, its version, the columns, widths, ridge and calibration, and a hash of it all.
Dataset gap_model_dataset(const GapModel& model, std::string_view experiment, int result_version);

/// The same of unknown origin. Throws DataError: another version, a hash that differs, what is missing, of another
/// shape, or out of range.
GapModel read_gap_model(const std::string& source, const Dataset& data, int result_version);

/// Columns, widths and calibration, as lines.
std::string gap_model_text(const GapModel& model);

}  // namespace fovea::fusion::gapfill
