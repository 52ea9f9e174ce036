#pragma once
/// Cases of a learned question: sets of tokens with named features, packed one after the other.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/study/cases/reading.hpp"

namespace fovea::study {

/// A column of the tokens.
struct Feature {
  std::string name;  ///< unique
  std::string unit;  ///< "1" for a pure number
  /// Names of the classes of a feature that counts 0, 1, ... through them; empty: a number.
  std::vector<std::string> categories;
  bool ready = false;  ///< a number of the order of 1 that models take as it is: its mean and deviation are 0 and 1

  bool operator==(const Feature&) const = default;
};

inline constexpr Index kNeverTested = -1;  ///< of Cases::folds

/// Packed sets: case b has the tokens [offsets[b], offsets[b + 1]), N in all. What is not known is NaN.
struct Cases {
  std::vector<Feature> features;
  std::vector<Index> offsets{0};
  Matrix<float> values;             ///< N x features; a category is its number
  std::vector<double> times;        ///< N or empty
  std::string time_unit;            ///< empty without times
  Matrix<double> coordinates;       ///< N x D, or no rows
  std::vector<double> targets;      ///< one a case, or one a token (Target::level); NaN: not known; empty: none is
  std::vector<double> weights;      ///< as many as targets, >= 0; empty: all 1
  std::vector<std::string> ids;     ///< one a case
  std::vector<std::string> groups;  ///< one a case: the subject, the place; empty: each case is a group of its own
  std::vector<std::string> parts;   ///< one a case: "training", "validation" or "test"; empty: the study splits; with
                                    ///< folds in time "validation" calibrates later blocks and is not scored
  /// One a case: the number of the fold that tests it, or kNeverTested for a case that only teaches (folds/folds.hpp);
  /// empty: drawn, or none.
  std::vector<Index> folds;
  /// Names of the kinds of tokens, such as the variables of a record, ascending, each once, at most 65,536; empty: all
  /// tokens are of one kind. With classes every number is scaled within the class of its token (Preparation).
  std::vector<std::string> classes;
  std::vector<std::uint16_t> kinds;  ///< N: the number of each token's class; empty without classes
  /// One a case: when it is asked, in time_unit; empty: at the time of its last token. A model sees to it that later
  /// tokens do not count; for the standard model the study leaves them out (until_ends()).
  std::vector<double> ends;
  /// One a case: when its target is known, in time_unit, for folds in time; NaN: never; empty: when it is asked.
  std::vector<double> known;
  /// Where > 1 the cases are private, as patients are: what is kept of them rests on so many. Classes that fewer cases
  /// have are not learned (without_rare_classes()), and no quantile of a class has fewer cases beyond it.
  Index smallest_cell = 0;
  Reading reading = {};  ///< of all of them; empty in blocks and selections

  Index count() const { return static_cast<Index>(offsets.size()) - 1; }
  Index tokens() const { return offsets.back(); }
  Index size(Index item) const { return offsets[item + 1] - offsets[item]; }
  std::vector<Index> sizes() const;
};

/// Throws DataError that starts with `source` where lengths contradict each other, offsets fall, a name is there twice,
/// a value is infinite, a category is not one of its feature's, a weight is below 0, classes are not in order, or a
/// token is of no class.
void check_cases(const std::string& source, const Cases& cases);

/// Adds the cases of `more` behind those of `cases`, whose columns and classes must be the same. Throws DataError.
void append(Cases& cases, const Cases& more);

/// These cases alone, in that order.
Cases selected(const Cases& cases, const std::vector<Index>& items);

/// When a case is asked: its end, or the time of its last token; NaN where neither is known.
double end_of(const Cases& cases, Index item);

/// The first time of a case; NaN without times or tokens.
double start_of(const Cases& cases, Index item);

/// The same of packed tokens: set s has the times [offsets[s], offsets[s + 1]).
double start_of(std::span<const double> times, std::span<const Index> offsets, Index set);

/// The group of each case as a number: the same text, the same number.
std::vector<Index> group_numbers(const Cases& cases);

/// Cases that come in blocks, so that a file of any length needs the memory of a block.
class CaseReader {
 public:
  virtual ~CaseReader() = default;
  /// The next cases, at most `most` (>= 1) of them, in the order of the file; none at its end. The columns of all
  /// blocks are the same. Throws DataError with file, row and rule.
  virtual Cases read(Index most) = 0;
  /// What was read of the files so far and what was not, but for what can be counted in the cases.
  virtual Reading reading() const { return {}; }
};

/// The reader's cases in one piece.
Cases read_all(CaseReader& reader);

/// Cases that are in memory already, with the reader's half of their reading.
std::unique_ptr<CaseReader> reader_of(Cases cases);

}  // namespace fovea::study
