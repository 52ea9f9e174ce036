#pragma once
/// Stays of dated events, packed: no grid, no padding, about 10 bytes an event. A stay is what a risk is asked of: a
/// stay in intensive care, a case, a person.
///
/// The events of stay s are [offsets[s], offsets[s + 1]) of hours, values and kinds; within a stay they ascend by time,
/// variable and value, whatever the order of the file's rows. All values of a variable at one time are kept. Statics
/// (age, sex) have no time and lie apart. Variables ascend by name. So the same rows give the same container from
/// whatever format and in whatever order, but for the order of the stays, which is that of their first rows.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea::datasets::events {

/// What is in the files and was not read, and why.
struct LeftOut {
  std::string what;  ///< in the singular: "row", "stay"
  Index count = 0;
  std::string reason;
  std::vector<std::string> places = {};  ///< of the first five: "FILE:row 7"
};

/// How often values of a variable have a unit, by a column of units.
struct UnitFacts {
  std::string unit;  ///< as it was first written
  Index values = 0;
  double median = 0;       ///< of all values, or of 512 to 1,024 that lie evenly among them
  bool is_common = false;  ///< at least 20 stays have it
};

/// What reading found out; a reader's notes are sentences for people.
struct ReadingFacts {
  Index rows = 0;                          ///< that were read, of all files, without headers
  Index missing_codes = 0;                 ///< rows whose value was the challenge's -1 for "missing", left out
  std::vector<Index> missing_by_variable;  ///< the same by variable
  bool is_challenge = false;               ///< the variables are those of the PhysioNet challenge 2012
  bool has_dates = false;                  ///< times were dates
  std::string origin;                      ///< where hours begin: "as given", "first event", "birth", or a name
  double earliest = kNan;                  ///< of all numbers of events, in hours; NaN: none, or dates
  bool asks_at_origin = false;             ///< hours count from the time at which each stay is asked
  Index wide_files = 0;                    ///< of which each value is an event
  Index births = 0;                        ///< rows of a birth, which became the age at the origin
  std::vector<LeftOut> left_out;
  std::map<std::string, std::vector<UnitFacts>> units;  ///< of a variable: its units, the most frequent first
  Index below_limits = 0, above_limits = 0;             ///< values "<0.1", read as half of it; ">200", as the limit
  std::map<std::string, std::set<std::string>> unread;  ///< a reason: columns that were not read for it
  std::map<std::string, std::vector<float>> distinct;   ///< values of EventOptions::distinct, ascending, each once
  std::string unsorted;  ///< where rows first did not ascend: "FILE:row 7"; empty: they did
  std::vector<std::string> notes;
};

/// What hours that seem to count from 1970, with no other origin, call for; "" where they do not.
std::string clock_hint(const ReadingFacts& facts);

/// A column of an outcomes file.
struct OutcomeColumn {
  std::string name;
  std::vector<double> values;  ///< a stay; NaN: not known
};

struct Stays {
  std::vector<std::string> ids;        ///< a stay, unique
  std::vector<std::string> patients;   ///< a stay; empty: each stay is a patient of its own
  std::vector<std::string> variables;  ///< names, ascending by bytes

  std::vector<Index> offsets{0};     ///< stays + 1
  std::vector<float> hours;          ///< an event
  std::vector<float> values;         ///< an event; NaN: it happened, without a value (a diagnosis, a drug)
  std::vector<std::uint16_t> kinds;  ///< an event: place of its variable

  std::vector<Index> static_offsets{0};  ///< stays + 1
  std::vector<float> static_values;
  std::vector<std::uint16_t> static_kinds;

  std::string outcome;                  ///< name of the column that is the outcome; empty: none was read
  std::vector<OutcomeColumn> outcomes;  ///< the outcome first, then the other columns of numbers
  std::vector<std::int32_t> folds;      ///< a stay; empty: none were given
  ReadingFacts facts;

  Index count() const { return static_cast<Index>(ids.size()); }
  Index events() const { return static_cast<Index>(hours.size()); }
};

/// Whether two hold the same stays, whatever their order: ids, patients, variables, events and statics, bit for bit.
bool same_events(const Stays& a, const Stays& b);

}  // namespace fovea::datasets::events
