#include "fovea/core/lab/sweep/share.hpp"

#include <algorithm>
#include <charconv>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/lab/arguments.hpp"

namespace fovea {

namespace {

std::size_t point_number(const std::string& text, const std::string& whole) {
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end)
    throw UsageError(concat("--points ", whole, ": '", text,
                            "' is no number of a point; give numbers and ranges such as 3,7,20-29, from 0 on."));
  return number;
}

}  // namespace

std::string Share::name() const {
  if (!points) return concat("shard ", index, " of ", count);
  return counted(std::ssize(*points), "point");
}

std::vector<std::size_t> Share::own(std::size_t size) const {
  std::vector<std::size_t> own;
  if (!points) {
    for (std::size_t point = index - 1; point < size; point += count) own.push_back(point);
    return own;
  }
  own = *points;
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  if (!own.empty() && own.back() >= size)
    throw UsageError(concat("--points: there is no point ", own.back(), "; the sweep has ", size,
                            ", counted from 0. See them with: --list-points"));
  return own;
}

std::vector<std::size_t> points_of(const std::string& text) {
  constexpr std::size_t kMost = 10'000'000;
  std::vector<std::size_t> points;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string part = text.substr(from, comma - from);
    const std::size_t dash = part.find('-');
    const std::size_t first = point_number(part.substr(0, dash), text);
    const std::size_t last = dash == std::string::npos ? first : point_number(part.substr(dash + 1), text);
    if (last < first || last - first > kMost - points.size())
      throw UsageError(concat("--points ", text, ": '", part, "' is no range; it goes from a number to one that is ",
                              "not less, and has ", kMost, " points at most."));
    for (std::size_t point = first; point <= last; ++point) points.push_back(point);
    from = comma + 1;
  }
  return points;
}

}  // namespace fovea
