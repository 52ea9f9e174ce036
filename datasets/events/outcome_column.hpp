#pragma once
/// A column of a table of outcomes, while its rows go by. Internal to datasets/events.

#include <set>
#include <string>
#include <vector>

#include "fovea/datasets/events/read.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::events {

/// 0 and 1 are read as they are, and so are false and true, no and yes; with EventOptions::positive its word is 1 and
/// all others are 0.
struct CandidateColumn {
  std::size_t place = 0;
  OutcomeColumn column;              ///< a row or a stay
  std::vector<double> by_word = {};  ///< the same by the positive word
  bool is_number = true, is_binary = true, has_any = false, has_positive = false;
  std::size_t first_other = 0;       ///< row of the first value that is not 0 or 1
  std::string other = {};            ///< this value
  std::set<std::string> words = {};  ///< the first five different ones

  /// The cell of the reader's row, of value number `item`; Index -1: of none.
  void see(const text::CsvReader& reader, std::ptrdiff_t item, const std::string& positive);
};

/// Whether a column of this name says how stays end, and so is no variable.
bool is_outcome_name(const std::string& column);

/// The number of the column that is the outcome: named, else of a usual name, else the only one of words, or of 0
/// and 1 (or with the positive word); -1 where none is named and none is binary and it need not be there. Throws
/// DataError where several could be, and for a column that is not of two words.
std::ptrdiff_t chosen_outcome(const std::vector<CandidateColumn>& all, const std::string& path,
                              const text::CsvReader& reader, const EventOptions& options, bool is_needed);

}  // namespace fovea::datasets::events
