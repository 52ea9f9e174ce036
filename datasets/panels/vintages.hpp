#pragma once
/// Folders of vintages of a panel: files as they were published, one a month, each named by its month (2016-07.csv,
/// 2016-07-md.csv, FRED-MD_2016m7.csv, perhaps with .gz).

#include "fovea/datasets/panels/panel.hpp"

namespace fovea::datasets::panels {

struct Vintage {
  Index month = 0;  ///< of the publication
  std::string path;
};

struct Vintages {
  std::string folder;
  std::vector<Vintage> files;      ///< at least one; months ascend
  std::vector<std::string> notes;  ///< months without a file, files that are none, names that come and go
  /// The latest that was published in the month or before it; nullptr: none.
  const Vintage* known_at(Index month) const;
};

/// Which vintages there are. Reads the names of their series alone. Throws DataError for a folder without vintages, and
/// for two files of a month.
Vintages find_vintages(const std::string& folder);

/// Throws as read_panel(), and DataError for a file that has months behind that of its publication.
MonthlyPanel read_vintage(const Vintage& vintage, const Codes& codes = {}, const Codes& usual = {});

}  // namespace fovea::datasets::panels
