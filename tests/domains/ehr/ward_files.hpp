#pragma once
/// Made stays as files that a reader reads, with rows of one's own.

#include <cmath>
#include <fstream>
#include <functional>
#include <string>

#include "fovea/core/base/words.hpp"
#include "fovea/datasets/simulated/clinical_events.hpp"
#include "fovea/tests/support/folders.hpp"

namespace fovea::support {

/// Whether an event of these hours is written; empty: all are.
using KeptEvents = std::function<bool(double hours)>;

/// `stay_id,time_hours,variable,value` of all stays, then more_rows.
inline std::string write_events(const TemporaryFolder& folder, const std::string& name,
                                const datasets::events::Stays& stays, const std::string& more_rows = "",
                                const KeptEvents& kept = {}) {
  std::ofstream file(folder.file(name));
  file << "stay_id,time_hours,variable,value\n";
  const auto row = [&](std::size_t stay, const std::string& hours, std::uint16_t kind, float value) {
    file << stays.ids[stay] << ',' << hours << ',' << stays.variables[kind] << ','
         << (std::isnan(value) ? std::string() : exact_text(value)) << '\n';
  };
  for (std::size_t s = 0; s < stays.ids.size(); ++s) {
    for (std::size_t i = stays.static_offsets[s]; i < static_cast<std::size_t>(stays.static_offsets[s + 1]); ++i)
      row(s, "", stays.static_kinds[i], stays.static_values[i]);
    for (std::size_t i = stays.offsets[s]; i < static_cast<std::size_t>(stays.offsets[s + 1]); ++i)
      if (!kept || kept(static_cast<double>(stays.hours[i])))
        row(s, exact_text(stays.hours[i]), stays.kinds[i], stays.values[i]);
  }
  file << more_rows;
  return folder.file(name);
}

/// `stay_id,died`.
inline std::string write_outcomes(const TemporaryFolder& folder, const std::string& name,
                                  const datasets::events::Stays& stays) {
  std::ofstream file(folder.file(name));
  file << "stay_id,died\n";
  for (std::size_t s = 0; s < stays.ids.size(); ++s)
    file << stays.ids[s] << ',' << stays.outcomes.front().values[s] << '\n';
  return folder.file(name);
}

}  // namespace fovea::support
