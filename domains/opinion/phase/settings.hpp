#pragma once
/// The keys of opinion.phase. What follows from them: question.hpp.

#include <string>

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/phase/phase.hpp"

namespace fovea::opinion::phase {

/// What a config says of a search; what `auto` stands for follows from the model.
struct PhaseAsked : PhaseSettings {
  enum class Branches { automatic, carried, fresh };
  std::string control = "temperature";
  Branches branches = Branches::automatic;
};

/// only: without the keys that do not count for this model, whose name is the default, over a range of one of its
/// numbers; nullptr: every key.
Schema phase_schema(const dynamics::ModelEntry* only = nullptr);
PhaseAsked phase_asked(const Config& config);

}  // namespace fovea::opinion::phase
