#pragma once
/// The table of models: what each computes, where it is from, and which numbers it reads. One line a model in
/// models.inl; `fovea list models` prints it and the tests walk it.

#include <span>
#include <string_view>

#include "fovea/domains/opinion/dynamics/rules.hpp"

namespace fovea::opinion::dynamics {

struct ModelEntry {
  std::string_view name;      ///< as in a config: "hegselmann_krause"
  std::string_view equation;  ///< of one step, for people
  std::string_view reads;     ///< the fields of ModelSettings it uses, separated by ", "
  std::string_view source;    ///< author and year
  Rule rule;
  bool needs(std::string_view field) const;  ///< whether `field` is one of those it reads
};

/// Alphabetical.
std::span<const ModelEntry> models();

/// Throws ArgumentError for a name that is not in the table; the text lists the names.
const ModelEntry& find_model(std::string_view name);

}  // namespace fovea::opinion::dynamics
