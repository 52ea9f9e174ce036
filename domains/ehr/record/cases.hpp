#pragma once
/// Stays of dated events as cases of a learned question: every event is a token of its variable's class.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fovea/core/study/cases/cases.hpp"
#include "fovea/datasets/events/read.hpp"

namespace fovea::ehr::record {

/// What is kept of stays rests on so many of them (study::Cases::smallest_cell).
inline constexpr Index kFewestStays = 10;

struct CaseOptions {
  std::string source;  ///< for messages
  double at = 48;      ///< in `unit`: the time at which every stay is asked; later events are not read
  /// Variables whose numbers are codes, not amounts: besides its value each code is an event "NAME = CODE".
  std::vector<std::string> codes;
  /// Variables that look like the outcome and may be read all the same.
  std::vector<std::string> allowed;
  std::string unit = "hours";  ///< of the cases' times: hours, days or years (record/units.hpp)
};

/// One case a stay, in the order of the stays; the tokens of a case by variable, then time, then value. A static has
/// the time of the stay's first event, or 0 where that is later. The groups are the patients. A stay without events is
/// a case without tokens. Targets: the outcome where there is one. Throws DataError for a variable that tells the
/// outcome (length of stay, survival, SAPS-I and SOFA of the challenge: they were computed when the stay was over)
/// unless it is allowed, and for a code that is no whole number.
study::Cases cases_of(const datasets::events::Stays& stays, const CaseOptions& options);

/// What becomes of the cases of each block once they are made, such as targets of another kind.
using CaseFinish = std::function<void(const datasets::events::Stays& block, study::Cases& cases)>;

/// The same block after block: together the cases of all stays, bit for bit. stays: a reader at its start, with
/// options.codes among its EventOptions::distinct.
std::unique_ptr<study::CaseReader> read_stay_cases(datasets::events::StaysReader stays, const CaseOptions& options,
                                                   const CaseFinish& finish = {});

}  // namespace fovea::ehr::record
