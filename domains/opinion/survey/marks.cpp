#include "fovea/domains/opinion/survey/marks.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"
#include "fovea/datasets/series/missing_marks.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/domains/opinion/survey/answers.hpp"

namespace fovea::opinion::survey {

namespace {

using Counts = std::map<double, std::size_t>;

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& letter : out)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return out;
}

bool is_whole(double value) { return std::floor(value) == value; }

Counts counts_of(std::span<const double> values) {
  std::vector<double> sorted;
  for (const double value : values)
    if (!std::isnan(value)) sorted.push_back(value);
  std::sort(sorted.begin(), sorted.end());
  Counts counts;
  for (const double value : sorted) ++counts.emplace_hint(counts.end(), value, 0)->second;
  return counts;
}

/// 66, 77, 88, 94 to 99, and the same with more digits: 777, 994 to 999, 7777, 9994 to 9999.
bool is_survey_code(double value) {
  const double size = std::abs(value);
  if (datasets::series::is_usual_mark(value)) return true;
  for (const double nines : {99.0, 999.0, 9999.0}) {
    if (is_whole(size) && size >= nines - 5 && size <= nines) return true;
    for (const double digit : {6.0, 7.0, 8.0})
      if (size == digit * std::round(nines / 9)) return true;
  }
  return false;
}

/// Codes that are far from the other answers.
std::vector<double> far_codes(const Counts& counts, double& low, double& high) {
  low = INFINITY;
  high = -INFINITY;
  for (const auto& [value, count] : counts)
    if (!is_survey_code(value)) low = std::min(low, value), high = std::max(high, value);
  std::vector<double> codes;
  for (const auto& [value, count] : counts) {
    if (!is_survey_code(value) || !(low <= high)) continue;
    if (low == high && !datasets::series::is_usual_mark(value)) continue;
    if (std::max(low - value, value - high) > 2 * (high - low)) codes.push_back(value);
  }
  return codes;
}

/// The negative ones among whole answers, down to -9, if most are not negative and the ends are not those of a scale
/// from -n to n.
std::vector<double> negative_codes(const Counts& counts, double& low, double& high) {
  constexpr double kLowest = -9, kMostShare = 0.25;
  std::size_t all = 0, below = 0;
  std::vector<double> codes;
  for (const auto& [value, count] : counts) {
    if (!is_whole(value) || value < kLowest) return {};
    all += count;
    if (value >= 0) continue;
    below += count;
    codes.push_back(value);
  }
  if (codes.empty() || codes.size() == counts.size()) return {};
  low = std::next(counts.begin(), std::ptrdiff_t(codes.size()))->first;
  high = counts.rbegin()->first;
  // From the lowest up without a gap it is a scale, unless it reaches much farther up than down.
  constexpr double kFartherUp = 4;
  const bool gap = static_cast<double>(counts.size()) < high - codes[0] + 1;
  if (!gap && high < kFartherUp * -codes[0]) return {};
  const bool few = static_cast<double>(below) <= kMostShare * static_cast<double>(all);
  return few && high != -codes[0] && counts.size() - codes.size() >= 2 ? codes : std::vector<double>{};
}

/// 8 and 9 above a hole, where the others are a whole scale of fewer points.
std::vector<double> upper_codes(const Counts& counts, double& low, double& high) {
  constexpr double kFirst = 8, kLast = 9, kMostShare = 0.25;
  if (counts.empty() || counts.rbegin()->first > kLast) return {};
  std::size_t all = 0, above = 0, points = 0;
  std::vector<double> codes;
  low = counts.begin()->first;
  for (const auto& [value, count] : counts) {
    if (!is_whole(value)) return {};
    all += count;
    if (value < kFirst) {
      high = value;
      ++points;
    } else {
      above += count;
      codes.push_back(value);
    }
  }
  const bool scale = points >= 3 && high - low + 1 == static_cast<double>(points) && high < kFirst - 1;
  return scale && static_cast<double>(above) <= kMostShare * static_cast<double>(all) ? codes : std::vector<double>{};
}

/// "-9, -8 and 99".
std::string in_words(const std::vector<double>& codes, const Counts& counts) {
  std::string text;
  for (std::size_t k = 0; k < codes.size(); ++k)
    text += concat(k == 0                  ? ""
                   : k + 1 == codes.size() ? " and "
                                           : ", ",
                   exact_text(codes[k]), " (", counted(static_cast<std::int64_t>(counts.at(codes[k])), "time"), ")");
  return text;
}

std::string codes_text(const std::vector<double>& codes) {
  std::string text;
  for (const double code : codes) text += (text.empty() ? "" : ",") + exact_text(code);
  return text;
}

}  // namespace

MissingMarks::MissingMarks(const std::string& path, const std::vector<std::string>& named) : named_(!named.empty()) {
  datasets::series::SeriesFileOptions numbers;
  for (const std::string& word : named) {
    if (word == "none" || datasets::series::number_in(word, false))
      numbers.missing.push_back(word);
    else
      words_.push_back(lower_case(datasets::text::trimmed(word)));
  }
  if (named.size() > 1 && std::find(named.begin(), named.end(), "none") != named.end())
    throw DataError(
        concat(path, ": missing answers are marked by none and by others; give none alone, or the others."));
  numbers_ = datasets::series::missing_marks(path, numbers);
}

bool MissingMarks::is_mark(double value) const {
  return std::find(numbers_.begin(), numbers_.end(), value) != numbers_.end();
}

