#pragma once
/// One written value against one declared parameter. Internal to the config reader; use config.hpp.

#include <optional>
#include <string>

#include "fovea/core/config/config_document.hpp"

namespace fovea {

/// What a value of this parameter must be: "a number > 0", "one of 'a', 'b'", "a list of whole numbers, each >= 1".
std::string rule_text(const Parameter& parameter);

/// The value if it keeps the parameter's rule (whole numbers become reals where reals are wanted, files become absolute
/// paths); otherwise complains and returns nothing. `name` is what messages call the value.
std::optional<ConfigValue> check_value(const Parameter& parameter, const std::string& name, const ConfigNode& node,
                                       const std::string& folder, Complaints& complaints);

/// The same for a list of tables: all mistakes of all tables are said.
std::optional<ConfigValue> check_tables(const Parameter& list, const std::string& name, const ConfigNode& node,
                                        const std::string& folder, Complaints& complaints);

/// A whole number in [low, 2^63 - 1], or a complaint. `meaning` is the sentence's bracket.
std::optional<std::int64_t> check_count(const std::string& name, const ConfigNode& node, std::int64_t low,
                                        const std::string& meaning, Complaints& complaints);

/// A text, or a complaint.
std::optional<std::string> check_text(const std::string& name, const ConfigNode& node, const std::string& meaning,
                                      Complaints& complaints);

}  // namespace fovea
