#pragma once
/// What stands for a missing answer in a survey: codes such as 99 and -9, words such as "refused".

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::opinion::survey {

/// The marks that are named by data.missing.
class MissingMarks {
 public:
  MissingMarks() = default;
  /// Numbers, words (whatever the case of ASCII), or "none" alone. Throws DataError for "none" among others.
  MissingMarks(const std::string& path, const std::vector<std::string>& named);

  bool is_mark(double value) const;
  bool is_mark(std::string_view cell) const;  ///< as a word
  bool named() const { return named_; }       ///< anything, also "none"

 private:
  bool named_ = false;
  std::vector<double> numbers_;
  std::vector<std::string> words_;  // in lower case
};

/// Words that were met where numbers are expected, with how often.
class UnreadWords {
 public:
  void add(std::string_view word) { ++count_[std::string(word)]; }
  /// Throws DataError that names them and the ways out, if there are any. numbers: whether there are others.
  void refuse(const std::string& path, const std::string& column, bool numbers) const;

 private:
  std::map<std::string, std::size_t> count_;
};

/// Numbers off the scale, with how often.
class OffScale {
 public:
  void add(double value, std::size_t row) {
    ++count_[value];
    if (first_row_ == 0) first_row_ = row;
  }
  /// Throws DataError that names them and the way out, if there are any.
  void refuse(const std::string& path, const std::string& column, const std::string& scale) const;

 private:
  std::map<double, std::size_t> count_;
  std::size_t first_row_ = 0;
};

/// The number before a label, as in "1 - Strongly agree", "10 = fully", "3 (neutral)" and "45 %".
std::optional<double> labelled_number(std::string_view cell);

/// Throws DataError for answers that surveys write where there is none (66, 77, 88, 94 to 99, 777, 888, 994 to 999,
/// ..., -1 to -9 below a hole, fill values) and that are farther from all other answers than these are from each other,
/// twice over, or are negative, with gaps, and reach farther down than the others up.
void refuse_suspected_codes(const std::string& path, const std::string& column, std::span<const double> values);

/// A sentence on answers that may be such codes, as -1 to -9 or 8 and 9 apart from the rest; "" where there are none.
std::string hint_of_codes(std::span<const double> values);

}  // namespace fovea::opinion::survey
