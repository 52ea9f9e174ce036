#pragma once
/// Names of single values in a list of tables. Internal to the config reader; use config.hpp.

#include <optional>
#include <string_view>

namespace fovea {

/// "model.modifiers.1.half_life" in the list "model.modifiers": table 1, key "half_life".
struct InnerKey {
  std::size_t table = 0;
  std::string_view key;  ///< the rest, part of the given key; empty: the table as a whole
};

/// Whether the key lies in the list, as LIST.anything.
bool lies_in(std::string_view list, std::string_view key);

/// Nothing where the key does not lie in the list, or what follows the list's name is no number below 1000000.
std::optional<InnerKey> inner_key(std::string_view list, std::string_view key);

}  // namespace fovea
