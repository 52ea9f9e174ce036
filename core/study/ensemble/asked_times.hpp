#pragma once
/// Times at which new cases are asked in place of their ends, in the unit of the model's times.
///
///   at        the same times for every case
///   every H   H, 2 H, ... before the end of the case, and the end itself
///
/// The end of a case is Cases::ends, or the time of its last token. A model is asked at many times at once (Batch::at),
/// at the end as without times; so the row at the end has the bits that it has alone.

#include <string>
#include <vector>

#include "fovea/core/study/ensemble/fitting.hpp"

namespace fovea::study {

inline constexpr Index kMostTimes = 10'000;  ///< of a case

/// What is wanted; nothing: every case at its end.
struct TimeQuestion {
  std::vector<double> at;  ///< finite, ascending
  double every = 0;        ///< > 0, finite; 0: not wanted
  bool asked() const { return !at.empty() || every > 0; }
};

/// When the cases of a block are asked.
struct AskedTimes {
  std::vector<double> times;  ///< of all cases, ascending
  std::vector<Index> counts;  ///< one a case: it is asked at so many of the first
  std::vector<double> ends;   ///< one a case: then it is asked at its end (NaN: not known); empty: not

  Index rows_of(Index item) const { return counts[item] + (ends.empty() ? 0 : 1); }
  double time(Index item, Index row) const;  ///< row: 0, 1, ... within the case
  std::vector<Index> last_rows() const;      ///< of each case, among the rows of all
};

/// Throws DataError that starts with `source` where a case would be asked more than kMostTimes times.
AskedTimes asked_times(const std::string& source, const Cases& cases, const TimeQuestion& question);

/// Rows that are asked later than the end of their case.
Index late_rows(const AskedTimes& asked, const Cases& cases);

/// Throws DataError that starts with `source` unless such a model of such a target can be asked at times.
void check_can_be_asked(const std::string& source, const Target& target, const Preparation& preparation,
                        const std::vector<Member>& members);

/// The outputs of each member: a row for each case and time, those of a case side by side. What a row holds depends on
/// its case and time alone.
std::vector<Matrix<double>> outputs_when(const AskedTimes& asked, const std::vector<Member>& members,
                                         const Target& target, const Cases& cases, const Matrix<float>& inputs,
                                         Index batch_tokens);

}  // namespace fovea::study
