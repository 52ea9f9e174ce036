#include "fovea/domains/lag/series/lag_set.hpp"

#include <charconv>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::lag::series {

namespace {

constexpr Index kLargestLag = 1'000'000;

Index lag_in(std::string_view piece, std::string_view whole) {
  const std::string_view digits = datasets::text::trimmed(piece);
  Index lag = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), lag);
  require(error == std::errc() && stop == digits.data() + digits.size() && lag >= 1 && lag <= kLargestLag, "lags '",
          whole, "': '", digits, "' is no lag; write whole numbers of steps >= 1 and ranges, as in 1-5,10,30.");
  return lag;
}

}  // namespace

std::vector<Index> lag_set(std::string_view text) {
  std::set<Index> lags;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t stop = std::min(text.find(',', start), text.size());
    const std::string_view piece = text.substr(start, stop - start);
    const std::size_t dash = piece.find('-');
    const Index low = lag_in(piece.substr(0, dash), text);
    const Index high = dash == std::string_view::npos ? low : lag_in(piece.substr(dash + 1), text);
    require(low <= high, "lags '", text, "': the range '", datasets::text::trimmed(piece), "' is descending; write ",
            high, '-', low, '.');
    for (Index lag = low; lag <= high; ++lag) lags.insert(lag);
    start = stop + 1;
  }
  return {lags.begin(), lags.end()};
}

std::string lag_set_text(const std::vector<Index>& lags) {
  std::string text;
  for (std::size_t i = 0; i < lags.size();) {
    std::size_t last = i;
    while (last + 1 < lags.size() && lags[last + 1] == lags[last] + 1) ++last;
    if (last < i + 2) last = i;
    text += concat(text.empty() ? "" : ",", lags[i]);
    if (last > i) text += concat('-', lags[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace fovea::lag::series
