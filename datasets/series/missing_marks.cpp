#include "fovea/datasets/series/missing_marks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

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

namespace {

/// The least (sign -1) or largest (1) value as a mark: at least three times exactly that, since a pair can be chance in
/// whole numbers; in at most half of the cells, as what is usual is no mark; among other values of which there are
/// eight at least, as settings of a machine can be far apart.
std::optional<SuspectedMark> repeated_extreme(std::span<const double> values, double sign) {
  constexpr std::size_t kFewestRepeats = 3, kFewestOthers = 8;
  const double infinity = std::numeric_limits<double>::infinity();
  double mark = -infinity, next = -infinity, low = infinity;  // all times sign
  std::size_t count = 0, known = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    ++known;
    const double v = sign * value;
    low = std::min(low, v);
    if (v > mark) next = mark, mark = v, count = 0;
    if (v == mark)
      ++count;
    else
      next = std::max(next, v);
  }
  if (count < kFewestRepeats || 2 * count > known || !(mark - next > 2 * (next - low))) return std::nullopt;
  std::set<double> others;
  for (const double value : values)
    if (!std::isnan(value) && value != sign * mark && others.size() < kFewestOthers) others.insert(value);
  if (others.size() < kFewestOthers) return std::nullopt;
  return SuspectedMark{sign * mark, count, std::min(sign * low, sign * next), std::max(sign * low, sign * next)};
}

}  // namespace

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
  for (const double mark : marks) {
    if (!(low <= high)) break;
    const double apart = mark < low ? low - mark : mark - high;
    if (!(apart > 2 * (high - low))) continue;
    return SuspectedMark{mark, static_cast<std::size_t>(std::count(marks.begin(), marks.end(), mark)), low, high};
  }
  const auto least = repeated_extreme(values, -1);
  return least ? least : repeated_extreme(values, 1);
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
