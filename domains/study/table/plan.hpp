#pragma once
/// From a table to a question: what the target is, which columns are learned from, and why the others are not.

#include "fovea/domains/study/table/settings.hpp"

namespace fovea::study::table {

/// The settings with all that the table says filled in. Throws DataError that names the file, the column and the way
/// out: for a column that is not there, a target that can be read in several ways or has one class alone, a column that
/// is neither numbers nor names, a number that looks like a mark of missing values, and subjects with several rows of
/// which nothing says how they belong together.
TableSettings planned(const TableSettings& settings);

}  // namespace fovea::study::table
