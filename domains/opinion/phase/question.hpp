#pragma once
/// What is asked of a search: read from a config once. Searches, verdicts and theory go by it alone.

#include "fovea/core/config/config.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/phase/control.hpp"
#include "fovea/domains/opinion/phase/phase.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"

namespace fovea::opinion::phase {

/// A network and a start from files; empty where the config names none.
using PhaseFiles = simulate::SimulateFiles;

/// What a config says of a search; what `auto` stands for follows from the model.
struct PhaseAsked : PhaseSettings {
  enum class Branches { automatic, carried, fresh };
  std::string control = "temperature";
  Branches branches = Branches::automatic;
};
PhaseAsked phase_asked(const Config& config);
/// The keys. only: without those that do not count for this model, whose name is the default, over a range of one of
/// its numbers; nullptr: every key.
Schema phase_schema(const dynamics::ModelEntry* only = nullptr);

struct PhaseQuestion {
  PhaseSettings search;  ///< nothing is left to be chosen: noisy, drawn, fresh, order, sizes follow
  PhaseControl control;
  dynamics::ModelSettings model;           ///< the control at its default
  society::PopulationSettings population;  ///< the same
  bool plain_averaging = false;  ///< nobody stubborn, no noise, positive weights: only consensus is at rest (E1)
  const dynamics::Update& update() const { return dynamics::find_model(model.model).rule.update; }
  bool on_network() const { return population.network.kind != society::NetworkKind::none; }
  bool starts(society::StartKind kind) const { return population.start.kind == kind; }
  double spread() const { return population.start.spread; }
  bool free() const { return model.stubbornness == 0; }
};

/// noisy: the model moves for ever somewhere in the range, so moments are measured with replicas; else the crowd is
/// followed to its rest. It follows from the model and its numbers alone.
PhaseQuestion phase_question(const Config& config, const PhaseFiles& files = {});

/// Complains about keys that contradict each other.
void check_phase(const Config& config, Complaints& complaints);

/// Makes crowds of `size` agents (those of a file: as many as there are) with the control at a value. Starts and
/// networks that are drawn differ between sizes and replicas; noise and meetings differ between replicas and walks.
/// With noise a walk has another network at each value, so that the errors of the points are those of networks too, and
/// independent.
CrowdMaker phase_crowds(const Config& config, const PhaseFiles& files, const Random& random);

}  // namespace fovea::opinion::phase