bool MissingMarks::is_mark(std::string_view cell) const {
  return !words_.empty() &&
         std::find(words_.begin(), words_.end(), lower_case(datasets::text::trimmed(cell))) != words_.end();
}

void UnreadWords::refuse(const std::string& path, const std::string& column, bool numbers) const {
  if (count_.empty()) return;
  constexpr std::size_t kFew = 8;
  std::vector<std::pair<std::string, std::size_t>> most(count_.begin(), count_.end());
  std::stable_sort(most.begin(), most.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string shown, option;
  for (std::size_t k = 0; k < std::min(most.size(), kFew); ++k) {
    const std::string word = datasets::text::shown_text(most[k].first);
    shown +=
        concat(k == 0 ? "" : ", ", "'", word, "' (", counted(static_cast<std::int64_t>(most[k].second), "row"), ")");
    option += (k == 0 ? "" : ",") + word;
  }
  if (most.size() > kFew) shown += concat(" and ", most.size() - kFew, " more");
  if (!numbers)
    throw DataError(concat(path, ": column '", datasets::text::shown_text(column), "' holds words alone: ", shown,
                           "; name them in their order, the lowest first, with data.levels (--levels), or name another "
                           "column with data.value (--value)."));
  throw DataError(concat(path, ": column '", datasets::text::shown_text(column), "' holds words: ", shown,
                         "; name those that mark missing answers with data.missing (--missing \"", option,
                         "\"), and write numbers for the others."));
}

void OffScale::refuse(const std::string& path, const std::string& column, const std::string& scale) const {
  if (count_.empty()) return;
  constexpr std::size_t kFew = 8;
  std::vector<double> values;
  for (const auto& [value, count] : count_)
    if (values.size() < kFew) values.push_back(value);
  const bool one = count_.size() == 1;
  throw DataError(concat(path, ":row ", first_row_, ", column '", datasets::text::shown_text(column),
                         "': off the scale ", scale, one ? " is " : " are ", in_words(values, count_),
                         count_.size() > kFew ? concat(" and ", count_.size() - kFew, " more") : "", "; if ",
                         one ? "it marks a missing answer, name it" : "they mark missing answers, name them",
                         " with data.missing (--missing ", codes_text(values), ")."));
}

std::optional<double> labelled_number(std::string_view cell) {
  cell = datasets::text::trimmed(cell);
  if (cell.ends_with('%')) return datasets::series::number_in(cell.substr(0, cell.size() - 1), true);
  const std::size_t stop = cell.find_first_not_of("0123456789", cell.starts_with('-') ? 1 : 0);
  if (stop == std::string_view::npos) return std::nullopt;
  const auto number = datasets::series::number_in(cell.substr(0, stop), false);
  const std::string_view rest = cell.substr(stop), label = datasets::text::trimmed(rest);
  constexpr std::string_view kDash = "\xE2\x80\x93";  // U+2013
  const bool apart = !label.empty() &&
                     (label.starts_with(kDash) || std::string_view("-:=.)(").find(label[0]) != std::string_view::npos);
  const bool goes_on = label.size() > 1 && label[1] >= '0' && label[1] <= '9';  // 1.5, 1-2
  const bool has_letter = std::any_of(label.begin(), label.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           static_cast<unsigned char>(letter) >= 0x80;
  });
  return number && apart && !goes_on && has_letter ? number : std::nullopt;
}

bool says_nothing(std::string_view cell) {
  constexpr std::array<std::string_view, 8> kWords{"na", "n/a", "nan", "null", "#n/a", "<na>", "n.a.", "."};
  const std::string word = lower_case(datasets::text::trimmed(cell));
  if (word.find_first_not_of('-') == std::string::npos) return true;
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

void refuse_suspected_codes(const std::string& path, const std::string& column, std::span<const double> values) {
  const Counts counts = counts_of(values);
  double low = 0, high = 0;
  std::vector<double> codes = far_codes(counts, low, high);
  const char* why = codes.empty() ? "below its other answers" : "far from its other answers";
  Counts rest = counts;
  for (const double code : codes) rest.erase(code);
  double lowest = 0, highest = 0;
  const std::vector<double> negative = negative_codes(rest, lowest, highest);
  // From -1 down without a gap, or not farther than the others reach up, it can be a scale.
  if (!negative.empty() && static_cast<double>(negative.size()) < -negative[0] && -negative[0] > highest) {
    codes.insert(codes.begin(), negative.begin(), negative.end());
    low = lowest;
    high = highest;
  }
  if (codes.empty()) return;
  throw DataError(concat(path, ": column '", datasets::text::shown_text(column), "' holds ", in_words(codes, counts),
                         ", ", why, " (", exact_text(low), " to ", exact_text(high),
                         "); if they mark missing answers, name them with data.missing (--missing ", codes_text(codes),
                         "), else say that none do (--missing none)."));
}

std::string hint_of_codes(std::span<const double> values) {
  const Counts counts = counts_of(values);
  double low = 0, high = 0;
  std::vector<double> codes = negative_codes(counts, low, high);
  if (codes.empty()) codes = upper_codes(counts, low, high);
  if (codes.empty()) return "";
  return concat("Besides answers from ", exact_text(low), " to ", exact_text(high), " there ",
                codes.size() == 1 && counts.at(codes[0]) == 1 ? "is " : "are ", in_words(codes, counts),
                ": if they mark missing answers, name them with data.missing (--missing ", codes_text(codes), ").");
}

}  // namespace fovea::opinion::survey
