#pragma once
/// The facts of a file of events for people and for programs.

#include <string>
#include <vector>

#include "fovea/domains/ehr/inspect/facts.hpp"

namespace fovea::ehr::inspect {

/// files: as they were named. width: letters of a line, 0: sentences stay whole.
std::string facts_text(const EventFacts& facts, const std::vector<std::string>& files, std::size_t width);

/// One JSON object; what is not shown is null.
std::string facts_json(const EventFacts& facts, const std::vector<std::string>& files);

}  // namespace fovea::ehr::inspect
