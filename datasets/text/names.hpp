#pragma once
/// Names in sentences, and names compared without regard to capitals.

#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::text {

/// "a, b, c": what `text` makes of each item, or the items themselves. Of more than `most`: "a, b and 3 more".
template <typename Items, typename Text = std::identity>
std::string listed(const Items& items, Text text = {}, std::size_t most = std::numeric_limits<std::size_t>::max()) {
  std::string list;
  std::size_t count = 0;
  for (const auto& item : items)
    if (++count <= most) list += concat(count == 1 ? "" : ", ", std::invoke(text, item));
  return count > most ? concat(list, " and ", count - most, " more") : list;
}

/// As shown_text() has it.
inline std::string quoted(std::string_view name) { return concat('\'', shown_text(name), '\''); }

/// Of the letters A to Z; others stay.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return lower;
}

}  // namespace fovea::datasets::text
