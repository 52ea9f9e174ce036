#include "fovea/datasets/series/missing_marks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/series/cell_numbers.hpp"

namespace fovea::datasets::series {

std::vector<double> missing_marks(const std::string& path, const SeriesFileOptions& options) {
  std::vector<double> marks;
  for (const std::string& word : options.missing) {
    if (word == "none" && options.missing.size() == 1) break;
    const auto number = number_in(word, false);
    if (!number || !std::isfinite(*number))
      throw DataError(concat(path, ": missing values are marked by '", datasets::text::shown_text(word),
                             "', which is no number; give numbers such as -999, or none alone."));
    marks.push_back(*number);
  }
  return marks;
}

bool is_usual_mark(double value) {
  constexpr std::array<double, 12> kMarks{99,    999,    9999,  99999,  999999, 99.9,
                                          999.9, 9999.9, 99.99, 999.99, 32768,  2147483648.0};
  const double size = std::fabs(value);
  if (size < 99) return false;
  if (std::find(kMarks.begin(), kMarks.end(), size) != kMarks.end() || size == 0x1p63) return true;
  return size >= 1e20 || size == 32767 || size == 2147483647.0;
}

std::optional<SuspectedMark> suspected_mark(std::span<const double> values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::vector<double> marks;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    if (is_usual_mark(value)) {
      marks.push_back(value);
    } else {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (!(low <= high)) return std::nullopt;
  for (const double mark : marks) {
    const double apart = mark < low ? low - mark : mark - high;
    if (!(apart > 2 * (high - low))) continue;
    return SuspectedMark{mark, static_cast<std::size_t>(std::count(marks.begin(), marks.end(), mark)), low, high};
  }
  return std::nullopt;
}

void refuse_suspected_mark(const std::string& path, const std::string& name, std::span<const double> values,
                           const SeriesFileOptions& options) {
  if (!options.missing.empty()) return;
  const auto mark = suspected_mark(values);
  if (!mark) return;
  throw DataError(concat(path, ": column '", datasets::text::shown_text(name), "' holds ", mark->value, " ",
                         counted(static_cast<std::int64_t>(mark->count), "time"), ", far from its other values (",
                         mark->low, " to ", mark->high, "); if it marks missing values, say so (missing ", mark->value,
                         "), else that none are marked (missing none)."));
}

}  // namespace fovea::datasets::series
