#pragma once
/// Keys of several experiments of this domain, and how rules between keys complain.

#include <functional>
#include <string>
#include <string_view>

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/core/lab/experiment.hpp"

namespace fovea::lag {

inline const SharedKey kFile{"data.file", "series as CSV (also packed with gzip) or HDF5, wide or long; none: "};
inline const SharedKey kTime{"data.time", "column of times; empty: recognised by name or values; none: rows are steps"};
inline const SharedKey kRecording{"data.recording",
                                  "column that separates recordings or regimes; empty: recognised by name; none"};
inline const SharedKey kColumns{"data.columns", "series to read; empty: all"};
inline const SharedChoice<> kDates{
    "data.dates",
    {"auto", "day-first", "month-first"},
    "order in dates such as 03/04/2020; auto: decided by the whole column, or the file is refused"};
inline const SharedKey kMissing{
    "data.missing",
    "numbers that mark missing values, such as \"-999\"; \"none\": none do; empty: suspected ones are refused"};
inline const SharedChoice<> kTotals{
    "data.totals",
    {"difference", "keep"},
    "of series that never fall (running totals): what is added from row to row, or the levels"};
inline const SharedKey kDifference{"data.difference", "use differences from step to step: for trends and random walks"};
inline const SharedKey kMadeSteps{"data.made_steps", "steps of the simulated series", Range::between(50, 1e6)};
inline const SharedKey kLongestLag{"lags.max", "largest lag tested; 0: chosen from the data", Range::between(0, 1e6),
                                   "steps"};
inline const SharedKey kRate{"test.level", "false discovery rate at which a link is significant",
                             Range{0, 1, true, true}};

/// With the words of the ArgumentError that read() throws, if it does.
inline void complain_if_unreadable(const Complain& complain, std::string_view key, const std::function<void()>& read) {
  try {
    read();
  } catch (const ArgumentError& error) {
    complain(key, error.what());
  }
}

}  // namespace fovea::lag
