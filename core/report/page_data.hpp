#pragma once
/// The data of the page as JSON text that may stand inside a <script> element.
///
///   dims     name -> size, label, meaning, units, own (it has a coordinate), values | words | from and by (evenly
///   spaced) arrays   key -> dims, shape, label, meaning, units, n (replicas), mean, error, words, steps (thinned: dim
///   -> step),
///            at (coordinates where thinned). mean is a list, or {q: "u8" | "u16", row, low, high, b}: base64 codes,
///            each row of values with its own range (255 or 65535: no value). Pictures have png (base64, one a view),
///            classes (value, name, color) or numbers (low, high), missing and upward instead, see kinds/kind.hpp
///   figures  as in results.hpp, arrays by their keys (empty: none), and a note on what was thinned
///   start    where the sliders stand;  maps: the two colour maps, 6 hexadecimal digits a colour

#include <string>
#include <utility>
#include <vector>

#include "fovea/core/data/results.hpp"

namespace fovea {

/// At most `budget` bytes: arrays are thinned until they fit, the figures that use them say so.
std::string page_data(const Results& results, std::size_t budget);

/// The leaves of a JSON document in order: {"cpu.model", "..."}. Empty for a text that is no JSON.
std::vector<std::pair<std::string, std::string>> json_leaves(const std::string& json);
/// Indented; the text itself if it is no JSON.
std::string pretty_json(const std::string& json);

}  // namespace fovea
