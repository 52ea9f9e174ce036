#pragma once
/// The runs of a folder as tables: one for each experiment, because their headlines are its columns.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/lab/directory/run_status.hpp"

namespace fovea {

/// What stands in a cell, and by what it is sorted: the number, or the text where there is none.
struct RunCell {
  std::string text;
  double order = kNan;
};

struct RunTable {
  std::string experiment;
  std::vector<std::string> numbers;  ///< labels of the headlines that any of the runs has
  std::vector<RunStatus> runs;

  /// The headline of a run; nullptr: it has none.
  const DigestNumber* number(const RunStatus& run, const std::string& label) const;
  std::string units(const std::string& label) const;
};

/// By the names of the experiments; the runs as they are given.
std::vector<RunTable> run_tables(std::vector<RunStatus> runs);

/// The cell of a run under a name: "run", "title", "state", "verdict", "age", "seconds", "seed", a headline or a key of
/// the config; a part of a headline's label or variable, or of a key, finds it too.
RunCell run_cell(const RunStatus& run, const std::string& name);
/// Sorts each table, what is missing last. False if no run has anything under the name.
bool sort_runs(std::vector<RunTable>& tables, const std::string& name);
/// All names by which the tables can be sorted.
std::vector<std::string> sort_names(const std::vector<RunTable>& tables);

std::string run_name(const RunStatus& run);           ///< the last part of its folder
std::string title_of(const RunStatus& run);           ///< of the result; empty: none
std::string verdict_of(const RunStatus& run);         ///< or why there is none
std::string changed_keys_text(const RunStatus& run);  ///< "agents.count = 300, seed = 2"
double age_seconds(const RunStatus& run);             ///< since it ended, or began
std::string age_text(double seconds);                 ///< "3 min", "2 h", "5 d"

/// Every run a row: directory, experiment, title, state, times, the keys that differ from the default in any of them,
/// and each headline with its error and its prediction.
std::string runs_csv(const std::vector<RunTable>& tables);

}  // namespace fovea
