#pragma once
/// Reads a file of series once for a command that asks three times: are its times even? can this run be? what is in it?

#include <memory>

#include "fovea/datasets/series/file.hpp"

namespace fovea::datasets::series {

/// read_series(), and keeps what it read until it is taken or another file is looked at: one file a process. A second
/// look at the same file with the same options reads nothing, unless the file's size, time or place on the disk is
/// another by then. A file that was written within the last two seconds is not kept: the clocks of some disks could
/// hide a second change. Throws as read_series(). Safe to call from several threads.
std::shared_ptr<const SeriesFile> look_at_series(const std::string& path, const SeriesFileOptions& options = {});

/// What a look has kept, or else read_series(); nothing is kept any more. So a table that is looked at and then taken
/// is in memory once.
SeriesFile take_series(const std::string& path, const SeriesFileOptions& options = {});

}  // namespace fovea::datasets::series
