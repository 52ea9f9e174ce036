#pragma once
/// Gathers sets one particle at a time, with the checks that every reader makes. Internal to datasets/particles.

#include <string>
#include <vector>

#include "fovea/datasets/particles/particles.hpp"

namespace fovea::datasets::particles {

/// E may lie below |p| by rounding, 1e-4 of it: m^2 >= -kMassRounding E^2. Files of six digits have 4e-6 at most.
constexpr double kMassRounding = 2e-4;

/// What is wrong with a momentum of finite numbers, as the end of a sentence; "" where nothing is. A mass that is
/// negative by rounding is counted, and the momentum stays as it is.
std::string momentum_problem(const Momentum& p, Repairs& repairs);

/// Whether PDG number `id` is one of the three neutrinos, which no detector sees.
inline bool is_neutrino(std::int64_t id) {
  const std::int64_t kind = id < 0 ? -id : id;
  return kind == 12 || kind == 14 || kind == 16;
}

class SetBuilder {
 public:
  void add(const Momentum& p);
  void add(const Momentum& p, std::int64_t id);
  void add_part(std::int64_t sub_event) { sub_events_.push_back(static_cast<std::int32_t>(sub_event)); }
  void add_jet(const Momentum& p);
  /// Ends the set that the particles since the last end are. An empty one is counted.
  void end_set(std::int64_t number, Repairs& repairs);
  Index open_particles() const;  ///< of the set that has not ended
  void drop_open();              ///< forgets these
  Index sets() const { return static_cast<Index>(numbers_.size()); }
  /// The sets that have ended; begins anew.
  ParticleSets take();

 private:
  std::vector<double> values_, jets_;  ///< four a particle, four a jet
  std::vector<std::int32_t> ids_, sub_events_;
  std::vector<std::int64_t> numbers_;
  std::vector<Index> offsets_{0};
};

}  // namespace fovea::datasets::particles
